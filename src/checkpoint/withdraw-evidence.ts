import { EntireError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { findLiving, listLivingSince } from '../git/commit/living.ts';
import { readPatches } from '../git/commit/patch.ts';
import { readObjects } from '../git/object/objects.ts';
import { inBatchesBySize } from '../git/object/sizes.ts';
import { readRef } from '../git/ref/refs.ts';
import { type Git, gitText } from '../git/run.ts';
import { EVIDENCE_FILE, parseEvidence } from './evidence.ts';
import { heldBy, onlyHeld } from './held-evidence.ts';
import { listTracked } from './remote-refs.ts';
import { rewriteBranch } from './scrub-history.ts';
import { METADATA_REF } from './shadow-branch.ts';

const MAX_TRIES = 5;

/**
 * Before checkpoints leave: takes out of what no remote has yet all evidence of commits that no ref leads to any more (amended, dropped, reset),
 * but for what other commits hold. The commits that have it are written again, so that it is not in the history either. Mostly there is no such
 * commit, and two or three processes say so.
 *
 * @param published what has left before
 * @throws {EntireError} `REF_MOVED`, `GIT_FAILED`: nothing may leave then
 */
export async function withdrawEvidence(git: Git, published: readonly ObjectId[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    const tip = readRef(git, METADATA_REF);
    if (!tip) return;
    const since = [...new Set([...listTracked(git).map((tracked) => tracked.tip), ...published])];
    const blobs = findWithdrawn(git, tip, since);
    if (blobs.size === 0) return;
    try {
      await rewriteBranch(git, METADATA_REF, tip, blobs, since);
      return log('info', 'evidence of commits that are gone does not leave', { texts: blobs.size });
    } catch (error) {
      const isMoved = error instanceof EntireError && error.code === 'REF_MOVED';
      if (!isMoved || tries === MAX_TRIES) throw error;
    }
  }
}

/** For clocks that differ, and for work that was committed before its checkpoint was written. */
const SLACK_S = 24 * 60 * 60;

/** What is to be there, by what is. */
function findWithdrawn(git: Git, tip: ObjectId, since: readonly ObjectId[]): Map<ObjectId, Buffer> {
  const range = [tip, ...since.map((commit) => `^${commit}`)];
  const rows = gitText(git, ['rev-list', '--objects', '--timestamp', ...range, '--']).split('\n');
  const oids = rows.flatMap((row) =>
    row.endsWith(`/${EVIDENCE_FILE}`) ? [row.split(' ')[0] as ObjectId] : [],
  );
  const texts = new Map<ObjectId, string>();
  for (const batch of inBatchesBySize(git, oids))
    for (const { oid, data } of readObjects(git, batch).values()) texts.set(oid, data.toString('utf8'));
  const versions = [...texts.values()].flatMap(parseEvidence);
  const living = findLiving(git, [...new Set(versions.map(({ commit }) => commit))]);
  const gone = versions.filter(({ commit }) => !living.has(commit));
  if (gone.length === 0) return new Map();
  const paths = new Set(gone.flatMap(({ files }) => files.map(({ path }) => path)));
  const first = rows.flatMap((row) => /^(\d+) [0-9a-f]+$/.exec(row)?.[1] ?? []).map(Number);
  const from = new Date((first.reduce((a, b) => Math.min(a, b), Date.now() / 1000) - SLACK_S) * 1000);
  const held = heldBy(
    readPatches(
      git,
      listLivingSince(git, from, [...paths]).map((commit) => ({ commit, parent: undefined })),
    ),
  );
  const isLiving = (commit: ObjectId): boolean => living.has(commit);
  return new Map(
    [...texts].flatMap(([oid, text]) => {
      const rest = onlyHeld(text, isLiving, held);
      return rest === text ? [] : [[oid, Buffer.from(rest)] as const];
    }),
  );
}
