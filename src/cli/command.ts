import type { InferredOptionTypes, Options, PositionalOptions } from 'yargs';

/** What a shell offers for the value of a flag or argument: words, or the names of what there is. */
export type Completion = readonly string[] | 'file' | 'commit' | 'command';

/** A command as completions and the manual page show it. */
export interface CommandPage {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly describe: string;
  /** As in a usage line: `[<commit>]`. Empty where the command takes none. */
  readonly arguments: string;
  /** Left out of the list of commands. */
  readonly isHidden: boolean;
  /** Those people may use, help included, by name. */
  readonly flags: readonly Flag[];
  /** What completes its arguments. */
  readonly completes: Completion | undefined;
}

export interface Flag {
  readonly name: string;
  readonly short: string | undefined;
  readonly describe: string;
  readonly takesValue: boolean;
  readonly completes: Completion | undefined;
}

/** What a command may know of the command line it belongs to. */
export interface Cli {
  readonly commands: readonly { readonly name: string; readonly describe: string }[];
  /** Loads every command and describes it. */
  describeAll(): Promise<CommandPage[]>;
  /** Prints the help of one command, or of all, on stdout. @throws {UsageError} for an unknown name */
  printHelp(command?: string): Promise<void>;
  /** What stands behind `--`, where the command passes that on to another program. */
  readonly words: readonly string[];
}

/** One command: the flags it takes, and what it does with them. */
export interface Command {
  readonly positionals?: Readonly<Record<string, PositionalOptions>>;
  readonly options: Readonly<Record<string, Options>>;
  /** By flag or argument: what a shell offers for its value. */
  readonly completes?: Readonly<Record<string, Completion>>;
  run(flags: Readonly<Record<string, unknown>>, cli: Cli): Promise<void> | void;
}

/** Infers the flags of `run` from the tables. Every command file exports one of these. */
export function defineCommand<
  const O extends Record<string, Options>,
  const P extends Record<string, PositionalOptions> = Record<never, never>,
>(command: {
  readonly positionals?: P;
  readonly options: O;
  readonly completes?: { readonly [name in keyof O | keyof P]?: Completion };
  run(flags: InferredOptionTypes<O> & InferredOptionTypes<P>, cli: Cli): Promise<void> | void;
}): Command {
  return command as unknown as Command;
}

/** Wrong usage; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Whose help tells more. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}

/** Flags by the action of a command that takes them. */
export type ActionFlags<Action extends string = string> = Readonly<Record<Action, readonly string[]>>;

/** Whether a word is one of the actions of a table. */
export const isActionOf = <Action extends string>(table: ActionFlags<Action>, word: string): word is Action =>
  Object.hasOwn(table, word);

/** A flag that was given and is for other actions alone, in a sentence; `undefined` where there is none. */
export function foreignFlag<Action extends string>(
  table: ActionFlags<Action>,
  action: Action,
  flags: Readonly<Record<string, unknown>>,
): string | undefined {
  const known = new Set(Object.values<readonly string[]>(table).flat());
  const wrong = [...known].find((flag) => flags[flag] !== undefined && !table[action].includes(flag));
  return wrong === undefined ? undefined : `--${wrong} is not for ${action}`;
}
