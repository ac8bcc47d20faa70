import { join } from 'node:path';
import * as z from 'zod/mini';
import type { TokenTotals } from '../../agents/shared/transcript/transcript.ts';
import { describeError } from '../../base/errors.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { log } from '../../base/log.ts';
import { readRange } from './file.ts';
import type { LiveTranscript } from './live.ts';
import { countItems } from './part.ts';

/** `[item, input, cache creation, cache read, output]`: what a session had cost when its transcript had so many items. */
type Mark = readonly [number, number, number, number, number];

const count = z.int().check(z.nonnegative());
const stored = z.object({
  version: z.literal(1),
  marks: z.array(z.tuple([count, count, count, count, count])),
});

/** Beside the index of the session's transcript: `<git-common-dir>/entire/transcripts/<session>/totals.json`. */
const cacheFile = (dir: string): string => join(dir, 'totals.json');

/**
 * Remembers what a session has cost up to here, where its client keeps nothing but the sum: what a later part of it cost is
 * the difference. Never throws.
 */
export function noteTotals(live: LiveTranscript): void {
  const totals = readTotals(live);
  if (totals === undefined) return;
  const marks = readMarks(live.dir);
  const mark = [countItems(live), ...inOrder(totals)] as const;
  // A transcript that was taken back has fewer items than it had: what was noted of those that are gone is no longer true.
  const kept = marks.filter(([item]) => item < mark[0]);
  const known = marks.find(([item]) => item === mark[0]);
  const next = [...kept, known ?? mark];
  if (known && next.length === marks.length) return;
  try {
    writeFileAtomic(cacheFile(live.dir), JSON.stringify({ version: 1, marks: next }));
  } catch (error) {
    log('warn', 'tokens so far not noted', { dir: live.dir, error: describeError(error) });
  }
}

/**
 * What a session has cost from an item of its transcript on; `undefined` for clients whose transcripts say it themselves.
 * Never throws.
 */
export function growthSince(live: LiveTranscript, item: number): TokenTotals | undefined {
  const totals = readTotals(live);
  if (totals === undefined) return undefined;
  const marks = item > 0 ? readMarks(live.dir) : [];
  const [, ...before] = marks.findLast(([at]) => at <= item) ?? marks[0] ?? [0, 0, 0, 0, 0];
  const now = inOrder(totals);
  const [inputTokens, cacheCreationTokens, cacheReadTokens, outputTokens] = now.map((value, at) =>
    Math.max(0, value - (before[at] as number)),
  ) as [number, number, number, number];
  return { inputTokens, cacheCreationTokens, cacheReadTokens, outputTokens };
}

const inOrder = (totals: TokenTotals) =>
  [totals.inputTokens, totals.cacheCreationTokens, totals.cacheReadTokens, totals.outputTokens] as const;

const BEGINNING_BYTES = 64 * 1024;

/** A copy of a transcript, without a path, has nothing beside it. */
function readTotals({ format, path }: LiveTranscript): TokenTotals | undefined {
  if (!format.readTotals || path === '') return undefined;
  try {
    return format.readTotals(path, readRange(path, 0, BEGINNING_BYTES).toString('utf8'));
  } catch {
    return undefined; // the transcript cannot be read: whoever reads it says so
  }
}

function readMarks(dir: string): readonly Mark[] {
  try {
    const text = readOwnText(cacheFile(dir), 'record');
    return text === undefined ? [] : stored.parse(JSON.parse(text)).marks;
  } catch (error) {
    log('warn', 'tokens noted before are unreadable', { dir, error: describeError(error) });
    return [];
  }
}
