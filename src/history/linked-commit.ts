import { EntireError } from '../base/errors.ts';
import { type CheckpointId, type ObjectId, parseCheckpointId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readCheckpoint, readCheckpoints, type StoredCheckpoint } from '../checkpoint/read/checkpoint.ts';
import { findMisfits, followLinks } from '../checkpoint/read/fit.ts';
import { standsFor } from '../checkpoint/read/listed.ts';
import { readPrompts } from '../checkpoint/read/texts.ts';
import { REDACTED } from '../checkpoint/redact/regions.ts';
import { type PathChanges, readCommit } from '../git/commit/commits.ts';
import { linkedIds } from '../git/commit/links.ts';
import type { LogRow } from '../git/log.ts';
import type { Identity } from '../git/object/objects.ts';
import { gitText } from '../git/run.ts';
import type { Branch } from './branch.ts';
import { type AskedSession, askedSessions, tellOwnPrompts } from './commit-prompts.ts';
import { readCommitsOf } from './detail.ts';
import { elsewhere, refuseForgotten } from './find.ts';
import { readBefore } from './left-behind.ts';

/** A commit, and the part of it that lies in files of the sessions that it is linked to. */
export interface LinkedCommit {
  readonly row: LogRow;
  readonly author: Identity;
  /** When it was written, as git stores it: `<seconds> <zone>`. */
  readonly date: string;
  readonly checkpoints: readonly CheckpointId[];
  readonly sessions: readonly AskedSession[];
  /** Against its first parent, in files that its sessions touched. */
  readonly changes: PathChanges;
  /** How many files of it none of them touched. */
  readonly others: number;
}

/**
 * Reads what a commit has of the sessions that its checkpoints hold.
 *
 * @throws {EntireError} `NOT_FOUND` for a commit that is not linked, or not to anything that is here and its own
 */
export async function readLinkedCommit(branch: Branch, row: LogRow): Promise<LinkedCommit> {
  const short = row.oid.slice(0, 7);
  const hint = `\`git show ${short}\` shows it; \`entire why ${short}\` says why it is not linked.`;
  const ids = linkedIds(row.links);
  const [first] = ids;
  if (first === undefined)
    throw new EntireError('NOT_FOUND', `commit ${short} leads to no checkpoint.`, { hint });
  const stored = await readCheckpoints(branch.store, ids);
  if (stored.size === 0) throw elsewhere(branch, first);
  const misfits = findMisfits(branch.git, branch.repo.commonDir, [row], stored);
  const { checkpoints, misfit } = followLinks(row, stored, misfits);
  if (misfit !== undefined)
    throw new EntireError(
      'NOT_FOUND',
      `commit ${short} names the checkpoint ${checkpoints[0]?.id ?? first}, which does not fit it: ${misfit}`,
      { hint },
    );
  const changes = readCommit(branch.git, row.oid)?.changes ?? new Map();
  const isTheirs = touchedBy(checkpoints);
  const theirs = new Map([...changes].filter(([path]) => isTheirs(path)));
  return {
    row,
    ...readAuthorship(branch, row.oid),
    checkpoints: checkpoints.map(({ id }) => id),
    sessions: await readSessions(branch, row.oid, checkpoints),
    changes: theirs,
    others: changes.size - theirs.size,
  };
}

/** The newest commit that leads to a checkpoint, and that it fits. @throws {EntireError} `NOT_FOUND` */
export function findCommitOf(branch: Branch, checkpoint: StoredCheckpoint): LogRow {
  const own = readCommitsOf(branch, checkpoint, false);
  const rows = own.length > 0 ? own : readCommitsOf(branch, checkpoint, true);
  const stored = new Map([[checkpoint.id, checkpoint]]);
  const misfits = findMisfits(branch.git, branch.repo.commonDir, rows, stored);
  const found = rows.find(({ oid }) => misfits.of(oid, checkpoint.id) === undefined);
  if (found) return found;
  throw new EntireError('NOT_FOUND', `no commit here leads to the checkpoint ${checkpoint.id}.`, {
    hint: `\`entire explain ${checkpoint.id}\` shows what it holds.`,
  });
}

/** The checkpoint of an id. @throws {EntireError} `NOT_FOUND` where it was forgotten */
export async function readNamedCheckpoint(
  branch: Branch,
  word: string,
): Promise<StoredCheckpoint | undefined> {
  const id = parseCheckpointId(word.toLowerCase());
  const checkpoint = id && (await readCheckpoint(branch.store, id));
  if (id && !checkpoint) refuseForgotten(branch, id);
  return checkpoint;
}

function touchedBy(checkpoints: readonly StoredCheckpoint[]): (path: RepoPath) => boolean {
  const names = new Set(checkpoints.flatMap(({ filesTouched }) => filesTouched));
  const redacted = [...names].filter((name) => name.includes(REDACTED));
  return (path) => names.has(path) || redacted.some((name) => standsFor(name, path));
}

/** Of transcripts: about 64 MiB. */
const MAX_PIECES = 256;

async function readSessions(
  { git, store }: Branch,
  commit: ObjectId,
  checkpoints: readonly StoredCheckpoint[],
): Promise<AskedSession[]> {
  const slots = checkpoints.flatMap((checkpoint) => checkpoint.slots);
  const asked = [...readPrompts(store, slots)];
  const before = await readBefore(git, store, commit, asked);
  const prompts = await tellOwnPrompts(store, asked, { pieces: MAX_PIECES }, before);
  return askedSessions(slots, prompts);
}

function readAuthorship({ git }: Branch, oid: ObjectId): Pick<LinkedCommit, 'author' | 'date'> {
  const how = [
    '--no-walk',
    '--no-show-signature',
    '--no-color',
    '--no-notes',
    '--encoding=UTF-8',
    '--date=raw',
  ];
  const line = gitText(git, ['log', ...how, '--no-patch', '--format=%an%x00%ae%x00%ad', oid, '--']);
  const [name = '', email = '', date = ''] = line.split('\0');
  return { author: { name, email }, date };
}
