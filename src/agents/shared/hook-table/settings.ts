import { dirname } from 'node:path';
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { EntireError } from '../../../base/errors.ts';
import { disk } from '../../../base/file/disk.ts';
import { readUserText } from '../../../base/file/small-file.ts';
import { writeFileAtomic } from '../../../base/file/write-file-atomic.ts';
import { nestsDeeper } from '../../../base/text/json.ts';
import { type JsonNode, lineAt } from '../../../base/text/json-edit.ts';
import { AGENTS, type AgentName } from '../../names.ts';
import type {
  AgentHooks,
  AgentSettings,
  HookCommand,
  InstallReport,
  SettingsPlace,
} from '../hook-settings.ts';
import { findWrongShape, listCommands } from './entries.ts';
import { locateSettings, missingFolders, removeEmptyFolders } from './locate.ts';
import { isAsWritten, type Origin, readOrigin, writeOrigin } from './origin.ts';
import { findForeignSyntax } from './syntax.ts';
import type { HookTable, Requirement } from './table.ts';
import { countHooks, type Kit, withHooks, withoutHooks } from './text.ts';

/** Deeper than any settings of an agent. */
const MAX_DEPTH = 64;

/** How our hooks come into the settings file of an agent, and out of it again. Only what is ours changes, byte for byte. */
export function settingsOf(table: HookTable): AgentSettings {
  const kit = { table, parse: (text: string) => parse(table.file, text) };
  return {
    file: table.file,
    install: (place, options) => install(kit, place, options?.force === true),
    uninstall: (place) => uninstall(kit, place),
    inspect: ({ root }, options) => inspect(kit, root, options?.anySyntax === true),
    list: ({ root }) => list(kit, root),
  };
}

/** @throws {EntireError} `CONFIG_UNREADABLE`; nothing was written then */
function install(kit: Kit, place: SettingsPlace, force: boolean): InstallReport {
  const { table, parse } = kit;
  const file = locateSettings(place.root, table.file);
  const before = readUserText(file, 'settings');
  const text = before === undefined || before.trim() === '' ? '{}\n' : before;
  check(kit, text);
  checkSyntax(table, text);
  const start = force ? withoutHooks(kit, text).text : text;
  const { text: after, installed, removed, added } = withHooks(kit, start);
  if (after !== before) {
    const { current, outdated, surplus, unmet } = countHooks(table, parse(after));
    if (current + outdated < table.slots.length || surplus + unmet > 0)
      throw new EntireError('CONFIG_UNREADABLE', `${table.file} cannot be edited: it names a key twice`);
    const earlier = readOrigin(place.recordFile);
    const isContinued = before !== undefined && isAsWritten(earlier, before);
    const origin = (isContinued && earlier) || describeOrigin(kit, place.root, before, earlier, added);
    writeOrigin(place.recordFile, origin, after);
    writeFileAtomic(file, after, { mode: 0o600 });
  }
  return { installed, removed };
}

function describeOrigin(
  kit: Kit,
  root: string,
  before: string | undefined,
  earlier: Origin | undefined,
  more: readonly Requirement[],
): Omit<Origin, 'written'> {
  const madeDir = earlier?.created_dir === true;
  // Of a file with nothing but our hooks in it, what they require is ours, too.
  const isOurs = before !== undefined && before.trim() !== '' && withoutHooks(kit, before).removed > 0;
  const found = isOurs ? requirementsAlone(kit, before) : [];
  const requirements = [...(earlier?.added ?? found), ...more];
  const [own, ...above] = missingFolders(root, kit.table.file);
  const parents = earlier?.created_parents ?? above;
  const added = {
    ...(requirements.length > 0 ? { added: requirements } : {}),
    ...(parents.length > 0 ? { created_parents: parents } : {}),
  };
  if (before === undefined) {
    const isNewDir = madeDir || own !== undefined;
    return { version: 1, created_file: true, created_dir: isNewDir, ...added };
  }
  const stripped = before.trim() === '' ? before : withoutHooks(kit, before, requirements).text;
  if (stripped === before)
    return { version: 1, created_file: false, created_dir: madeDir, original: before, ...added };
  // Hooks of an older release, or of ours with changes by the user since: whose file it was shows in what is left.
  const created = earlier?.created_file === true || isEmptyObject(stripped);
  return { version: 1, created_file: created, created_dir: madeDir, ...added };
}

/** @returns how many hooks were taken out @throws {EntireError} `CONFIG_UNREADABLE` */
function uninstall(kit: Kit, { root, recordFile }: SettingsPlace): number {
  const file = locateSettings(root, kit.table.file);
  const before = readUserText(file, 'settings');
  const origin = readOrigin(recordFile);
  if (before === undefined || before.trim() === '') return 0;
  check(kit, before);
  // Where nothing is on record, what is required was put in by whoever made a file of nothing but our hooks.
  const { text, removed } = withoutHooks(kit, before, origin ? origin.added : requirementsAlone(kit, before));
  const untouched = isAsWritten(origin, before);
  const empty = isEmptyObject(text);
  if (origin ? origin.created_file && (untouched || empty) : empty && removed > 0) {
    disk.rmSync(file);
    const parents = (origin?.created_parents ?? []).filter((name) => !name.startsWith('..'));
    if (origin?.created_dir) removeEmptyFolders(root, [dirname(kit.table.file), ...parents]);
  } else if (untouched && origin?.original !== undefined) writeFileAtomic(file, origin.original);
  else if (text !== before) writeFileAtomic(file, text);
  disk.rmSync(recordFile, { force: true });
  return removed;
}

function requirementsAlone(kit: Kit, text: string): readonly Requirement[] {
  const all = kit.table.requirements ?? [];
  return isEmptyObject(withoutHooks(kit, text, all).text) ? all : [];
}

/** @throws {EntireError} `CONFIG_UNREADABLE` */
function inspect(kit: Kit, root: string, anySyntax: boolean): AgentHooks {
  const { table, parse } = kit;
  const text = readUserText(locateSettings(root, table.file), 'settings') ?? '';
  const expected = table.slots.length;
  if (text.trim() === '') return { expected, current: 0, outdated: 0, surplus: 0, obsolete: 0, unmet: 0 };
  check(kit, text);
  if (!anySyntax) checkSyntax(table, text);
  return { expected, ...countHooks(table, parse(text)) };
}

/** @throws {EntireError} `CONFIG_UNREADABLE` */
function list(kit: Kit, root: string): readonly HookCommand[] {
  const text = readUserText(locateSettings(root, kit.table.file), 'settings') ?? '';
  if (text.trim() === '') return [];
  check(kit, text);
  checkSyntax(kit.table, text);
  return listCommands(kit.table, kit.parse(text));
}

/** The byte order mark of some editors is a blank to the parser, so that offsets stay true. */
function parse(file: string, text: string): JsonNode {
  const errors: ParseError[] = [];
  const root = parseShallow(file, text, errors);
  const [error] = errors;
  if (root && !error) return root;
  const reason = error ? printParseErrorCode(error.error) : 'ValueExpected';
  throw unreadable(file, text, error?.offset ?? 0, `not valid JSON (${reason})`);
}

/** The parser calls itself for each level, and so does whatever goes through what it made. */
function parseShallow(file: string, text: string, errors: ParseError[]): JsonNode | undefined {
  if (nestsDeeper(text, MAX_DEPTH)) throw unreadable(file, text, 0, 'nested too deep');
  return parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
}

function check({ table, parse }: Kit, text: string): void {
  const wrong = findWrongShape(table, parse(text));
  if (wrong) throw unreadable(table.file, text, wrong.offset, wrong.what);
}

/** What we can read and edit the client may pass over as a whole, with all that stands in it, and say nothing. */
function checkSyntax({ agent, file, liberties }: HookTable, text: string): void {
  const foreign = liberties && findForeignSyntax(text, liberties);
  if (!foreign) return;
  const client = AGENTS[agent as AgentName].type;
  const what = `${foreign.what}; ${client} does not read a file with one, and no setting in it holds`;
  throw unreadable(file, text, foreign.offset, what);
}

function unreadable(file: string, text: string, offset: number, what: string): EntireError {
  return new EntireError('CONFIG_UNREADABLE', `${file}, line ${lineAt(text, offset)}: ${what}.`, {
    hint: 'Correct the file, then run the command again. Nothing was changed in it.',
  });
}

const isEmptyObject = (text: string): boolean => /^\{\s*\}$/.test(text.trim());
