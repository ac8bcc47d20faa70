import type { Options } from 'yargs';
import { type Command, UsageError } from './command.ts';
import type { Found } from './commands.ts';
import { noNumber, noValue, wrongValue } from './messages.ts';
import { plain } from './ui/terminal.ts';

/**
 * A switch with a value that is none of its two: yargs takes it for off, and `--dry-run=yes` would do what it was to show.
 *
 * @throws {UsageError}
 */
export function refuseValues(words: readonly string[], { name, command }: Found): void {
  for (const [flag, { type, alias }] of Object.entries(command.options)) {
    if (type !== 'boolean') continue;
    const spelt = [flag, ...[alias ?? []].flat()].map((one) => (one.length === 1 ? `-${one}=` : `--${one}=`));
    const given = words.find((word) => spelt.some((one) => word.startsWith(one)));
    if (given !== undefined && !/=(true|false)$/.test(given)) throw new UsageError(noValue(flag), name);
  }
}

/** A flag that has a value is not taken for one without where the value is forgotten; one of several words takes one word each time. */
export const withValues = (options: Readonly<Record<string, Options>>): Record<string, Options> =>
  Object.fromEntries(
    Object.entries(options).map(([name, { choices, ...option }]) => {
      if (choices && option.array) return [name, { ...option, type: 'string', nargs: 1 }];
      const hasValue = option.type === 'string' || option.type === 'number' || choices;
      return [name, hasValue ? { requiresArg: true, ...(choices && { type: 'string' }), ...option } : option];
    }),
  );

type Flags = Readonly<Record<string, unknown>>;

/** What yargs made of the values, as a command gets them. @throws {UsageError} for one that a flag does not take */
export function readValues(flags: Flags, { name, command }: Found): Record<string, unknown> {
  refuseNoNumbers(flags, name, command);
  const read = Object.fromEntries(
    Object.entries(lastOfEach(flags, command)).map(([key, value]) => {
      const { choices, array } = command.options[key] ?? {};
      return [key, choices && array ? splitList(value) : value];
    }),
  );
  for (const [flag, { choices }] of Object.entries(command.options)) {
    const known = choices as readonly string[] | undefined;
    const wrong = known && [read[flag] ?? []].flat().find((word) => !known.includes(String(word)));
    if (known && wrong !== undefined)
      throw new UsageError(wrongValue(flag, plain(String(wrong)), known), name);
  }
  return read;
}

/** `a,b` is two values. */
const splitList = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.flatMap((one) =>
        String(one)
          .split(',')
          .map((word) => word.trim()),
      )
    : value;

/** yargs makes NaN of what is no number. @throws {UsageError} */
function refuseNoNumbers(flags: Flags, name: string, { options }: Command): void {
  const isNoNumber = (value: unknown): boolean => [value].flat().some(Number.isNaN);
  const wrong = Object.entries(options).find(
    ([flag, { type }]) => type === 'number' && isNoNumber(flags[flag]),
  );
  if (wrong) throw new UsageError(noNumber(wrong[0]), name);
}

/** Of a flag that is given twice the last counts, unless it is one that takes several. */
function lastOfEach(flags: Flags, { options, positionals = {} }: Command): Record<string, unknown> {
  const takesMany = (key: string): boolean => (options[key] ?? positionals[key])?.array === true;
  const known = Object.keys({ ...options, ...positionals });
  const entries = Object.entries(flags).map(([key, value]) =>
    Array.isArray(value) && known.includes(key) && !takesMany(key) ? [key, value.at(-1)] : [key, value],
  );
  return Object.fromEntries(entries);
}
