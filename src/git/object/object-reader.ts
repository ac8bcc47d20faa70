import type { Git } from '../run.ts';
import { runAside, type Talk, talkTo } from '../talk.ts';
import { parseAnswer, parseBatch, type ReadObjects } from './objects.ts';

/**
 * Answers questions that come of each other, such as a tree and then what is in it, with one `git cat-file` that stays
 * until it is closed.
 *
 * @see https://git-scm.com/docs/git-cat-file#_batch_output
 */
export class ObjectReader {
  private readonly git: Git;
  private talk: Talk | undefined;
  private pending = new ByteQueue();
  /**
   * Whether git takes commands: it answers all of a question in one go, and not object by object. Since git 2.36; older
   * ones end at once.
   */
  private takesCommands = true;

  constructor(git: Git) {
    this.git = git;
  }

  /**
   * Reads objects by name: `<oid>` or `<rev>:<path>`; those that do not exist are left out. One question at a time.
   * `undefined` when git ended before it had answered, as it does at a damaged object.
   */
  async read(names: readonly string[]): Promise<ReadObjects | undefined> {
    const found: ReadObjects = new Map();
    const asked = [...new Set(names)].filter((name) => !name.includes('\n'));
    if (asked.length === 0) return found;
    const isFirst = this.start();
    if (isFirst === undefined) return undefined;
    const lines = this.takesCommands
      ? [...asked.map((name) => `contents ${name}\n`), 'flush\n']
      : asked.map((name) => `${name}\n`);
    this.talk?.write(lines.join(''));
    for (const name of asked) {
      const line = this.pending.line() ?? (await this.take(() => this.pending.line()));
      const answer = line === undefined ? undefined : parseAnswer(line);
      const size = (answer?.size ?? -1) + 1; // nothing follows the word that an object is missing
      const data = this.pending.bytes(size) ?? (await this.take(() => this.pending.bytes(size)));
      if (line === undefined || !data) {
        this.close();
        const mayBeOld = isFirst && this.takesCommands && found.size === 0;
        if (!mayBeOld) return undefined;
        this.takesCommands = false;
        return this.read(names);
      }
      if (answer) found.set(name, { oid: answer.oid, data: data.subarray(0, answer.size) });
    }
    return found;
  }

  close(): void {
    this.talk?.close();
    this.talk = undefined;
  }

  /** Whether it had to be started; `undefined` where it cannot be. */
  private start(): boolean | undefined {
    if (this.talk) return false;
    const how = this.takesCommands ? ['--batch-command', '--buffer'] : ['--batch'];
    try {
      this.talk = talkTo(this.git, ['cat-file', ...how]);
    } catch {
      return undefined; // there is no git
    }
    this.pending = new ByteQueue();
    return true;
  }

  /** What `find` finds among the bytes that have come, as soon as it finds it. */
  private async take<T>(find: () => T | undefined): Promise<T | undefined> {
    for (;;) {
      const taken = find();
      if (taken !== undefined) return taken;
      const part = await this.talk?.next();
      if (!part) return undefined;
      this.pending.push(part);
    }
  }
}

/** Bytes in the order they came in; joined when something whole is taken out, not before. */
class ByteQueue {
  private joined: Buffer = Buffer.alloc(0);
  /** How much of it has been taken out. */
  private at = 0;
  private later: Uint8Array[] = [];
  /** What has not been taken out yet. */
  private length = 0;

  push(part: Uint8Array): void {
    this.later.push(part);
    this.length += part.length;
  }

  /** The next `count` bytes; `undefined` while there are fewer. */
  bytes(count: number): Buffer | undefined {
    if (this.length < count) return undefined;
    this.join();
    return this.joined.subarray(this.at, this.advance(count));
  }

  /** The next line, without its end; `undefined` while there is none. */
  line(): string | undefined {
    this.join();
    const end = this.joined.indexOf(0x0a, this.at);
    if (end === -1) return undefined;
    const line = this.joined.toString('latin1', this.at, end);
    this.advance(line.length + 1);
    return line;
  }

  private advance(count: number): number {
    this.length -= count;
    this.at += count;
    return this.at;
  }

  private join(): void {
    if (this.later.length === 0) return;
    this.joined = Buffer.concat([this.joined.subarray(this.at), ...this.later]);
    this.at = 0;
    this.later = [];
  }
}

/** Reads objects with one process, while its caller does something else; none where one is damaged. */
export async function readObjectsAside(git: Git, oids: readonly string[]): Promise<ReadObjects> {
  if (oids.length === 0) return new Map();
  const said = await runAside(git, ['cat-file', '--batch'], oids.map((oid) => `${oid}\n`).join(''));
  return said ? parseBatch(oids, said) : new Map();
}

/** Lends a reader to `body`. */
export async function withObjects<T>(git: Git, body: (objects: ObjectReader) => Promise<T>): Promise<T> {
  const objects = new ObjectReader(git);
  try {
    return await body(objects);
  } finally {
    objects.close();
  }
}
