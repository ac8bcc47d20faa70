import { EntireError } from '../base/errors.ts';
import { randomHex } from '../base/hash.ts';
import { type ObjectId, parseObjectId } from '../base/ids.ts';
import { importing } from '../git/object/objects.ts';
import { updateRefs } from '../git/ref/refs.ts';
import { type Git, runGit } from '../git/run.ts';
import { WORKSHOP } from './scrub-history.ts';

/** One commit of an exported branch. */
export interface Exported {
  readonly mark: string;
  readonly original: ObjectId;
  /** `author` and `committer`, as they stand. */
  readonly people: readonly string[];
  readonly message: string;
  readonly parents: readonly string[];
  /** `M` and `D` lines. */
  readonly changes: readonly string[];
}

/** The commits of a branch, the first one first. Paths are quoted as git quotes them. */
export function exportBranch(git: Git, ref: string): Exported[] {
  const args = [
    'fast-export',
    '--no-data',
    '--show-original-ids',
    '--reencode=no',
    '--signed-tags=strip',
    ref,
  ];
  const bytes = runGit(git, args).stdout;
  const commits: Exported[] = [];
  let open: { -readonly [K in keyof Exported]: Exported[K] } | undefined;
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    const line = bytes.toString('utf8', at, end);
    at = end + 1;
    if (line.startsWith('commit ')) {
      open = { mark: '', original: '' as ObjectId, people: [], message: '', parents: [], changes: [] };
      commits.push(open);
    } else if (!open) continue;
    const [word = '', rest = ''] = [line.split(' ', 1)[0], line.slice(line.indexOf(' ') + 1)];
    if (word === 'mark') open.mark = rest;
    else if (word === 'original-oid') open.original = rest as ObjectId;
    else if (word === 'author' || word === 'committer') open.people = [...open.people, line];
    else if (word === 'data') {
      open.message = bytes.toString('utf8', at, at + Number(rest));
      at += Number(rest);
    } else if (word === 'from' || word === 'merge') open.parents = [...open.parents, rest];
    else if (word === 'M' || word === 'D') open.changes = [...open.changes, line];
  }
  return commits;
}

/** Writes commits on a ref of the workshop, moves the branch there, and forgets how it was. */
export function importBranch(
  git: Git,
  ref: string,
  tip: ObjectId,
  commits: readonly Buffer[],
  last: string,
): ObjectId {
  const temporary = `${WORKSHOP}${randomHex(6)}`;
  const head = Buffer.from(`feature done\nreset ${temporary}\n`);
  const stream = Buffer.concat([
    head,
    ...commits.map((commit) => Buffer.concat([Buffer.from(`commit ${temporary}\n`), commit])),
    Buffer.from(`get-mark ${last}\ndone\n`),
  ]);
  const args = ['-c', 'pack.compression=0', 'fast-import', '--quiet', '--done', '--force'];
  const { stdout } = importing(git, () => runGit(git, args, { input: stream, noHooks: true }));
  const to = parseObjectId(stdout.toString('latin1').trim());
  if (!to) throw new EntireError('GIT_FAILED', `${ref} could not be rewritten`);
  try {
    updateRefs(git, [{ ref, from: tip, to }]);
  } finally {
    updateRefs(git, [{ ref: temporary, from: to, to: undefined }]);
  }
  expireReflog(git, ref);
  return to;
}

/** The branch is ours, and where it was before is what was to be forgotten. */
export function expireReflog(git: Git, ref: string): void {
  runGit(git, ['reflog', 'expire', '--expire=now', '--expire-unreachable=now', ref], { okUnknown: true });
}

/** A commit for {@link importBranch}. */
export function render(
  commit: Exported,
  { message, parents, changes }: { message: string; parents: readonly string[]; changes: readonly Buffer[] },
): Buffer {
  const said = Buffer.from(message);
  return Buffer.concat([
    Buffer.from(`mark ${commit.mark}\n${commit.people.join('\n')}\ndata ${said.length}\n`),
    said,
    Buffer.from('\n'),
    ...parents.map((parent, at) => Buffer.from(`${at === 0 ? 'from' : 'merge'} ${parent}\n`)),
    ...changes,
    Buffer.from('\n'),
  ]);
}
