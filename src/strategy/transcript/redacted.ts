import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { createHash } from '../../base/hash.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import {
  cutTranscript,
  renderHash,
  type StoredChunk,
  type StoredTranscript,
  storedDocument,
} from '../../checkpoint/chunks.ts';
import { redactPrompts, redactTranscript } from '../../checkpoint/redact/redact.ts';
import { blobId } from '../../git/object/objects.ts';
import { addAgents, addCalls } from './calls.ts';
import { transcriptSize } from './file.ts';
import {
  type AgentRow,
  type CallRow,
  type Redactions,
  readCache,
  readCachePieces,
  type TranscriptIndex,
} from './index-file.ts';
import { hasItsCache, type LiveTranscript, readFromStart } from './live.ts';
import { countItems, freshText } from './part.ts';
import { trimMasked } from './private.ts';
import { addCounts, redactOlder } from './redact-older.ts';
import { hiddenOf, placesOf, readSecrets, readUnchecked, standsInCache } from './secrets.ts';

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
  /** So many of them do not stand in the cache. */
  readonly checked: number;
}

/**
 * Redacts what came since the transcript was indexed; the cost is that of the new lines. When they give away a secret
 * that also stands in the older ones, those are redacted again, once.
 *
 * @param when `later`: older lines are looked through when all pieces are taken in
 * @throws {EntireError} `REDACTION_FAILED`; nothing unredacted is ever returned
 */
export async function redactLive(
  found: LiveTranscript,
  when: 'now' | 'later' = 'now',
): Promise<RedactedTranscript> {
  const text = freshText(found);
  const known = readSecrets(found, text);
  const { text: whole, learned, counts } = await redactTranscript(text, known);
  const redacted = trimMasked(found.mask, whole);
  const isKnown = new Set(known);
  const news = learned.filter((secret) => !isKnown.has(secret));
  const hidden =
    found.index.redacted > 0 ? hiddenOf(when === 'now' ? [...news, ...readUnchecked(found)] : []) : [];
  let live = found;
  if (standsInCache(found, hidden)) {
    if (canStartOver(found)) {
      log('info', 'a secret was met that older lines hold: redacted from the start', { file: found.path });
      return redactLive(readFromStart(found));
    }
    live = await redactOlder(found, hidden);
  }
  const { index, format, fresh } = live;
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
    ...withPlaces(live, placesOf(live, text, news), when),
  };
}

/** Nothing stands before the first piece that could hold one. */
function withPlaces({ index }: LiveTranscript, places: Array<[number, number]>, when: 'now' | 'later') {
  const secrets = [...index.secrets, ...places];
  return { secrets, checked: when === 'now' || index.redacted === 0 ? secrets.length : index.checked };
}

/** A short transcript is rather read again than its cache corrected: all of it is as if it had been met at once. */
const canStartOver = (live: LiveTranscript): boolean =>
  !live.rest &&
  (transcriptSize(live.path, undefined) ?? 0) <= live.limits.lineBytes &&
  countItems(live) <= live.limits.pieceLines;

/** The unfinished last line is met again. */
async function settledCounts(
  { fresh, tail }: LiveTranscript,
  counts: Redactions,
  known: readonly string[],
): Promise<Redactions> {
  if (tail === '' || Object.keys(counts).length === 0) return counts;
  return (await redactTranscript(fresh.toString('utf8'), known)).counts;
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
    return { oid: oid as ObjectId, isOld: true, read: () => readCache(live.dir, live.index, from, end) };
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
      for (const bytes of readCachePieces(live.dir, live.index)) hash.update(bytes);
      return renderHash(hash.update(added.lines).update(added.tail).digest('hex'));
    },
  };
}

/** The lines after the chunks that the index lists: those of new chunks that will not change, and the rest. */
export function cut({ live, added }: RedactedTranscript): { closed: Buffer[]; open: Buffer } {
  const { index, dir } = live;
  const start = nextStart(index);
  const older = start < index.redacted ? readCache(dir, index, start, index.redacted) : Buffer.alloc(0);
  const bytes = Buffer.concat([older, added.lines]);
  const spans = cutTranscript(bytes, index.chunks.length);
  const open = spans.at(-1)?.start ?? 0;
  return {
    closed: spans.slice(0, -1).map(({ start: from, end }) => bytes.subarray(from, end)),
    open: bytes.subarray(open),
  };
}

export const nextStart = ({ chunks }: Pick<TranscriptIndex, 'chunks'>): number =>
  (chunks.at(-1)?.[1] ?? -1) + 1;
