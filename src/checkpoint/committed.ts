import { createHash } from 'node:crypto';
import { EntireError } from '../base/errors.ts';
import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { sortedUnique } from '../base/repo-path.ts';
import {
  blobId,
  type Change,
  type Identity,
  readObjects,
  readTree,
  retryWhenMoved,
  type TreeEntry,
  writeCommit,
} from '../git/objects.ts';
import type { Git } from '../git/run.ts';
import { addUsage, type TokenUsage } from '../session/state.ts';
import { isTranscriptName, splitTranscript } from './chunks.ts';
import {
  checkpointDir,
  parseRootSlots,
  parseSlot,
  renderRoot,
  renderSlot,
  type SlotFiles,
  type SlotMetadata,
} from './metadata-json.ts';
import { METADATA_REF } from './shadow-branch.ts';

/** Texts of one session in a checkpoint, already redacted. Empty ones are not stored. */
export interface SlotTexts {
  readonly transcript: string;
  readonly prompts: string;
  readonly context: string;
}

export interface NewCheckpoint {
  readonly metadata: SlotMetadata;
  readonly texts: SlotTexts;
  /** Short name of the session's shadow branch; named in the commit message even if it does not exist. */
  readonly ephemeralBranch: string;
  readonly author: Identity;
  /** Blobs that are known to be in the repository, so that their bytes are not written again. */
  readonly knownBlobs?: ReadonlySet<string>;
}

/**
 * Writes one session into a checkpoint on the metadata branch: a new slot, or the slot the session already has,
 * which is then merged with what it held (files united, counts and tokens added, earliest transcript start).
 *
 * @throws {EntireError} `REF_MOVED` when the branch kept moving
 */
export function writeCheckpoint(git: Git, checkpoint: NewCheckpoint): void {
  retryWhenMoved(() => {
    const { metadata, texts } = checkpoint;
    const { tip, slots: existing } = readSlots(git, metadata.checkpointId);
    const found = existing.findIndex((slot) => slot.metadata.sessionId === metadata.sessionId);
    const index = found === -1 ? existing.length : found;
    const merged = found === -1 ? metadata : mergeSlot((existing[found] as Slot).metadata, metadata);
    const files = { hasPrompt: texts.prompts !== '', hasContext: texts.context !== '' };
    const slots = [...existing];
    slots[index] = { metadata: merged, files };

    const dir = checkpointDir(metadata.checkpointId);
    writeCommit(git, {
      ref: METADATA_REF,
      parent: tip,
      changes: [
        { path: `${dir}/${index}`, removed: true },
        ...slotTextChanges(`${dir}/${index}`, texts, checkpoint.knownBlobs, tip),
        { path: `${dir}/${index}/metadata.json`, mode: '100644', data: renderSlot(merged) },
        { path: `${dir}/metadata.json`, mode: '100644', data: renderRoot(slots, merged) },
      ],
      message: renderMessage(checkpoint),
      author: checkpoint.author,
    });
  });
}

/**
 * Replaces the texts of a session's slot once its turn is over, and with `usageFrom`, which counts from a transcript
 * item on, its token usage. Nothing is written when the stored texts are the same.
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
    const written = slotTextChanges(dir, texts, new Set([...stored.values()].map(({ oid }) => oid)), tip);
    if (written.every((change) => 'oid' in change && stored.get(change.path)?.oid === change.oid))
      return true;

    const usage = update.usageFrom?.(slot.metadata.checkpointTranscriptStart);
    const metadata = { ...slot.metadata, tokenUsage: usage ?? slot.metadata.tokenUsage };
    slots[index] = {
      metadata,
      files: {
        hasPrompt: texts.prompts !== '' || slot.files.hasPrompt,
        hasContext: texts.context !== '' || slot.files.hasContext,
      },
    };
    const staleChunks = [...stored.keys()].filter((path) => isTranscriptName(path.slice(dir.length + 1)));
    writeCommit(git, {
      ref: METADATA_REF,
      parent: tip,
      changes: [
        ...staleChunks.map((path): Change => ({ path, removed: true })),
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

/** Whether the local metadata branch has a checkpoint. */
export function hasCheckpoint(git: Git, id: CheckpointId): boolean {
  return readObjects(git, [`${METADATA_REF}:${checkpointDir(id)}/metadata.json`]).size > 0;
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
    other: { ...before.other, ...after.other },
  };
}

/** The text files of a slot. Blobs that the repository is known to hold are named, not sent again. */
function slotTextChanges(
  dir: string,
  texts: SlotTexts,
  known: ReadonlySet<string> | undefined,
  like: ObjectId | undefined,
): Change[] {
  const files: Array<{ name: string; data: string | Uint8Array }> = [...splitTranscript(texts.transcript)];
  if (texts.transcript !== '') files.push({ name: 'content_hash.txt', data: contentHash(texts.transcript) });
  if (texts.prompts !== '') files.push({ name: 'prompt.txt', data: texts.prompts });
  if (texts.context !== '') files.push({ name: 'context.md', data: texts.context });
  return files.map(({ name, data }): Change => {
    const path = `${dir}/${name}`;
    const oid = known && like ? blobId(data, like) : undefined;
    return oid && known?.has(oid) ? { path, mode: '100644', oid } : { path, mode: '100644', data };
  });
}

/** `sha256:` and the digest of the whole redacted transcript, before chunking. */
function contentHash(transcript: string): string {
  return `sha256:${createHash('sha256').update(transcript).digest('hex')}`;
}

function renderMessage({ metadata, ephemeralBranch }: NewCheckpoint): string {
  const trailers = [`Entire-Session: ${metadata.sessionId}`, `Entire-Strategy: ${metadata.strategy}`];
  if (metadata.agent) trailers.push(`Entire-Agent: ${metadata.agent}`);
  if (ephemeralBranch) trailers.push(`Ephemeral-branch: ${ephemeralBranch}`);
  return `Checkpoint: ${metadata.checkpointId}\n\n${trailers.join('\n')}\n`;
}
