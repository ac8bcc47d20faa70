import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claudeTranscript as format } from '../../../src/agents/claude-code/transcript.ts';
import { type ObjectId, parseSessionId, type SessionId } from '../../../src/base/ids.ts';
import { storedTranscript } from '../../../src/checkpoint/chunks.ts';
import { redactText, redactTranscript } from '../../../src/checkpoint/redact/redact.ts';
import { usageFrom } from '../../../src/strategy/transcript/calls.ts';
import { redactedFile, transcriptCacheDir } from '../../../src/strategy/transcript/index-file.ts';
import { readLive } from '../../../src/strategy/transcript/live.ts';
import { lastIdentifier, sliceFrom } from '../../../src/strategy/transcript/part.ts';
import { LIMITS, type TranscriptLimits } from '../../../src/strategy/transcript/pieces.ts';
import {
  PROMPT_SEPARATOR,
  type RedactedTranscript,
  redactLive,
  toStored,
} from '../../../src/strategy/transcript/redacted.ts';
import { saveRedacted } from '../../../src/strategy/transcript/save.ts';
import { takePieces } from '../../../src/strategy/transcript/take-in.ts';

export const LIKE = '0'.repeat(40) as ObjectId;

const join2 = (...parts: string[]): string => parts.join('');
/** Keys that their shape gives away; joined here, so that the repository holds nothing that looks like a live one. */
export const EVIDENT = [
  join2('AKI', 'AYRWQG5EJLPZLBYNP'),
  join2('gh', 'p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'),
  join2('sk-', 'ant-api03-xK9mZ2vL8nQ5rT1wY4bC7dF0gH3jE6pA'),
] as const;

/** A folder with a live transcript and a git folder that holds its cache. */
export class TranscriptFolder {
  readonly root = mkdtempSync(join(tmpdir(), 'entire-transcripts-'));
  readonly path = join(this.root, 'live.jsonl');
  readonly commonDir = join(this.root, 'git');
  readonly dir = transcriptCacheDir(this.commonDir, parseSessionId('s1') as SessionId);
  readonly indexFile = join(this.dir, 'index.json');
  readonly redactedFile = redactedFile(this.dir);

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  write(text: string | Uint8Array): void {
    writeFileSync(this.path, text);
  }

  append(text: string | Uint8Array): void {
    appendFileSync(this.path, text);
  }

  /** The transcript as a hook finds it. */
  read() {
    const sessionId = parseSessionId('s1') as SessionId;
    return readLive(this.commonDir, { sessionId, agentType: 'Claude Code', transcriptPath: this.path });
  }

  /** What a hook does: reads what is new, redacts it and takes it into the cache. */
  async take(): Promise<RedactedTranscript> {
    const transcript = await redactLive(this.read());
    saveRedacted(transcript, LIKE);
    return transcript;
  }

  /** The same of one that is taken in by pieces of such sizes, as a long one is. */
  async takeInPieces(limits: Partial<TranscriptLimits>): Promise<RedactedTranscript> {
    const read = () => {
      const sessionId = parseSessionId('s1') as SessionId;
      const owner = { sessionId, agentType: 'Claude Code', transcriptPath: this.path };
      return readLive(this.commonDir, owner, { ...LIMITS, ...limits });
    };
    const save = async (transcript: RedactedTranscript) => saveRedacted(transcript, LIKE);
    await takePieces({ read, save, keep: () => {}, deadline: Number.POSITIVE_INFINITY });
    const transcript = await redactLive(read());
    saveRedacted(transcript, LIKE);
    return transcript;
  }

  /** Everything that is written about the transcript. */
  cached(): string {
    const names = existsSync(this.dir) ? readdirSync(this.dir) : [];
    const files = names
      .filter((name) => /^(?:index|redacted).*\.jsonl?$/.test(name))
      .map((name) => join(this.dir, name));
    return files.map((file) => readFileSync(file, 'utf8')).join('');
  }
}

/** What a transcript says to its users; long texts as digests. */
export interface Facts {
  readonly text: string;
  readonly chunks: readonly string[];
  readonly contentHash: string;
  readonly prompts: string;
  readonly items: number;
  readonly identifier: string;
  readonly slices: readonly string[];
  readonly usage: ReadonlyArray<readonly number[]>;
}

/** Of a transcript as the product reads it, cache and all. */
export function factsOf(transcript: RedactedTranscript): Facts {
  const { live, items, prompts } = transcript;
  const { chunks, contentHash } = toStored(transcript, LIKE);
  const upTo = Array.from({ length: items + 2 }, (_, item) => item);
  return {
    text: brief(chunks.map((chunk) => chunk.read().toString('utf8')).join('\n')),
    chunks: chunks.map(({ oid }) => oid),
    contentHash: contentHash(),
    prompts,
    items,
    identifier: lastIdentifier(live),
    slices: upTo.map((item) => brief(sliceFrom(live, item))),
    usage: upTo.map((item) => Object.values(usageFrom(transcript, item))),
  };
}

/** Of a transcript's bytes, all of them looked at as one text, without any of the code that knows of a cache. */
export async function factsOfBytes(bytes: Uint8Array): Promise<Facts> {
  const rows = wholeRows(Buffer.from(bytes).toString('utf8'));
  const text = rows.join('\n');
  const items = rows.at(-1) === '' ? rows.length - 1 : rows.length;
  const redaction = await redactTranscript(text, []);
  const { chunks, contentHash } = storedTranscript(redaction.text, LIKE);
  const prompts = format.readPrompts(text).join(PROMPT_SEPARATOR);
  const calls = format.readCalls(text);
  const upTo = Array.from({ length: items + 2 }, (_, item) => item);
  return {
    text: brief(redaction.text),
    chunks: chunks.map(({ oid }) => oid),
    contentHash: contentHash(),
    prompts: prompts === '' ? '' : await redactText(prompts, redaction.learned),
    items,
    identifier: format.readLastIdentifier(text),
    slices: upTo.map((item) => brief(rows.slice(item).join('\n'))),
    usage: upTo.map((item) => {
      const counted = calls.filter((call) => call.item >= item).map(({ usage }) => usage);
      const sum = (name: keyof (typeof counted)[number]) =>
        counted.reduce((total, usage) => total + usage[name], 0);
      return [
        sum('inputTokens'),
        sum('cacheCreationTokens'),
        sum('cacheReadTokens'),
        sum('outputTokens'),
        counted.length,
      ];
    }),
  };
}

/** The lines that count: no blank ones at the end, and no last one that is half written; `''` after a line end. */
function wholeRows(text: string): string[] {
  const isBlank = (row: string) => /^[\0-\x20]*$/.test(row);
  const rows = text.split('\n');
  const last = (rows.pop() as string).replace(/[\0-\x20]+$/, '');
  if (!isBlank(last) && isJson(last)) return [...rows, last];
  while (rows.length > 0 && isBlank(rows.at(-1) as string)) rows.pop();
  return rows.length === 0 ? [''] : [...rows, ''];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const brief = (text: string): string =>
  text.length < 4000 ? text : `${text.length} ${createHash('sha256').update(text).digest('hex')}`;
