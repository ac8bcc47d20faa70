import { resolve } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { lstatIfExists } from '../../base/file/disk.ts';
import type { CheckpointId } from '../../base/ids.ts';
import type { Repo } from '../../git/locate.ts';
import { readBranch } from '../../history/branch.ts';
import { NO_COMMITS_YET } from '../messages.ts';
import { isTurnName, refuseName } from '../names/find-named.ts';
import type { Sought } from '../names/named.ts';
import { findStoredCheckpoint } from './stored-session.ts';
import * as text from './text.ts';
import { findCheckpointOfTurn } from './turn.ts';

const TAKEN = {
  kinds: ['checkpoint', 'commit', 'session', 'turn'],
  command: 'entire why',
  forFiles: text.filesHint,
} as const satisfies Sought;

/**
 * The checkpoint that a word leads to which names no commit here: of a session of another clone, or of a turn.
 *
 * @throws {EntireError} `NOT_FOUND` where it is nothing, and says what it may be; `INVALID_ID`
 */
export async function findOtherwise(repo: Repo, word: string): Promise<CheckpointId> {
  const stored = findStoredCheckpoint(repo, word);
  if (stored) return stored;
  const branch = readBranch(repo);
  if (!branch.head) throw new EntireError('NOT_FOUND', NO_COMMITS_YET);
  const isFile = word !== '' && lstatIfExists(resolve(word)) !== undefined;
  const turn = isTurnName(word) && !isFile ? await findCheckpointOfTurn(branch, word) : undefined;
  if (turn) return turn;
  throw await refuseName(branch, word, TAKEN);
}
