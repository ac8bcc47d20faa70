import { transcriptFormatOf } from '../../agents/registry.ts';
import type { ObjectId } from '../../base/ids.ts';
import { sortedUnique } from '../../base/repo-path.ts';
import { redactPrompts, redactText } from '../../checkpoint/redact/redact.ts';
import { readShadowBranch, type ShadowBranch } from '../../checkpoint/shadow-branch.ts';
import { type TemporaryCheckpoint, writeTemporary } from '../../checkpoint/temporary.ts';
import { retryWhenMoved } from '../../git/object/objects.ts';
import { readIdentity } from '../../git/ref/refs.ts';
import type { Status } from '../../git/worktree/status.ts';
import { emptyAttribution } from '../../session/record/prompt-attribution.ts';
import { addUsage, type SessionState } from '../../session/state.ts';
import { trackAgain } from '../../session/tracking-file.ts';
import { followHead } from '../follow-head.ts';
import { tell } from '../progress.ts';
import { PROMPT_SEPARATOR, type RedactedTranscript, secretsFor, toStored } from '../transcript/redacted.ts';
import { readUsage } from '../transcript/usage.ts';
import type { Work } from '../work.ts';
import { preexisting, type TurnChanges } from './changes.ts';
import { subjectFromPrompt } from './words.ts';

/** `git status` of a repository that has a commit. */
export type StatusOnCommit = Status & { readonly head: ObjectId };

/** Files that are told by name to who watches. */
const MAX_TOLD = 50;

/**
 * Saves what a turn changed as a step on the session's shadow branch; without changes nothing is written. What git
 * could not read stays tracked.
 *
 * @param redacted the transcript; asked for only when there is something to save, and may throw
 * @returns the state with the step counted, and the step where there is a new one
 * @throws {EntireError} `REDACTION_FAILED`, `REF_MOVED`, `REF_LOCKED`, `GIT_FAILED`
 */
export async function saveStep(
  work: Work,
  known: SessionState,
  redacted: () => RedactedTranscript,
  status: StatusOnCommit,
  step: TurnChanges,
): Promise<{ state: SessionState; step: ObjectId | undefined }> {
  const putBack = new Set(step.putBack);
  const before = { ...known, filesTouched: known.filesTouched.filter((path) => !putBack.has(path)) };
  if (step.paths.length === 0) {
    tell('No files were modified during this session\nSkipping commit');
    // Recorded paths that are clean again were committed or reverted meanwhile; a commit that took them has them.
    return { state: before, step: undefined };
  }
  const names = step.paths.slice(0, MAX_TOLD).map((path) => `  - ${path}`);
  const more = step.paths.length - names.length;
  if (more > 0) names.push(`  and ${more} more`);
  tell(`Files modified during session (${step.paths.length}):\n${names.join('\n')}`);

  const state = retryWhenMoved(() => followHead(work, before, status.head));
  const { checkpoint, transcript } = await describeStep(work, state, redacted, status, step);
  const { branch, tip, leftOut } = writeStep(work, state, checkpoint);
  const unsaved = step.paths.filter((path) => leftOut.has(path));
  trackAgain(work.sessions, state.sessionId, unsaved);

  const filesTouched = sortedUnique([...state.filesTouched, ...step.paths]);
  if (tip === undefined) {
    tell('Skipped checkpoint (no changes since last checkpoint)');
    return { state: { ...state, filesTouched }, step: undefined };
  }
  tell(
    branch.tip
      ? `Committed changes to step branch '${branch.name}'`
      : `Created step branch '${branch.name}' and committed changes`,
  );
  const counted = {
    ...state,
    filesTouched,
    checkpointCount: state.checkpointCount + 1,
    promptAttributions: [
      ...state.promptAttributions,
      state.pendingPromptAttribution ?? emptyAttribution(state.checkpointCount + 1),
    ],
    pendingPromptAttribution: undefined,
    transcriptIdentifierAtStart: isFirst(state)
      ? (step.snapshot?.lastTranscriptIdentifier ?? '')
      : state.transcriptIdentifierAtStart,
    tokenUsage: addUsage(state.tokenUsage, readUsage(transcript, state.sessionId, step.offset)),
  };
  return { state: counted, step: tip };
}

const isFirst = (state: SessionState): boolean => state.checkpointCount === 0;

/** A step without the branch it goes to. */
type StepCheckpoint = Omit<TemporaryCheckpoint, 'branch' | 'onLeftOut'>;

async function describeStep(
  work: Work,
  state: SessionState,
  redacted: () => RedactedTranscript,
  status: StatusOnCommit,
  step: TurnChanges,
): Promise<{ checkpoint: StepCheckpoint; transcript: RedactedTranscript }> {
  const { head } = status;
  const format = transcriptFormatOf(state.agentType);
  const transcript = redacted();
  const known = secretsFor(transcript, step.newPart);
  const said = format.readPrompts(step.newPart).join(PROMPT_SEPARATOR);
  const { text: prompts } = await redactPrompts(said, known);
  const others = isFirst(state) ? preexisting(work, status) : step.putBack;
  const summary = await redactText(format.readSummary(step.newPart) ?? '', known);
  const checkpoint = {
    sessionId: state.sessionId,
    head,
    paths: sortedUnique([...others, ...step.paths]),
    texts: { transcript: toStored(transcript, head), prompts, summary },
    // Redacted before it is cut: half of a secret looks like none.
    subject: subjectFromPrompt(prompts.split(PROMPT_SEPARATOR).at(-1), state.agentType),
    extra: step.stashed,
    author: readIdentity(work.git),
  };
  return { checkpoint, transcript };
}

/** Sessions on the same commit share the branch, and may stop at the same moment. */
function writeStep(
  work: Work,
  state: SessionState,
  checkpoint: StepCheckpoint,
): { branch: ShadowBranch; tip: ObjectId | undefined; leftOut: ReadonlySet<string> } {
  const leftOut = new Set<string>();
  return retryWhenMoved(() => {
    const branch = readShadowBranch(work.git, state.baseCommit, state.worktreeId);
    const tip = writeTemporary(work.git, { ...checkpoint, branch, onLeftOut: (path) => leftOut.add(path) });
    return { branch, tip, leftOut };
  });
}
