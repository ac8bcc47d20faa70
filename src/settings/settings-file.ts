import { basename, join } from 'node:path';
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { readTextIfExists } from '../base/disk.ts';
import { EntireError } from '../base/errors.ts';
import { appendTo, type JsonNode, lineAt, propertyOf, replaceValue } from '../base/json-edit.ts';
import { writeFileAtomic } from '../base/write-file-atomic.ts';

type JsonValue = string | number | boolean | null;

/** One key to set, by its path from the top. */
export interface SettingsEdit {
  readonly path: readonly [string, ...string[]];
  readonly value: JsonValue;
}

/** The file's values, or `undefined` when there is no file. @throws {EntireError} `CONFIG_UNREADABLE` with the line */
export function readSettingsFile(file: string): Record<string, unknown> | undefined {
  const text = readTextIfExists(file);
  if (text === undefined) return undefined;
  parse(file, text);
  return JSON.parse(withoutMark(text)) as Record<string, unknown>;
}

/**
 * Sets the given keys and leaves every other byte of the file alone; a missing file is created (0644) with the
 * keys in the order given. Nothing is written when nothing changes.
 *
 * @returns whether the file was written
 * @throws {EntireError} `CONFIG_UNREADABLE`; the file is as it was then
 */
export function editSettingsFile(file: string, edits: readonly SettingsEdit[]): boolean {
  const before = readTextIfExists(file);
  const after = edits.reduce((text, edit) => withKey(file, text, edit), before ?? '{}\n');
  if (after === before) return false;
  writeFileAtomic(file, after, { mode: 0o644 });
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
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { disallowComments: true });
  const [error] = errors;
  if (error)
    throw unreadable(file, text, error.offset, `not valid JSON (${printParseErrorCode(error.error)})`);
  if (root?.type !== 'object') throw unreadable(file, text, root?.offset ?? 0, 'not a JSON object');
  return root;
}

function unreadable(file: string, text: string, offset: number, what: string): EntireError {
  const where = `${join('.entire', basename(file))}, line ${lineAt(text, offset)}`;
  return new EntireError('CONFIG_UNREADABLE', `${where}: ${what}.`, {
    hint: 'Correct the file and run the command again. Until then the hooks do nothing.',
  });
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');
