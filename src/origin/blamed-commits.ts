import { type ObjectId, parseObjectId } from '../base/ids.ts';
import { LINK_FIELDS, type Links, readLinks, WITH_NOTES } from '../git/commit/links.ts';
import { type Git, runGit } from '../git/run.ts';

/** What is told of a commit that brought lines into a file. */
export interface BlamedCommit {
  readonly author: string;
  readonly authoredAt: string;
  readonly committedAt: string;
  readonly parents: readonly ObjectId[];
  /** The checkpoints that it names. */
  readonly links: Links;
}

/** Author and checkpoint of each commit, with one process. */
export function readCommits(git: Git, oids: readonly ObjectId[]): Map<ObjectId, BlamedCommit> {
  if (oids.length === 0) return new Map();
  const shown = ['-z', '--no-show-signature', '--encoding=UTF-8', WITH_NOTES];
  const args = ['log', ...shown, '--no-walk=unsorted', '--stdin'];
  const format = `--format=%H%x00%an%x00%aI%x00%cI%x00%P%x00${LINK_FIELDS}`;
  const input = oids.map((oid) => `${oid}\n`).join('');
  const fields = runGit(git, [...args, format], { input })
    .stdout.toString('utf8')
    .split('\0');
  const commits = new Map<ObjectId, BlamedCommit>();
  for (let at = 0; at + 7 < fields.length; at += 8) {
    const [oid, author = '', authoredAt = '', committedAt = '', named = '', ...said] = fields.slice(
      at,
      at + 8,
    );
    const parents = named.split(' ').flatMap((parent) => parseObjectId(parent) ?? []);
    commits.set(oid as ObjectId, {
      author,
      authoredAt,
      committedAt,
      parents,
      links: readLinks(...said),
    });
  }
  return commits;
}

/** {@link readCommits}; what was asked for before is not asked for again. */
export function rememberCommits(git: Git): ReadCommits {
  const known = new Map<ObjectId, BlamedCommit>();
  return (oids) => {
    const fresh = readCommits(
      git,
      oids.filter((oid) => !known.has(oid)),
    );
    for (const [oid, commit] of fresh) known.set(oid, commit);
    const asked = new Set(oids);
    return new Map([...known].filter(([oid]) => asked.has(oid)));
  };
}

export type ReadCommits = (oids: readonly ObjectId[]) => Map<ObjectId, BlamedCommit>;
