import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENTS } from '../../../src/agents/names.ts';
import type { SessionId } from '../../../src/base/ids.ts';
import type { RepoPath } from '../../../src/base/repo-path.ts';
import { keepEdit } from '../../../src/hooks/post-file-edit.ts';
import { runPostFileRead } from '../../../src/hooks/post-file-read.ts';
import { sessionStore } from '../../../src/snapshot/store/blobs.ts';
import { recordShell } from '../../../src/snapshot/turn/note-shell.ts';
import { LOADED_READERS } from '../../support/agent/loaded.ts';
import type { Dice } from '../../support/runner/dice.ts';
import { CLIENTS, type Client } from './clients.ts';
import {
  ENCODINGS,
  type Encoding,
  hasRow,
  type Insertion,
  insert,
  LINE_ENDS,
  newContent,
} from './contents.ts';

const STATES = ['clean', 'dirty', 'untracked', 'ignored', 'missing'] as const;
const LINKS = ['none', 'none', 'none', 'file', 'chain', 'folder'] as const;
export const SESSION = 'session-1' as SessionId;

export type Bytes = Buffer | undefined;

/** A change that the user made, and whether a client that tells nothing came to the file after it. */
interface UserChange {
  readonly apply: (bytes: Bytes) => Bytes;
  isBlind: boolean | undefined;
}

/** One file, and what became of it in a turn. */
export class Case {
  readonly path: RepoPath;
  /** As agents name it. */
  readonly via: string;
  readonly encoding: Encoding;
  readonly state: (typeof STATES)[number];
  readonly before: Bytes;
  readonly story: string[] = [];
  readonly user: UserChange[] = [];
  isEdited = false;
  hasRemoval = false;
  private readonly root: string;
  private readonly dice: Dice;
  private lines = 0;

  constructor(root: string, number: number, dice: Dice) {
    this.root = root;
    this.dice = dice;
    this.encoding = dice.oneOf(ENCODINGS);
    this.state = dice.oneOf(STATES);
    const ends = dice.oneOf(LINE_ENDS);
    const link = dice.oneOf(LINKS);
    this.path = `files/${number}${this.state === 'ignored' ? '.ign' : '.txt'}` as RepoPath;
    this.via =
      link === 'none' ? this.path : link === 'folder' ? `linked/${this.path.slice(6)}` : `links/${number}`;
    if (link === 'file' || link === 'chain') {
      if (link === 'chain') symlinkSync(`../${this.path}`, join(root, 'links', `${number}-2`));
      symlinkSync(link === 'file' ? `../${this.path}` : `${number}-2`, join(root, this.via));
    }
    this.before = this.state === 'missing' ? undefined : newContent(this.encoding, ends, dice);
    this.story.push([this.encoding.name, ends, this.state, `link: ${link}`].join(', '));
    if (this.state === 'clean') this.write(this.before);
    if (this.state === 'dirty') this.write(newContent(this.encoding, ends, dice));
  }

  /** After the commit, and before the prompt. */
  settle(): void {
    if (this.state !== 'clean') this.write(this.before);
  }

  now(): Bytes {
    const file = join(this.root, this.path);
    return existsSync(file) ? readFileSync(file) : undefined;
  }

  private write(bytes: Bytes): void {
    const file = join(this.root, this.path);
    if (bytes === undefined) return rmSync(file, { force: true });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }

  private insertion(who: string, rows: 0 | 1): Insertion {
    const row = this.dice.below(5) * 2 + rows;
    const now = this.now() ?? Buffer.alloc(0);
    const place = this.dice.oneOf(['top', 'end', row, row] as const);
    const where = typeof place === 'number' && !hasRow(now, place, this.encoding) ? 'end' : place;
    return { where, line: `${who} ${++this.lines}\n` };
  }

  byAgent(): void {
    const now = this.now();
    const client = this.dice.oneOf(
      CLIENTS.filter(({ tool }) =>
        /Delete/.test(tool)
          ? now !== undefined && this.via === this.path
          : now !== undefined || tool !== 'Bash',
      ),
    );
    const call = { file: join(this.root, this.via), cwd: this.root, sessionId: SESSION };
    if (client.read && now && this.dice.chance(60)) {
      const payload = client.read(call);
      runPostFileRead(LOADED_READERS[client.agent], () => payload);
      this.story.push('the agent reads it');
    }
    const wish = this.dice.chance(15) ? `agent ${++this.lines}\nanew\n` : this.insertion('agent', 1);
    const { after, payload } = client.call({ ...call, before: now, encoding: this.encoding, wish });
    this.write(after);
    this.report(client, payload);
    const isTold = client.tells && payload.before !== undefined;
    const isBlind = !client.tells || (['pi', 'opencode'].includes(client.agent) && !isTold);
    for (const change of this.user) change.isBlind ??= isBlind;
    this.story.push(
      `${client.agent} ${client.tool}: ${typeof wish === 'string' ? 'anew' : `at ${wish.where}`}`,
    );
    this.isEdited = true;
  }

  private report(client: Client, payload: Record<string, unknown>): void {
    const edit = LOADED_READERS[client.agent].parseFileEdit(JSON.parse(JSON.stringify(payload)));
    if (!edit || 'rejected' in edit) throw new Error(`${client.agent} ${client.tool}: no edit`);
    keepEdit(edit, AGENTS[client.agent].type, undefined);
    if (client.tool === 'Bash') recordShell(sessionStore(join(this.root, '.git'), SESSION, ''), this.root);
  }

  byShell(): void {
    const now = this.now();
    if (now === undefined && this.state !== 'missing') return;
    this.write(insert(now ?? Buffer.alloc(0), this.insertion('shell', 1), this.encoding));
    recordShell(sessionStore(join(this.root, '.git'), SESSION, ''), this.root);
    this.story.push('a shell');
  }

  byUser(): void {
    if (this.now() !== undefined && this.dice.chance(6)) {
      this.user.push({ apply: () => undefined, isBlind: undefined });
      this.hasRemoval = true;
      this.story.push('the user removes it');
    } else {
      const line = this.insertion('user', 0);
      this.user.push({
        apply: (bytes) => insert(bytes ?? Buffer.alloc(0), line, this.encoding),
        isBlind: undefined,
      });
      this.story.push(`the user, at ${line.where}`);
    }
    this.write((this.user.at(-1) as UserChange).apply(this.now()));
  }

  /**
   * What the file may be when the agent's work is taken out of it. A change of the user's that a client came after which tells nothing
   * may be gone; those that another call told of stay even then.
   *
   * @param isMixed it was said that a shell may have written what the user did: then any of it may be gone
   */
  expected(isMixed: boolean): Bytes[] {
    const having = (changes: readonly UserChange[]): Bytes =>
      changes.reduce<Bytes>((bytes, { apply }) => apply(bytes), this.before);
    const free = this.user.filter(({ isBlind }) => isMixed || isBlind);
    const choices = Array.from({ length: 2 ** free.length }, (_, bits) => {
      const gone = free.filter((_, at) => bits & (1 << at));
      return having(this.user.filter((change) => !gone.includes(change)));
    });
    return [...choices, ...(this.hasRemoval ? [this.before] : [])];
  }
}
