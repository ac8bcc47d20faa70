import { EntireError } from '../../base/errors.ts';
import { sha256Of } from '../../base/hash.ts';
import { type CheckpointId, parseCheckpointId } from '../../base/ids.ts';
import { readCheckpoints } from '../../checkpoint/read/checkpoint.ts';
import { standsFor } from '../../checkpoint/read/listed.ts';
import { readObjects } from '../../git/object/objects.ts';
import type { Branch } from '../../history/branch.ts';
import type { KeptTurn } from '../../restore/kept-turns.ts';
import { readVerdicts, type Verdict } from '../../session/record/verdicts.ts';
import { lookForNamed } from '../names/find-named.ts';
import { nameOfTurn, readTurn } from '../names/turns.ts';
import * as text from './text.ts';

/**
 * The checkpoint of the commit that has what a turn did, where a word is `<session>:<n>`: one that was made in the turn and has a file as the
 * turn left it, or else the first after it that has work of the session in one of its files.
 *
 * @returns `undefined` for any other word
 * @throws {EntireError} `NOT_FOUND` where there is no such turn, or no commit has it
 */
export async function findCheckpointOfTurn(branch: Branch, word: string): Promise<CheckpointId | undefined> {
  const named = await lookForNamed(branch, word, { kinds: ['turn'] });
  if (!named) return undefined;
  const turn = await readTurn(branch.repo, named);
  const name = nameOfTurn(branch.repo, turn);
  const hint = text.turnHint(name);
  if (turn.state === 'undone') throw new EntireError('NOT_FOUND', text.turnTakenBack(name), { hint });
  const verdicts = await listVerdictsOf(branch, turn);
  const { at } = turn.record;
  const within = verdicts.filter((one) => one.at < at && holds(branch, one, turn)).at(-1);
  const found = parseCheckpointId((within ?? verdicts.find((one) => one.at >= at))?.checkpoint);
  if (found) return found;
  throw new EntireError('NOT_FOUND', text.turnWithoutCommit(name), { hint });
}

/** Of commits with work of its session in its files, the oldest first. */
async function listVerdictsOf(
  { repo, store }: Branch,
  { session, paths }: KeptTurn,
): Promise<readonly Verdict[]> {
  const own = readVerdicts(repo.commonDir).filter(({ sessions }) => sessions.includes(session));
  const stored = await readCheckpoints(
    store,
    own.flatMap(({ checkpoint }) => parseCheckpointId(checkpoint) ?? []),
  );
  const isOfFiles = ({ checkpoint }: Verdict): boolean => {
    const id = parseCheckpointId(checkpoint);
    const files = id ? (stored.get(id)?.filesTouched ?? []) : [];
    return files.some((file) => [...paths].some((path) => standsFor(file, path)));
  };
  return own.filter(isOfFiles).toSorted((a, b) => a.at.localeCompare(b.at));
}

/** Whether a commit has a file as the turn left it. */
function holds({ git }: Branch, { commit }: Verdict, { record, paths }: KeptTurn): boolean {
  const names = [...paths].map((path) => [path, `${commit}:${path}`] as const);
  const there = readObjects(
    git,
    names.map(([, name]) => name),
  );
  return names.some(([path, name]) => {
    const [after, object] = [record.files.get(path)?.after, there.get(name)];
    if (!object) return false;
    if (after?.kind === 'git') return after.oid === object.oid;
    return after?.kind === 'file' && after.sha256 === sha256Of(object.data);
  });
}
