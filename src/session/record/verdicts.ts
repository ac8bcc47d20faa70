import { join } from 'node:path';
import { now, renderUtc } from '../../base/clock.ts';
import { errnoOf } from '../../base/errors.ts';
import { appendText, disk } from '../../base/file/disk.ts';
import { readOwnIfUsable } from '../../base/file/small-file.ts';

/** Why a commit is linked, or is not. Stable codes; `cli/messages.ts` has the sentences. */
export type VerdictReason =
  | 'linked'
  | 'kept' // an amended or reused message: the commit keeps the link it had
  | 'no-session'
  | 'no-overlap' // sessions live here, and none of them had uncommitted work in it
  | 'trailer-missing' // a session touched it, but the message has no trailer (removed, or the hook did not run)
  | 'unknown-checkpoint' // the message names a checkpoint, and no session here has anything for it
  | 'foreign-checkpoint' // the message names the checkpoint of another commit: work of sessions here waits
  | 'merge'
  | 'paused' // made in a private stretch, which the sessions that could have been linked were in
  | 'switched-off' // made with `ENTIRE=0`
  | 'sequence' // replayed by rebase, cherry-pick or revert
  | 'condense-failed'
  | 'forgotten'; // never recorded: what readers say of one whose checkpoint `entire forget` took away

/** One line per commit made while enabled, in `<git-common-dir>/entire/verdicts.jsonl`. */
export interface Verdict {
  readonly commit: string;
  readonly at: string;
  readonly reason: VerdictReason;
  readonly checkpoint?: string | undefined;
  /** Sessions whose work the commit holds. */
  readonly sessions: readonly string[];
  /** Files that the shell of a turn may have written which was not over: nobody had reported them. `true`: too many to name. */
  readonly unsure?: readonly string[] | true | undefined;
  /** What went wrong, for `condense-failed`; what could not be looked at, for `no-overlap`. */
  readonly detail?: string | undefined;
}

/** Past this size the file moves to `verdicts.1.jsonl`, replacing the older one. About 300 commits each. */
const MAX_BYTES = 64 * 1024;

/** Whether nobody knows who wrote a file of the commit. */
export const isUnsure = ({ unsure = [] }: Pick<Verdict, 'unsure'>, path: string): boolean =>
  unsure === true || unsure.includes(path);

const verdictFile = (commonDir: string, generation: '' | '.1' = ''): string =>
  join(commonDir, 'entire', `verdicts${generation}.jsonl`);

/** Appends the verdict of one commit, in one write. */
export function recordVerdict(commonDir: string, verdict: Omit<Verdict, 'at'>): void {
  const file = verdictFile(commonDir);
  disk.mkdirSync(join(file, '..'), { recursive: true, mode: 0o750 });
  appendText(file, `${JSON.stringify({ at: renderUtc(now()), ...verdict })}\n`);
  const size = disk.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= MAX_BYTES) return;
  try {
    disk.renameSync(file, verdictFile(commonDir, '.1'));
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error; // another commit moved it at the same moment
  }
}

/** Lines that are still on record, oldest first. The file's limit is that of the reader. */
function readLines(commonDir: string): string[] {
  // The newer file first: one that another commit moves in between is read twice then, and not missed.
  const newer = readOwnIfUsable(verdictFile(commonDir), 'mark') ?? '';
  const older = readOwnIfUsable(verdictFile(commonDir, '.1'), 'mark') ?? '';
  return [...older.split('\n'), ...newer.split('\n')];
}

/**
 * Whether it says nothing of a commit that has another verdict: one that is picked within the second in which it was made, onto the same parent,
 * has the same id.
 */
const isReplayed = ({ reason }: Verdict): boolean => reason === 'sequence';

/** The newest verdict of a commit, and when the oldest of all that are on record was left. */
export function readVerdictOf(
  commonDir: string,
  commit: string,
): { verdict: Verdict | undefined; firstAt: string | undefined } {
  const lines = readLines(commonDir);
  const about = lines.flatMap((line) => (line.includes(commit) ? (parseVerdict(line) ?? []) : []));
  const own = about.filter((verdict) => verdict.commit === commit);
  const first = lines.findIndex((line) => parseVerdict(line) !== undefined);
  return {
    verdict: own.findLast((verdict) => !isReplayed(verdict)) ?? own.at(-1),
    firstAt: parseVerdict(lines[first] ?? '')?.at,
  };
}

/** The newest verdict of each of the newest commits (default: of all), newest first; lines that do not parse are passed over. */
export function readVerdicts(commonDir: string, limit = Number.POSITIVE_INFINITY): Verdict[] {
  const lines = readLines(commonDir).reverse();
  const verdicts = new Map<string, Verdict>();
  for (const line of lines) {
    if (verdicts.size === limit) break;
    const verdict = parseVerdict(line);
    const known = verdict && verdicts.get(verdict.commit);
    // A commit that was completed by a later hook has more than one.
    if (verdict && (!known || (isReplayed(known) && !isReplayed(verdict))))
      verdicts.set(verdict.commit, verdict);
  }
  return [...verdicts.values()];
}

function parseVerdict(line: string): Verdict | undefined {
  if (line === '') return undefined;
  try {
    const value = JSON.parse(line) as Partial<Verdict> | null;
    if (typeof value?.commit !== 'string' || typeof value.reason !== 'string' || typeof value.at !== 'string')
      return undefined;
    const sessions: unknown[] = Array.isArray(value.sessions) ? value.sessions : [];
    const unsure = Array.isArray(value.unsure) || value.unsure === true ? value.unsure : undefined;
    return { ...value, unsure, sessions: sessions.filter((id) => typeof id === 'string') } as Verdict;
  } catch {
    return undefined; // a torn line of a killed process
  }
}
