import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { disk } from '../base/disk.ts';
import { describeError, EntireError } from '../base/errors.ts';
import { parseObjectId, parseSessionId, type SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { parseRepoPath, type RepoPath } from '../base/repo-path.ts';
import { writeFileAtomic } from '../base/write-file-atomic.ts';
import { retryWhenMoved } from '../git/objects.ts';
import { readRef, updateRefs } from '../git/refs.ts';
import { readBranch } from '../history/branch.ts';
import { parseState, renderState, type SessionState } from '../session/state.ts';
import { readState } from '../session/state-store.ts';
import { trackAgain } from '../session/tracking-file.ts';
import { readUserLines, type UserLinesRecord, writeUserLines } from '../session/user-lines.ts';
import type { Conclude } from '../snapshot/operation.ts';
import { saveState, type Work } from '../strategy/work.ts';
import { writeNextTip } from './rewind-branch.ts';
import { cutBranch } from './rewind-steps.ts';
import { rollBackUserLines } from './rollback.ts';

/** A log that going back replaced. */
export interface ReplacedLog {
  readonly file: string;
  /** Where the one before is kept. */
  readonly kept: string;
  /** SHA-256 of what was written. */
  readonly sha256: string;
}

/**
 * What going back to a step changes besides files of the worktree: kept in the record of the operation, so that it can be
 * finished by another process, and taken back.
 */
export interface RewindMore {
  readonly sessionId: SessionId;
  /** The shadow branch, and the step it is to end with, apart from later steps of other sessions. */
  readonly ref: string;
  readonly target: string;
  /** Its tip before, and after, as far as that is known. */
  readonly tips: { readonly before: string; readonly after: string };
  /** Paths of the session that no other session wrote. */
  readonly owned: readonly RepoPath[];
  /** The state, whole. Empty for a session without one. */
  readonly state: { readonly before: string; readonly after: string };
  /** Files that the session had, saved or not, before. */
  readonly files: readonly RepoPath[];
  readonly logs: readonly ReplacedLog[];
}

const text = z.optional(z.string());
const paths = z.array(z.string());
const stored = z.object({
  version: z.literal(1),
  session_id: z.string(),
  ref: z.string().check(z.regex(/^refs\/heads\/entire\/[0-9a-f-]+$/i)),
  target: z.string(),
  tips: z.object({ before: z.string(), after: text }),
  owned: paths,
  state: z.object({ before: text, after: text }),
  files: paths,
  logs: z.optional(z.array(z.object({ file: z.string(), kept: z.string(), sha256: z.string() }))),
});

/** As it stands in the record. */
export function toStoredMore(more: RewindMore): Record<string, unknown> {
  const { sessionId, ...rest } = more;
  return { version: 1, session_id: sessionId, ...rest };
}

/** Reads {@link toStoredMore}; `undefined` for what another operation left. */
export function parseMore(value: unknown): RewindMore | undefined {
  const { data } = stored.safeParse(value);
  const sessionId = parseSessionId(data?.session_id);
  if (!data || !sessionId) return undefined;
  const { version: _, session_id: __, ...rest } = data;
  const toPaths = (list: readonly string[]) => list.flatMap((path) => parseRepoPath(path) ?? []);
  return {
    ...rest,
    sessionId,
    tips: { before: rest.tips.before, after: rest.tips.after ?? '' },
    owned: toPaths(rest.owned),
    state: { before: rest.state.before ?? '', after: rest.state.after ?? '' },
    files: toPaths(rest.files),
    logs: rest.logs ?? [],
  };
}

/**
 * Does, or takes back, what else a rewind changed: for whoever carries out its operation, or undoes it.
 *
 * @param onNote told in one sentence of what could not be taken back
 */
export const concludeRewind =
  (work: Work, onNote: (sentence: string) => void = () => {}): Conclude =>
  (effects) => {
    for (const { isBack, note } of effects) {
      const sentence = isBack ? takeBackRewind(work, note) : void applyRewind(work, note);
      if (sentence !== undefined) onNote(sentence);
    }
  };

/**
 * Moves the shadow branch and the session back, once the files are. It may be done twice. Only under the session's lock.
 *
 * @returns the tip of the branch afterwards
 * @throws {EntireError} `REF_MOVED`, `REF_LOCKED`, `GIT_FAILED`
 */
export function applyRewind(work: Work, value: unknown): string {
  const more = parseMore(value);
  if (!more) throw new EntireError('STATE_UNREADABLE', 'what a rewind was about to do cannot be read');
  if (more.state.after === '') return more.tips.before; // a session without a state: its steps stay
  const tip = retryWhenMoved(() => moveBranch(work, more));
  const current = readState(work.sessions, more.sessionId);
  if (current && renderState(current) === more.state.before) {
    const next = parseState(more.state.after);
    saveState(work, next);
    rewriteUserLines(work, next);
  }
  return tip;
}

function moveBranch({ git, repo }: Work, { ref, target, sessionId, owned }: RewindMore): string {
  const before = readRef(git, ref);
  const wanted = parseObjectId(target);
  if (!before || !wanted) throw new EntireError('REF_MOVED', `${ref} is gone`);
  const cut = cutBranch(readBranch(repo), ref, before, wanted);
  if (!cut.later.some(({ step }) => step.sessionId === sessionId)) return before;
  const { tip, staged } = writeNextTip(git, cut, sessionId, new Set(owned));
  const release = staged ? [{ ref: staged, from: tip, to: undefined }] : [];
  updateRefs(git, [{ ref, from: before, to: tip }, ...release], 'rewind');
  return tip;
}

function rewriteUserLines({ repo }: Work, state: SessionState): void {
  const since = state.attributionBaseCommit;
  const record: UserLinesRecord | undefined = readUserLines(repo.commonDir, state.sessionId, since);
  if (!record) return;
  const attributions = state.promptAttributions;
  writeUserLines(repo.commonDir, state.sessionId, rollBackUserLines(record, attributions));
}

/**
 * Undoes {@link applyRewind}, and puts back the logs that were replaced, where nothing went on since. It may be done
 * twice. Only under the session's lock.
 *
 * @returns what could not be taken back, in one sentence; `undefined` when all of it was
 */
function takeBackRewind(work: Work, value: unknown): string | undefined {
  const more = parseMore(value);
  if (!more) return undefined;
  for (const replaced of more.logs) putLogBack(replaced);
  if (more.state.before === '') return undefined;
  const current = readState(work.sessions, more.sessionId);
  if (current && renderState(current) === more.state.before) return undefined;
  const before = parseObjectId(more.tips.before);
  const hasGoneOn = !current || renderState(current) !== more.state.after || !before;
  if (hasGoneOn || !putBranchBack(work, more)) {
    // The files are back, and the session's: the next step has them.
    trackAgain(work.sessions, more.sessionId, more.files);
    return 'The session went on since the rewind: its steps stay as they are, and the next one holds the files.';
  }
  saveState(work, parseState(more.state.before));
  return undefined;
}

function putBranchBack({ git }: Work, { ref, tips }: RewindMore): boolean {
  const current = readRef(git, ref);
  if (current === tips.before) return true;
  if (!current || current !== tips.after) return false;
  try {
    updateRefs(git, [{ ref, from: current, to: parseObjectId(tips.before) }], 'rewind taken back');
    return true;
  } catch (error) {
    log('warn', 'shadow branch not put back', { ref, error: describeError(error) });
    return false;
  }
}

/** Only where the agent has not gone on in it. */
function putLogBack({ file, kept, sha256 }: ReplacedLog): void {
  try {
    if (createHash('sha256').update(disk.readFileSync(file)).digest('hex') !== sha256) return;
    writeFileAtomic(file, disk.readFileSync(kept), { fsync: true });
  } catch (error) {
    log('warn', 'transcript not put back', { file, error: describeError(error) });
  }
}
