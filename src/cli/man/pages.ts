import type { CommandPage, Flag } from '../command.ts';
import { GROUPS } from '../help/root-help.ts';
import { ABOUT, ENVIRONMENT, EXIT_CODES, FILES } from '../messages.ts';
import { bold, code, italic, item, literal, prose, references, roff, section, title, usage } from './roff.ts';
import { BEGIN, HOOKS_EXIT, manualOf, OTHERS, RELATED, withoutCommand } from './text.ts';

/** Which release the pages are of. */
export interface Edition {
  readonly version: string;
  /** `2026-01-31` */
  readonly date: string;
}

/** Nobody calls it by hand. */
const FOR_INSTALLERS = 'curl-bash-post-install';

/** The manual in roff, by name of the file: `entire.1`, and a page for each command, those below one on its page. */
export function renderManual(pages: readonly CommandPage[], edition: Edition): ReadonlyMap<string, string> {
  const shown = pages.filter(({ name }) => name !== FOR_INSTALLERS);
  return new Map([
    ['entire.1', renderOverview(shown, edition)],
    ...shown.map((page): [string, string] => [`${manualOf(page.name)}.1`, renderPage(page, edition)]),
  ]);
}

function renderOverview(pages: readonly CommandPage[], edition: Edition): string {
  const grouped = new Set<string>(GROUPS.flatMap(({ commands }) => commands));
  const others = pages.filter(({ name }) => !grouped.has(name)).map(({ name }) => name);
  const groups = [...GROUPS, ...(others.length > 0 ? [{ title: OTHERS, commands: others }] : [])];
  const describe = (name: string): string[] =>
    pages
      .filter((page) => page.name === name)
      .flatMap((page) => item(`.BR ${code(manualOf(name))} (1)`, `${page.describe}.`));
  return page([
    title('entire', edition.version, edition.date),
    ...section('NAME', ['entire \\- link the sessions of coding agents to git commits']),
    ...section('SYNOPSIS', [`${bold('entire')} ${usage('<command> [<flags>]')}`]),
    ...section('DESCRIPTION', [prose(ABOUT), '.PP', prose(BEGIN)]),
    ...section(
      'COMMANDS',
      groups.flatMap((group) => [`.SS ${roff(group.title)}`, ...group.commands.flatMap(describe)]),
    ),
    ...trueOfAll(['.PP', prose(HOOKS_EXIT)]),
    ...section(
      'SEE ALSO',
      references([
        ['git', 1],
        ['githooks', 5],
        ['git-interpret-trailers', 1],
      ]),
    ),
  ]);
}

function renderPage(command: CommandPage, edition: Edition): string {
  const { name, aliases, describe, commands, bare } = command;
  const also = aliases.length > 0 ? ` Also: ${aliases.map((one) => `\`entire ${one}\``).join(', ')}.` : '';
  const all = commands.length > 0 ? commands : [command];
  const examples = [command, ...commands].flatMap((one) => one.examples);
  return page([
    title(manualOf(name), edition.version, edition.date),
    ...section('NAME', [prose(`${manualOf(name)} - ${lowered(describe)}`)]),
    ...section(
      'SYNOPSIS',
      [...(bare === undefined ? [] : [command]), ...all].flatMap((one, index) => [
        ...(index > 0 ? ['.br'] : []),
        synopsis(one),
      ]),
    ),
    ...section('DESCRIPTION', [
      prose(`${describe}.${also}`),
      ...(bare === undefined ? [] : ['.PP', prose(withoutCommand(name, bare))]),
    ]),
    ...(commands.length > 0
      ? section('COMMANDS', commands.flatMap(renderBelow))
      : section('OPTIONS', renderOptions(command))),
    ...section('EXAMPLES', examples.length > 0 ? literal(examples) : []),
    ...trueOfAll(),
    ...section('SEE ALSO', references(related(name))),
  ]);
}

const renderBelow = (command: CommandPage): string[] => [
  `.SS ${usage(['entire', command.name, command.arguments].filter(Boolean).join(' '))}`,
  prose(`${command.describe}.`),
  ...renderOptions(command),
];

const renderOptions = ({ positionals, flags }: CommandPage): string[] => [
  ...positionals.flatMap(({ name, describe }) => item(italic(name), describe === '' ? '' : `${describe}.`)),
  ...flags.flatMap(renderFlag),
];

function renderFlag({ name, short, describe, value }: Flag): string[] {
  const spelt = [...(short ? [`-${short}`] : []), `--${name}`].map(bold).join(', ');
  const filled = value === undefined ? '' : ` ${italic(value.replace(/[<>]/g, ''))}`;
  return item(`${spelt}${filled}`, `${describe}.`);
}

function synopsis({ name, arguments: args, behind, commands }: CommandPage): string {
  const takes = commands.length > 0 ? '' : args;
  return [bold(`entire ${name}`), ...[takes, '[<flags>]', behind].filter(Boolean).map(usage)].join(' ');
}

const trueOfAll = (exit: readonly string[] = []): string[] => [
  ...section('EXIT STATUS', [
    ...EXIT_CODES.flatMap(([number, text]) => item(bold(String(number)), text)),
    ...exit,
  ]),
  ...section(
    'ENVIRONMENT',
    ENVIRONMENT.flatMap(([name, text]) => item(bold(name), text)),
  ),
  ...section(
    'FILES',
    FILES.flatMap(([name, text]) => item(italic(name), text)),
  ),
];

/** The overview, those that stand beside it there, and what git has. */
function related(name: string): [string, number][] {
  const beside = GROUPS.find(({ commands }) => commands.some((one) => one === name))?.commands ?? [];
  const ours = beside.filter((one) => one !== name).map((one): [string, number] => [manualOf(one), 1]);
  const gits = (RELATED[name] ?? []).map((one): [string, number] => [one, 1]);
  return [['entire', 1], ...ours, ...gits];
}

/** As the part of a name line begins, by which `apropos` finds it. */
const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const page = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
