import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { TranscriptFormat } from '../../agents/transcript.ts';
import { disk, O_CREAT, O_NOFOLLOW, O_WRONLY, writeAll } from '../../base/disk.ts';
import { describeError } from '../../base/errors.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { writeFileAtomic } from '../../base/write-file-atomic.ts';
import {
  cutTranscript,
  renderHash,
  type StoredChunk,
  type StoredTranscript,
  storedDocument,
} from '../../checkpoint/chunks.ts';
import { redactPrompts, redactTranscript } from '../../checkpoint/redact.ts';
import { blobId } from '../../git/objects.ts';
import { addAgents, addCalls } from './calls.ts';
import { readRange } from './file.ts';
import {
  type AgentRow,
  type CallRow,
  type Redactions,
  readCache,
  readIndex,
  redactedFile,
  sweepTranscriptCaches,
  type TranscriptIndex,
  writeIndex,
} from './index-file.ts';
import {
  countItems,
  countLines,
  digestOfHead,
  digestOfTail,
  freshText,
  hasItsCache,
  type LiveTranscript,
  lastIdentifier,
  readFromStart,
} from './live.ts';
import { placesOf, readSecrets, standsInCache } from './secrets.ts';
import { noteTotals } from './totals.ts';

/** Between two prompts in `prompt.txt`. */
export const PROMPT_SEPARATOR = '\n\n---\n\n';

/** A transcript with its secrets replaced: what was taken in before from the cache, and the rest in memory. */
export interface RedactedTranscript {
  readonly live: LiveTranscript;
  /** Items it holds. */
  readonly items: number;
  /** All prompts, joined; `''` without any. */
  readonly prompts: string;
  /** Those of them that are in whole lines. */
  readonly settledPrompts: string;
  /** Redacted lines after those in the cache. */
  readonly added: { readonly lines: Buffer; readonly tail: Buffer };
  /** All calls of the model. */
  readonly calls: readonly CallRow[];
  /** All sub-agents. */
  readonly agents: readonly AgentRow[];
  /** Redactions in whole lines. */
  readonly redactions: Redactions;
  /** Secrets to remember, as places in the live transcript. */
  readonly secrets: ReadonlyArray<readonly [number, number]>;
}

/**
 * Redacts what came since the transcript was indexed; the cost is that of the new lines. When they give away a secret
 * that also stands in the older ones, all of it is redacted again, once.
 *
 * @throws {EntireError} `REDACTION_FAILED`; nothing unredacted is ever returned
 */
export async function redactLive(live: LiveTranscript): Promise<RedactedTranscript> {
  const { index, format, fresh } = live;
  const text = freshText(live);
  const known = readSecrets(live, text);
  const { text: redacted, learned, counts } = await redactTranscript(text, known);
  const old = new Set(known);
  const news = learned.filter((secret) => !old.has(secret));
  if (index.redacted > 0 && standsInCache(live, news)) {
    log('info', 'a secret was met that older lines hold: redacted from the start', { file: live.path });
    return redactLive(readFromStart(live));
  }
  const secrets = [...new Set([...known, ...learned])];
  const settledPrompts = joinPrompts(index.prompts, await promptsOf(fresh.toString('utf8'), format, secrets));
  const settled = live.isDocument ? 0 : redacted.lastIndexOf('\n') + 1;
  const end = live.tail === '' ? redacted.length : settled;
  return {
    live,
    items: countItems(live),
    prompts: joinPrompts(settledPrompts, await promptsOf(live.tail, format, secrets)),
    settledPrompts,
    added: { lines: Buffer.from(redacted.slice(0, end)), tail: Buffer.from(redacted.slice(end)) },
    calls: addCalls(index.calls, format.readCalls(text), index.items),
    agents: addAgents(index.agents, format.readSubagents(text), index.items),
    redactions: addCounts(index.redactions, await settledCounts(live, counts, known)),
    secrets: [...index.secrets, ...placesOf(live, text, news)],
  };
}

/** The unfinished last line is met again. */
async function settledCounts(
  { fresh, tail }: LiveTranscript,
  counts: Redactions,
  known: readonly string[],
): Promise<Redactions> {
  if (tail === '' || Object.keys(counts).length === 0) return counts;
  return (await redactTranscript(fresh.toString('utf8'), known)).counts;
}

function addCounts(known: Redactions, more: Redactions): Redactions {
  const sums = { ...known };
  for (const [rule, count] of Object.entries(more)) sums[rule] = (sums[rule] ?? 0) + count;
  return sums;
}

/**
 * The same, read again if another hook has replaced the cache since then: under the session lock, which that hook had
 * while this one waited for it.
 *
 * @throws {EntireError} `REDACTION_FAILED`
 */
export const renew = async (transcript: RedactedTranscript): Promise<RedactedTranscript> =>
  hasItsCache(transcript.live) ? transcript : redactLive(readFromStart(transcript.live));

async function promptsOf(text: string, format: TranscriptFormat, known: readonly string[]): Promise<string> {
  const prompts = text === '' ? [] : format.readPrompts(text);
  return prompts.length === 0 ? '' : (await redactPrompts(prompts.join(PROMPT_SEPARATOR), known)).text;
}

/**
 * The secrets that a transcript gives away, for a `text` that belongs to it: there they may stand without what betrays them.
 *
 * @throws {EntireError} `REDACTION_FAILED`
 */
export const secretsFor = ({ live, secrets }: RedactedTranscript, text: string): string[] =>
  readSecrets({ ...live, index: { ...live.index, secrets } }, text);

const joinPrompts = (...parts: readonly string[]): string => parts.filter(Boolean).join(PROMPT_SEPARATOR);

/** The transcript for git; `like` is any id of the repository. */
export function toStored(transcript: RedactedTranscript, like: ObjectId): StoredTranscript {
  const { live, added } = transcript;
  if (live.isDocument) return storedDocument(added.tail, like);
  const { closed, open } = cut(transcript);
  const openBytes = Buffer.concat([open, added.tail]);
  let start = 0;
  const kept = live.index.chunks.map(([oid, end]): StoredChunk => {
    const from = start;
    start = end + 1;
    return { oid: oid as ObjectId, isOld: true, read: () => readCache(live.dir, from, end) };
  });
  const fromMemory = (data: Buffer): StoredChunk => ({
    oid: blobId(data, like),
    isOld: false,
    read: () => data,
  });
  const last = cutTranscript(openBytes, kept.length + closed.length);
  return {
    chunks: [
      ...kept,
      ...closed.map(fromMemory),
      ...last.map((span) => fromMemory(openBytes.subarray(span.start, span.end))),
    ],
    contentHash: () => {
      const hash = createHash('sha256');
      if (live.index.redacted > 0) hash.update(readCache(live.dir, 0, live.index.redacted));
      return renderHash(hash.update(added.lines).update(added.tail).digest('hex'));
    },
  };
}

/** The lines after the chunks that the index lists: those of new chunks that will not change, and the rest. */
function cut({ live, added }: RedactedTranscript): { closed: Buffer[]; open: Buffer } {
  const { index, dir } = live;
  const start = nextStart(index);
  const older = start < index.redacted ? readCache(dir, start, index.redacted) : Buffer.alloc(0);
  const bytes = Buffer.concat([older, added.lines]);
  const spans = cutTranscript(bytes, index.chunks.length);
  const open = spans.at(-1)?.start ?? 0;
  return {
    closed: spans.slice(0, -1).map(({ start: from, end }) => bytes.subarray(from, end)),
    open: bytes.subarray(open),
  };
}

const nextStart = ({ chunks }: TranscriptIndex): number => (chunks.at(-1)?.[1] ?? -1) + 1;

/**
 * Takes the new lines into the cache. Under the session lock; where another process was faster, its cache stays. A
 * failure costs the next hook time, and nothing else.
 */
export function saveRedacted(transcript: RedactedTranscript, like: ObjectId): void {
  const { live, added } = transcript;
  noteTotals(live);
  const { index, dir, fresh } = live;
  if (fresh.length === 0 || live.path === '') return;
  try {
    const current = readIndex(dir);
    const isAsRead = current.size === index.size && current.tail === index.tail;
    if (index.size > 0 && !isAsRead) return;
    const end = index.size + fresh.length;
    if (!readRange(live.path, index.size, end).equals(fresh)) return; // rewritten since we looked
    if (index.size > 0) appendAt(redactedFile(dir), index.redacted, added.lines);
    else {
      disk.rmSync(join(dir, 'index.json'), { force: true }); // an index never stands beside lines of another text
      writeFileAtomic(redactedFile(dir), added.lines);
    }
    writeIndex(dir, nextIndex(transcript, like));
    if (index.size === 0) sweepTranscriptCaches(dir);
  } catch (error) {
    log('warn', 'transcript cache not written', { dir, error: describeError(error) });
  }
}

function nextIndex(transcript: RedactedTranscript, like: ObjectId): TranscriptIndex {
  const { live, added, calls, secrets } = transcript;
  const { index, path, fresh } = live;
  const size = index.size + fresh.length;
  const items = index.items + countLines(fresh);
  let end = nextStart(index) - 1;
  const closed = cut(transcript).closed.map((data): [string, number] => {
    end += 1 + data.length;
    return [blobId(data, like), end];
  });
  return {
    size,
    head: digestOfHead(path, size),
    tail: digestOfTail(path, size),
    items,
    identifier: lastIdentifier({ ...live, tail: '' }),
    marks: [...index.marks, [items, size]],
    redacted: index.redacted + added.lines.length,
    chunks: [...index.chunks, ...closed],
    prompts: transcript.settledPrompts,
    // The unfinished last line may be taken back, and had its call replace an older one.
    calls:
      live.tail === ''
        ? calls
        : addCalls(index.calls, live.format.readCalls(fresh.toString('utf8')), index.items),
    agents: transcript.agents.filter(([item]) => item < items),
    redactions: transcript.redactions,
    secrets,
  };
}

function appendAt(file: string, position: number, bytes: Buffer): void {
  const fd = disk.openSync(file, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    writeAll(fd, bytes, position);
  } finally {
    disk.closeSync(fd);
  }
}
