import type { CommandPage, Flag } from './command.ts';
import { COMMON_FLAGS } from './common-flags.ts';
import { ABOUT, ENVIRONMENT, EXIT_CODES, FILES } from './messages.ts';

/**
 * The manual page `entire(1)` in roff, from the table of commands.
 *
 * @see https://man7.org/linux/man-pages/man7/man.7.html
 */
export function renderManPage(pages: readonly CommandPage[], version: string): string {
  return `${[
    `.TH ENTIRE 1 "" "entire ${roff(version)}" "User Commands"`,
    '.SH NAME',
    'entire \\- link the sessions of coding agents to git commits',
    '.SH SYNOPSIS',
    '.B entire',
    '.I command',
    '.RI [ flags ]',
    '.SH DESCRIPTION',
    roff(ABOUT),
    '.PP',
    `To begin, run ${bold('entire enable')} in a repository.`,
    '.SH COMMANDS',
    ...pages.filter(({ name }) => name !== FOR_INSTALLERS).flatMap(renderCommand),
    '.SH FLAGS OF EVERY COMMAND',
    ...COMMON_FLAGS.flatMap(renderFlag),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, text]) => item(bold(String(code)), text)),
    '.PP',
    'Hooks that agents and git call always exit with 0.',
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, text]) => item(bold(name), text)),
    '.SH FILES',
    ...FILES.flatMap(([name, text]) => item(`\\fI${roff(name)}\\fR`, text)),
    '.SH SEE ALSO',
    '.BR git (1),',
    '.BR git\\-interpret\\-trailers (1),',
    '.BR githooks (5)',
  ].join('\n')}\n`;
}

/** Nobody calls it by hand. */
const FOR_INSTALLERS = 'curl-bash-post-install';

function renderCommand({
  name,
  aliases,
  describe,
  arguments: args,
  flags,
  examples,
  commands,
}: CommandPage): string[] {
  const also = aliases.length > 0 ? ` Also: ${aliases.map((alias) => bold(alias)).join(', ')}.` : '';
  const own = commands.length > 0 ? [] : flags.filter(({ isCommon }) => !isCommon);
  return [
    '.SS',
    `entire ${roff(name)}${args ? ` ${roff(args)}` : ''}`,
    `${roff(describe)}.${also}`,
    ...own.flatMap(renderFlag),
    ...(examples.length > 0 ? ['.PP', '.nf', ...examples.map(roff), '.fi'] : []),
    ...commands.flatMap(renderCommand),
  ];
}

function renderFlag({ name, short, describe, value }: Flag): string[] {
  const spelt = [...(short ? [`-${short}`] : []), `--${name}`].map(bold).join(', ');
  return item(
    `${spelt}${value === undefined ? '' : ` \\fI${roff(value.replace(/[<>]/g, ''))}\\fR`}`,
    `${describe}.`,
  );
}

const item = (term: string, text: string): string[] => ['.TP', term, roff(text)];

const bold = (text: string): string => `\\fB${roff(text)}\\fR`;

/** A line of text: backslashes, dashes that are to stay dashes, and a control character at its start. */
const roff = (text: string): string =>
  text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/gm, '\\&$&');
