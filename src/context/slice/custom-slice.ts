import { isObject, isShallow } from '../../base/text/json.ts';
import { describeValue, type Warn } from '../config/warning.ts';

/** Some lines of a file that a person chose, as on disk; `FuzzyAnchor` adds what finds them again. Unknown keys are kept. */
export interface CustomSlice {
  /** The first line, counted from 1. */
  readonly start_line: number;
  /** The last line, which belongs to the slice. */
  readonly end_line: number;
  readonly tag: string | null;
  readonly comment: string | null;
  readonly [key: string]: unknown;
}

/** A slice before its defaults. */
export interface CustomSliceFields {
  readonly start_line: number;
  readonly end_line: number;
  readonly tag?: string | null | undefined;
  readonly comment?: string | null | undefined;
  readonly [key: string]: unknown;
}

/** A slice with `tag` and `comment`, which are `null` where they were not given. */
export const normaliseSlice = (slice: CustomSliceFields): CustomSlice =>
  Object.freeze({ ...slice, tag: slice.tag ?? null, comment: slice.comment ?? null });

/** A slice as it was stored; `undefined`, with a warning, when it names no lines. Never throws. */
export function parseSlice(value: unknown, warn: Warn): CustomSlice | undefined {
  if (!isObject(value) || !isShallow(value) || !isRange(value.start_line, value.end_line)) {
    const message =
      'needs whole numbers `start_line` (from 1) and `end_line` (not before it); the slice is left out.';
    warn({ key: '', message });
    return undefined;
  }
  const label = (key: 'tag' | 'comment'): string | null => {
    const text = value[key] ?? null;
    if (text === null || typeof text === 'string') return text;
    warn({ key, message: `is ${describeValue(text)}, which is not a text; none is used.` });
    return null;
  };
  const { start_line, end_line } = value as { start_line: number; end_line: number };
  return normaliseSlice({ ...value, start_line, end_line, tag: label('tag'), comment: label('comment') });
}

const isRange = (start: unknown, end: unknown): boolean =>
  Number.isSafeInteger(start) &&
  Number.isSafeInteger(end) &&
  (start as number) >= 1 &&
  (end as number) >= (start as number);
