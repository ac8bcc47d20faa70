import { EntireError } from '../base/errors.ts';
import { parseCheckpointId } from '../base/ids.ts';
import { readCheckpoint, readCheckpoints, type StoredCheckpoint } from '../checkpoint/read/checkpoint.ts';
import { findMisfits, followLinks } from '../checkpoint/read/fit.ts';
import { listCheckpointIds } from '../checkpoint/read/store.ts';
import { linkedIds } from '../git/commit/links.ts';
import { type LogRow, readLog } from '../git/log.ts';
import { type Git, gitText } from '../git/run.ts';
import { dayOf, findForgotten } from '../session/tombstones.ts';
import type { Branch } from './branch.ts';
import { readSteps, type Step } from './temporary.ts';

/** What a person named: a checkpoint, or a step that no commit has yet. */
export type Found =
  | {
      readonly kind: 'committed';
      readonly checkpoint: StoredCheckpoint;
      /** The commit that was named, where one was. */
      readonly commit?: LogRow;
      /** What else that commit has. */
      readonly others?: readonly StoredCheckpoint[];
    }
  | { readonly kind: 'temporary'; readonly step: Step };

/** A commit that names no checkpoint. */
interface Unlinked {
  readonly kind: 'unlinked';
  readonly commit: LogRow;
}

const MAX_NAMED = 5;

/**
 * Finds a checkpoint by its id or the beginning of it; else a step of any worktree by its commit.
 *
 * @throws {EntireError} `NOT_FOUND`, also where several begin so
 */
export async function findCheckpoint(branch: Branch, prefix: string): Promise<Found> {
  const found = await lookUp(branch, prefix);
  if (!found) throw notFound(prefix);
  return found;
}

/**
 * The checkpoint a commit leads to.
 *
 * @throws {EntireError} `NOT_FOUND` when there is no such commit, or no such checkpoint
 */
export async function findByCommit(branch: Branch, revision: string): Promise<Found | Unlinked> {
  const commit = readCommitRow(branch, revision);
  if (!commit) throw new EntireError('NOT_FOUND', `commit not found: ${revision}`);
  return followCommit(branch, commit);
}

/** The checkpoint that a commit leads to; of several its own, or the first. @throws {EntireError} `NOT_FOUND` when it is not here */
export async function followCommit(branch: Branch, commit: LogRow): Promise<Found | Unlinked> {
  const ids = linkedIds(commit.links);
  const [named] = ids;
  if (named === undefined) return { kind: 'unlinked', commit };
  const stored = await readCheckpoints(branch.store, ids);
  // Whoever asks for a commit is told what is odd about the one that it says is its own.
  const isAsked = ids.length > 1 || commit.links.own === undefined;
  const misfits = findMisfits(branch.git, branch.repo.commonDir, isAsked ? [commit] : [], stored);
  const led = followLinks(commit, stored, misfits);
  const [checkpoint, ...others] = led.checkpoints;
  if (!checkpoint && led.misfit !== undefined) return { kind: 'unlinked', commit };
  if (!checkpoint) throw elsewhere(branch, named);
  return { kind: 'committed', checkpoint, commit, others };
}

/** The commit that a word means to git; `undefined` for none, for an option and for a range. */
export function readCommitRow({ git }: Pick<Branch, 'git'>, revision: string): LogRow | undefined {
  // Never an option of git's, and no range.
  if (revision === '' || revision.startsWith('-') || revision.includes('..')) return undefined;
  return readLog(git, { range: ['--no-walk', `${revision}^{commit}`], limit: 1 })?.[0];
}

/** Commits of the repository whose ids begin so, also those that no branch has; git finds them by their ids. */
export function listObjectsOfCommits(git: Git, prefix: string): string[] {
  const named = gitText(git, ['rev-parse', `--disambiguate=${prefix}`], { okCodes: [0, 128] }).split('\n');
  const checks = gitText(git, ['cat-file', '--batch-check=%(objecttype) %(objectname)'], {
    input: named.map((oid) => `${oid}\n`).join(''),
  });
  return checks.split('\n').flatMap((line) => /^commit ([0-9a-f]+)$/.exec(line)?.[1] ?? []);
}

/** {@link listObjectsOfCommits}, and what they say. */
export function listCommitsBeginning({ git }: Pick<Branch, 'git'>, prefix: string): LogRow[] {
  const oids = listObjectsOfCommits(git, prefix);
  return oids.length === 0 ? [] : (readLog(git, { range: ['--no-walk', ...oids], limit: oids.length }) ?? []);
}

/** Steps of any worktree, by the beginning of their commits. */
export const findSteps = (branch: Branch, prefix: string): Step[] =>
  readSteps(branch, [...branch.shadows.values()], {}).filter(({ commit }) => commit.oid.startsWith(prefix));

async function lookUp(branch: Branch, name: string): Promise<Found | undefined> {
  const prefix = name.toLowerCase();
  if (!/^[0-9a-f]+$/.test(prefix)) return undefined;
  const id = parseCheckpointId(prefix);
  const ids = id ? [id] : await listCheckpointIds(branch.store, prefix);
  if (ids.length > 1) {
    const some = `${ids.slice(0, MAX_NAMED).join(', ')}${ids.length > MAX_NAMED ? ', …' : ''}`;
    throw ambiguous(`ambiguous checkpoint prefix "${name}" matches ${ids.length} checkpoints: ${some}`);
  }
  const checkpoint = ids[0] && (await readCheckpoint(branch.store, ids[0]));
  if (checkpoint) return { kind: 'committed', checkpoint };
  if (ids[0]) refuseForgotten(branch, ids[0]);
  const steps = findSteps(branch, prefix);
  if (steps.length > 1) {
    const lines = steps.slice(0, MAX_NAMED).map(({ commit, sessionId }) => {
      const time = commit.committedAt.slice(0, 19).replace('T', ' ');
      return `  ${commit.oid.slice(0, 7)}  ${time}  session ${sessionId}`;
    });
    const what = `ambiguous checkpoint prefix "${name}" matches ${steps.length} temporary checkpoints:`;
    throw ambiguous([what, ...lines].join('\n'));
  }
  return steps[0] && { kind: 'temporary', step: steps[0] };
}

/** Of a checkpoint that a commit names, and that is not here. @throws {EntireError} `NOT_FOUND` where it was forgotten */
export function elsewhere(branch: Pick<Branch, 'repo'>, id: string): EntireError {
  refuseForgotten(branch, id);
  return new EntireError('NOT_FOUND', `checkpoint not found: ${id}`, {
    hint: 'The commit names it, but this repository does not have it. It may be on a remote: run `entire fetch`.',
  });
}

/** @throws {EntireError} `NOT_FOUND` where a checkpoint is not there because it was forgotten */
export function refuseForgotten({ repo }: Pick<Branch, 'repo'>, id: string): void {
  const [stone] = findForgotten(repo.commonDir, id);
  if (!stone) return;
  throw new EntireError('NOT_FOUND', `checkpoint ${id} was forgotten on ${dayOf(stone)}`, {
    hint: 'It is not shown any more, also where a remote still has it; `entire why` tells of the commit.',
  });
}

const notFound = (name: string): EntireError =>
  new EntireError('NOT_FOUND', `checkpoint not found: ${name}`, {
    hint: 'Run `entire explain` to see the checkpoints of this branch.',
  });

const ambiguous = (message: string): EntireError =>
  new EntireError('NOT_FOUND', message, { hint: 'Use more characters of the id.' });
