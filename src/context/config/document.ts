import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import * as toml from 'smol-toml';
import { EntireError, FileRefused } from '../../base/errors.ts';
import { readUserBytes } from '../../base/file/small-file.ts';
import { isObject, type JsonObject, nestsDeeper, parseJson } from '../../base/text/json.ts';
import { lineAt } from '../../base/text/json-edit.ts';

/** A file of keys and values that people edit, too. */
export interface Document {
  readonly file: string;
  readonly text: string;
  readonly values: JsonObject;
}

/** `.json` is JSON; everything else is TOML. */
export const isJsonFile = (file: string): boolean => extname(file).toLowerCase() === '.json';

/** @returns `undefined` when there is no such file. @throws {EntireError} `CONFIG_UNREADABLE`, or the system error */
export function readDocument(file: string): Document | undefined {
  const bytes = readIfExists(file);
  if (bytes === undefined) return undefined;
  if (!isUtf8(bytes)) throw unreadable(file, 'it is not UTF-8 text');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  return { file, text, values: parseDocument(text, file) };
}

/** The values of a text. @throws {EntireError} `CONFIG_UNREADABLE`, with the file and the line */
export function parseDocument(text: string, file: string): JsonObject {
  return isJsonFile(file) ? parseJsonObject(text, file) : parseToml(text, file);
}

/**
 * @throws {EntireError} `UNSUPPORTED` for what the format has no word for: a list with `null` in TOML
 */
export function renderDocument(values: JsonObject, file: string): string {
  if (isJsonFile(file)) return `${JSON.stringify(values, withoutBigInts, 2)}\n`;
  try {
    return toml.stringify(values);
  } catch (cause) {
    throw new EntireError('UNSUPPORTED', `${file}: a value cannot be written as TOML`, {
      hint: 'TOML has no null in lists. Take it out, or use a .json file.',
      cause,
    });
  }
}

/** Whole numbers beyond what JSON readers take for exact; TOML has them. */
const withoutBigInts = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;

/** Deeper than any configuration; parsers call themselves for each level. */
const MAX_DEPTH = 64;
const TOO_DEEP = 'it is nested too deep';

function parseToml(text: string, file: string): JsonObject {
  try {
    return toml.parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(file, TOO_DEEP); // more than the stack holds
    if (!(error instanceof toml.TomlError)) throw error;
    const [what = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw unreadable(file, `not valid TOML (${what})`, error.line);
  }
}

function parseJsonObject(text: string, file: string): JsonObject {
  if (nestsDeeper(text, MAX_DEPTH)) throw unreadable(file, TOO_DEEP);
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  if (error) {
    throw unreadable(
      file,
      `not valid JSON (${printParseErrorCode(error.error)})`,
      lineAt(text, error.offset),
    );
  }
  const values = parseJson(text);
  if (!isObject(values)) throw unreadable(file, 'not a JSON object', 1);
  return values;
}

/** A failure to read a file that people edit. */
export function unreadable(file: string, what: string, line?: number): EntireError {
  const where = line === undefined ? file : `${file}, line ${line}`;
  return new EntireError('CONFIG_UNREADABLE', `${where}: ${what}`, {
    hint: 'Correct the file and try again. It was not changed.',
  });
}

function readIfExists(file: string): Buffer | undefined {
  try {
    return readUserBytes(file, 'text');
  } catch (error) {
    throw error instanceof FileRefused ? unreadable(file, `it is ${error.reason}`) : error;
  }
}
