import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { parseSessionId } from '../../base/ids.ts';
import { isInfrastructurePath, type RepoPath, toRepoPath } from '../../base/repo-path.ts';
import { gitAt } from '../../git/run.ts';
import { finishOperation, readJournal } from '../operation.ts';
import { captureAll, type Place } from '../place.ts';
import { listRecordIds, newRecord, newRecordId, readRecord, writeRecord } from '../record/record.ts';
import type { PathChange } from '../record/snapshot-record.ts';
import { restorePaths } from '../restore.ts';
import { MAX_PARTED_BYTES, readBlob, storeParts, WHOLE_BYTES } from './chunks.ts';
import type { FileState } from './file-state.ts';
import { gcBlobs, type Removed } from './gc.ts';

/** What all files that a store was ever asked to look at were at one moment. */
export interface FileSnapshot {
  readonly id: string;
  /** RFC 3339, UTC. */
  readonly takenAt: string;
  /** By path, relative to the store's folder, `/`-separated. */
  readonly files: ReadonlyMap<string, FileState>;
}

/** What came of {@link FileSnapshotStore.restore}. */
export interface RestoredSnapshot {
  readonly restored: readonly string[];
  /** Paths that were left as they are, and why. */
  readonly left: ReadonlyMap<string, string>;
}

export interface FileSnapshotStoreOptions {
  /** Where contents and snapshots are kept; see {@link defaultSnapshotRoot}. */
  readonly root: string;
  /** The folder whose files are looked at. Default: the current one. It need not be in a repository. */
  readonly cwd?: string;
}

/**
 * Keeps what files are, and puts them back: contents by their SHA-256, large ones by what is new in them, and a list of all files
 * for each snapshot. Git is not needed. One process at a time may use a store.
 */
export class FileSnapshotStore {
  private readonly place: Place;

  constructor({ root, cwd = process.cwd() }: FileSnapshotStoreOptions) {
    this.place = { store: resolve(root), root: resolve(cwd) };
  }

  /**
   * Looks at files and remembers them together with all that were looked at before. One that is missing is remembered as
   * missing: to go back there means to delete it.
   *
   * @param paths absolute, or relative to the store's folder
   * @throws {EntireError} `INVALID_ID` for a path outside of the folder, or in a git folder; or the system error
   */
  snap(paths: readonly string[]): FileSnapshot {
    const { store } = this.place;
    const before = this.latest();
    const files = new Map(before?.files);
    for (const given of paths) {
      const path = this.toPath(given);
      const state = captureAll(this.place, path);
      this.pack(state, before?.files.get(path));
      files.set(path, state);
    }
    const id = newRecordId(listRecordIds(store).at(-1));
    const changes = [...files].map(([path, after]): [RepoPath, PathChange] => [
      path as RepoPath,
      { before: undefined, after, source: 'tool' },
    ]);
    const record = newRecord({ id, kind: 'snap', files: new Map(changes) });
    writeRecord(store, record);
    return { id, takenAt: record.at, files };
  }

  /** The newest snapshot, if there is one. @throws {EntireError} `SNAPSHOT_DAMAGED` */
  latest(): FileSnapshot | undefined {
    return this.list().at(-1);
  }

  /** All snapshots, oldest first. @throws {EntireError} `SNAPSHOT_DAMAGED` */
  list(): FileSnapshot[] {
    return listRecordIds(this.place.store)
      .map((id) => readRecord(this.place.store, id))
      .filter(({ kind }) => kind === 'snap')
      .map(({ id, at, files }) => ({
        id,
        takenAt: at,
        files: new Map([...files].map(([path, { after }]) => [path, after])),
      }));
  }

  /**
   * Makes every file what it was at the snapshot: contents, modes, links, and that it was missing. Each is replaced by a rename;
   * what is there now is kept first. A folder that took the place of a file is left. One that a killed process did not finish is
   * finished before it.
   *
   * @throws {EntireError} `WRITE_FAILED`, `SNAPSHOT_DAMAGED`: nothing was changed; `UNDO_UNFINISHED` where the store is a session's, and
   *   a rewind waits that only `entire undo` can finish
   */
  restore(snapshot: FileSnapshot): RestoredSnapshot {
    const interrupted = readJournal(this.place.store);
    if (interrupted?.effects.length === 0) finishOperation(this.place, interrupted);
    const targets = [...snapshot.files].map(([path, to]) => ({ path: this.toPath(path), to }));
    const { files, left } = restorePaths(this.place, gitAt(this.place.root), {
      kind: 'rewind',
      turnId: '',
      subject: '',
      effects: [],
      targets,
    });
    return { restored: [...files.keys()], left };
  }

  /** Removes contents that no snapshot names, and that are older than ten minutes. */
  gcBlobs(): Removed {
    return gcBlobs(this.place.store);
  }

  private toPath(given: string): RepoPath {
    const path = toRepoPath(this.place.root, given);
    if (path === undefined || isInfrastructurePath(path))
      throw new EntireError('INVALID_ID', `no file that can be kept: ${given}`);
    return path;
  }

  private pack(state: FileState, previous: FileState | undefined): void {
    if (state.kind !== 'file' || state.size <= WHOLE_BYTES || state.size > MAX_PARTED_BYTES) return;
    const { store } = this.place;
    const base = previous?.kind === 'file' && previous.sha256 !== state.sha256 ? previous.sha256 : undefined;
    storeParts(store, state.sha256, readBlob(store, state.sha256), base, { fsync: true });
  }
}

/**
 * Where snapshots of a session go that has no repository: `$XDG_DATA_HOME/entire/snapshots/<id>`, else below
 * `~/.local/share`; on Windows below `%LOCALAPPDATA%`.
 *
 * @throws {EntireError} `INVALID_ID` for an id that must not become part of a path
 */
export function defaultSnapshotRoot(sessionId: string, env: NodeJS.ProcessEnv = process.env): string {
  const id = parseSessionId(sessionId);
  if (id === undefined) throw new EntireError('INVALID_ID', `no session id: ${sessionId}`);
  const home = env.XDG_DATA_HOME || env.LOCALAPPDATA || join(homedir(), '.local', 'share');
  return join(home, 'entire', 'snapshots', id);
}
