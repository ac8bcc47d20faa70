import { isAbsolute, resolve } from 'node:path';
import { describeError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/text/json.ts';
import { counted } from '../../base/text/text.ts';
import { below, type Warn } from '../config/warning.ts';
import { FileItem } from '../file-item.ts';
import { type FileReading, MAX_FILE_BYTES, MAX_TOTAL_BYTES, readFileForContext } from './read-file.ts';
import { isHistoryFile, resolvePaths, shownPath } from './resolve-paths.ts';
import type { StructureCache } from './structure-cache.ts';
import { EXCLUDED, showFile, type View, viewOf } from './view.ts';

/** A file of a context as a configuration names it: a path or glob, an item, or one as it is on disk. */
export type FileEntry = string | FileItem | JsonObject;

/** One file of a context, read and as it is shown. */
export interface AggregatedFile {
  /** What named it: a path or a glob. */
  readonly entry: string;
  /** The absolute path; `undefined` where the entry stands for no file. */
  readonly path: string | undefined;
  /** How the text names it: relative to the base folder. */
  readonly name: string;
  /** What the text shows of it, or a sentence in its place. */
  readonly content: string;
  /** The whole text, as it was read; `undefined` where there is none. */
  readonly source: string | undefined;
  /** Whether the content is the sentence of a failure. What cannot be shown as text is none. */
  readonly error: boolean;
  /** When the file was changed, in seconds since 1970; 0 where nobody knows. */
  readonly mtime: number;
  /** What `content` is: the view that was asked for, or `summary` in its place; `undefined` for a sentence. */
  readonly view: View | undefined;
  /** What a reader has to know of it, which stands above its text: why it is a summary, what it lacks. */
  readonly notes: readonly string[];
  readonly settings: FileItem;
  /** Whether the file was changed since a model got it (`injected_at`): then what the model knows of it is old. */
  readonly isStale: boolean;
}

export interface AggregateOptions {
  /** What was read of source files before. */
  readonly cache?: StructureCache | undefined;
  /** Files with more bytes are not shown. */
  readonly maxFileBytes?: number | undefined;
  /** Nor are files for which those before them leave no room. */
  readonly maxTotalBytes?: number | undefined;
  /** Files that no glob stands for; one that is named by itself is not asked about. */
  readonly leaveOut?: ((path: string) => boolean) | undefined;
  /** Takes what is wrong with entries that are read from what was stored. */
  readonly warn?: Warn | undefined;
}

/**
 * Reads files, and shows each as its item says. Never throws for what is wrong with a file: its content says so then, and
 * the others follow.
 *
 * A file stands there once, where it was named first. An entry that names it by itself outranks globs; else the first counts.
 */
export async function buildFileItems(
  baseDir: string,
  files: readonly FileEntry[],
  options: AggregateOptions = {},
): Promise<AggregatedFile[]> {
  const { maxFileBytes = MAX_FILE_BYTES, maxTotalBytes = MAX_TOTAL_BYTES, cache } = options;
  const built: AggregatedFile[] = [];
  let left = maxTotalBytes;
  for (const { path, settings } of chooseFiles(baseDir, files, options)) {
    if (path === undefined) {
      built.push(unmatched(baseDir, settings));
      continue;
    }
    const reading = withRoom(readFileForContext(path, maxFileBytes), left, maxTotalBytes);
    if (reading.status === 'text') left -= Buffer.byteLength(reading.text);
    built.push(await buildFile(baseDir, path, settings, reading, cache));
  }
  return built;
}

/** A reading, unless it has more bytes than there is room for. */
function withRoom(reading: FileReading, left: number, all: number): FileReading {
  const size = reading.status === 'text' ? Buffer.byteLength(reading.text) : 0;
  if (reading.status !== 'text' || size <= left) return reading;
  const reason = `${counted(size, 'byte')}, and of the limit for all files, ${counted(all, 'byte')}, ${left} are left`;
  return { status: 'not-text', reason, mtime: reading.mtime };
}

interface Chosen {
  readonly path: string | undefined;
  readonly settings: FileItem;
  /** Whether the entry is the file's own name. */
  readonly isNamed: boolean;
}

function chooseFiles(
  baseDir: string,
  files: readonly FileEntry[],
  { warn = () => {}, leaveOut = () => false }: AggregateOptions,
): Chosen[] {
  const chosen = new Map<string, Chosen>();
  for (const [at, file] of files.entries()) {
    const settings = file instanceof FileItem ? file : FileItem.fromDict(file, below(warn, `files[${at}]`));
    if (settings === undefined) continue;
    const named = resolve(baseDir, settings.path);
    const found = resolvePaths(baseDir, settings.path);
    const paths = found.filter((path) => path === named || !leaveOut(path));
    if (paths.length === 0) chosen.set(`no file: ${named}`, { path: undefined, settings, isNamed: true });
    for (const path of paths) {
      const isNamed = path === named;
      const before = chosen.get(path);
      if (before === undefined || (isNamed && !before.isNamed)) chosen.set(path, { path, settings, isNamed });
    }
  }
  return [...chosen.values()];
}

async function buildFile(
  baseDir: string,
  path: string,
  settings: FileItem,
  reading: FileReading,
  cache: StructureCache | undefined,
): Promise<AggregatedFile> {
  const name = shownPath(baseDir, path, settings.path);
  const mtime = reading.status === 'missing' ? 0 : reading.mtime;
  const { injectedAt } = settings;
  const isStale = injectedAt !== undefined && mtime > injectedAt;
  const file = {
    entry: settings.path,
    path,
    name,
    source: undefined,
    error: false,
    mtime,
    view: undefined,
    notes: [],
    settings,
    isStale,
  };
  const view = viewOf(settings);
  if (reading.status === 'not-text' && view === 'none') return { ...file, content: EXCLUDED, view };
  if (reading.status !== 'text') return { ...file, ...sentenceOf(reading, name) };
  const source = reading.text;
  // Not part of the text: nobody waits for a view of it.
  if (!settings.autoAggregate) return { ...file, source, content: source, view: 'full' };
  try {
    const shown = await showFile(path, source, settings, { view, cache });
    return { ...file, source, view: shown.view, notes: shown.notes, content: withNotes(shown) };
  } catch (error) {
    const reason = describeError(error).replaceAll(`${resolve(baseDir)}/`, '');
    return { ...file, source, error: true, content: `ERROR in ${view} view mode for ${name}:\n${reason}` };
  }
}

function sentenceOf(
  reading: Exclude<FileReading, { status: 'text' }>,
  name: string,
): Pick<AggregatedFile, 'content' | 'error'> {
  switch (reading.status) {
    case 'missing':
      return { content: `ERROR: file not found: ${name}`, error: true };
    case 'unreadable':
      return { content: `ERROR: file not readable: ${name} (${reading.reason})`, error: true };
    case 'not-text':
      return { content: `(not shown: ${reading.reason})`, error: false };
  }
}

function unmatched(baseDir: string, settings: FileItem): AggregatedFile {
  const entry = settings.path;
  const name = isAbsolute(entry) ? shownPath(baseDir, entry) : entry;
  const why = isHistoryFile(entry) ? ' (conversations are left out)' : '';
  const content = `ERROR: no files matched: ${name}${why}`;
  return { ...NO_FILE, entry, name, content, error: true, settings };
}

const NO_FILE = {
  path: undefined,
  source: undefined,
  mtime: 0,
  view: undefined,
  notes: [],
  isStale: false,
} as const;

/** What a reader has to know stands above the text. */
export const withNotes = ({
  text,
  notes,
}: {
  readonly text: string;
  readonly notes: readonly string[];
}): string => [...notes.map((note) => `[${note}]`), text].join('\n');
