import { join } from 'node:path';
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { EntireError, FileRefused } from '../base/errors.ts';
import { readWorktreeText } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { nestsDeeper } from '../base/text/json.ts';
import { appendTo, type JsonNode, lineAt, propertyOf, replaceValue } from '../base/text/json-edit.ts';
import { MAX_DEPTH, parseObject, TOO_DEEP } from './layers.ts';

type JsonValue = string | number | boolean | null;

/** One key to set, by its path from the top. */
export interface SettingsEdit {
  readonly path: readonly [string, ...string[]];
  readonly value: JsonValue;
}

/** The file's values, or `undefined` when there is no file. @throws {EntireError} `CONFIG_UNREADABLE` with the line */
export function readSettingsFile(root: string, name: string): Record<string, unknown> | undefined {
  const text = readText(root, name);
  if (text === undefined) return undefined;
  parse(name, text);
  return parseObject(text);
}

function readText(root: string, name: string): string | undefined {
  try {
    return readWorktreeText(root, name, 'settings');
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
export function editSettingsFile(root: string, name: string, edits: readonly SettingsEdit[]): boolean {
  const before = readText(root, name);
  const after = edits.reduce((text, edit) => withKey(name, text, edit), before ?? '{}\n');
  if (after === before) return false;
  writeFileAtomic(join(root, name), after, { mode: 0o644 });
  return true;
}

function withKey(file: string, text: string, { path, value }: SettingsEdit): string {
  let object = parse(file, text);
  for (const [depth, key] of path.entries()) {
    const node = propertyOf(object, key);
    const isLast = depth === path.length - 1;
    if (node === undefined || (!isLast && node.type === 'null')) {
      const inner = path.slice(depth + 1).reduceRight<unknown>((nested, name) => ({ [name]: nested }), value);
      return node ? replaceValue(text, node, inner) : appendTo(text, object, inner, key);
    }
    if (isLast) return node.value === value ? text : replaceValue(text, node, value);
    if (node.type !== 'object') throw unreadable(file, text, node.offset, `"${key}" is not an object`);
    object = node;
  }
  return text;
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
