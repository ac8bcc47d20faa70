import { basename, dirname, join, sep } from 'node:path';
import { describeError } from '../../../base/errors.ts';
import { disk, listNames, reading, writtenMsOf } from '../../../base/file/disk.ts';
import { readWorktreeTail } from '../../../base/file/small-file.ts';
import { parseSessionId, type SessionId } from '../../../base/ids.ts';
import { parseJson } from '../../../base/text/json.ts';
import { counted } from '../../../base/text/text.ts';

/** A session that an agent has kept on this machine. */
export interface KeptTranscript {
  readonly sessionId: SessionId;
  /** Its transcript, absolute. */
  readonly path: string;
  /** When that was last written; in milliseconds since 1970. */
  readonly writtenMs: number;
  /** Where it was begun, as the agent wrote it; `undefined` where neither its beginning nor its place says so. */
  readonly folder: string | undefined;
  /** What {@link Look.titleOf} made of its beginning. */
  readonly title?: string | undefined;
}

const TAIL_BYTES = 64 * 1024;
/** A client that writes its whole file anew is done a moment after the last word. */
const MOMENT_MS = 5_000;

/** Whether a transcript was made after the last that is said in it: a copy with which nobody went on. Reads its end. */
export function isMereCopy(path: string): boolean {
  try {
    const tail = readWorktreeTail(dirname(path), basename(path), TAIL_BYTES);
    const said = [...tail.matchAll(/"timestamp":\s*"([^"]+)"/g)].at(-1)?.[1];
    const madeMs = disk.statSync(path).birthtimeMs;
    return said !== undefined && madeMs - Date.parse(said) > MOMENT_MS;
  } catch {
    return false; // gone, or nothing that could be read
  }
}

/** How sessions are looked for. */
export interface Look {
  /** Every file that may be a session is looked at. Without it nobody waits long for a folder that has none. */
  readonly isThorough?: boolean;
  /** Says what a session is about, from the beginning of its transcript, which is cut anywhere. */
  readonly titleOf?: ((head: string) => string | undefined) | undefined;
  /** Knows what beginnings tell that were read before; asked where all folders are. */
  readonly heads?: HeadMemory | undefined;
  /** Told of what is there and cannot be read, as a sentence. Without it that is passed over. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

/** What the beginning of a file tells. A file without a session is none of a person's. */
export interface ToldByHead extends Beginning {
  readonly title: string | undefined;
}

/** Remembers what beginnings tell, as long as size and time of their files are the same. */
export interface HeadMemory {
  find(file: KeptFile): ToldByHead | undefined;
  keep(file: KeptFile, told: ToldByHead): void;
}

/** What is asked for. */
export interface KeptQuery {
  readonly limit: number;
  /** Only sessions of it, and of folders below it. */
  readonly folder: string | undefined;
  readonly look: Look | undefined;
}

/** A file that may be a transcript, by its name. */
export interface KeptFile {
  readonly path: string;
  readonly writtenMs: number;
  readonly sizeBytes: number;
}

/** What name and beginning of a file tell. */
export interface Beginning {
  readonly sessionId: string | undefined;
  readonly folder: string | undefined;
}

/** So much of a transcript is read. */
const HEAD_BYTES = 4096;
/** Sessions of other folders that are looked at before we give up, unless it is asked for all. */
const MAX_FOREIGN = 500;

/**
 * The sessions that files hold, newest first, each once: on resuming, some clients make a second file for a
 * session, and the larger one is its transcript.
 *
 * @param files the newest first, as far as that can be told cheaply; read no further than is needed
 * @param read what is told by a file's path and beginning; `undefined` for what is no session of a person
 */
export function listKept(
  files: Iterable<KeptFile>,
  { limit, folder, look = {} }: KeptQuery,
  read: (path: string, head: string) => Beginning | undefined,
): KeptTranscript[] {
  const kept = new Map<SessionId, { sizeBytes: number; transcript: KeptTranscript }>();
  const isWithin = within(folder);
  let foreign = 0;
  if (limit <= 0) return [];
  const heads = folder === undefined ? look.heads : undefined; // what is told may depend on the folder
  const unread: string[] = [];
  const tell = (file: KeptFile): ToldByHead => {
    const head = readHead(file.path);
    if (head === undefined && fileAt(file.path)) unread.push(file.path);
    const beginning = head === undefined ? undefined : read(file.path, head);
    const title = head === undefined || !beginning ? undefined : look.titleOf?.(head);
    const told = { sessionId: beginning?.sessionId, folder: beginning?.folder, title };
    if (head !== undefined) heads?.keep(file, told);
    return told;
  };
  for (const file of files) {
    const { path, writtenMs, sizeBytes } = file;
    const told = heads?.find(file) ?? tell(file);
    const sessionId = parseSessionId(told.sessionId);
    if (sessionId === undefined || !isWithin(told.folder)) {
      foreign += 1;
      if (foreign >= MAX_FOREIGN && !look.isThorough) break;
      continue;
    }
    const known = kept.get(sessionId);
    if (!known) {
      const transcript = { sessionId, path, writtenMs, folder: told.folder, title: told.title };
      kept.set(sessionId, { sizeBytes, transcript });
      if (kept.size >= limit) break;
    } else if (known.sizeBytes < sizeBytes)
      kept.set(sessionId, { sizeBytes, transcript: { ...known.transcript, path, title: told.title } });
  }
  if (unread[0] !== undefined)
    look.onProblem?.(`${counted(unread.length, 'transcript')} cannot be read, as ${unread[0]}`);
  const found = [...kept.values()].map(({ transcript }) => transcript);
  return found.sort((a, b) => b.writtenMs - a.writtenMs);
}

/**
 * {@link listKept} for agents with a folder for each project, and files named after sessions, that say in their beginning
 * where they were.
 *
 * @param query what is asked for, and the folders of projects to look in
 * @param own the folder of the project that is asked for: what lies there and does not say is of it
 */
export function listProjects(
  { dirs, ...query }: KeptQuery & { readonly dirs: readonly string[] },
  own: string | undefined,
  isFitting: (name: string) => boolean = isLines,
): KeptTranscript[] {
  const files = newestFirst(dirs.flatMap((dir) => pathsIn(dir, isFitting, query.look)));
  return listKept(files, query, (path, head) => ({
    sessionId: basename(path, '.jsonl'),
    folder: findText(head, 'cwd') ?? (dirname(path) === own ? query.folder : undefined),
  }));
}

/** Folders of projects; of one and those below it, where names are paths with something else for each slash. */
export function projectDirs(top: string, own: string | undefined, look?: Look): string[] {
  const name = own && basename(own);
  const isFitting = (other: string) => name === undefined || other === name || other.startsWith(`${name}-`);
  return pathsIn(top, isFitting, look);
}

/** Regular files that are not empty, newest first; what is gone, or cannot be looked at, is left out. */
export function newestFirst(paths: readonly string[]): KeptFile[] {
  const files: KeptFile[] = [];
  for (const path of paths) {
    const file = fileAt(path);
    if (file) files.push(file);
  }
  return files.sort((a, b) => b.writtenMs - a.writtenMs);
}

function fileAt(path: string): KeptFile | undefined {
  try {
    const stat = disk.lstatSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size === 0) return undefined;
    return { path, writtenMs: writtenMsOf(stat), sizeBytes: stat.size };
  } catch {
    return undefined;
  }
}

/** What is in a folder and has a fitting name, as paths; nothing where it cannot be listed. */
export function pathsIn(dir: string, isFitting: (name: string) => boolean, look?: Look): string[] {
  try {
    const top = join(dir, sep); // once for thousands of names
    return listNames(dir)
      .filter(isFitting)
      .map((name) => top + name);
  } catch (error) {
    look?.onProblem?.(`${dir} cannot be read: ${describeError(error)}`);
    return [];
  }
}

/** A name that a file of JSON Lines has. */
export const isLines = (name: string): boolean => name.endsWith('.jsonl');

/** The first text that a beginning has under a key: in a string of JSON quotes are escaped, so that what is found is one. */
export function findText(head: string, key: string): string | undefined {
  const name = `"${key}"`;
  for (let at = head.indexOf(name); at >= 0; at = head.indexOf(name, at + 1)) {
    VALUE.lastIndex = at + name.length;
    const [, json] = VALUE.exec(head) ?? [];
    const text = json === undefined ? undefined : parseJson(json);
    if (json !== undefined) return typeof text === 'string' ? text : undefined;
  }
  return undefined;
}

/** Made once: thousands of beginnings are looked at, and a runtime may translate an expression anew each time. */
const VALUE = /\s*:\s*("(?:[^"\\]|\\.)*")/y;

/** One for all reads: thousands of sessions are looked at in a row. */
const buffer = Buffer.alloc(HEAD_BYTES);

/** The beginning of a file; `undefined` for one that cannot be read. */
export function readHead(path: string, bytes = HEAD_BYTES): string | undefined {
  const into = bytes === HEAD_BYTES ? buffer : Buffer.alloc(bytes);
  try {
    return reading(path, (fd) => into.toString('utf8', 0, disk.readSync(fd, into, 0, bytes, 0)));
  } catch {
    return undefined; // gone meanwhile, or for somebody else
  }
}

/** Whether a session's folder is the one that is asked for, or below it; links followed. Any, where none is asked for. */
function within(folder: string | undefined): (told: string | undefined) => boolean {
  if (folder === undefined) return () => true;
  const isBelow = (path: string): boolean => path === folder || path.startsWith(folder + sep);
  const known = new Map<string, boolean>();
  return (told) => {
    if (told === undefined || told.includes('\0')) return false;
    const answer = known.get(told) ?? (isBelow(told) || isBelow(physical(told)));
    known.set(told, answer);
    return answer;
  };
}

function physical(path: string): string {
  try {
    return disk.realpathSync(path);
  } catch {
    return path;
  }
}
