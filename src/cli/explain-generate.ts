import { findTranscriptFormat } from '../agents/registry.ts';
import { summarise } from '../agents/summarise.ts';
import { describeError, EntireError } from '../base/errors.ts';
import { readTranscript } from '../checkpoint/read/texts.ts';
import { parseSummary, writeSummary } from '../checkpoint/summary.ts';
import type { Branch } from '../history/branch.ts';
import type { Found } from '../history/find.ts';
import * as text from './explain-messages.ts';

/**
 * Has the latest session of a checkpoint summarised, and stores the summary.
 *
 * @throws {EntireError} `NOT_FOUND`, `SUMMARY_FAILED`
 */
export async function generateSummary(branch: Branch, found: Found, force: boolean): Promise<void> {
  const fail = (message: string): never => {
    throw new EntireError('SUMMARY_FAILED', message);
  };
  if (found.kind === 'temporary') return fail(text.notForTemporary(found.step.commit.oid.slice(0, 7)));
  const { id, slots, isFlat } = found.checkpoint;
  const slot = slots.at(-1);
  if (!slot) return fail(text.noTranscript(id));
  if (parseSummary(slot.metadata.other.summary) && !force) return fail(text.hasSummary(id));
  const { text: transcript } = readTranscript(branch.store, slot);
  if (transcript.trim() === '') return fail(text.nothingToSummarise(id));
  const { agent, checkpointTranscriptStart, filesTouched } = slot.metadata;
  const format = findTranscriptFormat(agent);
  const entries = format?.readEntries(format.sliceItems(transcript, checkpointTranscriptStart)) ?? [];
  if (entries.length === 0) return fail(text.nothingInScope(id));
  const summary = await attempt('generate', async () => {
    const answer = parseSummary(await summarise({ entries, filesTouched }));
    if (!answer) throw new EntireError('SUMMARY_FAILED', 'failed to parse summary JSON: it says nothing');
    return answer;
  });
  await attempt('save', () => writeSummary(branch.git, id, isFlat ? undefined : slot.index, summary));
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
