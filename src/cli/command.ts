import type { InferredOptionTypes, Options, PositionalOptions } from 'yargs';

/** What a command may know of the command line it belongs to. */
export interface Cli {
  readonly commands: readonly { readonly name: string; readonly describe: string }[];
  /** Prints the help of one command, or of all, on stdout. @throws {UsageError} for an unknown name */
  printHelp(command?: string): Promise<void>;
}

/** One command: the flags it takes, and what it does with them. */
export interface Command {
  readonly positionals?: Readonly<Record<string, PositionalOptions>>;
  readonly options: Readonly<Record<string, Options>>;
  run(flags: Readonly<Record<string, unknown>>, cli: Cli): Promise<void> | void;
}

/** Infers the flags of `run` from the tables. Every command file exports one of these. */
export function defineCommand<
  const O extends Record<string, Options>,
  const P extends Record<string, PositionalOptions> = Record<never, never>,
>(command: {
  readonly positionals?: P;
  readonly options: O;
  run(flags: InferredOptionTypes<O> & InferredOptionTypes<P>, cli: Cli): Promise<void> | void;
}): Command {
  return command as unknown as Command;
}

/** Wrong usage: printed below the usage of the command that was meant; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly usage: string;

  constructor(message: string, usage: string) {
    super(message);
    this.usage = usage;
  }
}
