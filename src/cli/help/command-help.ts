import { type CommandPage, type Flag, lastWord } from '../command.ts';
import { wrapLines } from '../ui/width.ts';

/** A line is no longer than this, however wide the terminal is: nobody reads longer ones. */
const MAX_WIDTH = 100;

/** `entire <command> --help`. @param width columns of the terminal; 80 where nobody tells */
export function renderCommandHelp(page: CommandPage, width = 80): string {
  const { name, describe, arguments: args, behind, aliases, positionals, flags, examples, commands } = page;
  const most = Math.min(width || 80, MAX_WIDTH);
  const also = aliases.length > 0 ? ` Also: ${aliases.map((alias) => `entire ${alias}`).join(', ')}.` : '';
  return [
    ['entire', name, args, '[flags]', behind].filter(Boolean).join(' '),
    wrapLines(`${describe}.${also}`, most),
    ...section(
      'Commands',
      commands.map((one) => [withArguments(one), one.describe]),
      most,
    ),
    ...section(
      'Arguments',
      positionals.map((one) => [one.name, one.describe]),
      most,
    ),
    ...section('Flags', flags.filter(({ isCommon }) => !isCommon).map(rowOf), most),
    ...section('Flags of every command', flags.filter(({ isCommon }) => isCommon).map(rowOf), most),
    ...(examples.length > 0 ? [`Examples:\n${examples.map((line) => `  ${line}`).join('\n')}`] : []),
    ...(commands.length > 0 ? [`More: \`entire help ${name} <command>\`.`] : []),
  ].join('\n\n');
}

type Row = readonly [name: string, text: string];

const rowOf = (flag: Flag): Row => [spellFlag(flag), flag.describe];

const withArguments = (page: CommandPage): string =>
  [lastWord(page), page.arguments].filter(Boolean).join(' ');

const spellFlag = ({ name, short, value }: Flag): string =>
  `${short ? `-${short}, ` : '    '}--${name}${value === undefined ? '' : ` ${value}`}`;

const section = (title: string, rows: readonly Row[], width: number): string[] =>
  rows.length > 0 ? [`${title}:\n${renderRows(rows, width)}`] : [];

/** A name wider than this has its text below it. */
const MAX_NAME = 28;

function renderRows(rows: readonly Row[], width: number): string {
  const indent = Math.min(MAX_NAME, Math.max(...rows.map(([name]) => name.length))) + 4;
  const lines = rows.flatMap(([name, text]) => {
    const [first = '', ...rest] = wrapLines(text, width - indent).split('\n');
    const head = `  ${name}`;
    const begin =
      head.length + 2 > indent ? [head, ' '.repeat(indent) + first] : [head.padEnd(indent) + first];
    return [...begin, ...rest.map((line) => ' '.repeat(indent) + line)];
  });
  return lines.join('\n');
}
