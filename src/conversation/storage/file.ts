import { join } from 'node:path';
import { EntireError, errnoOf } from '../../base/errors.ts';
import { disk, listNames, lstatIfExists } from '../../base/file/disk.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { removeKilledWrites } from '../../session/killed-writers.ts';
import { withSessionLock } from '../../session/lock.ts';
import { resolveHome, sessionsFolder } from '../home.ts';
import { MAX_SESSION_BYTES, parseSessionData, renderSessionData, type SessionData } from '../session-data.ts';
import { requireExpected, requireId, requireOwn, type Storage, WAIT_MS } from './storage.ts';

export interface FileStorageOptions {
  /** Default: `~/.entire/sessions`. A `~` at its beginning is the home of who runs this. */
  readonly directory?: string;
  /** How long to wait for other processes. Default: ten seconds. */
  readonly waitMs?: number;
}

const ENDING = '.json';

/** One JSON file for each session: `<directory>/<session id>.json`. */
export class FileStorage implements Storage {
  /** Absolute. */
  readonly directory: string;
  private readonly waitMs: number;
  private isSwept = false;

  /** @throws {EntireError} `BAD_FLAGS` for a `directory` that names none */
  constructor({ directory = sessionsFolder(), waitMs = WAIT_MS }: FileStorageOptions = {}) {
    if (directory === '' || directory.includes('\0'))
      throw new EntireError('BAD_FLAGS', `\`directory\` names none: ${JSON.stringify(directory)}.`);
    this.directory = resolveHome(directory);
    this.waitMs = waitMs;
  }

  /** Also refuses (`STATE_UNREADABLE`) to write over a file that holds no session that this version can read. */
  async save(sessionId: string, data: SessionData, expected?: number | null): Promise<void> {
    const id = requireOwn(requireId(sessionId), data);
    const text = `${renderSessionData(data)}\n`;
    await this.locked(id, () => {
      const kept = this.read(id);
      // Where a disk does not tell `A` from `a` they would take turns in one file.
      if (kept && kept.session_id !== id)
        throw new EntireError('INVALID_ID', `${this.fileOf(id)} is that of the session ${kept.session_id}.`, {
          hint: 'This disk does not tell capital letters from small ones: choose another id.',
        });
      requireExpected(id, kept?.updated_at, expected);
      writeFileAtomic(this.fileOf(id), text, { fsync: true });
    });
  }

  async load(sessionId: string): Promise<SessionData | undefined> {
    const id = requireId(sessionId);
    const data = this.read(id);
    return data?.session_id === id ? data : undefined;
  }

  /** Also those whose file cannot be read: they are there, and can be deleted. */
  async listSessions(): Promise<string[]> {
    const found = this.reading(this.directory, () =>
      listNames(this.directory).flatMap((name) => this.look(name) ?? []),
    );
    return (found ?? []).sort((a, b) => b.savedMs - a.savedMs || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
  }

  async delete(sessionId: string): Promise<void> {
    const id = requireId(sessionId);
    const file = this.fileOf(id);
    if (this.reading(file, () => lstatIfExists(file)) === undefined) return;
    await this.locked(id, () => {
      if (this.isOfAnother(id)) return;
      disk.rmSync(file, { force: true });
      removeKilledWrites(this.directory, `${id}${ENDING}`);
    });
  }

  /** A file of the folder, if it is that of a session; `undefined` also when it is gone by now. */
  private look(name: string): { readonly id: SessionId; readonly savedMs: number } | undefined {
    const id = name.endsWith(ENDING) ? parseSessionId(name.slice(0, -ENDING.length)) : undefined;
    const stat = id && statThrough(join(this.directory, name));
    return id && stat ? { id, savedMs: stat.mtimeMs } : undefined;
  }

  /** What the file of an id holds: that session, or one whose id differs in case only. */
  private read(id: SessionId): SessionData | undefined {
    const file = this.fileOf(id);
    return this.reading(file, () => {
      const stat = disk.statSync(file, { throwIfNoEntry: false });
      if (!stat) return undefined;
      if (!stat.isFile()) throw unreadable(file, 'it is not a file'); // to open a pipe would wait for ever
      if (stat.size > MAX_SESSION_BYTES) throw unreadable(file, 'it is too large');
      const data = parseSessionData(disk.readFileSync(file, 'utf8'), file);
      if (data.session_id.toLowerCase() !== id.toLowerCase())
        throw unreadable(file, `it holds the session ${data.session_id}`);
      return data;
    });
  }

  private isOfAnother(id: SessionId): boolean {
    try {
      const data = this.read(id);
      return data !== undefined && data.session_id !== id;
    } catch {
      return false; // whatever it is, it is to go
    }
  }

  /** @throws {EntireError} `STATE_UNREADABLE` for what the disk refuses; `undefined` when a file is gone by now */
  private reading<T>(path: string, body: () => T): T | undefined {
    try {
      return body();
    } catch (error) {
      const code = errnoOf(error);
      if (error instanceof EntireError || code === undefined) throw error;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw unreadable(path, (error as Error).message, error);
    }
  }

  private async locked(id: SessionId, body: () => void): Promise<void> {
    try {
      disk.mkdirSync(this.directory, { recursive: true, mode: 0o700 });
      const sweepAndWrite = () => {
        if (!this.isSwept) removeKilledWrites(this.directory, `${id}${ENDING}`);
        this.isSwept = true;
        body();
      };
      await withSessionLock(this.directory, id, sweepAndWrite, { waitMs: this.waitMs });
    } catch (error) {
      if (error instanceof EntireError && error.code === 'LOCKED')
        throw new EntireError('LOCKED', error.message, { hint: 'Try again when it has finished.' });
      if (error instanceof EntireError || errnoOf(error) === undefined) throw error;
      throw new EntireError(
        'WRITE_FAILED',
        `session ${id} cannot be written to ${this.directory}: ${(error as Error).message}`,
        {
          hint: 'Is there room on the disk, and may you write there? What was kept before is still there.',
          cause: error,
        },
      );
    }
  }

  private readonly fileOf = (id: string): string => join(this.directory, `${id}${ENDING}`);
}

/** Of a file; of a link, where what it leads to cannot be looked at; `undefined` for all else. */
function statThrough(path: string): { readonly mtimeMs: number } | undefined {
  try {
    const stat = disk.statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? stat : undefined;
  } catch (error) {
    const link = lstatIfExists(path);
    if (link?.isSymbolicLink()) return link;
    throw error;
  }
}

const unreadable = (path: string, why: string, cause?: unknown): EntireError =>
  new EntireError('STATE_UNREADABLE', `${path} cannot be read as a session: ${why}.`, {
    hint: 'It is left as it is.',
    cause,
  });
