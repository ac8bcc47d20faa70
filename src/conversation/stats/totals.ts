import { join } from 'node:path';
import type { Message, MessageUsage } from '../../agents/shared/session/message.ts';
import { disk } from '../../base/file/disk.ts';
import { readUserText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { createHash } from '../../base/hash.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import { entireHome } from '../home.ts';
import { addUsage, measureMessages, NO_USAGE } from '../message-facts.ts';
import { isPrompt } from '../turn-messages.ts';
import { chooseSource, hasSumBeside, readSession } from '../walk/read-session.ts';
import type { SessionRecord } from '../walk/session-record.ts';

/** What was said in a session on one day. */
export interface DayTotals {
  /** In UTC: `2026-11-23`. */
  readonly day: string;
  readonly turns: number;
  readonly usage: MessageUsage;
}

/** What one session comes to. */
export interface SessionTotals {
  /** Oldest first; days without a word are left out. */
  readonly days: readonly DayTotals[];
  /** Files that tools wrote. */
  readonly files: readonly string[];
  /** Names the first message, by what was said and when: forks have it in common. `null` where nothing tells when. */
  readonly opening: string | null;
}

/** Another one means that the totals are counted otherwise: then all is read again. */
const VERSION = 4;

interface CachedTotals extends SessionTotals {
  readonly size: number;
  readonly mtime_ms: number;
}

/**
 * Totals by the file that they were read from, with its size and time: what has not changed is not read again. Losing the file costs
 * one reading of everything.
 */
export class TotalsCache {
  private readonly file: string;
  private readonly env: NodeJS.ProcessEnv;
  private readonly known: Map<string, CachedTotals>;
  private readonly used = new Map<string, CachedTotals>();
  private hasChanged = false;

  constructor(env: NodeJS.ProcessEnv) {
    this.env = env;
    this.file = join(entireHome(env), 'stats-cache.json');
    this.known = parseCache(readOrNothing(this.file));
  }

  /** @throws {EntireError} when the session cannot be read */
  totalsOf(record: SessionRecord): SessionTotals {
    const source = chooseSource(record, this.env);
    if (source === undefined || hasSumBeside(record, source)) return this.read(record);
    const stat = disk.statSync(source, { throwIfNoEntry: false });
    const cached = this.known.get(source);
    const isSame = stat && cached?.size === stat.size && cached.mtime_ms === stat.mtimeMs;
    const totals = isSame ? cached : this.read(record);
    this.hasChanged ||= !isSame;
    if (stat) {
      const { days, files, opening } = totals;
      this.used.set(source, { size: stat.size, mtime_ms: stat.mtimeMs, days, files, opening });
    }
    return totals;
  }

  /**
   * What came to one of several sessions that begin alike: messages that are told of already are left out. Reads the session.
   *
   * @param told takes those of this one
   * @throws {EntireError} when the session cannot be read
   */
  ownTotalsOf(record: SessionRecord, told: Set<string>): SessionTotals {
    const { messages, usage } = readSession(record, this.env);
    const own = messages.filter((message) => {
      const name = nameOf(message);
      return name === null || !told.has(name);
    });
    for (const message of own) told.add(nameOf(message) ?? '');
    return measure(own, record, usage);
  }

  /**
   * Keeps what is known for the next time. What cannot be written costs that time a reading.
   *
   * @param isWhole all sessions were asked for: what was not is gone
   */
  save(isWhole: boolean): void {
    if (!this.hasChanged) return;
    const entries = isWhole ? this.used : new Map([...this.known, ...this.used]);
    try {
      writeFileAtomic(this.file, JSON.stringify({ version: VERSION, totals: Object.fromEntries(entries) }));
    } catch {
      // It is a cache.
    }
  }

  private read(record: SessionRecord): SessionTotals {
    const { messages, usage } = readSession(record, this.env);
    return measure(messages, record, usage);
  }
}

/** @param sum what no message tells: it counts on the last day */
function measure(
  messages: readonly Message[],
  { updatedAt }: SessionRecord,
  sum: MessageUsage | undefined,
): SessionTotals {
  const days = new Map<string, { turns: number; usage: MessageUsage }>();
  const first = messages.find(({ timestamp }) => dayOf(timestamp) !== undefined);
  let day = dayOf(first?.timestamp) ?? updatedAt.slice(0, 10); // for messages that do not tell when
  for (const message of messages) {
    day = dayOf(message.timestamp) ?? day;
    const { turns, usage } = days.get(day) ?? { turns: 0, usage: NO_USAGE };
    days.set(day, {
      turns: turns + (isPrompt(message) ? 1 : 0),
      usage: message.usage ? addUsage(usage, message.usage) : usage,
    });
  }
  const last = sum && days.get(day);
  if (last) days.set(day, { ...last, usage: addUsage(last.usage, sum) });
  const sorted = [...days].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    days: sorted.map(([one, rest]) => ({ day: one, ...rest })),
    files: measureMessages(messages).files,
    opening: first ? nameOf(first) : null,
  };
}

/** What tells a message from all others, wherever it is copied to: who said what, and when. */
function nameOf({ timestamp, role, content }: Message): string | null {
  if (dayOf(timestamp) === undefined) return null;
  const said = JSON.stringify([timestamp, role, content]);
  return createHash('sha256').update(said).digest('base64url').slice(0, 22);
}

function dayOf(timestamp: number | undefined): string | undefined {
  const time = new Date((timestamp ?? Number.NaN) * 1000);
  const text = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 10) : undefined; // years of other lengths do not sort
}

function readOrNothing(file: string): string {
  try {
    return readUserText(file, 'record') ?? '';
  } catch {
    return '';
  }
}

function parseCache(text: string): Map<string, CachedTotals> {
  const value = parseJson(text);
  if (!isObject(value) || value.version !== VERSION || !isObject(value.totals)) return new Map();
  return new Map(
    Object.entries(value.totals).filter((entry): entry is [string, CachedTotals] => isTotals(entry[1])),
  );
}

const isTotals = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.size === 'number' &&
  (typeof value.opening === 'string' || value.opening === null) &&
  Array.isArray(value.files) &&
  Array.isArray(value.days) &&
  value.days.every(
    (day) =>
      isObject(day) && typeof day.day === 'string' && typeof day.turns === 'number' && isObject(day.usage),
  );
