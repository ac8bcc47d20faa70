import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { disk, lstatInWorktree } from '../../base/file/disk.ts';
import { newId } from '../../base/ids.ts';
import { spareMemory } from '../../base/memory.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { Git } from '../../git/run.ts';
import { checkOutInto } from '../../git/worktree/checkout.ts';
import { adoptBlob, putBlob } from '../store/blobs.ts';
import type { FileState } from '../store/file-state.ts';

type GitState = Extract<FileState, { kind: 'git' }>;

/** Looks up what git has for a path: its content as a checkout would write it. */
export type ResolveState = (path: RepoPath, state: FileState) => FileState | string;

/**
 * Keeps the contents that git has for some paths, so that they are like any other from here on. Two processes for all of them.
 *
 * @returns the state to use for a path; where git could not give it, why
 * @throws the system error
 */
export function resolveGitStates(
  store: string,
  git: Git,
  wanted: Iterable<readonly [RepoPath, FileState]>,
): ResolveState {
  const keyOf = (path: string, { oid, mode }: GitState): string => `${mode} ${oid} ${path}`;
  const found = new Map<string, FileState | string>();
  // One path may be wanted in several versions: each version has a folder of its own.
  const rounds: Array<Map<RepoPath, GitState>> = [];
  for (const [path, state] of wanted) {
    if (state.kind !== 'git' || found.has(keyOf(path, state))) continue;
    found.set(keyOf(path, state), 'git does not have it any more');
    const round = rounds.find((paths) => !paths.has(path));
    if (round) round.set(path, state);
    else rounds.push(new Map([[path, state]]));
  }
  for (const round of rounds) {
    const folder = join(store, `staging-${newId()}`);
    try {
      const files = [...round].map(([path, { oid, mode }]) => ({ path, oid, mode }));
      const failed = checkOutInto(git, folder, files);
      let done = 0;
      for (const [path, state] of round) {
        spareMemory(done++);
        found.set(keyOf(path, state), failed.get(path) ?? keep(store, folder, path, state));
      }
    } finally {
      disk.rmSync(folder, { recursive: true, force: true });
    }
  }
  return (path, state) => (state.kind === 'git' ? (found.get(keyOf(path, state)) ?? state) : state);
}

/** Git knows of a mode only whether the file can be run: the rest is what people have. What it wrote for us is kept as it lies there. */
function keep(store: string, folder: string, path: RepoPath, { mode }: GitState): FileState | string {
  try {
    const stat = lstatInWorktree(folder, path);
    const file = join(folder, path);
    if (stat?.isSymbolicLink())
      return { kind: 'link', sha256: putBlob(store, disk.readlinkSync(file, 'buffer')) };
    if (!stat?.isFile()) return 'git could not write it';
    const sha256 = adoptBlob(store, file, stat.size);
    return { kind: 'file', sha256, size: stat.size, mode: mode === '100755' ? 0o755 : 0o644 };
  } catch (error) {
    return describeError(error);
  }
}
