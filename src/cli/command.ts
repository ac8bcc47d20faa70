import type { InferredOptionTypes, Options, PositionalOptions } from 'yargs';

/**
 * What a shell offers for the value of a flag or argument: words, or the names of what there is. `point`: what `entire rewind --to` takes;
 * `turn`: a session, or a turn as `<session>:<n>`; `target`: a commit or a session; `what`: any of these.
 */
export type Completion =
  | readonly string[]
  | 'file'
  | 'commit'
  | 'command'
  | 'session'
  | 'turn'
  | 'point'
  | 'target'
  | 'what';

/** By a word that stands on the command line: what a shell offers behind it. */
export type CompletionBehind = Readonly<Record<string, readonly string[]>>;

/** A command as help, completions and the manual page show it. */
export interface CommandPage {
  /** All of its words: `session list`. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly describe: string;
  /** As in a usage line: `[<commit>]`. Empty where the command takes none. */
  readonly arguments: string;
  /** As in a usage line, behind the flags: `[-- <path>...]`. Empty where nothing stands there. */
  readonly behind: string;
  /** Left out of the list of commands. */
  readonly isHidden: boolean;
  /** What its arguments are, by name. */
  readonly positionals: readonly { readonly name: string; readonly describe: string }[];
  /** Those people may use, help included, by name. */
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
  /** What completes its arguments. */
  readonly completes: Completion | undefined;
  readonly completesBehind?: CompletionBehind | undefined;
  /** Those below it, in the order of their table. */
  readonly commands: readonly CommandPage[];
  /** The last word of the one below it that runs where none is named. */
  readonly bare?: string;
}

/** What a command is called among those beside it: `list` of `session list`. */
export const lastWord = ({ name }: Pick<CommandPage, 'name'>): string =>
  name.slice(name.lastIndexOf(' ') + 1);

export interface Flag {
  readonly name: string;
  readonly short: string | undefined;
  readonly describe: string;
  /** What stands for its value in a usage line, as `<commit>`; `undefined` for a flag without one. */
  readonly value: string | undefined;
  readonly completes: Completion | undefined;
  /** Every command takes it. */
  readonly isCommon?: true;
}

/** What a command may know of the command line it belongs to. */
export interface Cli {
  readonly commands: readonly { readonly name: string; readonly describe: string }[];
  /** Loads every command and describes it. */
  describeAll(): Promise<CommandPage[]>;
  /** Prints the help of one command, by its words, or of all, on stdout. @throws {UsageError} for an unknown name */
  printHelp(words?: readonly string[]): Promise<void>;
  /** What stands behind `--`, where the command passes that on to another program. */
  readonly words: readonly string[];
}

/** One command: the flags it takes, and what it does with them. */
export interface Command {
  readonly positionals?: Readonly<Record<string, PositionalOptions>>;
  readonly options: Readonly<Record<string, Options>>;
  /** By flag or argument: what a shell offers for its value. */
  readonly completes?: Readonly<Record<string, Completion>>;
  readonly completesBehind?: CompletionBehind;
  /** Command lines as people type them. */
  readonly examples?: readonly string[];
  run(flags: Readonly<Record<string, unknown>>, cli: Cli): Promise<void> | void;
}

/** What is known of a command before it is loaded. */
export interface Listed {
  readonly describe: string;
  readonly aliases?: readonly string[];
  /** What stands behind the name, as yargs writes it: `<file>`, `[commit]`. */
  readonly takes?: string;
  /** Works, and is left out of the list of commands. */
  readonly isHidden?: true;
  /** What stands behind `--` is told apart: for another program, or the files that a list is about. As in a usage line; empty for neither. */
  readonly behind?: '<path>...' | '<arg>...' | '';
}

/** Commands that have a first word in common, as `session list` and `session show`. */
export interface CommandGroup {
  /** The one that runs where none is named. */
  readonly bare: string;
  readonly commands: Readonly<Record<string, Listed & { load(): Promise<Command> }>>;
}

export const isGroup = (node: Command | CommandGroup): node is CommandGroup => 'bare' in node;

export const defineGroup = <Name extends string>(group: {
  readonly bare: NoInfer<Name>;
  readonly commands: Readonly<Record<Name, CommandGroup['commands'][string]>>;
}): CommandGroup => group;

/** Infers the flags of `run` from the tables. Every command file exports one of these. */
export function defineCommand<
  const O extends Record<string, Options>,
  const P extends Record<string, PositionalOptions> = Record<never, never>,
>(command: {
  readonly positionals?: P;
  readonly options: O;
  readonly completes?: { readonly [name in keyof O | keyof P]?: Completion };
  readonly completesBehind?: CompletionBehind;
  readonly examples?: readonly string[];
  run(flags: InferredOptionTypes<O> & InferredOptionTypes<P>, cli: Cli): Promise<void> | void;
}): Command {
  return command as unknown as Command;
}

/** The flags that a table describes, as a command gets them. */
export type FlagsOf<O extends Record<string, Options>> = InferredOptionTypes<O>;

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
