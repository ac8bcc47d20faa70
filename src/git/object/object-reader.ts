import { type Git, startGit } from '../run.ts';
import { parseAnswer, type ReadObjects } from './objects.ts';

/**
 * Answers questions that come of each other, such as a tree and then what is in it, with one `git cat-file` that stays
 * until it is closed.
 *
 * @see https://git-scm.com/docs/git-cat-file#_batch_output
 */
export class ObjectReader {
  private readonly git: Git;
  private child: ReturnType<typeof startGit> | undefined;
  private chunks: AsyncIterator<Buffer> | undefined;
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
    this.child?.stdin?.write(lines.join(''));
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
    this.child?.stdin?.end();
    this.child?.stdout?.destroy();
    this.child?.unref();
    this.child = undefined;
  }

  /** Whether it had to be started; `undefined` where it cannot be. */
  private start(): boolean | undefined {
    if (this.child) return false;
    const how = this.takesCommands ? ['--batch-command', '--buffer'] : ['--batch'];
    let child: ReturnType<typeof startGit>;
    try {
      child = startGit(this.git, ['cat-file', ...how], { stdin: 'pipe' });
    } catch {
      return undefined; // there is no git
    }
    child.on('error', () => {}); // that it ended shows at its output
    child.stdin?.on('error', () => {});
    child.stdout?.on('error', () => {});
    child.stderr?.resume();
    this.child = child;
    this.chunks = child.stdout?.[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.pending = new ByteQueue();
    return true;
  }

  /** What `part` finds among the bytes that have come, as soon as it finds it. */
  private async take<T>(part: () => T | undefined): Promise<T | undefined> {
    for (;;) {
      const taken = part();
      if (taken !== undefined) return taken;
      const next = await this.chunks?.next();
      if (!next || next.done) return undefined;
      this.pending.push(next.value);
    }
  }
}

/** Bytes in the order they came in; joined when something whole is taken out, not before. */
class ByteQueue {
  private joined: Buffer = Buffer.alloc(0);
  /** How much of it has been taken out. */
  private at = 0;
  private later: Buffer[] = [];
  /** What has not been taken out yet. */
  private length = 0;

  push(part: Buffer): void {
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

/** Lends a reader to `body`. */
export async function withObjects<T>(git: Git, body: (objects: ObjectReader) => Promise<T>): Promise<T> {
  const objects = new ObjectReader(git);
  try {
    return await body(objects);
  } finally {
    objects.close();
  }
}
