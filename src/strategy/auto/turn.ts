import { transcriptFormatOf } from '../../agents/registry.ts';
import { newCheckpointId } from '../../base/ids.ts';
import { type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import type { NewCheckpoint } from '../../checkpoint/committed.ts';
import { redactPrompts, redactText } from '../../checkpoint/redact/redact.ts';
import { readShadowBranch } from '../../checkpoint/shadow-branch.ts';
import { readTaskRecord } from '../../session/record/task-record.ts';
import type { SessionState } from '../../session/state.ts';
import { trackAgain } from '../../session/tracking-file.ts';
import { openAttribution } from '../attribution/open.ts';
import { dropShadowBranch } from '../commit/leftovers.ts';
import { readStashed } from '../out-of-sight.ts';
import { tell } from '../progress.ts';
import { sliceFrom } from '../transcript/part.ts';
import { PROMPT_SEPARATOR, type RedactedTranscript, secretsFor } from '../transcript/redacted.ts';
import { describeSlot, listFiles } from '../transcript/slot-metadata.ts';
import { textsWith } from '../transcript/slot-texts.ts';
import type { TurnChanges } from '../turn/changes.ts';
import type { SaveTurn } from '../turn/end.ts';
import type { StatusOnCommit } from '../turn/save.ts';
import { subjectFromPrompt } from '../turn/words.ts';
import type { Work } from '../work.ts';
import { advance } from './advance.ts';
import { asSoleWork } from './changes.ts';
import { type CommitPlan, describeChanges, makeCommit } from './commit.ts';
import { assertMayCommit } from './refusal.ts';

/** Makes one commit of what a turn changed, and of what its session still had; without changes none. */
export const commitTurn: SaveTurn = async (work, state, redacted, status, step) => {
  const { commit, wait } = sortFiles(work, state, status, step);
  if (commit.length === 0) {
    const waiting = { ...state, filesTouched: wait };
    if (step.recorded.size > 0) return { state: skip(waiting, step) };
    tell('No files were modified during this session\nSkipping commit');
    return { state: waiting };
  }
  await assertMayCommit(work, status.branch);
  const transcript = redacted();
  const start = state.filesTouched.length > 0 ? earliest(state, step) : step.offset;
  const texts = await redactTexts(transcript, start);
  const id = newCheckpointId();
  const attribute = await openAttribution(work, state);
  const plan: CommitPlan = {
    id,
    paths: commit,
    subject: subjectFromPrompt(texts.prompts.split(PROMPT_SEPARATOR).at(-1), state.agentType),
    describe: (made) =>
      describeCheckpoint(
        state,
        { id, start, step, transcript, texts, attribution: attribute(asSoleWork(made.changes)) },
        made,
      ),
    own: { sessionId: state.sessionId, checkpointCount: state.checkpointCount, items: step.items },
  };
  const made = await makeCommit(work, plan);
  if (!made) return { state: skip({ ...state, filesTouched: wait }, step) };
  tell(describeChanges(made, 'session'));
  tell(`Committed code changes to active branch (${made.oid.slice(0, 7)})`);
  tell(`Committed session metadata to entire/checkpoints/v1 (${id})`);

  const unread = commit.filter((path) => made.leftOut.has(path));
  trackAgain(work.sessions, state.sessionId, unread);
  const paths = new Set<string>(commit);
  const next = advance(work, state, { id, commit: made.oid, paths, items: step.items });
  tell(`Updated session state: transcript position=${step.items}, checkpoint=${next.checkpointCount}`);
  const filesTouched = sortedUnique([...wait, ...unread]);
  return {
    state: { ...next, filesTouched, turnCheckpointIds: withUnfinished(next, id, transcript) },
    conclude() {
      if (state.filesTouched.length > 0 && filesTouched.length === 0) dropSteps(work, state);
      made.conclude();
    },
  };
};

/** The checkpoint is completed once the rest of a long transcript is taken in. */
const withUnfinished = (
  { turnCheckpointIds }: SessionState,
  id: CommitPlan['id'],
  { live }: RedactedTranscript,
): SessionState['turnCheckpointIds'] => (live.rest ? [...turnCheckpointIds, id] : turnCheckpointIds);

/** The steps that manual-commit saved before the strategy was changed: a commit holds their work now. */
function dropSteps(work: Work, { sessionId, baseCommit, worktreeId }: SessionState): void {
  dropShadowBranch(work, sessionId, readShadowBranch(work.git, baseCommit, worktreeId));
}

/** Somebody has committed what the turn changed. What it talked about is no part of the next checkpoint. */
function skip(state: SessionState, { items }: TurnChanges): SessionState {
  tell('No changes to commit (files already committed)\nSkipped checkpoint (no changes since last commit)');
  return state.filesTouched.length > 0 ? state : { ...state, checkpointTranscriptStart: items };
}

/** From the first turn whose work is not committed. */
const earliest = (state: SessionState, { offset }: TurnChanges): number =>
  Math.min(state.checkpointTranscriptStart, offset);

/**
 * A turn in which nothing ran that writes without a word has on record what it wrote. What git alone has found then was
 * changed by somebody else meanwhile, who commits it.
 */
function ownPaths(
  { repo }: Work,
  state: SessionState,
  { paths, recorded, newPart, isPartWhole }: TurnChanges,
): readonly RepoPath[] {
  const { isComplete, agents } = transcriptFormatOf(state.agentType).readEdits(newPart);
  const { running } = readTaskRecord(repo.commonDir, state.sessionId);
  const hasAll = newPart !== '' && isPartWhole && isComplete && agents.length === 0 && running.length === 0;
  return hasAll ? paths.filter((path) => recorded.has(path)) : paths;
}

/** The session's files that are committed now, and those that wait: in a stash, they may come back. */
function sortFiles(
  work: Work,
  state: SessionState,
  status: StatusOnCommit,
  step: TurnChanges,
): { commit: RepoPath[]; wait: RepoPath[] } {
  const isChanged = (path: RepoPath) => status.changes.has(path);
  const known = sortedUnique([...ownPaths(work, state, step), ...state.filesTouched]);
  const putBack = new Set(step.putBack);
  const clean = state.filesTouched.filter((path) => !isChanged(path) && !putBack.has(path));
  const stashed = readStashed(work.git, clean, Date.parse(state.startedAt) || 0);
  const wait = [...stashed.keys(), ...step.stashed.map(({ path }) => path as RepoPath)];
  return { commit: known.filter(isChanged), wait: sortedUnique(wait.filter((path) => !isChanged(path))) };
}

interface Texts {
  /** Those of the part only. */
  readonly prompts: string;
  readonly summary: string;
}

/** Prompts and last words of a part of the transcript, without the secrets that any part of it gives away. */
async function redactTexts(transcript: RedactedTranscript, start: number): Promise<Texts> {
  const { live } = transcript;
  const part = sliceFrom(live, start);
  const prompts = live.format.readPrompts(part).join(PROMPT_SEPARATOR);
  const summary = live.format.readSummary(part) ?? '';
  const known = secretsFor(transcript, prompts + summary);
  return { prompts: (await redactPrompts(prompts, known)).text, summary: await redactText(summary, known) };
}

function describeCheckpoint(
  state: SessionState,
  {
    id,
    start,
    step,
    transcript,
    texts,
    attribution,
  }: {
    id: CommitPlan['id'];
    start: number;
    step: TurnChanges;
    transcript: RedactedTranscript;
    texts: Texts;
    attribution: NewCheckpoint['metadata']['initialAttribution'];
  },
  { head, branch, changes, author }: Parameters<CommitPlan['describe']>[0],
): NewCheckpoint {
  return {
    metadata: {
      ...describeSlot(state, transcript, { id, strategy: 'auto-commit', branch, start, attribution }),
      checkpointsCount: 1,
      filesTouched: listFiles(changes.keys()),
      transcriptIdentifierAtStart: step.snapshot?.lastTranscriptIdentifier ?? '',
    },
    texts: textsWith(texts.prompts, transcript, head),
    ephemeralBranch: '',
    author,
    files: texts.summary === '' ? [] : [{ path: '0/summary.txt', mode: '100644', data: texts.summary }],
  };
}
