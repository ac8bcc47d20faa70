import { isShallow, type JsonObject } from '../../base/text/json.ts';
import type { Warn } from './warning.ts';

/** The entries of a table that are chosen; also one that is called `__proto__`. */
export const pick = (table: JsonObject, choose: (key: string, value: unknown) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(table).filter(([key, value]) => choose(key, value)));

/** What other versions put beside the keys that are known. What is nested without end could not be written again. */
export const unknownKeys = (table: JsonObject, known: ReadonlySet<string>, warn: Warn): JsonObject =>
  pick(table, (key, value) => {
    if (known.has(key)) return false;
    if (isShallow(value)) return true;
    warn({ key, message: 'is nested too deep; it is left out.' });
    return false;
  });
