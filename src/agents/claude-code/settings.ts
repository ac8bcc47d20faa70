import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { disk, readTextIfExists } from '../../base/disk.ts';
import { EntireError } from '../../base/errors.ts';
import { type JsonNode, lineAt } from '../../base/json-edit.ts';
import { toRepoPath } from '../../base/repo-path.ts';
import { writeFileAtomic } from '../../base/write-file-atomic.ts';
import type {
  AgentHooks,
  AgentSettings,
  HookCommand,
  InstallReport,
  SettingsPlace,
} from '../hook-settings.ts';
import { HOOKS } from './hook-commands.ts';
import { countHooks, findWrongShape, listCommands, withHooks, withoutHooks } from './settings-text.ts';

const FILE = '.claude/settings.json';

/**
 * Our hooks in Claude Code's project settings.
 *
 * @see https://code.claude.com/docs/en/hooks
 */
export const claudeSettings: AgentSettings = { file: FILE, install, uninstall, inspect, list };

/** What the file was before us, so that uninstalling can put back every byte. */
interface SettingsRecord {
  readonly version: 1;
  readonly created_file: boolean;
  readonly created_dir: boolean;
  /** Text of the file before us; absent where it held hooks of ours already, or was none. */
  readonly original?: string;
  /** SHA-256 of what we wrote: only that text may be replaced by the original. */
  readonly written: string;
}

/** @throws {EntireError} `CONFIG_UNREADABLE`; nothing was written then */
function install(place: SettingsPlace, options: { readonly force?: boolean } = {}): InstallReport {
  const file = locate(place.root);
  const before = readTextIfExists(file);
  const text = before === undefined || before.trim() === '' ? '{}\n' : before;
  check(text);
  const start = options.force ? withoutHooks(text, parse).text : text;
  const { text: after, installed, removed } = withHooks(start, parse);
  if (after !== before) {
    const { current, outdated, surplus } = countHooks(parse(after));
    if (current + outdated < HOOKS.length || surplus > 0) {
      throw new EntireError('CONFIG_UNREADABLE', `${FILE} cannot be edited: it names a key twice`);
    }
    writeRecord(place, before, after);
    writeFileAtomic(file, after, { mode: 0o600 });
  }
  return { installed, removed };
}

/** @returns how many hooks were taken out @throws {EntireError} `CONFIG_UNREADABLE` */
function uninstall(place: SettingsPlace): number {
  const file = locate(place.root);
  const before = readTextIfExists(file);
  const record = readRecord(place.recordFile);
  if (before === undefined || before.trim() === '') return 0;
  check(before);
  const { text, removed } = withoutHooks(before, parse);
  const untouched = record?.written === sha256(before);
  const empty = isEmptyObject(text);
  if (record ? record.created_file && (untouched || empty) : empty && removed > 0) {
    disk.rmSync(file);
    if (record?.created_dir) removeIfEmpty(dirname(file));
  } else if (untouched && record?.original !== undefined) writeFileAtomic(file, record.original);
  else if (text !== before) writeFileAtomic(file, text);
  disk.rmSync(place.recordFile, { force: true });
  return removed;
}

/** @throws {EntireError} `CONFIG_UNREADABLE` */
function inspect({ root }: { readonly root: string }): AgentHooks {
  const text = readTextIfExists(locate(root)) ?? '';
  if (text.trim() === '')
    return { expected: HOOKS.length, current: 0, outdated: 0, surplus: 0, denyRule: false };
  check(text);
  return { expected: HOOKS.length, ...countHooks(parse(text)) };
}

/** @throws {EntireError} `CONFIG_UNREADABLE` */
function list({ root }: { readonly root: string }): HookCommand[] {
  const text = readTextIfExists(locate(root)) ?? '';
  if (text.trim() === '') return [];
  check(text);
  return listCommands(parse(text));
}

/** The file itself, symlinks resolved: they are written through, but not out of the repository. */
function locate(root: string): string {
  const dir = join(root, dirname(FILE));
  const file = realPath(join(root, FILE)) ?? join(realPath(dir) ?? dir, 'settings.json');
  if (toRepoPath(root, file) !== undefined && !isDanglingLink(file)) return file;
  throw new EntireError('CONFIG_UNREADABLE', `${FILE} is a symbolic link that leads out of the repository.`, {
    hint: 'Replace the link by a file of its own, then run the command again.',
  });
}

function realPath(path: string): string | undefined {
  return disk.existsSync(path) ? disk.realpathSync(path) : undefined;
}

function isDanglingLink(file: string): boolean {
  return disk.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** The byte order mark of some editors is a blank to the parser, so that offsets stay true. */
function parse(text: string): JsonNode {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root && !error) return root;
  const offset = error?.offset ?? 0;
  const reason = error ? printParseErrorCode(error.error) : 'ValueExpected';
  throw unreadable(text, offset, `not valid JSON (${reason})`);
}

function check(text: string): void {
  const wrong = findWrongShape(parse(text));
  if (wrong) throw unreadable(text, wrong.offset, wrong.what);
}

function unreadable(text: string, offset: number, what: string): EntireError {
  return new EntireError('CONFIG_UNREADABLE', `${FILE}, line ${lineAt(text, offset)}: ${what}.`, {
    hint: 'Correct the file, then run the command again. Nothing was changed in it.',
  });
}

function writeRecord(place: SettingsPlace, before: string | undefined, after: string): void {
  const earlier = readRecord(place.recordFile);
  const continued = earlier !== undefined && before !== undefined && earlier.written === sha256(before);
  const origin = continued ? earlier : describeOrigin(place, before, earlier);
  writeFileAtomic(place.recordFile, `${JSON.stringify({ ...origin, written: sha256(after) }, null, 2)}\n`);
}

function describeOrigin(
  { root }: SettingsPlace,
  before: string | undefined,
  earlier: SettingsRecord | undefined,
): Omit<SettingsRecord, 'written'> {
  const madeDir = earlier?.created_dir === true;
  if (before === undefined) {
    const dir = join(root, dirname(FILE));
    return { version: 1, created_file: true, created_dir: madeDir || !disk.existsSync(dir) };
  }
  const stripped = before.trim() === '' ? before : withoutHooks(before, parse).text;
  if (stripped === before) return { version: 1, created_file: false, created_dir: madeDir, original: before };
  // Hooks of an older release, or of ours with changes by the user since: whose file it was shows in what is left.
  const created = earlier?.created_file === true || isEmptyObject(stripped);
  return { version: 1, created_file: created, created_dir: madeDir };
}

const isEmptyObject = (text: string): boolean => /^\{\s*\}$/.test(text.trim());

/** The record, or `undefined` where there is none that we understand. */
function readRecord(file: string): SettingsRecord | undefined {
  const text = readTextIfExists(file);
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as Partial<SettingsRecord>;
    return value.version === 1 && typeof value.written === 'string' ? (value as SettingsRecord) : undefined;
  } catch {
    return undefined; // our own cache: without it hooks are taken out one by one
  }
}

function removeIfEmpty(dir: string): void {
  if (disk.readdirSync(dir).length === 0) disk.rmdirSync(dir);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
