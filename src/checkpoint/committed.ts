import { EntireError } from '../base/errors.ts';
import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { sortedUnique } from '../base/repo-path.ts';
import {
  type Change,
  type Identity,
  type NewCommit,
  readObjects,
  readTree,
  retryWhenMoved,
  type TreeEntry,
  writeCommit,
} from '../git/object/objects.ts';
import { type RefUpdate, readRefs } from '../git/ref/refs.ts';
import type { Git } from '../git/run.ts';
import { addUsage, type TokenUsage } from '../session/state.ts';
import { type StoredTranscript, transcriptChanges } from './chunks.ts';
import { addVersion, type CommitEvidence, EVIDENCE_FILE } from './evidence.ts';
import { addAttribution } from './initial-attribution.ts';
import {
  checkpointDir,
  parseRootSlots,
  parseSlot,
  renderRoot,
  renderSlot,
  type SlotFiles,
  type SlotMetadata,
} from './metadata-json.ts';
import { trackingOf } from './remote-refs.ts';
import { METADATA_REF, REMOTE_METADATA_REF, readNewestOf } from './shadow-branch.ts';
import { isAlready } from './worktree-files.ts';

/** Texts of one session in a checkpoint, already redacted. Empty ones are not stored. */
export interface SlotTexts {
  readonly transcript: StoredTranscript;
  readonly prompts: string;
  readonly context: string;
}

export interface NewCheckpoint {
  readonly metadata: SlotMetadata;
  readonly texts: SlotTexts;
  /** Short name of the session's shadow branch; named in the commit message even if it does not exist. */
  readonly ephemeralBranch: string;
  readonly author: Identity;
  /** Set for the checkpoint of a task: what the commit is about, and the task's metadata by its path in the checkpoint. */
  readonly task?: { readonly subject: string; readonly path: string };
  /** What the commit holds that it is made for; `undefined` where that could not be read, or there is none. */
  readonly evidence?: CommitEvidence | undefined;
  /** Further files, by their path in the checkpoint. */
  readonly files?: readonly Change[];
  /** Files the repository is known to hold, so that their bytes are not written again. */
  readonly known?: ReadonlyMap<string, TreeEntry>;
}

/**
 * Writes one session into a checkpoint on the metadata branch: a new slot, or the slot the session already has,
 * which is then merged with what it held (files united, counts and tokens added, earliest transcript start).
 *
 * @throws {EntireError} `REF_MOVED` when the branch kept moving
 */
export function writeCheckpoint(git: Git, checkpoint: NewCheckpoint): void {
  retryWhenMoved(() => writeCommit(git, { ref: METADATA_REF, ...composeCheckpoint(git, checkpoint) }));
}

/**
 * Writes a checkpoint beside the metadata branch, under a ref of the caller's, so that the branch can be moved to it
 * together with other refs.
 *
 * @returns what moves the branch
 */
export function stageCheckpoint(git: Git, checkpoint: NewCheckpoint, ref: string): RefUpdate {
  const commit = composeCheckpoint(git, checkpoint);
  return { ref: METADATA_REF, from: commit.parent, to: writeCommit(git, { ref, ...commit }) };
}

function composeCheckpoint(git: Git, checkpoint: NewCheckpoint): Omit<NewCommit, 'ref'> {
  const { metadata } = checkpoint;
  const { tip, slots: existing } = readSlots(git, metadata.checkpointId);
  const found = existing.findIndex((slot) => slot.metadata.sessionId === metadata.sessionId);
  const index = found === -1 ? existing.length : found;
  const merged = found === -1 ? metadata : mergeSlot((existing[found] as Slot).metadata, metadata);
  // A transcript that is gone, or is not read any more, takes away nothing that was stored of it.
  const isGone = checkpoint.texts.transcript.chunks.length === 0;
  const kept = isGone ? existing[found]?.files : undefined;
  const texts = {
    ...checkpoint.texts,
    ...(kept?.hasPrompt && { prompts: '' }),
    ...(kept?.hasContext && { context: '' }),
  };
  const files = {
    hasPrompt: texts.prompts !== '' || kept?.hasPrompt === true,
    hasContext: texts.context !== '' || kept?.hasContext === true,
  };
  const slots = [...existing];
  slots[index] = { metadata: merged, files };

  const dir = checkpointDir(metadata.checkpointId);
  const evidencePath = `${dir}/${index}/${EVIDENCE_FILE}`;
  const before = found === -1 ? undefined : readText(git, `${METADATA_REF}:${evidencePath}`);
  const evidence = addVersion(before, checkpoint.evidence);
  return {
    parent: tip,
    changes: [
      ...(isGone ? [] : [{ path: `${dir}/${index}`, removed: true } as const]),
      ...slotTextChanges(git, `${dir}/${index}`, texts, checkpoint.known ?? new Map()),
      { path: `${dir}/${index}/metadata.json`, mode: '100644', data: renderSlot(merged) },
      ...(evidence === undefined ? [] : [{ path: evidencePath, mode: '100644', data: evidence } as const]),
      { path: `${dir}/metadata.json`, mode: '100644', data: renderRoot(slots, merged) },
      ...(checkpoint.files ?? []).map((file) => ({ ...file, path: `${dir}/${file.path}` })),
    ],
    message: renderMessage(checkpoint),
    author: checkpoint.author,
  };
}

/**
 * Replaces the texts of a session's slot once its turn is over, and with `usageFrom`, which counts from a transcript
 * item on, its token usage; the root lists the texts and sums the tokens anew. Nothing is written when nothing changes.
 *
 * @returns false when the checkpoint or the session in it does not exist
 */
export function finalizeCheckpoint(
  git: Git,
  id: CheckpointId,
  sessionId: string,
  update: { texts: SlotTexts; usageFrom: ((item: number) => TokenUsage) | undefined; author: Identity },
): boolean {
  return retryWhenMoved(() => {
    const { tip, slots } = readSlots(git, id);
    const index = slots.findIndex((slot) => slot.metadata.sessionId === sessionId);
    const slot = slots[index];
    if (!tip || !slot) return false;

    const dir = `${checkpointDir(id)}/${index}`;
    const { texts } = update;
    const stored = readTree(git, tip, [`${dir}/`]) ?? new Map<string, TreeEntry>();
    const written = slotTextChanges(git, dir, texts, stored);
    const usage = update.usageFrom?.(slot.metadata.checkpointTranscriptStart);
    const metadata = { ...slot.metadata, tokenUsage: usage ?? slot.metadata.tokenUsage };
    const files = {
      hasPrompt: texts.prompts !== '' || slot.files.hasPrompt,
      hasContext: texts.context !== '' || slot.files.hasContext,
    };
    const isSame =
      written.every((change) => isAlready(change, stored.get(change.path), tip)) &&
      renderSlot(metadata) === renderSlot(slot.metadata) &&
      files.hasPrompt === slot.files.hasPrompt &&
      files.hasContext === slot.files.hasContext;
    if (isSame) return true;

    slots[index] = { metadata, files };
    writeCommit(git, {
      ref: METADATA_REF,
      parent: tip,
      changes: [
        ...written,
        { path: `${dir}/metadata.json`, mode: '100644', data: renderSlot(metadata) },
        { path: `${checkpointDir(id)}/metadata.json`, mode: '100644', data: renderRoot(slots, metadata) },
      ],
      message: `Finalize transcript for Checkpoint: ${id}`,
      author: update.author,
    });
    return true;
  });
}

const readText = (git: Git, name: string): string | undefined =>
  readObjects(git, [name]).get(name)?.data.toString('utf8');

/** What `origin` had when it was last fetched, wherever it keeps checkpoints. */
const FETCHED = [REMOTE_METADATA_REF, trackingOf(REMOTE_METADATA_REF, 'ref')];

/** Whether the local metadata branch has a checkpoint. */
export function hasCheckpoint(git: Git, id: CheckpointId): boolean {
  return readObjects(git, [`${METADATA_REF}:${checkpointDir(id)}/metadata.json`]).size > 0;
}

/** Whether a checkpoint of a session was ever stored, here or in what was last fetched. Two processes. */
export function hasStoredSession(git: Git, sessionId: string): boolean {
  return readNewestOf(git, sessionId, [...readRefs(git, [METADATA_REF, ...FETCHED]).values()]) !== undefined;
}

/** Whether the local metadata branch has anything of that id, or the one that was last fetched. */
export function isKnownCheckpoint(git: Git, id: CheckpointId): boolean {
  const refs = [METADATA_REF, ...FETCHED];
  return (
    readObjects(
      git,
      refs.map((ref) => `${ref}:${checkpointDir(id)}`),
    ).size > 0
  );
}

/** The sessions in a checkpoint of the local metadata branch, in order of their slots. */
export function readSlotMetadata(git: Git, id: CheckpointId): SlotMetadata[] {
  return readSlots(git, id).slots.map(({ metadata }) => metadata);
}

interface Slot {
  readonly metadata: SlotMetadata;
  readonly files: SlotFiles;
}

/**
 * The tip of the local branch, and all slots of a checkpoint in it.
 *
 * @throws {EntireError} `STATE_UNREADABLE` when a slot is damaged
 */
function readSlots(git: Git, id: CheckpointId): { tip: ObjectId | undefined; slots: Slot[] } {
  const dir = `${METADATA_REF}:${checkpointDir(id)}`;
  const found = readObjects(git, [METADATA_REF, `${dir}/metadata.json`]);
  const tip = found.get(METADATA_REF)?.oid;
  const listed = parseRootSlots(found.get(`${dir}/metadata.json`)?.data.toString('utf8')) ?? [];
  const names = listed.map((_, index) => `${dir}/${index}/metadata.json`);
  const stored = readObjects(git, names);
  const slots = listed.map((files, index) => {
    const json = stored.get(names[index] as string)?.data.toString('utf8');
    if (json === undefined)
      throw new EntireError('STATE_UNREADABLE', `session ${index} metadata not found at ${dir}`);
    return { metadata: parseSlot(json), files };
  });
  return { tip, slots };
}

function mergeSlot(before: SlotMetadata, after: SlotMetadata): SlotMetadata {
  return {
    ...after,
    checkpointsCount: before.checkpointsCount + after.checkpointsCount,
    filesTouched: sortedUnique([...before.filesTouched, ...after.filesTouched]),
    checkpointTranscriptStart: Math.min(before.checkpointTranscriptStart, after.checkpointTranscriptStart),
    tokenUsage: addUsage(before.tokenUsage, after.tokenUsage),
    initialAttribution: addAttribution(before.initialAttribution, after.initialAttribution),
    other: { ...before.other, ...after.other },
  };
}

/** The text files of a slot. */
function slotTextChanges(
  git: Git,
  dir: string,
  { transcript, prompts, context }: SlotTexts,
  listed: ReadonlyMap<string, TreeEntry>,
): Change[] {
  const file = (name: string, data: string): Change => ({ path: `${dir}/${name}`, mode: '100644', data });
  const changes = transcriptChanges(git, dir, transcript, listed);
  if (transcript.chunks.length > 0) changes.push(file('content_hash.txt', transcript.contentHash()));
  if (prompts !== '') changes.push(file('prompt.txt', prompts));
  if (context !== '') changes.push(file('context.md', context));
  return changes;
}

function renderMessage({ metadata, ephemeralBranch, task }: NewCheckpoint): string {
  const trailers = [`Entire-Session: ${metadata.sessionId}`, `Entire-Strategy: ${metadata.strategy}`];
  if (metadata.agent) trailers.push(`Entire-Agent: ${metadata.agent}`);
  if (ephemeralBranch) trailers.push(`Ephemeral-branch: ${ephemeralBranch}`);
  const id = metadata.checkpointId;
  if (task) trailers.push(`Entire-Metadata-Task: ${checkpointDir(id)}/${task.path}`);
  return `Checkpoint: ${id}\n\n${task ? `${task.subject}\n\n` : ''}${trailers.join('\n')}\n`;
}
