import { join } from 'node:path';
import type { HeadMemory, KeptFile, ToldByHead } from '../../agents/shared/transcript/kept-transcripts.ts';
import { readUserText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import { entireHome } from '../home.ts';

/** A later one means that beginnings are read otherwise: then all are read again. */
const VERSION = 1;
/** Fewer are read faster than the file is written. */
const WORTH_KEEPING = 100;

/** Size and time of a file in milliseconds, session, folder and title; `null` where there is none. */
type Entry = readonly [number, number, string | null, string | null, string | null];

/**
 * What beginnings of transcripts tell, by path, size and time: of thousands only those that have changed are read. Losing the file costs
 * reading them all once.
 */
export class HeadCache implements HeadMemory {
  private readonly file: string;
  private readonly known: Readonly<Record<string, unknown>>;
  private readonly used = new Map<string, Entry>();
  private added = 0;

  constructor(env: NodeJS.ProcessEnv) {
    this.file = join(entireHome(env), 'session-heads.json');
    this.known = readEntries(this.file);
  }

  find({ path, sizeBytes, writtenMs }: KeptFile): ToldByHead | undefined {
    const entry = Object.hasOwn(this.known, path) ? this.known[path] : undefined;
    if (!isEntry(entry) || entry[0] !== sizeBytes || entry[1] !== writtenMs) return undefined;
    this.used.set(path, entry);
    const [, , sessionId, folder, title] = entry;
    return { sessionId: sessionId ?? undefined, folder: folder ?? undefined, title: title ?? undefined };
  }

  keep({ path, sizeBytes, writtenMs }: KeptFile, { sessionId, folder, title }: ToldByHead): void {
    this.added += 1;
    this.used.set(path, [sizeBytes, writtenMs, sessionId ?? null, folder ?? null, title ?? null]);
  }

  /**
   * Keeps what is known for the next time, where that is worth it. What cannot be written costs that time a reading.
   *
   * @param isWhole all there is was looked at: what was not is gone
   */
  save(isWhole: boolean): void {
    if (this.added < WORTH_KEEPING) return;
    const used = Object.fromEntries(this.used);
    const heads = isWhole ? used : { ...this.known, ...used };
    try {
      writeFileAtomic(this.file, JSON.stringify({ version: VERSION, heads }));
    } catch {
      // It is a cache.
    }
  }
}

function readEntries(file: string): Record<string, unknown> {
  let text: string | undefined;
  try {
    text = readUserText(file, 'record');
  } catch {
    return {}; // then they are read
  }
  const value = text === undefined ? undefined : parseJson(text);
  return isObject(value) && value.version === VERSION && isObject(value.heads) ? value.heads : {};
}

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) &&
  value.length === 5 &&
  value.every((one, at) => typeof one === (at < 2 ? 'number' : 'string') || (at >= 2 && one === null));
