import { agentOfType, messageReaderOf, transcriptFormatOf } from '../../agents/registry.ts';
import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { sha256Of } from '../../base/hash.ts';
import type { SessionId } from '../../base/ids.ts';
import { asList, asObject, isJson, parseJson } from '../../base/text/json.ts';
import { redactText, redactTranscript } from '../../checkpoint/redact/redact.ts';
import { readText } from '../../strategy/task/sub-agent-files.ts';
import { openDocument } from '../../strategy/transcript/document.ts';
import { readRange, transcriptSize } from '../../strategy/transcript/file.ts';
import { EMPTY_INDEX } from '../../strategy/transcript/index-file.ts';
import { digestOfHead, digestOfTail, type LiveTranscript } from '../../strategy/transcript/live.ts';
import { findLine, LIMITS, type LinePiece, readPieces } from '../../strategy/transcript/pieces.ts';
import { type Mask, maskDocument, maskLines, trimMasked } from '../../strategy/transcript/private.ts';
import { hiddenOf, placesOf, readSecrets, searchFor } from '../../strategy/transcript/secrets.ts';
import { documentsOf, type SearchDocument } from '../document.ts';
import type { Reading } from './source.ts';
import { agentsIn, asPartOf } from './sub-agents.ts';

/** A transcript on this machine. */
export interface TranscriptFile {
  readonly path: string;
  readonly agent: string;
  readonly session: SessionId;
  /** The item that it is read from: what stands before is in checkpoints. */
  readonly start: number;
  readonly mask: Mask | undefined;
  /** Folders that paths are shown from. */
  readonly roots: readonly string[];
}

/** Where a reading of lines ended. Holds no secret, only where they stand in the transcript. */
interface Progress {
  readonly start: number;
  readonly offset: number;
  readonly head: string;
  readonly tail: string;
  readonly turns: number;
  readonly secrets: ReadonlyArray<readonly [number, number]>;
  /** Bytes that were read of each sub-agent's transcript. */
  readonly agents: Readonly<Record<string, number>>;
}

type Holds = (isHeld: (text: string) => boolean) => Promise<boolean>;

/**
 * Reads a transcript, redacted as one that is stored: what is a secret in one place is one in all of it. Of lines that were read before
 * only those behind them are read, unless one of those gives away a secret that the older ones hold.
 *
 * @throws {EntireError} `REDACTION_FAILED`; the system error
 */
export async function readTranscriptFile(
  file: TranscriptFile,
  progress: string,
  holds: Holds,
): Promise<Reading> {
  const format = transcriptFormatOf(file.agent);
  const size = transcriptSize(file.path, format) ?? 0;
  const text = size === 0 ? undefined : openWhole(file.path, size, format);
  if (text !== undefined) return readDocument(file, format, text);
  const known = file.mask ? undefined : parseProgress(progress);
  if (known && goesOn(file, known, size)) {
    const more = await readLines(file, format, size, known, holds);
    if (more) return more;
  }
  const anew = { start: file.start, offset: 0, head: '', tail: '', turns: 0, secrets: [], agents: {} };
  const offset = file.start > 0 ? findLine(file.path, 0, size, file.start) : 0;
  return (await readLines(file, format, size, { ...anew, offset }, undefined)) as Reading;
}

/** Whether sub-agents that a reading met have said more since: their session says nothing meanwhile. */
export function haveAgentsGrown(file: TranscriptFile, progress: string): boolean {
  const format = transcriptFormatOf(file.agent);
  return Object.entries(parseProgress(progress)?.agents ?? {}).some(([id, end]) => {
    const path = findAgent(file, format, id);
    return path !== undefined && transcriptSize(path, format) !== end;
  });
}

function goesOn({ path, start }: TranscriptFile, known: Progress, size: number): boolean {
  if (known.start !== start || known.offset === 0 || known.offset > size) return false;
  return digestOfHead(path, known.offset) === known.head && digestOfTail(path, known.offset) === known.tail;
}

/** A transcript that is one document; `undefined` for lines. */
function openWhole(path: string, size: number, format: TranscriptFormat): string | undefined {
  if (!format.isDocument) return undefined;
  if (size > LIMITS.lineBytes) return openDocument(path, size, format, LIMITS);
  const bytes = readRange(path, 0, size);
  if (!/^\s*\{/.test(bytes.toString('latin1', 0, 4096))) return undefined;
  const text = bytes.toString('utf8');
  return format.isDocument(text) ? text : undefined;
}

async function readDocument(file: TranscriptFile, format: TranscriptFormat, text: string): Promise<Reading> {
  const told = maskDocument(file.mask, text);
  const part = file.start > 0 ? format.sliceItems(told, file.start) : told;
  const { learned } = part === told ? { learned: [] } : await redactTranscript(told, []);
  const redacted = await redactTranscript(part, learned);
  const documents = read(file, redacted.text);
  const last = documents.at(-1)?.turn ?? 0;
  const agents: SearchDocument[] = [];
  for (const id of agentsIn(format, part)) {
    const path = findAgent(file, format, id);
    if (path === undefined) continue;
    const whole = readText(format, path);
    const masked = format.isDocument?.(whole)
      ? maskDocument(file.mask, whole)
      : readText(format, path, 0, file.mask);
    const own = await redactTranscript(masked, redacted.learned);
    agents.push(...asPartOf(documents, read(file, own.text), last));
  }
  return { documents: [...documents, ...agents], isWhole: true, progress: '' };
}

/** Where the transcript of a sub-agent lies, if it does. */
const findAgent = ({ path, session }: TranscriptFile, format: TranscriptFormat, id: string) =>
  format.subagentTranscripts(path, session, id).find((one) => transcriptSize(one, format));

const read = ({ agent, roots }: TranscriptFile, text: string, turns = 0): SearchDocument[] =>
  documentsOf(messageReaderOf(agentOfType(agent))(text), roots, turns);

/** @param holds of what was read before; left out where that is read again */
async function readLines(
  file: TranscriptFile,
  format: TranscriptFormat,
  size: number,
  from: Progress,
  holds: Holds | undefined,
): Promise<Reading | undefined> {
  const { path, mask } = file;
  const secrets = [...from.secrets];
  const live = (piece: LinePiece, at: number): LiveTranscript => ({
    ...{ dir: '', path, format, cacheFile: '', indexFile: '', limits: LIMITS, mask },
    index: { ...EMPTY_INDEX, size: at, secrets },
    ...{
      fresh: piece.bytes,
      end: piece.end,
      isShort: piece.isShort,
      rest: undefined,
      tail: '',
      isDocument: false,
    },
  });
  const none = { bytes: Buffer.alloc(0), end: from.offset, isShort: false };
  const known = new Set(secrets.length > 0 ? readSecrets(live(none, from.offset), ' ') : []);
  const fresh: string[] = [];
  const parts: SearchDocument[][] = [];
  let turns = from.turns;
  const redact = async (raw: string, place?: () => LiveTranscript): Promise<string> => {
    const { text, learned } = await redactTranscript(raw, [...known]);
    const news = learned.filter((secret) => !known.has(secret));
    if (place) secrets.push(...placesOf(place(), raw, news));
    for (const secret of news) known.add(secret);
    fresh.push(...news);
    return trimMasked(mask, text);
  };
  const agents = new Map(Object.entries(from.agents));
  const take = async (raw: string, place?: () => LiveTranscript): Promise<void> => {
    const documents = read(file, await redact(raw, place), turns);
    turns = documents.at(-1)?.turn ?? turns;
    parts.push(documents);
    for (const id of agentsIn(format, raw)) if (!agents.has(id)) agents.set(id, 0);
  };
  let offset = from.offset;
  for (const piece of readPieces(path, from.offset, size, LIMITS, mask)) {
    const at = offset;
    await take(piece.bytes.toString('utf8'), () => live(piece, at));
    offset = piece.end;
  }
  const tail = maskLines(mask, readRange(path, offset, Math.min(size, offset + LIMITS.lineBytes)))
    .toString('utf8')
    .trim();
  const isCut = tail !== '' && isJson(tail);
  if (isCut) await take(tail);
  const session = parts.flat();
  const learnedBefore = fresh.length;
  for (const [id, begin] of agents) {
    const agent = findAgent(file, format, id);
    const end = agent === undefined ? 0 : (transcriptSize(agent, format) ?? 0);
    if (agent === undefined || end === begin) continue;
    if (end < begin && holds) return undefined; // it was written anew
    for (const piece of readPieces(agent, Math.min(begin, end), end, LIMITS, mask)) {
      const text = await redact(piece.bytes.toString('utf8'));
      parts.push(asPartOf(session, read(file, text), turns));
      agents.set(id, piece.end);
    }
  }
  // Where a secret stands in the transcript of a sub-agent is noted nowhere: the session is read anew the next time.
  const isNoted = fresh.length === learnedBefore;
  const hidden = hiddenOf(fresh);
  const isHeld = hidden.length > 0 ? searchFor(hidden) : undefined;
  if (holds && isHeld && (await holds((text) => isHeld(Buffer.from(text))))) return undefined;
  const documents = parts.flat();
  const clean = isHeld ? await redactAgain(documents, hidden, isHeld) : documents;
  const next: Progress = {
    ...{ start: from.start, offset, turns, secrets, agents: Object.fromEntries(agents) },
    head: offset > 0 ? digestOfHead(path, offset) : '',
    tail: offset > 0 ? digestOfTail(path, offset) : '',
  };
  // A last line without an end is read again when it has one.
  const progress = isCut || mask || !isNoted ? '' : JSON.stringify(next);
  return { documents: clean, isWhole: !holds, progress };
}

/** What earlier lines hold of secrets that later ones gave away. */
async function redactAgain(
  documents: readonly SearchDocument[],
  hidden: readonly string[],
  isHeld: (bytes: Buffer) => boolean,
): Promise<SearchDocument[]> {
  const clean: SearchDocument[] = [];
  for (const document of documents) {
    const { text, more } = document;
    const isTouched = isHeld(Buffer.from(`${text}\n${more}`));
    clean.push(
      isTouched
        ? {
            ...document,
            text: await redactText(text, hidden),
            more: more && (await redactText(more, hidden)),
          }
        : document,
    );
  }
  return clean;
}

function parseProgress(text: string): Progress | undefined {
  const value = asObject(parseJson(text));
  const { start, offset, head, tail, turns, secrets } = value;
  const agents = Object.entries(asObject(value.agents)).filter((one): one is [string, number] =>
    Number.isSafeInteger(one[1]),
  );
  const numbers = [start, offset, turns].every((one) => Number.isSafeInteger(one));
  const places = asList(secrets).filter(
    (place): place is [number, number] =>
      Array.isArray(place) && place.length === 2 && place.every((one) => Number.isSafeInteger(one)),
  );
  if (!numbers || typeof head !== 'string' || typeof tail !== 'string') return undefined;
  return {
    ...{ start: Number(start), offset: Number(offset), head, tail, turns: Number(turns) },
    ...{ secrets: places, agents: Object.fromEntries(agents) },
  };
}

/** What tells one mask from another; empty for none. */
export const keyOfMask = (mask: Mask | undefined): string =>
  mask === undefined
    ? ''
    : sha256Of(
        JSON.stringify([mask.stretches, [...mask.keys].sort(), [...(mask.abandoned ?? [])].sort()]),
      ).slice(0, 16);
