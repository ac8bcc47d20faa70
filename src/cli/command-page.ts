import type { Options } from 'yargs';
import {
  type Command,
  type CommandGroup,
  type CommandPage,
  type Completion,
  type Flag,
  isGroup,
  type Listed,
} from './command.ts';
import { COMMON_FLAGS } from './common-flags.ts';

/** A command as help, completions and the manual page show it. Loads those below it. */
export async function describeCommand(
  name: string,
  listed: Listed,
  node: Command | CommandGroup,
): Promise<CommandPage> {
  if (!isGroup(node)) return describeOne(name, listed, node);
  const below = Object.entries(node.commands);
  const commands = await Promise.all(
    below.map(async ([word, one]) => describeOne(`${name} ${word}`, one, await one.load())),
  );
  const bare = commands.find((one) => one.name === `${name} ${node.bare}`);
  const own = { ...describeOne(name, listed, { options: {}, run() {} }), flags: bare?.flags ?? COMMON_FLAGS };
  return {
    ...own,
    arguments: '[<command>]',
    completes: below.map(([word]) => word),
    commands,
    bare: node.bare,
  };
}

function describeOne(
  name: string,
  listed: Listed,
  { options, completes = {}, ...command }: Command,
): CommandPage {
  const flags = Object.entries(options).filter(([, { hidden }]) => !hidden);
  const positionals = Object.entries(command.positionals ?? {});
  const first = positionals[0]?.[0];
  return {
    name,
    aliases: listed.aliases ?? [],
    describe: listed.describe,
    arguments: renderTakes(listed.takes ?? ''),
    behind: listed.behind ? `[-- ${listed.behind}]` : '',
    isHidden: listed.isHidden ?? false,
    positionals: positionals.map(([word, { describe = '' }]) => ({ name: word, describe: describe || '' })),
    flags: [...flags.map(([flag, option]) => toFlag(flag, option, completes[flag])), ...COMMON_FLAGS].sort(
      (a, b) => (a.name < b.name ? -1 : 1),
    ),
    examples: command.examples ?? [],
    completes: first === undefined ? undefined : completes[first],
    completesBehind: command.completesBehind,
    commands: [],
  };
}

/** What a command takes, as people write it: `[<file>]` and `<id>...` for yargs' `[file]` and `<id..>`. */
export const renderTakes = (takes: string): string =>
  takes
    .replace(/\[(\w+)(\.\.)?\]/g, (_, word, many) => `[<${word}>${many ? '...' : ''}]`)
    .replace(/<(\w+)\.\.>/g, '<$1>...');

function toFlag(name: string, option: Options, completes: Completion | undefined): Flag {
  const { alias, describe, description, choices, default: preset } = option;
  const words = (choices as readonly string[] | undefined) ?? [];
  const text = describe || description || '';
  const isLong = words.length > FEW_CHOICES;
  return {
    name,
    short: [alias ?? []].flat().find((other) => other.length === 1),
    describe: `${text}${isLong ? `: ${words.join(', ')}` : ''}${preset === undefined ? '' : ` (default: ${preset})`}`,
    value: isLong ? '<value>' : words.length > 0 ? words.join('|') : placeholderOf(name, option, completes),
    completes: completes ?? (words.length > 0 ? words : undefined),
  };
}

const FEW_CHOICES = 4;

function placeholderOf(
  name: string,
  { type }: Options,
  completes: Completion | undefined,
): string | undefined {
  if (type === 'number') return '<n>';
  if (type !== 'string') return undefined;
  if (typeof completes === 'string') return `<${completes}>`;
  return completes ? `<${name}>` : '<value>';
}
