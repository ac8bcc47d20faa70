import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { disk, listNames, readTextIfExists } from '../../base/disk.ts';
import { parseSessionId } from '../../base/ids.ts';
import { writeFileAtomic } from '../../base/write-file-atomic.ts';
import { withSessionLock } from '../../session/lock.ts';
import { sessionsFolder } from '../home.ts';
import { parseSessionData, type SessionData } from '../session-data.ts';
import { requireExpected, requireId, type Storage } from './storage.ts';

export interface FileStorageOptions {
  /** Default: `~/.entire/sessions`. A `~` at its beginning is the home of who runs this. */
  readonly directory?: string;
}

const ENDING = '.json';

/** One JSON file for each session: `<directory>/<session id>.json`. */
export class FileStorage implements Storage {
  readonly directory: string;

  constructor({ directory = sessionsFolder() }: FileStorageOptions = {}) {
    this.directory = resolve(directory.replace(/^~(?=\/|$)/, () => process.env.HOME || homedir()));
  }

  async save(sessionId: string, data: SessionData, expected?: number | null): Promise<void> {
    const id = requireId(sessionId);
    const text = `${JSON.stringify(data)}\n`;
    await withSessionLock(this.directory, id, () => {
      if (expected !== undefined) requireExpected(id, this.read(id)?.updated_at, expected);
      writeFileAtomic(this.fileOf(id), text, { fsync: true });
    });
  }

  async load(sessionId: string): Promise<SessionData | undefined> {
    return this.read(requireId(sessionId));
  }

  async listSessions(): Promise<string[]> {
    const ids = listNames(this.directory).flatMap((name) =>
      name.endsWith(ENDING) ? (parseSessionId(name.slice(0, -ENDING.length)) ?? []) : [],
    );
    const times = new Map(ids.map((id) => [id, disk.statSync(this.fileOf(id)).mtimeMs]));
    return ids.sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
  }

  async delete(sessionId: string): Promise<void> {
    const id = requireId(sessionId);
    await withSessionLock(this.directory, id, () => disk.rmSync(this.fileOf(id), { force: true }));
  }

  private read(id: string): SessionData | undefined {
    const file = this.fileOf(id);
    const text = readTextIfExists(file);
    return text === undefined ? undefined : parseSessionData(text, file);
  }

  private readonly fileOf = (id: string): string => join(this.directory, `${id}${ENDING}`);
}
