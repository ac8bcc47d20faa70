import { basename } from 'node:path';
import { EntireError } from '../base/errors.ts';
import {
  beginningWith,
  type CheckpointId,
  MIN_BEGINNING,
  type ObjectId,
  parseCheckpointId,
  parseObjectId,
} from '../base/ids.ts';
import { isAncestor } from '../git/commit/commits.ts';
import { linkedIds } from '../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../git/commit/trailers.ts';
import { readLog } from '../git/log.ts';
import { REFS_OF_PEOPLE } from '../git/ref/people.ts';
import type { Git } from '../git/run.ts';
import { readVerdicts, type Verdict } from '../session/record/verdicts.ts';
import { listStateFiles, sessionOfStateFile } from '../session/state-store.ts';
import { sessionsDir } from '../session/tracking-file.ts';

/**
 * The newest commit that a checkpoint or a session led to, as far as verdicts go back; of a commit that was rewritten the one that came of it. A
 * checkpoint is found by the commits that name it, too, which may have been made in another clone.
 *
 * @param word the id, or how it begins
 * @returns `undefined` where nothing goes by it
 * @throws {EntireError} `NOT_FOUND` where no commit has its work, `INVALID_ID` where several begin so
 */
export function findLedTo(git: Git, commonDir: string, word: string): ObjectId | undefined {
  if (word.length < MIN_BEGINNING) return undefined;
  const verdicts = readVerdicts(commonDir, Number.POSITIVE_INFINITY);
  const waiting = listStateFiles(sessionsDir(commonDir)).flatMap(
    (file) => sessionOfStateFile(basename(file)) ?? [],
  );
  const meant = beginningWith([...new Set([...verdicts.flatMap(idsOf), ...waiting])], word);
  if (meant.length > 1) throw several(word, meant);
  const [id] = meant;
  if (id === undefined) return findNaming(git, word);
  let old: ObjectId | undefined;
  for (const { commit, checkpoint } of verdicts.filter((one) => idsOf(one).includes(id))) {
    const oid = parseObjectId(commit);
    if (oid && isAncestor(git, oid, 'HEAD')) return oid;
    const named = parseCheckpointId(checkpoint);
    const living = named && newestNaming(git, named);
    if (living) return living;
    if (old === undefined && readLog(git, { range: ['--no-walk', commit], limit: 1 })) old = oid;
  }
  if (old) return old;
  throw new EntireError('NOT_FOUND', `no commit has work of ${id} yet.`, {
    hint: '`entire status` shows what waits for a commit.',
  });
}

const idsOf = ({ sessions, checkpoint }: Verdict): string[] => [
  ...sessions,
  ...(checkpoint ? [checkpoint] : []),
];

const several = (word: string, meant: readonly string[]): EntireError =>
  new EntireError(
    'INVALID_ID',
    `several sessions or checkpoints begin with ${word}: ${meant.toSorted().join(', ')}`,
  );

/** The newest commit that names a checkpoint: in the history of HEAD, else on any branch. */
const newestNaming = (git: Git, id: CheckpointId): ObjectId | undefined => {
  for (const range of [['HEAD'], REFS_OF_PEOPLE]) {
    const rows = readLog(git, { range, containing: `${CHECKPOINT_TRAILER}: ${id}` }) ?? [];
    const found = rows.find(({ links }) => linkedIds(links).includes(id));
    if (found) return found.oid;
  }
  return undefined;
};

/** The same for the beginning of an id of which nothing is on record here. @throws {EntireError} `INVALID_ID` */
function findNaming(git: Git, word: string): ObjectId | undefined {
  const beginning = word.toLowerCase();
  if (!/^[0-9a-f]{1,12}$/.test(beginning)) return undefined;
  const rows =
    readLog(git, { range: REFS_OF_PEOPLE, containing: `${CHECKPOINT_TRAILER}: ${beginning}` }) ?? [];
  const ids = rows.flatMap(({ links }) => linkedIds(links)).filter((id) => id.startsWith(beginning));
  const meant = [...new Set(ids)];
  if (meant.length > 1) throw several(word, meant);
  const [id] = meant;
  return id && newestNaming(git, id);
}
