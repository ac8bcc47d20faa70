import { join } from 'node:path';
import { disk, listNames } from '../../base/file/disk.ts';
import { readOwnIfUsable } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { findCallingGits, findGit } from '../../git/caller.ts';
import type { Repo } from '../../git/locate.ts';

/**
 * Commits that are being made by hand: `<git-common-dir>/entire/open-commits/<pid of git>`, and in it the id of the
 * worktree. While an editor is open on the message git holds no lock, and fails afterwards when HEAD has moved.
 */
const folder = (repo: Pick<Repo, 'commonDir'>): string => join(repo.commonDir, 'entire', 'open-commits');

/** In a git hook: notes the commit that git is making, until its process is over. @throws the system error */
export function noteOpenCommit(repo: Repo): void {
  const [git] = findCallingGits();
  if (git?.name !== 'commit') return;
  isCommitOpen(repo); // forgets those that are over
  disk.mkdirSync(folder(repo), { recursive: true, mode: 0o750 });
  writeFileAtomic(join(folder(repo), String(git.pid)), repo.worktreeId);
}

/** Whether a commit is being made by hand in a worktree. Forgets those that are over. */
export function isCommitOpen(repo: Pick<Repo, 'commonDir' | 'worktreeId'>): boolean {
  const names = listNames(folder(repo)).filter((name) => /^\d+$/.test(name));
  const open = names.filter((name) => {
    if (findGit(Number(name))?.name === 'commit') return true;
    disk.rmSync(join(folder(repo), name), { force: true });
    return false;
  });
  return open.some((name) => readOwnIfUsable(join(folder(repo), name), 'mark') === repo.worktreeId);
}
