import { transcriptFormatOf } from '../agents/registry.ts';
import { summarise } from '../agents/shared/headless/summarise.ts';
import type { TranscriptEntry } from '../agents/shared/transcript/transcript.ts';
import { describeError, EntireError } from '../base/errors.ts';
import type { StoredCheckpoint, StoredSlot } from '../checkpoint/read/checkpoint.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { readTranscript } from '../checkpoint/read/texts.ts';
import { redactJsonLines } from '../checkpoint/redact/redact.ts';
import { parseSummary, writeSummary } from '../checkpoint/summary.ts';
import { programPlaceAt } from '../git/program-place.ts';

/** What of a session a summary is made of. */
export interface SummaryScope {
  readonly slot: StoredSlot;
  readonly isTranscriptEmpty: boolean;
  /** What was said and done in the part that belongs to the checkpoint. */
  readonly entries: readonly TranscriptEntry[];
}

/** Summaries are about the latest session of a checkpoint, as in v0.4.4. */
export const hasSummary = ({ slots }: StoredCheckpoint): boolean =>
  parseSummary(slots.at(-1)?.metadata.other.summary) !== undefined;

/**
 * Reads what is to be summarised; `undefined` where no session is stored. It is redacted again, since it leaves the machine:
 * another version may have stored it, by rules that find less.
 *
 * @throws {EntireError} `REDACTION_FAILED`
 */
export async function readScope(
  store: CheckpointStore,
  { slots }: StoredCheckpoint,
): Promise<SummaryScope | undefined> {
  const slot = slots.at(-1);
  if (!slot) return undefined;
  const text = await redactJsonLines(readTranscript(store, slot).text);
  const { agent, checkpointTranscriptStart } = slot.metadata;
  const format = transcriptFormatOf(agent);
  const entries = format.readEntries(format.sliceItems(text, checkpointTranscriptStart));
  return { slot, isTranscriptEmpty: text.trim() === '', entries };
}

/**
 * Has the agent's own command summarise a session, and stores the summary, in the place of one that is there.
 *
 * @throws {EntireError} `SUMMARY_FAILED`
 */
export async function summariseCheckpoint(
  store: CheckpointStore,
  { id, isFlat }: StoredCheckpoint,
  { slot, entries }: SummaryScope,
): Promise<void> {
  const summary = await attempt('generate', async () => {
    const material = { entries, filesTouched: slot.metadata.filesTouched };
    const said = await summarise(material, programPlaceAt(store.git.cwd));
    const answer = parseSummary(JSON.parse(await redactJsonLines(JSON.stringify(said))));
    if (!answer) throw new EntireError('SUMMARY_FAILED', 'failed to parse summary JSON: it says nothing');
    return answer;
  });
  await attempt('save', () => writeSummary(store.git, id, isFlat ? undefined : slot.index, summary));
}

async function attempt<T>(what: 'generate' | 'save', body: () => T | Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (cause) {
    const hint = cause instanceof EntireError ? cause.hint : undefined;
    const message = `failed to ${what} summary: ${describeError(cause)}`;
    throw new EntireError('SUMMARY_FAILED', message, { cause, ...(hint ? { hint } : {}) });
  }
}
