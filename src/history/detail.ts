import { transcriptFormatOf } from '../agents/registry.ts';
import type { TranscriptEntry } from '../agents/shared/transcript/transcript.ts';
import { describeError } from '../base/errors.ts';
import { type CheckpointId, type ObjectId, parseSessionId } from '../base/ids.ts';
import type { StoredCheckpoint, StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { findMisfits, tellMisfit } from '../checkpoint/read/fit.ts';
import { readPrompts, readTranscript } from '../checkpoint/read/texts.ts';
import { parseSummary, type Summary } from '../checkpoint/summary.ts';
import { linkedIds } from '../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../git/commit/trailers.ts';
import { type LogRow, readAuthor, readLog } from '../git/log.ts';
import { readTree } from '../git/object/objects.ts';
import { REFS_OF_PEOPLE } from '../git/ref/people.ts';
import type { SessionState } from '../session/state.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { findForgotten, type Tombstone } from '../session/tombstones.ts';
import { sessionsDir } from '../session/tracking-file.ts';
import type { Branch } from './branch.ts';
import { hasOnlyOwnPrompts } from './commit-prompts.ts';
import { findLeftBehind, readBefore } from './left-behind.ts';
import { isMasked, type OwnPrompts } from './own-prompts.ts';
import { type ToldTurn, tellOwnTurns } from './own-turns.ts';
import { readBranchLog } from './range.ts';
import type { Step } from './temporary.ts';

/** A transcript as it is shown. */
export interface ShownTranscript {
  /** `unreadable`: there is one, and nothing in it could be understood. */
  readonly kind: 'read' | 'empty' | 'unreadable';
  readonly entries: readonly TranscriptEntry[];
  /** The part of it that is shown, as it is stored. */
  readonly text: string;
  /** Whose it is, as metadata call the agent. */
  readonly agent: string;
}

/** One session of a checkpoint, as it is shown. */
export interface SessionDetail {
  readonly slot: StoredSlot;
  readonly summary: Summary | undefined;
  /** Prompts of the checkpoint's own part of the session; where that part has none, the last one before it. */
  readonly prompts: readonly string[];
  /** All turns of the session, where some of them have no part in the checkpoint, whose transcript begins with them all the same. */
  readonly turns: readonly ToldTurn[] | undefined;
  readonly transcript: ShownTranscript;
  /** That it has no prompts because they were forgotten. */
  readonly forgotten: Tombstone | undefined;
}

export interface CheckpointDetail {
  readonly checkpoint: StoredCheckpoint;
  /** Who wrote it: `Name <mail>`; `undefined` when it is not known. */
  readonly author: string | undefined;
  /** Commits that lead to it, newest first. */
  readonly commits: readonly LogRow[];
  readonly sessions: readonly SessionDetail[];
  readonly problems: readonly string[];
}

export interface DetailOptions {
  /** The transcript of the whole session, not the checkpoint's part of it. */
  readonly full: boolean;
  /** Commits of all branches, not of the one that is checked out. */
  readonly searchAll: boolean;
}

/** Reads what a checkpoint holds: its commits, and each session with the transcript. */
export async function readDetail(
  branch: Branch,
  checkpoint: StoredCheckpoint,
  options: DetailOptions,
): Promise<CheckpointDetail> {
  const prompts = readPrompts(branch.store, checkpoint.slots);
  const stones = findForgotten(branch.repo.commonDir, checkpoint.id);
  const problems = [...checkpoint.problems];
  const odd: string[] = [];
  const commits = findCommits(branch, checkpoint, options.searchAll, odd);
  const newest = commits[0]?.oid ?? branch.head;
  const before = newest ? await readBefore(branch.git, branch.store, newest, [...prompts]) : [];
  const left = findLeftBehind([...prompts], before);
  const sessions = checkpoint.slots.map((slot) => {
    const stored = readTranscript(branch.store, slot);
    problems.push(
      ...stored.problems.map((text) => (checkpoint.isFlat ? text : `session ${slot.index}: ${text}`)),
    );
    const { agent, checkpointTranscriptStart: start, other } = slot.metadata;
    const scope = { agent, full: stored.text, start };
    const scoped = promptsOf(scope);
    const own = scopeText(scope);
    const behind = left.get(slot);
    const told = behind && tellOwnTurns(slot, own, behind);
    const turns = told?.some(({ isOwn }) => !isOwn) ? told : undefined;
    const isTaken = scoped.length === 0 && isMasked(own);
    const forgotten = isTaken
      ? stones.find(({ sessionId }) => sessionId === slot.metadata.sessionId)
      : undefined;
    const known = hasOnlyOwnPrompts(slot) ? prompts.get(slot) : prompts.get(slot)?.slice(-1);
    return {
      slot,
      summary: parseSummary(other.summary),
      prompts:
        turns?.flatMap(({ prompt, isOwn }) => (isOwn ? prompt : [])) ??
        (scoped.length > 0 || isTaken ? scoped : (known ?? [])),
      turns,
      forgotten,
      transcript: show(scope, options.full),
    };
  });
  return {
    checkpoint,
    author: readAuthorOf(branch, checkpoint.id),
    commits,
    sessions,
    problems: [...problems, ...odd],
  };
}

/** A transcript, and where the part of it begins that is asked about. */
interface Scope {
  readonly agent: string;
  readonly full: string;
  readonly start: number;
}

function show({ agent, full, start }: Scope, isFull: boolean): ShownTranscript {
  if (full.trim() === '') return { kind: 'empty', entries: [], text: '', agent };
  const format = transcriptFormatOf(agent);
  const text = isFull ? full : format.sliceItems(full, start);
  const entries = format.readEntries(text);
  const told = { entries, text, agent };
  if (entries.length > 0 || text.trim() === '')
    return { kind: entries.length > 0 ? 'read' : 'empty', ...told };
  return { kind: format.readEntries(full).length > 0 ? 'empty' : 'unreadable', ...told };
}

const scopeText = ({ agent, full, start }: Scope): string =>
  transcriptFormatOf(agent).sliceItems(full, start);

const promptsOf = (scope: Scope): string[] => transcriptFormatOf(scope.agent).readPrompts(scopeText(scope));

/** Who committed the checkpoint to the metadata branch. */
function readAuthorOf({ store }: Branch, id: CheckpointId): string | undefined {
  return readAuthor(store.git, { range: store.tips, containing: `Checkpoint: ${id}` });
}

/** More commits than anybody wants to see of one checkpoint. */
const MAX_COMMITS = 1000;

/** A commit comes right before its checkpoint, or later where it was made again; clocks and late hooks differ. */
const MAX_EARLIER_MS = 30 * 24 * 60 * 60 * 1000;

/** What else the checkpoint holds can be shown where the history is damaged. */
function findCommits(
  branch: Branch,
  checkpoint: StoredCheckpoint,
  searchAll: boolean,
  problems: string[],
): LogRow[] {
  try {
    const commits = readCommitsOf(branch, checkpoint, searchAll);
    const stored = new Map([[checkpoint.id, checkpoint]]);
    const misfits = findMisfits(branch.git, branch.repo.commonDir, commits, stored);
    for (const { commit, why } of misfits.all) problems.push(tellMisfit(commit, why));
    return commits;
  } catch (error) {
    problems.push(describeError(error));
    return [];
  }
}

/** Commits that lead to a checkpoint, newest first. @param searchAll of all branches, not of the one that is checked out */
export function readCommitsOf(branch: Branch, checkpoint: StoredCheckpoint, searchAll: boolean): LogRow[] {
  const { id } = checkpoint;
  const read = (since: Date | undefined): LogRow[] => {
    const query = { limit: MAX_COMMITS, containing: `${CHECKPOINT_TRAILER}: ${id}`, since };
    const rows = searchAll
      ? readLog(branch.git, { ...query, range: REFS_OF_PEOPLE })
      : readBranchLog(branch, query);
    return (rows ?? []).filter((row) => linkedIds(row.links).includes(id));
  };
  const since = earliestCommit(checkpoint);
  const found = since ? read(since) : [];
  return found.length > 0 ? found : read(undefined);
}

/** Before this no commit is looked for, as long as there is one since then; `undefined` where the times say nothing. */
function earliestCommit({ slots }: StoredCheckpoint): Date | undefined {
  const made = Math.min(...slots.map(({ metadata }) => Date.parse(metadata.createdAt)));
  return made > MAX_EARLIER_MS && Number.isFinite(made) ? new Date(made - MAX_EARLIER_MS) : undefined;
}

export interface StepDetail {
  readonly step: Step;
  readonly prompts: readonly string[];
  readonly transcript: ShownTranscript;
  readonly problems: readonly string[];
}

/** Reads what a step holds. */
export function readStepDetail(branch: Branch, step: Step, full: boolean): StepDetail {
  const { problems, ...own } = readStepScope(branch, step);
  return { step, prompts: promptsOf(own), transcript: show(own, full), problems };
}

/** A step as far as its transcript is asked about. */
type StepText = Pick<Step, 'commit' | 'sessionId' | 'metadataDir'>;

/** The prompts of a step's own part of its session. */
export function readStepPrompts(branch: Branch, step: StepText): OwnPrompts {
  const scope = readStepScope(branch, step);
  return { prompts: promptsOf(scope), isMasked: isMasked(scopeText(scope)) };
}

/** A step's own part is what comes after that of the step before it, or after what was committed before it. */
function readStepScope(branch: Branch, step: StepText): Scope & { readonly problems: readonly string[] } {
  const { text, problems } = readStepTranscript(branch, step);
  const [parent] = step.commit.parents;
  const before = parent ? readStepTranscript(branch, step, parent).text : '';
  const state = readStateOf(branch, step);
  const agent = state?.agentType ?? '';
  const { countItems } = transcriptFormatOf(agent);
  const committed = state?.checkpointTranscriptStart ?? 0;
  const start = before === '' && committed < countItems(text) ? committed : countItems(before);
  return { agent, full: text, start, problems };
}

/** Steps name no agent; the session's own state does, as long as there is one. */
function readStateOf({ repo }: Branch, { sessionId }: StepText): SessionState | undefined {
  const id = parseSessionId(sessionId);
  return id && readStateIfReadable(sessionsDir(repo.commonDir), id);
}

/** The transcript of a step's session, as it stands in the step's tree or another one. */
export function readStepTranscript(
  branch: Branch,
  { commit, metadataDir }: Pick<Step, 'commit' | 'metadataDir'>,
  tree: ObjectId = commit.oid,
): ReturnType<typeof readTranscript> {
  const dir = `${metadataDir}/`;
  const listed = metadataDir === undefined ? undefined : readTree(branch.git, tree, [dir]);
  const files = [...(listed ?? [])].map(([path, { oid }]) => [path.slice(dir.length), oid] as const);
  return readTranscript(branch.store, { files: new Map(files) });
}
