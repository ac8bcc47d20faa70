import { type CheckpointId, type ObjectId, parseObjectId } from '../base/ids.ts';
import { CHECKPOINT_LINES, chooseCheckpoint, WITH_NOTES } from '../git/commit/trailers.ts';
import { type Git, runGit } from '../git/run.ts';

/** What is told of a commit that brought lines into a file. */
export interface BlamedCommit {
  readonly author: string;
  readonly authoredAt: string;
  readonly committedAt: string;
  readonly parents: readonly ObjectId[];
  readonly checkpoint: CheckpointId | undefined;
}

/** Author and checkpoint of each commit, with one process. */
export function readCommits(git: Git, oids: readonly ObjectId[]): Map<ObjectId, BlamedCommit> {
  if (oids.length === 0) return new Map();
  const shown = ['-z', '--no-show-signature', '--encoding=UTF-8', WITH_NOTES];
  const args = ['log', ...shown, '--no-walk=unsorted', '--stdin'];
  const format = `--format=%H%x00%an%x00%aI%x00%cI%x00%P%x00%B%x00${CHECKPOINT_LINES}`;
  const input = oids.map((oid) => `${oid}\n`).join('');
  const fields = runGit(git, [...args, format], { input })
    .stdout.toString('utf8')
    .split('\0');
  const commits = new Map<ObjectId, BlamedCommit>();
  for (let at = 0; at + 6 < fields.length; at += 7) {
    const [oid, author = '', authoredAt = '', committedAt = '', named = '', message = '', lines = ''] =
      fields.slice(at, at + 7);
    const parents = named.split(' ').flatMap((parent) => parseObjectId(parent) ?? []);
    commits.set(oid as ObjectId, {
      author,
      authoredAt,
      committedAt,
      parents,
      checkpoint: chooseCheckpoint(lines, message),
    });
  }
  return commits;
}
