import type { Options } from 'yargs';
import type { Command, CommandPage, Completion, Flag } from './command.ts';

/** What the table of commands says before the command is loaded. */
interface Listed {
  readonly name: string;
  readonly describe: string;
  readonly aliases?: readonly string[];
  readonly takes?: string;
  readonly isHidden?: true;
}

const HELP: Flag = {
  name: 'help',
  short: 'h',
  describe: 'Show help',
  takesValue: false,
  completes: undefined,
};

/** A command as completions and the manual page show it. */
export function describeCommand(
  listed: Listed,
  { options, completes = {}, ...command }: Command,
): CommandPage {
  const flags = Object.entries(options).filter(([, { hidden }]) => !hidden);
  const positional = Object.keys(command.positionals ?? {})[0];
  return {
    name: listed.name,
    aliases: listed.aliases ?? [],
    describe: listed.describe,
    arguments: (listed.takes ?? '').replace(/\[(\w+)\]/g, '[<$1>]'),
    isHidden: listed.isHidden ?? false,
    flags: [...flags.map(([name, flag]) => toFlag(name, flag, completes[name])), HELP].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    ),
    completes: positional === undefined ? undefined : completes[positional],
  };
}

function toFlag(name: string, { type, alias, describe, description }: Options, completes?: Completion): Flag {
  return {
    name,
    short: [alias ?? []].flat().find((other) => other.length === 1),
    describe: describe || description || '',
    takesValue: type === 'string' || type === 'number',
    completes,
  };
}
