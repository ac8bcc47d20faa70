import { isObject, type JsonObject } from '../base/text/json.ts';
import { isPath } from './compaction/compaction.ts';
import { below, describeValue, pick, unknownKeys, type Warn } from './config/warning.ts';
import {
  type CustomSlice,
  type CustomSliceFields,
  normaliseSlice,
  parseSlice,
} from './slice/custom-slice.ts';

/** How much of a file a model gets to see. */
export const VIEW_MODES = ['full', 'summary', 'skeleton', 'outline', 'masked', 'none', 'custom'] as const;
export type ViewMode = (typeof VIEW_MODES)[number];

/** What is shown of one symbol in the view `masked`: its definition, its signature, or nothing. */
const MASK_MODES = ['def', 'sig', 'hide'] as const;
export type MaskMode = (typeof MASK_MODES)[number];

export interface FileItemFields {
  readonly path: string;
  readonly autoAggregate?: boolean | undefined;
  readonly forceFull?: boolean | undefined;
  readonly viewMode?: ViewMode | undefined;
  readonly selected?: boolean | undefined;
  readonly astSignatures?: boolean | undefined;
  readonly astDefinitions?: boolean | undefined;
  readonly astMask?: Readonly<Record<string, MaskMode>> | undefined;
  readonly customSlices?: readonly CustomSliceFields[] | undefined;
  readonly injectedAt?: number | undefined;
  readonly unknown?: JsonObject | undefined;
}

/** {@link FileItem} on disk. TOML has no `null`: there, such a key is not written. */
export interface FileItemDict {
  readonly path: string;
  readonly auto_aggregate: boolean;
  readonly force_full: boolean;
  readonly view_mode: ViewMode;
  readonly selected: boolean;
  readonly ast_signatures: boolean;
  readonly ast_definitions: boolean;
  readonly ast_mask: Readonly<Record<string, MaskMode>>;
  readonly custom_slices: readonly CustomSlice[];
  readonly injected_at: number | null;
  readonly [key: string]: unknown;
}

const KEYS: ReadonlySet<string> = new Set([
  'path',
  'auto_aggregate',
  'force_full',
  'view_mode',
  'selected',
  'ast_signatures',
  'ast_definitions',
  'ast_mask',
  'custom_slices',
  'injected_at',
]);

/** One file of a context, and how it is shown. Never changes; {@link FileItem.with} makes another. */
export class FileItem {
  readonly path: string;
  /** Whether the file stands in the text at all. One that does not is only known. */
  readonly autoAggregate: boolean;
  /** Shows the whole file, whatever the view mode. */
  readonly forceFull: boolean;
  readonly viewMode: ViewMode;
  /** Chosen for what is done to several files at once. */
  readonly selected: boolean;
  /** Shows signatures only. */
  readonly astSignatures: boolean;
  /** Shows definitions only. */
  readonly astDefinitions: boolean;
  /** What is shown of a symbol, by its path in the file (`Class.method`). */
  readonly astMask: Readonly<Record<string, MaskMode>>;
  readonly customSlices: readonly CustomSlice[];
  /** When a model last got it: seconds since 1970, as on disk; `undefined` for never. */
  readonly injectedAt: number | undefined;
  /** Keys of other versions, written back as they were read. */
  readonly unknown: JsonObject;

  constructor(fields: FileItemFields) {
    this.path = fields.path;
    this.autoAggregate = fields.autoAggregate ?? true;
    this.forceFull = fields.forceFull ?? false;
    this.viewMode = fields.viewMode ?? 'full';
    this.selected = fields.selected ?? false;
    this.astSignatures = fields.astSignatures ?? false;
    this.astDefinitions = fields.astDefinitions ?? false;
    this.astMask = Object.freeze({ ...fields.astMask });
    this.customSlices = Object.freeze((fields.customSlices ?? []).map(normaliseSlice));
    this.injectedAt = fields.injectedAt;
    this.unknown = Object.freeze(pick(fields.unknown ?? {}, (key) => !KEYS.has(key)));
  }

  /** The same item with some fields replaced. */
  with(fields: Partial<FileItemFields>): FileItem {
    return new FileItem({ ...this, ...fields });
  }

  toDict(): FileItemDict {
    return {
      path: this.path,
      auto_aggregate: this.autoAggregate,
      force_full: this.forceFull,
      view_mode: this.viewMode,
      selected: this.selected,
      ast_signatures: this.astSignatures,
      ast_definitions: this.astDefinitions,
      ast_mask: this.astMask,
      custom_slices: this.customSlices,
      injected_at: this.injectedAt ?? null,
      ...this.unknown,
    };
  }

  /**
   * Reads what was stored; a text is the path of an item with defaults. What is not of its type is the default, with a
   * warning; unknown keys are kept. Never throws.
   *
   * @returns `undefined`, with a warning, when there is no path
   */
  static fromDict(value: unknown, warn: Warn = () => {}): FileItem | undefined {
    const dict = typeof value === 'string' ? { path: value } : value;
    if (!isObject(dict) || !isPath(dict.path)) {
      warn({ key: '', message: 'has no path; the file is left out.' });
      return undefined;
    }
    const flag = (key: string, fallback: boolean): boolean =>
      read(dict, key, isBoolean, 'neither true nor false', warn) ?? fallback;
    return new FileItem({
      path: dict.path,
      autoAggregate: flag('auto_aggregate', true),
      forceFull: flag('force_full', false),
      viewMode: read(dict, 'view_mode', isViewMode, `none of ${VIEW_MODES.join(', ')}`, warn),
      selected: flag('selected', false),
      astSignatures: flag('ast_signatures', false),
      astDefinitions: flag('ast_definitions', false),
      astMask: parseMask(dict, below(warn, 'ast_mask')),
      customSlices: parseSlices(dict, below(warn, 'custom_slices')),
      injectedAt: read(dict, 'injected_at', isTime, 'no number of seconds', warn),
      unknown: unknownKeys(dict, KEYS, warn),
    });
  }
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isViewMode = (value: unknown): value is ViewMode => (VIEW_MODES as readonly unknown[]).includes(value);
const isMaskMode = (value: unknown): value is MaskMode => (MASK_MODES as readonly unknown[]).includes(value);
/** Beyond safe numbers TOML would have an integer that it cannot read back. */
const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/** A value of its type; `undefined` for any other, with a warning unless it is just not there (`null` in JSON). */
function read<T>(
  dict: JsonObject,
  key: string,
  isRight: (value: unknown) => value is T,
  wrong: string,
  warn: Warn,
): T | undefined {
  const value = own(dict, key);
  if (value === undefined || isRight(value)) return value;
  warn({ key, message: `is ${describeValue(value)}, which is ${wrong}; the default is used.` });
  return undefined;
}

function parseMask(dict: JsonObject, warn: Warn): Record<string, MaskMode> {
  const mask = read(dict, 'ast_mask', isObject, 'no table', (it) => warn({ ...it, key: '' })) ?? {};
  return pick(mask, (symbol, mode) => {
    if (isMaskMode(mode)) return true;
    const message = `is ${describeValue(mode)}, which is none of ${MASK_MODES.join(', ')}; it is left out.`;
    warn({ key: symbol, message });
    return false;
  }) as Record<string, MaskMode>;
}

function parseSlices(dict: JsonObject, warn: Warn): CustomSlice[] {
  const slices =
    read(dict, 'custom_slices', Array.isArray, 'no list', (it) => warn({ ...it, key: '' })) ?? [];
  return slices.flatMap((slice, at) => parseSlice(slice, below(warn, `[${at}]`)) ?? []);
}

/** `null` is what JSON has for nothing, and a name like `constructor` is no key of every table. */
const own = (dict: JsonObject, key: string): unknown =>
  Object.hasOwn(dict, key) ? (dict[key] ?? undefined) : undefined;
