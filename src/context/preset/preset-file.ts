import { isDeepStrictEqual } from 'node:util';
import { EntireError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/text/json.ts';
import { type Document, isJsonFile, parseDocument, renderDocument, unreadable } from '../config/document.ts';
import { replaceTable } from '../config/toml-edit.ts';
import { describeValue } from '../config/warning.ts';
import type { ContextPresetDict } from './preset.ts';

const VERSION = 1;

/**
 * The presets of a file, by name. One without a version was made by hand, and is of version 1.
 *
 * @throws {EntireError} `UNSUPPORTED` for one of a later version, `CONFIG_UNREADABLE` for what is no such file
 */
export function presetsOf({ file, values }: Document): JsonObject {
  const version = values.version ?? VERSION;
  if (!Number.isSafeInteger(version) || (version as number) < 1)
    throw unreadable(file, `\`version\` is ${describeValue(version)}, which is no whole number from 1`);
  if ((version as number) > VERSION) {
    const message = `${file} is of version ${version}; this release knows version ${VERSION}`;
    throw new EntireError('UNSUPPORTED', message, { hint: 'Update entire. The file was not changed.' });
  }
  const presets = values.presets ?? {};
  if (!isObject(presets))
    throw unreadable(file, `\`presets\` is ${describeValue(presets)}, which is no table`);
  return presets;
}

/**
 * The text of a file after a preset was put into it, or taken out of it (`undefined`). Everything else stays: in TOML byte
 * for byte, with its comments, unless presets are written inline there; then it has the same values.
 *
 * @throws {EntireError} as {@link presetsOf}
 */
export function withPreset(document: Document, name: string, preset: ContextPresetDict | undefined): string {
  const { file, text, values } = document;
  const others = Object.entries(presetsOf(document)).filter(([key]) => key !== name);
  const entry = preset === undefined ? [] : [[name, preset] as const];
  const wanted = { version: VERSION, ...values, presets: Object.fromEntries([...others, ...entry]) };
  const rendered = renderDocument(wanted, file);
  if (isJsonFile(file)) return rendered;
  const table = preset === undefined ? '' : renderDocument({ presets: { [name]: preset } }, file);
  const head = values.version === undefined ? `version = ${VERSION}\n` : '';
  const edited = replaceTable(head + text, ['presets', name], table);
  return hasSameValues(edited, rendered, file) ? edited : rendered;
}

function hasSameValues(one: string, other: string, file: string): boolean {
  const none = parseDocument('[presets]', file); // a table as the parser makes them
  const valuesOf = (text: string) => ({ ...none, ...parseDocument(text, file) });
  try {
    return isDeepStrictEqual(valuesOf(one), valuesOf(other));
  } catch {
    return false; // the edit made no TOML
  }
}
