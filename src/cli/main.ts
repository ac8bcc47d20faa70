import yargs, { type Argv } from 'yargs';
import { EntireError } from '../base/errors.ts';
import { explainSystemError } from '../base/system-failure.ts';
import { type Cli, type Command, type CommandPage, UsageError } from './command.ts';
import { renderTakes } from './command-page.ts';
import { describeAll, describeOne, type Found, findCommand, listCommands } from './commands.ts';
import { COMMON_FLAGS, takeColour } from './common-flags.ts';
import { findMeant } from './did-you-mean.ts';
import { readValues, refuseValues, withValues } from './flag-values.ts';
import { renderCommandHelp } from './help/command-help.ts';
import { renderEnvironmentHelp, renderRootHelp } from './help/root-help.ts';
import { findManual } from './man/find.ts';
import { manualOf, readManual } from './man/text.ts';
import {
  comesFirst,
  HOOKS_GROUP,
  invalidUsage,
  missingArgument,
  missingValue,
  RUN_AGAIN,
  seeHelp,
  unknownArguments,
} from './messages.ts';
import { wishColour } from './ui/colour.ts';
import { plain, say, warn } from './ui/terminal.ts';
import { terminalWidth } from './ui/width.ts';

/** Runs the command line. Sets the exit code: 0, 1 for an expected failure, 2 for wrong usage, 70 for a bug. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = report(error); // `entire help | head -1` is no failure
  });
  try {
    await dispatch(argv[0] === '--version' ? ['version', ...argv.slice(1)] : argv);
  } catch (error) {
    process.exitCode = report(error);
  }
}

const isHelp = (word: string | undefined): boolean => word === '-h' || word === '--help';

async function dispatch(argv: readonly string[]): Promise<void> {
  const [first] = argv;
  if (first === undefined) return printHelp();
  if (first === 'hooks') return say(HOOKS_GROUP);
  if (isHelp(first)) return printHelp(argv.slice(1).filter((word) => !word.startsWith('-')));
  if (first.startsWith('-')) {
    const command = argv.find((word) => !word.startsWith('-'));
    const isKnown = listCommands().some(({ name }) => name === command);
    throw new UsageError(command && isKnown ? comesFirst(command, '') : unknownArguments(first));
  }
  const found = await findCommand(argv);
  const [given, words] = splitWords(found);
  const { rest: own, wish } = takeColour(given, found.name);
  wishColour(wish);
  const flags = own.slice(0, own.includes('--') ? own.indexOf('--') : own.length);
  if (flags.some(isHelp)) {
    const asked = flags.filter((word) => !word.startsWith('-'));
    return printHelp(found.name === 'help' && asked.length > 0 ? asked : found.name.split(' '));
  }
  refuseValues(flags, found);
  const cli: Cli = { commands: listCommands(), describeAll, printHelp, words };
  try {
    await parser(found, own).parseAsync([COMMAND, ...shieldArguments(own)]);
  } catch (parsed) {
    if (!(parsed instanceof Parsed)) throw parsed;
    await found.command.run(unshield(readValues(parsed.flags, found)), cli);
  }
}

/** What yargs is told that the command is called: it is found already, whatever its words are. */
const COMMAND = 'command';

/**
 * How flags get out of yargs: behind a handler that returns, yargs lays out the command's help, which takes 15 ms where there are
 * many flags, and which nobody sees.
 */
class Parsed {
  readonly flags: Readonly<Record<string, unknown>>;

  constructor(flags: Readonly<Record<string, unknown>>) {
    this.flags = flags;
  }
}

/** A command line, and what of it is for another program. */
function splitWords({ listed, rest }: Found): [own: readonly string[], words: readonly string[]] {
  const at = listed.behind !== undefined ? rest.indexOf('--') : -1;
  return at === -1 ? [rest, []] : [rest.slice(0, at), rest.slice(at + 1)];
}

/**
 * What stands behind `--` is an argument, whatever it begins with. yargs would leave it aside without a word, so it is
 * made a word that no option looks like: a NUL is in no argument.
 */
function shieldArguments(argv: readonly string[]): string[] {
  const at = argv.indexOf('--');
  return at === -1 ? [...argv] : [...argv.slice(0, at), ...argv.slice(at + 1).map((word) => `\0${word}`)];
}

const unshield = (flags: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(flags).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(unshieldOne) : unshieldOne(value),
    ]),
  );

const unshieldOne = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^\0/, '') : value;

function parser(found: Found, own: readonly string[]): Argv {
  const { name, listed, command } = found;
  return yargs()
    .locale('en')
    .detectLocale(false)
    .parserConfiguration({ 'boolean-negation': false })
    .version(false)
    .help(false)
    .strict()
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message, error) => {
      if (error && error.name !== 'YError') throw error; // what yargs says itself is about the command line
      throw new UsageError(inOurWords(message, own, found), name);
    })
    .command(
      `${COMMAND} ${listed.takes ?? ''}`.trim(),
      '',
      (context: Argv) => {
        for (const [key, positional] of Object.entries(command.positionals ?? {}))
          context.positional(key, positional);
        return context.options(withValues(command.options));
      },
      (flags) => {
        throw new Parsed(flags);
      },
    );
}

/** @param words of a command; `environment` for what is true of all; none for the list of commands */
async function printHelp(words: readonly string[] = []): Promise<void> {
  if (words.length === 0) return say(renderRootHelp(terminalWidth()));
  if (words.length === 1 && words[0] === 'environment') return say(renderEnvironmentHelp());
  if (words[0] === 'hooks') return say(HOOKS_GROUP);
  const page = await describeOne(words);
  say(renderCommandHelp(page, terminalWidth()));
  if (process.stdout.isTTY) sayManual(page);
}

/** Where there is more to read, for people alone. */
function sayManual({ name }: CommandPage): void {
  const program = process.versions.bun ? process.execPath : process.argv[1];
  const found = findManual(manualOf(name.split(' ')[0] as string), { env: process.env, program });
  if (found !== undefined) say(`\n${readManual(plain(found))}`);
}

/** Prints a failure in the form that fits it; returns the exit code. */
function report(error: unknown): number {
  if (error instanceof UsageError) {
    warn(`Error: ${invalidUsage(plain(error.message))}\nHint: ${plain(seeHelp(error.command))}`);
    return 2;
  }
  if (error instanceof EntireError) {
    warn(`Error: ${plain(error.message)}`);
    if (error.hint) warn(`Hint: ${plain(error.hint)}`);
    return error.code === 'BAD_FLAGS' ? 2 : 1;
  }
  const failure = explainSystemError(error);
  if (!failure || process.env.ENTIRE_DEBUG)
    warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
  if (!failure) return 70;
  warn(`Error: ${plain(failure.message)}\nHint: ${plain(`${failure.remedy} ${RUN_AGAIN}`)}`);
  return 1;
}

/** yargs counts the arguments that are missing, and names what it does not know without its dashes. */
function inOurWords(
  message: string,
  argv: readonly string[],
  { name, listed, command, below }: Found,
): string {
  const flags = [
    ...Object.entries(command.options).flatMap(([flag, { hidden }]) => (hidden ? [] : `--${flag}`)),
    ...COMMON_FLAGS.map((flag) => `--${flag.name}`),
  ];
  if (listed.takes !== undefined && message.startsWith('Not enough non-option arguments')) {
    // yargs takes the word behind a flag that it does not know for the flag's value.
    const strange = argv.find((word) => /^--./.test(word) && !isFlagOf(command, word));
    if (strange === undefined) return missingArgument(renderTakes(listed.takes));
    const [flag = strange] = strange.split('=');
    return unknownArguments(flag, findMeant(flag, flags));
  }
  const lacking = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  if (lacking !== undefined) return missingValue(lacking);
  const unknown = /^Unknown (?:argument|command)s?: (.+)$/.exec(message)?.[1];
  if (unknown === undefined) return message;
  const given = argv.map((word) => word.replace(/=.*$/s, ''));
  const words = unknown
    .split(', ')
    .flatMap((one) => given.find((word) => word.replace(/^--?/, '') === one) ?? []);
  const misplaced = words.find((word) => below.includes(word));
  if (misplaced !== undefined) return comesFirst(misplaced, name);
  const [only = unknown] = words;
  const meant = words.length === 1 && only.startsWith('--') ? findMeant(only, flags) : undefined;
  return unknownArguments(words.length > 0 ? words.join(', ') : unknown, meant);
}

/** Whether a command takes a word that begins with two dashes, hidden flags and other names of flags included. */
const isFlagOf = ({ options }: Command, word: string): boolean =>
  Object.entries(options).some(([flag, { alias }]) =>
    [flag, ...[alias ?? []].flat()].some((name) => word === `--${name}` || word.startsWith(`--${name}=`)),
  );
