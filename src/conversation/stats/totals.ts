import { join } from 'node:path';
import type { MessageUsage } from '../../agents/message.ts';
import { disk, readPlainText } from '../../base/disk.ts';
import { isObject, parseJson } from '../../base/json.ts';
import { writeFileAtomic } from '../../base/write-file-atomic.ts';
import { entireHome } from '../home.ts';
import { addUsage, measureMessages, NO_USAGE } from '../message-facts.ts';
import { isPrompt } from '../turn-messages.ts';
import { chooseSource, readSession } from '../walk/read-session.ts';
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
  /** Files that tools were called to write. */
  readonly files: readonly string[];
}

/** A later one means that the totals are counted otherwise: then all is read again. */
const VERSION = 1;

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
  /** How many sessions were read, and not taken from the cache. */
  read = 0;

  constructor(env: NodeJS.ProcessEnv) {
    this.env = env;
    this.file = join(entireHome(env), 'stats-cache.json');
    this.known = parseCache(readOrNothing(this.file));
  }

  /** @throws {EntireError} when the session cannot be read */
  totalsOf(record: SessionRecord): SessionTotals {
    const source = chooseSource(record, this.env);
    const stat = source === undefined ? undefined : disk.statSync(source, { throwIfNoEntry: false });
    const cached = source === undefined ? undefined : this.known.get(source);
    const isSame = stat && cached?.size === stat.size && cached.mtime_ms === stat.mtimeMs;
    const totals = isSame ? cached : this.measure(record);
    if (source !== undefined && stat)
      this.used.set(source, {
        size: stat.size,
        mtime_ms: stat.mtimeMs,
        days: totals.days,
        files: totals.files,
      });
    return totals;
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

  private measure(record: SessionRecord): SessionTotals {
    this.hasChanged = true;
    this.read += 1;
    const { messages } = readSession(record, this.env);
    const days = new Map<string, { turns: number; usage: MessageUsage }>();
    let day = record.updatedAt.slice(0, 10); // for messages that do not tell when
    const first = messages.find(({ timestamp }) => dayOf(timestamp) !== undefined);
    day = dayOf(first?.timestamp) ?? day;
    for (const message of messages) {
      day = dayOf(message.timestamp) ?? day;
      const { turns, usage } = days.get(day) ?? { turns: 0, usage: NO_USAGE };
      days.set(day, {
        turns: turns + (isPrompt(message) ? 1 : 0),
        usage: message.usage ? addUsage(usage, message.usage) : usage,
      });
    }
    const sorted = [...days].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      days: sorted.map(([one, rest]) => ({ day: one, ...rest })),
      files: measureMessages(messages).files,
    };
  }
}

function dayOf(timestamp: number | undefined): string | undefined {
  const time = new Date((timestamp ?? Number.NaN) * 1000);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString().slice(0, 10);
}

function readOrNothing(file: string): string {
  try {
    return readPlainText(file) ?? '';
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
  Array.isArray(value.files) &&
  Array.isArray(value.days) &&
  value.days.every((day) => isObject(day) && typeof day.day === 'string' && isObject(day.usage));
