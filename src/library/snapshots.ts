/**
 * `entire/snapshots`: what files were at some moment, and putting them back. Needs no git. All of it returns at once and not by a promise; times are
 * RFC 3339, in UTC, but for `mtimeMs`.
 *
 * @packageDocumentation
 */

export { EntireError, type ErrorCode } from '../base/errors.ts';
export {
  defaultSnapshotRoot,
  type FileSnapshot,
  FileSnapshotStore,
  type FileSnapshotStoreOptions,
  type RestoredSnapshot,
} from '../snapshot/store/file-snapshot-store.ts';
export type { FileState, GitMode } from '../snapshot/store/file-state.ts';
export type { Removed } from '../snapshot/store/gc.ts';
