import type { Repo } from '../../git/locate.ts';
import { readBranch } from '../../history/branch.ts';
import { workIn } from '../../strategy/work.ts';
import { readOne } from '../range.ts';
import { readTold } from './attribution.ts';
import { renderGitAi } from './git-ai.ts';
import { writeGitAiNotes } from './write-notes.ts';

/** Writes the note of git-ai for the commit that was just made; a merge has none, nor has a commit of which no line is known. */
export async function noteCommit(repo: Repo): Promise<void> {
  const branch = readBranch(repo);
  const commits = branch.head ? readOne(branch, branch.head) : [];
  if (!branch.head) return;
  for await (const told of readTold(workIn(repo), branch.store, commits, {
    revision: branch.head,
    isOn: true,
  })) {
    const { text } = renderGitAi(told);
    if (text !== undefined) writeGitAiNotes(branch.git, [{ commit: branch.head, text }]);
  }
}
