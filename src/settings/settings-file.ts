import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { EntireError, FileRefused } from '../base/errors.ts';
import { disk, lstatIfExists } from '../base/file/disk.ts';
import { readUserText, readWorktreeText } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { type JsonObject, nestsDeeper } from '../base/text/json.ts';
import {
  appendTo,
  indexOfProperty,
  type JsonNode,
  lineAt,
  propertyOf,
  removeFrom,
  replaceValue,
} from '../base/text/json-edit.ts';
import { MAX_DEPTH, parseObject, TOO_DEEP, userSettingsFile } from './layers.ts';

type JsonValue = string | number | boolean | null | JsonObject;

/** One key to set, by its path from the top. */
export interface SettingsEdit {
  readonly path: readonly [string, ...string[]];
  /** `undefined` takes the key away, and the objects that it leaves empty. */
  readonly value: JsonValue | undefined;
}

/** A settings file as it is edited: where it is, how people know it, and how it is read. */
interface Place {
  readonly file: string;
  readonly name: string;
  read(): string | undefined;
}

const inWorktree = (root: string, name: string): Place => ({
  file: join(root, name),
  name,
  read: () => readWorktreeText(root, name, 'settings'),
});

/** The person's own may be a link, as in the home folders of many: what it leads to is written. */
function ofUser(env: NodeJS.ProcessEnv): Place {
  const name = userSettingsFile(env);
  const file = lstatIfExists(name)?.isSymbolicLink() ? disk.realpathSync.native(name) : name;
  return { file, name, read: () => readUserText(name, 'settings') };
}

/** The file's values, or `undefined` when there is no file. @throws {EntireError} `CONFIG_UNREADABLE` with the line */
export const readSettingsFile = (root: string, name: string): Record<string, unknown> | undefined =>
  readValues(inWorktree(root, name));

/** {@link readSettingsFile} of the person's file for all repositories. */
export const readUserSettingsFile = (env: NodeJS.ProcessEnv): Record<string, unknown> | undefined =>
  readValues(ofUser(env));

function readValues(place: Place): Record<string, unknown> | undefined {
  const text = readText(place);
  if (text === undefined) return undefined;
  parse(place.name, text);
  return parseObject(text);
}

function readText({ name, read }: Place): string | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw new EntireError('CONFIG_UNREADABLE', `${name}: it is ${error.reason}.`, { hint: HINT });
  }
}

/**
 * Sets the given keys and leaves every other byte of the file alone; a missing file is created (0644) with the
 * keys in the order given. Nothing is written when nothing changes.
 *
 * @returns whether the file was written
 * @throws {EntireError} `CONFIG_UNREADABLE`; the file is as it was then
 */
export const editSettingsFile = (root: string, name: string, edits: readonly SettingsEdit[]): boolean =>
  editFile(inWorktree(root, name), edits);

/** {@link editSettingsFile} of the person's file for all repositories. */
export const editUserSettingsFile = (env: NodeJS.ProcessEnv, edits: readonly SettingsEdit[]): boolean =>
  editFile(ofUser(env), edits);

function editFile(place: Place, edits: readonly SettingsEdit[]): boolean {
  const before = readText(place);
  const after = edits.reduce(
    (text, { path, value }) =>
      value === undefined ? withoutKey(place.name, text, path) : withKey(place.name, text, path, value),
    before ?? '{}\n',
  );
  if (after === (before ?? '{}\n')) return false;
  writeFileAtomic(place.file, after, { mode: 0o644 });
  return true;
}

function withKey(file: string, text: string, path: SettingsEdit['path'], value: JsonValue): string {
  let object = parse(file, text);
  for (const [depth, key] of path.entries()) {
    const node = propertyOf(object, key);
    const isLast = depth === path.length - 1;
    if (node === undefined || (!isLast && node.type === 'null')) {
      const inner = path.slice(depth + 1).reduceRight<unknown>((nested, name) => ({ [name]: nested }), value);
      return node ? replaceValue(text, node, inner) : appendTo(text, object, inner, key);
    }
    if (isLast)
      return isDeepStrictEqual(readNode(text, node), value) ? text : replaceValue(text, node, value);
    if (node.type !== 'object') throw unreadable(file, text, node.offset, `"${key}" is not an object`);
    object = node;
  }
  return text;
}

const readNode = (text: string, { offset, length }: JsonNode): unknown =>
  JSON.parse(text.slice(offset, offset + length));

/** Of a key that stands there twice, both go: else the first would come to light. */
function withoutKey(file: string, text: string, path: SettingsEdit['path']): string {
  const objects: JsonNode[] = [parse(file, text)];
  for (const key of path) {
    const node = propertyOf(objects.at(-1), key);
    if (node === undefined) return text;
    objects.push(node);
  }
  // An object with nothing else in it goes as a whole.
  let depth = path.length - 1;
  while (depth > 0 && objects[depth]?.children?.length === 1) depth--;
  const container = objects[depth] as JsonNode;
  const left = removeFrom(text, container, indexOfProperty(container, path[depth] as string));
  return withoutKey(file, left, path);
}

/**
 * Strict JSON: hooks read this file without a library, and older releases do not know comments either. A file that
 * only the commands could read would say "enabled" while the hooks do nothing.
 */
function parse(file: string, text: string): JsonNode {
  const errors: ParseError[] = [];
  if (nestsDeeper(text, MAX_DEPTH)) throw unreadable(file, text, 0, TOO_DEEP);
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { disallowComments: true });
  const [error] = errors;
  if (error)
    throw unreadable(file, text, error.offset, `not valid JSON (${printParseErrorCode(error.error)})`);
  if (root?.type !== 'object') throw unreadable(file, text, root?.offset ?? 0, 'not a JSON object');
  return root;
}

const HINT = 'Correct the file and run the command again. Until then it permits nothing.';

function unreadable(file: string, text: string, offset: number, what: string): EntireError {
  const where = `${file}, line ${lineAt(text, offset)}`;
  return new EntireError('CONFIG_UNREADABLE', `${where}: ${what}.`, {
    hint: HINT,
  });
}
