import { EntireError } from '../base/errors.ts';
import type { Storage } from './storage/storage.ts';
import { requireId } from './storage/storage.ts';

/** {@link SessionTree} as JSON. */
export interface SessionTreeDict {
  /** By session: the one it was forked from, `null` for none. */
  readonly parents: Readonly<Record<string, string | null>>;
  /** By name of the branch: its session. */
  readonly branches: Readonly<Record<string, string>>;
  readonly current: string | null;
}

/** Which sessions were forked from which, what their branches are called, and which one is worked in. */
export class SessionTree {
  private readonly parents = new Map<string, string | undefined>();
  private readonly named = new Map<string, string>();
  private at: string | undefined;

  /** The session that is worked in. */
  get current(): string | undefined {
    return this.at;
  }

  /** By name: the sessions of the branches. */
  get branches(): ReadonlyMap<string, string> {
    return this.named;
  }

  /** In the order in which they came in. */
  get sessions(): readonly string[] {
    return [...this.parents.keys()];
  }

  /**
   * Takes in a session, or names it anew; the first one becomes the current.
   *
   * @param branch a name for it; one that another session has goes over to this one
   * @throws {EntireError} `INVALID_ID` for what is no id, and for a parent that it is above of
   */
  add(sessionId: string, parentId?: string, branch?: string): void {
    const id = requireId(sessionId);
    const parent = parentId === undefined ? this.parents.get(id) : requireId(parentId);
    if (parent !== undefined && this.pathTo(parent).includes(id))
      throw new EntireError('INVALID_ID', `${id} cannot be forked from ${parent}, which was forked from it.`);
    this.parents.set(id, parent);
    if (branch !== undefined) this.name(id, branch);
    this.at ??= id;
  }

  /** Names the branch of a session. @throws {EntireError} `NOT_FOUND` `INVALID_ID` */
  name(sessionId: string, branch: string): void {
    this.require(sessionId);
    if (branch.trim() === '') throw new EntireError('INVALID_ID', 'a branch needs a name.');
    this.named.set(branch, sessionId);
  }

  parentOf(sessionId: string): string | undefined {
    return this.parents.get(sessionId);
  }

  /** Those that were forked from it, the oldest first. */
  childrenOf(sessionId: string): readonly string[] {
    return [...this.parents].flatMap(([id, parent]) => (parent === sessionId ? [id] : []));
  }

  /** A session and what it was forked from, from the root on; parents that are not in the tree are part of it. */
  pathTo(sessionId: string): readonly string[] {
    const path: string[] = [];
    for (let id: string | undefined = sessionId; id !== undefined; id = this.parents.get(id))
      path.unshift(id);
    return path;
  }

  /** The session that a word names: a branch, or an id. */
  find(word: string): string | undefined {
    return this.named.get(word) ?? (this.parents.has(word) ? word : undefined);
  }

  /** Makes another session the current one. @param word its id or branch @throws {EntireError} `NOT_FOUND` */
  switchTo(word: string): string {
    this.at = this.require(this.find(word) ?? word);
    return this.at;
  }

  /** Forgets a session and its branches; what was forked from it stays. */
  remove(sessionId: string): void {
    this.parents.delete(sessionId);
    for (const [branch, id] of this.named) if (id === sessionId) this.named.delete(branch);
    if (this.at === sessionId) this.at = undefined;
  }

  toDict(): SessionTreeDict {
    const parents = [...this.parents].map(([id, parent]) => [id, parent ?? null] as const);
    return {
      parents: Object.fromEntries(parents),
      branches: Object.fromEntries(this.named),
      current: this.at ?? null,
    };
  }

  /** @throws {EntireError} `INVALID_ID`, `NOT_FOUND` when it contradicts itself */
  static fromDict({ parents, branches, current }: SessionTreeDict): SessionTree {
    const tree = new SessionTree();
    for (const [id, parent] of Object.entries(parents)) tree.add(id, parent ?? undefined);
    for (const [branch, id] of Object.entries(branches)) tree.name(id, branch);
    tree.at = current === null ? undefined : tree.require(current);
    return tree;
  }

  /**
   * The tree of all sessions that a storage keeps: parents as they tell, and the branches they are called
   * (`metadata.branch`). What cannot be read is left out.
   */
  static async load(storage: Storage): Promise<SessionTree> {
    const tree = new SessionTree();
    for (const id of (await storage.listSessions()).reverse()) {
      const data = await storage.load(id).catch(() => undefined);
      if (!data) continue;
      const { branch } = data.metadata;
      const isLoop = data.parent_id !== null && tree.pathTo(data.parent_id).includes(id);
      tree.add(id, isLoop ? undefined : (data.parent_id ?? undefined));
      if (typeof branch === 'string' && branch.trim() !== '') tree.name(id, branch);
      tree.at = id; // the one that was saved last
    }
    return tree;
  }

  private require(sessionId: string): string {
    if (this.parents.has(sessionId)) return sessionId;
    throw new EntireError('NOT_FOUND', `no session or branch of this tree: ${sessionId}`);
  }
}
