import { EntireError } from '../../base/errors.ts';
import {
  type CheckpointId,
  type ObjectId,
  parseCheckpointId,
  parseSessionId,
  type SessionId,
} from '../../base/ids.ts';
import { readCheckpoints } from '../../checkpoint/read/checkpoint.ts';
import { type CheckpointStore, listCheckpointIds } from '../../checkpoint/read/store.ts';
import { branchRef, isShadowBranch, METADATA_REF } from '../../checkpoint/shadow-branch.ts';
import { type LogRow, readLog } from '../../git/log.ts';
import { readRefs } from '../../git/ref/refs.ts';
import type { Branch } from '../../history/branch.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { listSessionIds } from './sessions.ts';

/** What a word on the command line stands for. */
export type ResumeTarget =
  | {
      readonly kind: 'branch';
      readonly name: string;
      /** `undefined` before its first commit. */
      readonly tip: ObjectId | undefined;
      readonly where: 'checked-out' | 'local' | 'origin';
    }
  | { readonly kind: 'checkpoint'; readonly id: CheckpointId; readonly commit?: LogRow }
  | { readonly kind: 'session'; readonly id: SessionId }
  | { readonly kind: 'unlinked'; readonly commit: LogRow };

/** Beginnings of ids that are shorter could be anything. */
const MIN_PREFIX = 4;
const MAX_NAMED = 5;

/**
 * What a word stands for: a branch, here or on `origin`; else a checkpoint or session by its id or the beginning of it;
 * else a commit.
 *
 * @returns `undefined` where it stands for nothing of this repository
 * @throws {EntireError} `NOT_FOUND` where ids of several begin so
 */
export const findTarget = async (
  branch: Branch,
  store: CheckpointStore,
  word: string,
): Promise<ResumeTarget | undefined> =>
  findBranch(branch, word) ??
  (await findCheckpointId(store, word)) ??
  findSessionId(branch, store, word) ??
  findCommit(branch, word);

/** @throws {EntireError} `NOT_FOUND`: a word stands for nothing */
export function refuseTarget(word: string): never {
  throw new EntireError('NOT_FOUND', `branch '${word}' not found locally or on origin`, {
    hint: 'Nor is it a checkpoint, a session or a commit of this repository. `entire explain` lists checkpoints.',
  });
}

function findBranch({ git, name, head }: Branch, word: string): ResumeTarget | undefined {
  if (word === name) return { kind: 'branch', name, tip: head, where: 'checked-out' };
  if (word === '' || word.startsWith('-')) return undefined;
  const [here, origin] = [branchRef(word), `refs/remotes/origin/${word}`];
  const refs = readRefs(git, [here, origin]);
  const tip = refs.get(here) ?? refs.get(origin);
  if (!tip || word === 'HEAD') return undefined; // what `origin/HEAD` leads to is no branch of that name
  if (here === METADATA_REF || isShadowBranch(word)) {
    throw new EntireError(
      'NOT_FOUND',
      `${word} is a branch of Entire's own: there is no work to go on with`,
      {
        hint: 'Name a branch of yours, or a checkpoint, a session or a commit.',
      },
    );
  }
  return { kind: 'branch', name: word, tip, where: refs.has(here) ? 'local' : 'origin' };
}

async function findCheckpointId(store: CheckpointStore, word: string): Promise<ResumeTarget | undefined> {
  const prefix = word.toLowerCase();
  if (prefix.length < MIN_PREFIX || !/^[0-9a-f]{1,12}$/.test(prefix)) return undefined;
  const id = parseCheckpointId(prefix);
  if (id) return (await readCheckpoints(store, [id])).has(id) ? { kind: 'checkpoint', id } : undefined;
  const ids = await listCheckpointIds(store, prefix);
  if (ids.length > 1) throw ambiguous('checkpoint', word, ids);
  return ids[0] && { kind: 'checkpoint', id: ids[0] };
}

function findSessionId({ repo }: Branch, store: CheckpointStore, word: string): ResumeTarget | undefined {
  const prefix = parseSessionId(word);
  if (!prefix) return undefined;
  const ids = listSessionIds(sessionsDir(repo.commonDir), store, prefix);
  if (ids.includes(prefix)) return { kind: 'session', id: prefix };
  if (word.length < MIN_PREFIX) return undefined;
  if (ids.length > 1) throw ambiguous('session', word, ids);
  return ids[0] && { kind: 'session', id: ids[0] };
}

function findCommit({ git }: Branch, word: string): ResumeTarget | undefined {
  // Never an option of git's, and no range.
  if (word === '' || word.startsWith('-') || word.includes('..') || word.includes('\0')) return undefined;
  const commit = readLog(git, { range: ['--no-walk', `${word}^{commit}`], limit: 1 })?.[0];
  if (!commit) return undefined;
  return commit.checkpoint
    ? { kind: 'checkpoint', id: commit.checkpoint, commit }
    : { kind: 'unlinked', commit };
}

function ambiguous(what: string, word: string, ids: readonly string[]): EntireError {
  const some = `${ids.slice(0, MAX_NAMED).join(', ')}${ids.length > MAX_NAMED ? ', …' : ''}`;
  return new EntireError(
    'NOT_FOUND',
    `ambiguous ${what} prefix "${word}" matches ${ids.length} ${what}s: ${some}`,
    {
      hint: 'Give more of the id.',
    },
  );
}
