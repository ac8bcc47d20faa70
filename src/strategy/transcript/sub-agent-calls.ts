import { join } from 'node:path';
import * as z from 'zod/mini';
import { describeError } from '../../base/errors.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { addTimedCalls } from './calls.ts';
import { readRange, transcriptSize } from './file.ts';
import type { AgentRow, CallRow } from './index-file.ts';
import { digestOfTail, type LiveTranscript } from './live.ts';
import { readPieces } from './pieces.ts';
import { maskLines } from './private.ts';

/** What was read of one sub-agent's transcript. */
interface KnownAgent {
  readonly path: string;
  /** Bytes that were read; they end at a line end. */
  readonly size: number;
  /** Digest of the last of them. */
  readonly tail: string;
  /** `[time, id, input, cache creation, cache read, output]`, the time in milliseconds since 1970 or 0. */
  readonly calls: readonly CallRow[];
}

const count = z.int().check(z.nonnegative());
const stored = z.object({
  version: z.literal(1),
  agents: z.record(
    z.string(),
    z.object({
      path: z.string(),
      size: count,
      tail: z.string(),
      calls: z.array(z.tuple([count, z.string(), count, count, count, count])),
    }),
  ),
});

/** Beside the index of the session's transcript: `<git-common-dir>/entire/transcripts/<session>/agents.json`. */
const cacheFile = (dir: string): string => join(dir, 'agents.json');

/**
 * The calls of each sub-agent of a session, from what its transcript holds by now. Only what came since the last look is
 * read; a transcript that cannot be read says nothing. Never throws. Under the session lock.
 */
export function readSubagentCalls(
  live: LiveTranscript,
  sessionId: SessionId,
  agents: readonly AgentRow[],
): Map<string, readonly CallRow[]> {
  const found = new Map<string, readonly CallRow[]>();
  if (agents.length === 0 || live.path === '') return found;
  const known = readKnown(live.dir);
  const next = new Map<string, KnownAgent>();
  let isNew = false;
  for (const [, id] of agents) {
    const before = known.get(id);
    try {
      const { agent, calls } = readAgent(live, sessionId, id, before);
      if (agent) next.set(id, agent);
      isNew ||= agent !== before;
      found.set(id, calls);
    } catch (error) {
      log('warn', 'transcript of a sub-agent is unreadable', { agent: id, error: describeError(error) });
      if (before) next.set(id, before);
      found.set(id, before?.calls ?? []);
    }
  }
  if (isNew) writeKnown(live.dir, next);
  return found;
}

/** Of a transcript that nobody has met so much is read by one hook, and the rest by the next ones. */
const MAX_BYTES = 32 * 1024 * 1024;

function readAgent(
  live: LiveTranscript,
  sessionId: SessionId,
  id: string,
  before: KnownAgent | undefined,
): { agent: KnownAgent | undefined; calls: readonly CallRow[] } {
  const paths = live.format.subagentTranscripts(live.path, sessionId, id);
  const path = paths.find((one) => transcriptSize(one, live.format));
  if (!path) return { agent: before, calls: before?.calls ?? [] }; // gone: what was read still counts
  const size = transcriptSize(path, live.format) ?? 0;
  const fits =
    before?.path === path && before.size <= size && digestOfTail(path, before.size) === before.tail;
  const from = fits ? before.size : 0;
  const rows = fits ? before.calls : [];
  let settled = rows;
  let end = from;
  for (const piece of readPieces(path, from, Math.min(size, from + MAX_BYTES), live.limits, live.mask)) {
    settled = addTimedCalls(settled, live.format.readCalls(piece.bytes.toString('utf8')));
    end = piece.end;
  }
  // A last line without its end is looked at, and met again.
  const last =
    size - end > live.limits.lineBytes
      ? ''
      : maskLines(live.mask, readRange(path, end, size)).toString('utf8');
  const calls = last === '' ? settled : addTimedCalls(settled, live.format.readCalls(last));
  if (fits && end === from) return { agent: before, calls };
  return { agent: { path, size: end, tail: digestOfTail(path, end), calls: settled }, calls };
}

function readKnown(dir: string): Map<string, KnownAgent> {
  try {
    const text = readOwnText(cacheFile(dir), 'record');
    return text === undefined ? new Map() : new Map(Object.entries(stored.parse(JSON.parse(text)).agents));
  } catch (error) {
    log('warn', 'cache of sub-agents is unreadable', { dir, error: describeError(error) });
    return new Map();
  }
}

function writeKnown(dir: string, agents: ReadonlyMap<string, KnownAgent>): void {
  try {
    const value = { version: 1, agents: Object.fromEntries(agents) };
    writeFileAtomic(cacheFile(dir), JSON.stringify(value));
  } catch (error) {
    log('warn', 'cache of sub-agents not written', { dir, error: describeError(error) });
  }
}
