import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { describeError, EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { rulesFingerprint } from '../../checkpoint/redact/custom.ts';
import { readRange } from './file.ts';

/**
 * What is known of the part of a transcript that was taken in before: `<git-common-dir>/entire/transcripts/<session>/`
 * holds it as `index.json`, and the redacted lines as `redacted.jsonl`. A cache: missing, broken, or about another text
 * means starting over once, and so do lines that other rules redacted. Holds no secret: where one stands is a place in the live transcript.
 */
export interface TranscriptIndex {
  /** Bytes of the live transcript that were taken in; they end at a line end. */
  readonly size: number;
  /** Digests of the first and the last of those bytes: another text has others. */
  readonly head: string;
  readonly tail: string;
  /** Lines in those bytes. */
  readonly items: number;
  /** Id of the last message, or `''`. */
  readonly identifier: string;
  /** `[item, byte]`: where items begin that somebody may ask for. Ascending. */
  readonly marks: ReadonlyArray<readonly [number, number]>;
  /** File in the folder that holds the redacted lines. */
  readonly lines: string;
  /** Valid bytes of that; a process that died may have left more. */
  readonly redacted: number;
  /** `[object id, end]` of each chunk that will not change, `end` in that file; one byte after it the next begins. */
  readonly chunks: ReadonlyArray<readonly [string, number]>;
  /** All prompts, redacted and joined. */
  readonly prompts: string;
  /** `[item, id, input, cache creation, cache read, output]` of each call of the model. */
  readonly calls: readonly CallRow[];
  /** `[item, id]` of each sub-agent, where it is named first. */
  readonly agents: readonly AgentRow[];
  /** How many places each rule had replaced. */
  readonly redactions: Redactions;
  /** `[byte, length]` of secrets in the live transcript that only their surroundings gave away. */
  readonly secrets: ReadonlyArray<readonly [number, number]>;
  /** So many of them are known not to stand in the redacted lines: the others were met when pieces were taken in, one after the other. */
  readonly checked: number;
}

/** Places by the rule that had them replaced. */
export type Redactions = Readonly<Record<string, number>>;

/** A call of the model; the numbers are tokens, the first one the item that tells of it. */
export type CallRow = readonly [number, string, number, number, number, number];

/** A sub-agent, and the first item that names it. */
export type AgentRow = readonly [number, string];

/** Of a transcript that nobody has met. */
export const EMPTY_INDEX: TranscriptIndex = {
  size: 0,
  head: '',
  tail: '',
  items: 0,
  identifier: '',
  marks: [],
  lines: 'redacted.jsonl',
  redacted: 0,
  chunks: [],
  prompts: '',
  calls: [],
  agents: [],
  redactions: {},
  secrets: [],
  checked: 0,
};

/** Folder of a session's cache. */
export const transcriptCacheDir = (commonDir: string, id: SessionId): string =>
  join(commonDir, 'entire', 'transcripts', id);

/** The redacted lines in a session's cache: under a new name where older ones were redacted anew. */
export const redactedFile = (dir: string, { lines }: Pick<TranscriptIndex, 'lines'> = EMPTY_INDEX): string =>
  join(dir, lines);

/** A part of the redacted lines. @throws {EntireError} `STATE_UNREADABLE` when another process has replaced the cache by a shorter one */
export function readCache(dir: string, index: TranscriptIndex, start: number, end: number): Buffer {
  const file = redactedFile(dir, index);
  const bytes = readRange(file, start, end);
  if (bytes.length === end - start) return bytes;
  throw new EntireError('STATE_UNREADABLE', `${file} was replaced meanwhile`);
}

/** So much of the cache is held in memory at once. */
const CACHE_PIECE_BYTES = 4 * 1024 * 1024;

/** The redacted lines, piece by piece. @throws as {@link readCache} */
export function* readCachePieces(dir: string, index: TranscriptIndex): Generator<Buffer> {
  for (let at = 0; at < index.redacted; at += CACHE_PIECE_BYTES)
    yield readCache(dir, index, at, Math.min(index.redacted, at + CACHE_PIECE_BYTES));
}

/** Tells a cache from the one that replaces it; `''` where there is none. Never throws. */
export const identifyCache = (dir: string, index: TranscriptIndex): string =>
  identify(redactedFile(dir, index));

/** Tells an index from the one that replaces it. */
export const identifyIndex = (dir: string): string => identify(join(dir, 'index.json'));

function identify(file: string): string {
  try {
    const stat = disk.statSync(file, { throwIfNoEntry: false });
    return stat ? `${stat.ino}:${stat.birthtimeMs}` : '';
  } catch {
    return ''; // reading it says why
  }
}

/** Whether a file holds redacted lines. */
export const isCacheName = (name: string): boolean => /^redacted(?:-[0-9a-f]+)?\.jsonl$/.test(name);

const count = z.int().check(z.nonnegative());
const stored = z.object({
  version: z.literal(1),
  size: count,
  head: z.string(),
  tail: z.string(),
  items: count,
  identifier: z.string(),
  marks: z.array(z.tuple([count, count])),
  // Older releases know one name, and the others are not theirs to read.
  lines: z.optional(z.string().check(z.refine(isCacheName))),
  redacted: count,
  chunks: z.array(z.tuple([z.string().check(z.regex(/^[0-9a-f]{40,64}$/)), count])),
  prompts: z.string(),
  calls: z.array(z.tuple([count, z.string(), count, count, count, count])),
  // Older indexes have none of these: all is read again, once.
  agents: z.optional(z.array(z.tuple([count, z.string()]))),
  redactions: z.optional(z.record(z.string(), count)),
  secrets: z.array(z.tuple([count, count])),
  checked: z.optional(count),
  rules: z.optional(z.string()),
});

/** The cache's index; an empty one where there is none that can be used. Never throws. */
export function readIndex(dir: string): TranscriptIndex {
  try {
    const text = readOwnText(join(dir, 'index.json'), 'record');
    if (text === undefined) return EMPTY_INDEX;
    const {
      version: _,
      agents,
      redactions,
      rules,
      lines,
      checked,
      ...index
    } = stored.parse(JSON.parse(text));
    const known = {
      ...index,
      lines: lines ?? EMPTY_INDEX.lines,
      checked: Math.min(checked ?? index.secrets.length, index.secrets.length),
    };
    if (rules !== rulesFingerprint()) {
      log('info', 'transcript was redacted by other rules: read from the start', { dir });
      return EMPTY_INDEX;
    }
    const cache = disk.statSync(redactedFile(dir, known), { throwIfNoEntry: false });
    const isWhole = cache?.isFile() && index.redacted <= cache.size;
    return agents && redactions && isWhole ? { ...known, agents, redactions } : EMPTY_INDEX;
  } catch (error) {
    log('warn', 'transcript cache is unreadable', { dir, error: describeError(error) });
    return EMPTY_INDEX;
  }
}

/** What was replaced in a session's transcript so far; `undefined` where no cache of it is left. Never throws. */
export function readRedactions(commonDir: string, id: SessionId): Redactions | undefined {
  const { size, redactions } = readIndex(transcriptCacheDir(commonDir, id));
  return size > 0 ? redactions : undefined;
}

/** Replaces the index. @throws the system error */
export function writeIndex(dir: string, index: TranscriptIndex): void {
  writeFileAtomic(
    join(dir, 'index.json'),
    JSON.stringify({ version: 1, ...index, rules: rulesFingerprint() }),
  );
}

/** Deletes a session's cache; the next hook that needs it starts over. @throws the system error */
export function dropTranscriptCache(commonDir: string, id: SessionId): void {
  disk.rmSync(transcriptCacheDir(commonDir, id), { recursive: true, force: true });
}

/** A cache that no hook has written to for so long belongs to a session that nobody goes on with. */
const UNUSED_MS = 7 * 24 * 60 * 60 * 1000;

/** Deletes caches beside `dir` that are not in use any more. Called when a session gets one. */
export function sweepTranscriptCaches(dir: string): void {
  const parent = dirname(dir);
  for (const name of disk.readdirSync(parent)) {
    const other = join(parent, name);
    const stat = disk.statSync(join(other, 'index.json'), { throwIfNoEntry: false }) ?? disk.statSync(other);
    if (other !== dir && Date.now() - stat.mtimeMs > UNUSED_MS)
      disk.rmSync(other, { recursive: true, force: true });
  }
}
