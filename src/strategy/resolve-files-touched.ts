import { resolve } from 'node:path';
import { isInfrastructurePath, type RepoPath, sortedUnique, toRepoPath } from '../base/repo-path.ts';
import { writtenFile } from '../git/locate.ts';

/** What is known of a session's files; the transcript is asked last, since reading it costs most. */
export interface FileSources {
  readonly fromState: readonly RepoPath[];
  /** The tracking file and its claims. */
  readonly fromTrackingFile: readonly RepoPath[];
  readonly fromTranscript: () => readonly RepoPath[];
}

/** Merges what the session knows; sorted, without duplicates. */
export function resolveFilesTouched(sources: FileSources): RepoPath[] {
  const known = [...sources.fromState, ...sources.fromTrackingFile];
  return sortedUnique(known.length > 0 ? known : sources.fromTranscript());
}

/** Paths as an agent named them, as paths of the worktree; those outside of it are dropped, and of a link it is the file behind it. */
export function toWorktreePaths(worktreeRoot: string, files: readonly string[]): RepoPath[] {
  return files.flatMap((file) => {
    const path = toRepoPath(worktreeRoot, writtenFile(resolve(worktreeRoot, file)));
    return path && !isInfrastructurePath(path) ? [path] : [];
  });
}
