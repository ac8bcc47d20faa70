import { type CheckpointId, type ObjectId, parseObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { readCheckpoints } from '../../checkpoint/read/checkpoint.ts';
import { findMisfits } from '../../checkpoint/read/fit.ts';
import { openCheckpoints } from '../../checkpoint/read/store.ts';
import { type Compared, findHeldWork, type MadeOf } from '../../git/commit/held-work.ts';
import { LINK_FIELDS, type Links, linkedIds, readLinks, WITH_NOTES } from '../../git/commit/links.ts';
import { noteCheckpoints } from '../../git/commit/notes.ts';
import { isSequenceInProgress } from '../../git/commit/operation.ts';
import { readMovesOfRebase } from '../../git/ref/reflog.ts';
import { type Git, runGit } from '../../git/run.ts';
import { withNotesLock } from '../../session/notes-lock.ts';
import type { Work } from '../work.ts';

/** A commit, and the one that git says it was made again as. */
export interface RewrittenPair {
  readonly old: ObjectId;
  readonly made: ObjectId;
}

/** More than anybody rewrites with git alone; what comes behind is for `entire relink`. */
const MAX_PAIRS = 50_000;

/** The lines that git gives to `post-rewrite`: old, new, and perhaps more. What is no such line is passed over. */
export function parsePairs(text: string): RewrittenPair[] {
  return text.split('\n', MAX_PAIRS).flatMap((line) => {
    const [old, made] = line.trim().split(' ').map(parseObjectId);
    return old && made && old !== made ? [{ old, made }] : [];
  });
}

/** A commit as it is looked at here. */
interface Known extends Compared {
  readonly links: Links;
  readonly authoredAt: string;
}

/**
 * After commits were made again: the new ones are noted for the checkpoints that the old ones led to, where their messages lost them
 * and their content shows that they hold that work. What git says of commits is checked, not believed: one that was skipped, or came to
 * nothing, is told to have become the commit before it. One process where nothing was lost, which is the usual case.
 *
 * @param kind what git says it was: `amend` or `rebase`. Those amends that a rebase makes on its way are part of what it tells in the end
 */
export async function followRewriting(
  work: Work,
  kind: string,
  pairs: readonly RewrittenPair[],
): Promise<void> {
  if (kind === 'amend' && isSequenceInProgress(work.repo.gitDir)) return;
  const made = kind === 'rebase' ? readMadeByRebase(work.repo.gitDir) : undefined;
  const believed = made ? pairs.filter((pair) => made.has(pair.made)) : pairs;
  const known = readKnown(work.git, [...new Set(believed.flatMap(({ old, made }) => [old, made]))]);
  const lost = findLost(known, believed, kind);
  if (lost.length === 0) return log('debug', 'nothing was lost', { kind, pairs: pairs.length });
  const links = await proveLost(work, lost);
  if (links.size === 0) return log('info', 'rewritten commits do not hold what they are said to', { kind });
  const noted = await withNotesLock(work.repo.commonDir, () => noteCheckpoints(work.git, links));
  log('info', 'rewritten commits are noted', { kind, pairs: pairs.length, noted: noted.length });
}

/**
 * The commits that the last rebase made: what git says became one of those before it was skipped. `undefined` where git does not keep that, or
 * no longer.
 */
function readMadeByRebase(gitDir: string): ReadonlySet<string> | undefined {
  const moves = readMovesOfRebase(gitDir);
  return moves && new Set(moves.map(({ to }) => to));
}

/** A new commit, and those of the old ones whose checkpoints it does not name. */
interface Lost {
  readonly made: Known;
  readonly of: readonly Known[];
}

function findLost(
  known: ReadonlyMap<ObjectId, Known>,
  pairs: readonly RewrittenPair[],
  kind: string,
): Lost[] {
  const sources = new Map<ObjectId, Known[]>();
  for (const { old, made } of pairs) {
    const before = kind === 'amend' ? withoutTrailer(known.get(old)) : known.get(old);
    if (before) sources.set(made, [...(sources.get(made) ?? []), before]);
  }
  return [...sources].flatMap(([oid, of]) => {
    const made = known.get(oid);
    const isLost = made && of.some((old) => missingIn(made, old).length > 0);
    return isLost ? [{ made, of }] : [];
  });
}

/** An amend is given the trailer that its commit had, before anybody sees the message: where it is gone, somebody took it out. */
const withoutTrailer = (commit: Known | undefined): Known | undefined =>
  commit && {
    ...commit,
    links: {
      ...commit.links,
      all: commit.links.all.filter(({ id, place }) => place !== 'trailer' || id !== commit.links.own),
    },
  };

/** What an old commit leads to and the new one does not. */
const missingIn = ({ links }: Known, old: Known): CheckpointId[] => {
  const there = linkedIds(links);
  return linkedIds(old.links).filter((id) => !there.includes(id));
};

/** The checkpoints that are to be noted, in the order of the commits that led to them. */
async function proveLost({ git, repo }: Work, lost: readonly Lost[]): Promise<Map<ObjectId, CheckpointId[]>> {
  const old = [...new Map(lost.flatMap(({ of }) => of).map((one) => [one.oid, one])).values()];
  const ids = [...new Set(old.flatMap(({ links }) => linkedIds(links)))];
  const stored = await readCheckpoints(openCheckpoints(git, repo.commonDir), ids);
  // Nobody makes a link of an id that was only copied by having git make the commit again; and what was taken out is not in the new one.
  const wished = lost.map(({ made, of }) => ({
    ...made,
    links: noteLinks(of.flatMap((one) => missingIn(made, one))),
  }));
  const misfits = findMisfits(git, repo.commonDir, [...old, ...wished], stored);
  const fits = (id: CheckpointId, ...commits: readonly Known[]): boolean =>
    commits.every(({ oid }) => misfits.of(oid, id) === undefined);
  const held = findHeldWork(git, lost satisfies readonly MadeOf[]);
  const links = new Map<ObjectId, CheckpointId[]>();
  lost.forEach(({ made, of }, at) => {
    const proved = of.flatMap((one) => {
      const by = held[at]?.get(one.oid);
      const own = missingIn(made, one).filter((id) => fits(id, one, made));
      if (own.length > 0)
        log('debug', 'rewritten', { old: one.oid, new: made.oid, held_by: by ?? 'nothing' });
      return by ? own : [];
    });
    if (proved.length > 0) links.set(made.oid, [...new Set(proved)]);
  });
  return links;
}

/** What a note of these would say. */
const noteLinks = (ids: readonly CheckpointId[]): Links => ({
  own: undefined,
  all: [...new Set(ids)].map((id) => ({ id, place: 'note' })),
});

/** Commits with what they name, as far as they are here. One process. */
function readKnown(git: Git, oids: readonly ObjectId[]): Map<ObjectId, Known> {
  if (oids.length === 0) return new Map();
  const shown = ['-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', '--no-patch', WITH_NOTES];
  const args = ['log', ...shown, '--no-walk=unsorted', '--ignore-missing', '--stdin'];
  const format = `--format=%H%x00%T%x00%P%x00%an <%ae> %at%x00%aI%x00${LINK_FIELDS}`;
  const input = oids.map((oid) => `${oid}\n`).join('');
  const fields = runGit(git, [...args, format], { input })
    .stdout.toString('utf8')
    .split('\0');
  const known = new Map<ObjectId, Known>();
  for (let at = 0; at + 7 < fields.length; at += 8) {
    const [oid, tree = '', named = '', author = '', authoredAt = '', ...said] = fields.slice(at, at + 8);
    const parents = named.split(' ').flatMap((parent) => parseObjectId(parent) ?? []);
    const commit = { oid: oid as ObjectId, tree, parents, author, authoredAt, links: readLinks(...said) };
    known.set(commit.oid, commit);
  }
  return known;
}
