import { createHash } from 'node:crypto';

/** Sessions of the model; each is a session of the agent with an id of its own. */
export const SESSIONS = ['A', 'B'] as const;
export type SessionName = (typeof SESSIONS)[number];
export const otherThan = (session: SessionName): SessionName => (session === 'A' ? 'B' : 'A');
/** Who does something to a file. */
export type Actor = SessionName | 'user';

/** Files, by the session whose they are. */
export class FilesBySession extends Map<SessionName, Set<string>> {
  add(session: SessionName, ...paths: string[]): void {
    this.set(session, new Set([...(this.get(session) ?? []), ...paths]));
  }
}

/** A file as the model sees it: lines that are unique in the whole sequence, and a mode. */
export interface FileState {
  readonly lines: readonly string[];
  readonly executable: boolean;
}

export type Tree = ReadonlyMap<string, FileState>;

export const renderLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

export const parseLines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** The name git gives a blob. */
export function blobId(text: string): string {
  const data = Buffer.from(text);
  return createHash('sha1').update(`blob ${data.length}\0`).update(data).digest('hex');
}

/** One thing that somebody did and that a commit can hold: a line added or removed, or another mode. */
export interface Unit {
  readonly path: string;
  readonly key: string;
}

export function unitsBetween(
  path: string,
  before: FileState | undefined,
  after: FileState | undefined,
): Unit[] {
  const was = new Set(before?.lines);
  const is = new Set(after?.lines);
  const units = [
    ...[...is].filter((line) => !was.has(line)).map((line) => `+ ${path} ${line}`),
    ...[...was].filter((line) => !is.has(line)).map((line) => `- ${path} ${line}`),
  ];
  if (before && after && before.executable !== after.executable) {
    units.push(`${after.executable ? 'x' : 'o'} ${path}`);
  }
  return units.map((key) => ({ path, key }));
}

/** Everything that differs between two trees. */
export function treeUnits(before: Tree, after: Tree): Unit[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].flatMap((path) => unitsBetween(path, before.get(path), after.get(path)));
}

/** Who did what, whether it is committed or not. */
export class LineBook {
  private count = 0;
  private readonly owners = new Map<string, Actor>();

  newLines(count: number): string[] {
    return Array.from({ length: count }, () => `line ${++this.count}`);
  }

  owner({ key }: Unit): Actor {
    return this.owners.get(key) ?? 'user';
  }

  did(actor: Actor, units: readonly Unit[]): void {
    for (const { key } of units) this.owners.set(key, actor);
  }

  /** A commit holds it, so nobody has it in hand any more. */
  settle(units: readonly Unit[]): void {
    for (const { key } of units) this.owners.delete(key);
  }
}

/** Whether lines hold more than half of what a version has and an older one has not. */
export function holdsMost(
  version: readonly string[],
  old: readonly string[],
  lines: readonly string[],
): boolean {
  const added = version.filter((line) => !old.includes(line));
  return added.filter((line) => lines.includes(line)).length * 2 > added.length;
}

/** Whether a new file has what was saved, with lines missing, or more than half of it in order. Lines are unique. */
export function isPartOrExtension(saved: readonly string[], committed: readonly string[]): boolean {
  if (committed.length === 0 || saved.length === 0) return false;
  return isSubsequence(committed, saved) || commonInOrder(saved, committed) * 2 > saved.length;
}

/**
 * Whether a committed file is one of the versions with lines left out, so that the rest stays with the session. Not
 * sure where it lacks lines of what was there before that each such version has: somebody may have cut them.
 */
export function isRestLeft(
  committed: readonly string[] | undefined,
  versions: readonly string[][],
  before: readonly string[],
): 'no' | 'perhaps' | 'yes' {
  if (!committed) return 'no';
  const wholes = versions.filter(
    (saved) => committed.length < saved.length && isSubsequence(committed, saved),
  );
  if (wholes.length === 0) return 'no';
  const kept = commonInOrder(before, committed);
  return wholes.some((saved) => commonInOrder(before, saved) <= kept) ? 'yes' : 'perhaps';
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const line of whole) if (line === part[at]) at++;
  return at === part.length;
}

/** Longest common subsequence. */
export function commonInOrder(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    b.forEach((other, at) => {
      next.push(
        line === other ? (row[at] as number) + 1 : Math.max(row[at + 1] as number, next[at] as number),
      );
    });
    row = next;
  }
  return row.at(-1) as number;
}

/** Whose work a unit is: a session's, or nobody's. */
export const ownedBy = ({ path }: Unit, actor: Actor): Array<{ path: string; session: SessionName }> =>
  actor === 'user' ? [] : [{ path, session: actor }];
