import { join } from 'node:path';
import { now, renderUtc } from './clock.ts';
import { disk, makePlainFolder, openToAppend, writeAll } from './file/disk.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Ids, counts, paths and milliseconds; never file contents, prompts or command output. */
export type LogFields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Past this size the log is moved to `entire.log.1`, replacing the older one, so that it stays bounded. */
const MAX_BYTES = 4 * 1024 * 1024;

interface Sink {
  readonly root: string;
  readonly file: string;
  readonly level: LogLevel;
  readonly bound: LogFields;
}

let sink: Sink | undefined;

/** Reads a level name, any case; `warning` means `warn`. */
export function parseLogLevel(text: string | undefined): LogLevel | undefined {
  const name = text?.toLowerCase() === 'warning' ? 'warn' : text?.toLowerCase();
  return LOG_LEVELS.find((level) => level === name);
}

/**
 * Starts logging to `<root>/.entire/logs/entire.log`. Nothing is created before the first line is due.
 * `ENTIRE_LOG_LEVEL` wins over `level`; the default is `info`.
 */
export function openLog(root: string, level: string | undefined, bound: LogFields = {}): void {
  const chosen = parseLogLevel(process.env.ENTIRE_LOG_LEVEL) ?? parseLogLevel(level) ?? 'info';
  sink = { root, file: join(root, '.entire', 'logs', 'entire.log'), level: chosen, bound };
}

/** Adds fields that every later line carries. */
export function bindLog(fields: LogFields): void {
  if (sink) sink = { ...sink, bound: { ...sink.bound, ...fields } };
}

export const isLogOpen = (): boolean => sink !== undefined;

export function closeLog(): void {
  sink = undefined;
}

/** Appends one JSON line. Never throws: logging must not be the thing that breaks a hook. */
export function log(level: LogLevel, msg: string, fields: LogFields = {}): void {
  if (process.env.ENTIRE_DEBUG) process.stderr.write(`[entire] ${level}: ${msg} ${JSON.stringify(fields)}\n`);
  if (!sink || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(sink.level)) return;
  const line = { time: renderUtc(now()), level: level.toUpperCase(), msg, ...sink.bound, ...fields };
  try {
    append(sink.root, sink.file, `${JSON.stringify(line)}\n`);
  } catch {
    // A full disk or a read-only repository: the hook goes on, and the command that finds nothing says so.
  }
}

function append(root: string, file: string, line: string): void {
  makePlainFolder(root, '.entire', 'logs');
  const fd = openToAppend(file);
  try {
    writeAll(fd, Buffer.from(line));
    if (disk.fstatSync(fd).size > MAX_BYTES) disk.renameSync(file, `${file}.1`);
  } finally {
    disk.closeSync(fd);
  }
}
