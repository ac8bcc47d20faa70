import { isObject, type JsonObject } from '../../base/text/json.ts';
import { isPath } from '../compaction/compaction.ts';
import { below, describeValue, pick, unknownKeys, type Warn } from '../config/warning.ts';
import { FileItem, type FileItemDict } from '../file-item.ts';

export interface ContextPresetFields {
  readonly name: string;
  readonly files?: readonly FileItem[] | undefined;
  readonly screenshots?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly unknown?: JsonObject | undefined;
}

/** {@link ContextPreset} on disk, where its name is the key. */
export interface ContextPresetDict {
  readonly description: string;
  readonly screenshots: readonly string[];
  readonly files: readonly FileItemDict[];
  readonly [key: string]: unknown;
}

const KEYS: ReadonlySet<string> = new Set(['description', 'screenshots', 'files']);

/** Files and screenshots that belong together, under a name. Never changes. */
export class ContextPreset {
  readonly name: string;
  readonly files: readonly FileItem[];
  /** Paths of pictures. */
  readonly screenshots: readonly string[];
  /** For people. */
  readonly description: string;
  /** Keys of other versions, written back as they were read. */
  readonly unknown: JsonObject;

  constructor({ name, files = [], screenshots = [], description = '', unknown = {} }: ContextPresetFields) {
    this.name = name;
    this.files = Object.freeze([...files]);
    this.screenshots = Object.freeze([...screenshots]);
    this.description = description;
    this.unknown = Object.freeze(pick(unknown, (key) => !KEYS.has(key)));
  }

  toDict(): ContextPresetDict {
    return {
      description: this.description,
      screenshots: this.screenshots,
      files: this.files.map((file) => file.toDict()),
      ...this.unknown,
    };
  }

  /**
   * Reads what was stored under `name`; a file may be an item or just its path. What is not of its type is left out, with a
   * warning; unknown keys are kept. Never throws.
   */
  static fromDict(name: string, value: unknown, warn: Warn = () => {}): ContextPreset {
    if (!isObject(value)) {
      warn({ key: '', message: `is ${describeValue(value)}, which is not a table; the preset is empty.` });
      return new ContextPreset({ name });
    }
    const { files, screenshots, description } = value;
    return new ContextPreset({
      name,
      files: parseList(files, 'files', FileItem.fromDict, warn),
      screenshots: parseList(screenshots, 'screenshots', parsePath, warn),
      description: parseDescription(description, warn),
      unknown: unknownKeys(value, KEYS, warn),
    });
  }
}

/** The items of a list, without those that are none. */
export function parseList<T>(
  value: unknown,
  key: string,
  parse: (item: unknown, warn: Warn) => T | undefined,
  warn: Warn,
): T[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    warn({ key, message: `is ${describeValue(value)}, which is not a list; none is used.` });
    return [];
  }
  return value.flatMap((item, at) => parse(item, below(warn, `${key}[${at}]`)) ?? []);
}

/** A path of a list of paths. */
export function parsePath(value: unknown, warn: Warn): string | undefined {
  if (isPath(value)) return value;
  warn({ key: '', message: `is ${describeValue(value)}, which is not a path; it is left out.` });
  return undefined;
}

function parseDescription(value: unknown, warn: Warn): string {
  if (typeof value === 'string') return value;
  if (value !== undefined && value !== null)
    warn({
      key: 'description',
      message: `is ${describeValue(value)}, which is not a text; the default is used.`,
    });
  return '';
}
