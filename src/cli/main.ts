import yargs, { type Argv } from 'yargs';
import { EntireError } from '../base/errors.ts';
import { explainSystemError } from '../base/system-failure.ts';
import { type Cli, type Command, type CommandPage, UsageError } from './command.ts';
import { describeCommand } from './command-page.ts';
import { findMeant } from './did-you-mean.ts';
import {
  DESCRIPTIONS,
  HOOKS_GROUP,
  invalidUsage,
  missingArgument,
  RUN_AGAIN,
  seeHelp,
  unknownArguments,
  unknownCommand,
} from './messages.ts';
import { renderEnvironmentHelp, renderRootHelp } from './root-help.ts';
import { plain, say, warn } from './ui/terminal.ts';

interface Entry {
  readonly aliases?: readonly string[];
  /** What stands behind the name, as yargs writes it: `<file>`, `[commit]`. */
  readonly takes?: string;
  /** Works, and is left out of the list of commands. */
  readonly isHidden?: true;
  /** What stands behind `--` is for another program. */
  readonly passesOn?: true;
  load(): Promise<Command>;
}

/** Every command people see, by name. Loaded when it is the one that runs. */
const COMMANDS: Readonly<Record<keyof typeof DESCRIPTIONS, Entry>> = {
  agent: {
    takes: '[action] [names..]',
    load: async () => (await import('./agent/command.ts')).agentCommand,
  },
  blame: { takes: '<file>', load: async () => (await import('./blame/command.ts')).blameCommand },
  clean: { load: async () => (await import('./clean/command.ts')).cleanCommand },
  completion: {
    takes: '<shell>',
    isHidden: true,
    load: async () => (await import('./completion/command.ts')).completionCommand,
  },
  context: {
    takes: '[action] [names..]',
    load: async () => (await import('./context/command.ts')).contextCommand,
  },
  'curl-bash-post-install': {
    isHidden: true,
    load: async () => (await import('./post-install/command.ts')).postInstallCommand,
  },
  disable: { load: async () => (await import('./disable/command.ts')).disableCommand },
  doctor: { load: async () => (await import('./doctor/command.ts')).doctorCommand },
  du: { load: async () => (await import('./du/command.ts')).duCommand },
  enable: {
    aliases: ['install'],
    load: async () => (await import('./enable/command.ts')).enableCommand,
  },
  explain: {
    takes: '[target]',
    load: async () => (await import('./explain/command.ts')).explainCommand,
  },
  fetch: { takes: '[remote]', load: async () => (await import('./fetch/command.ts')).fetchCommand },
  files: { load: async () => (await import('./files/command.ts')).filesCommand },
  forget: { takes: '<what>', load: async () => (await import('./forget/command.ts')).forgetCommand },
  gc: { load: async () => (await import('./gc/command.ts')).gcCommand },
  help: { takes: '[command]', load: async () => (await import('./help/command.ts')).helpCommand },
  pause: { load: async () => (await import('./pause/command.ts')).pauseCommand },
  push: { takes: '[remote]', load: async () => (await import('./push/command.ts')).pushCommand },
  redo: { load: async () => (await import('./undo/command.ts')).redoCommand },
  resume: {
    takes: '[target]',
    passesOn: true,
    load: async () => (await import('./resume/command.ts')).resumeCommand,
  },
  reset: { load: async () => (await import('./reset/command.ts')).resetCommand },
  rewind: { load: async () => (await import('./rewind/command.ts')).rewindCommand },
  scrub: { load: async () => (await import('./scrub/command.ts')).scrubCommand },
  session: {
    takes: '[action] [names..]',
    passesOn: true,
    load: async () => (await import('./session/command.ts')).sessionCommand,
  },
  status: { load: async () => (await import('./status/command.ts')).statusCommand },
  undo: { load: async () => (await import('./undo/command.ts')).undoCommand },
  verify: { load: async () => (await import('./verify/command.ts')).verifyCommand },
  version: { load: async () => (await import('./version/command.ts')).versionCommand },
  why: { takes: '[commit]', load: async () => (await import('./why/command.ts')).whyCommand },
  worktree: {
    takes: '[action] [names..]',
    load: async () => (await import('./worktree/command.ts')).worktreeCommand,
  },
};

const describe = (name: string): string => DESCRIPTIONS[name as keyof typeof DESCRIPTIONS];

/** Every command with its flags, in the order of the table. Loads them all. */
export async function describeAll(): Promise<CommandPage[]> {
  const pages = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, { load, ...entry }]) =>
      describeCommand({ name, describe: describe(name), ...entry }, await load()),
    ),
  );
  const names = pages.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  return pages.map((page) => (page.completes === 'command' ? { ...page, completes: names } : page));
}

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

async function dispatch(argv: readonly string[]): Promise<void> {
  const [first] = argv;
  if (first === undefined) return printHelp();
  if (first === 'hooks') return say(HOOKS_GROUP);
  const isHelp = (word: string | undefined): boolean => word === '-h' || word === '--help';
  if (isHelp(first)) return printHelp(argv.slice(1).find((word) => !word.startsWith('-')));
  if (first === 'help' && isHelp(argv[1])) return printHelp();
  if (!first.startsWith('-')) await requireCommand(first);
  // With its help flag on, yargs takes the word `help` for that flag, and ours never runs.
  try {
    const [own, words] = splitWords(argv, COMMANDS[first as keyof typeof COMMANDS]?.passesOn ?? false);
    await parser(own, { withHelpFlag: first !== 'help', words }).parseAsync(shieldArguments(own));
  } catch (parsed) {
    if (!(parsed instanceof Parsed)) throw parsed;
    await parsed.run();
  }
}

/**
 * How a command gets out of yargs before it runs: behind a handler that returns, yargs lays out the command's help,
 * which takes 15 ms where there are many flags, and which nobody sees.
 */
class Parsed {
  readonly run: () => Promise<void>;

  constructor(run: () => Promise<void>) {
    this.run = run;
  }
}

/** A command line, and what of it is for another program. */
function splitWords(
  argv: readonly string[],
  passesOn: boolean,
): [own: readonly string[], words: readonly string[]] {
  const at = passesOn ? argv.indexOf('--') : -1;
  return at === -1 ? [argv, []] : [argv.slice(0, at), argv.slice(at + 1)];
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

interface ParserOptions {
  readonly withHelpFlag?: boolean;
  readonly words?: readonly string[];
}

function parser(argv: readonly string[], { withHelpFlag = true, words = [] }: ParserOptions = {}): Argv {
  const cli: Cli = {
    commands: Object.entries(COMMANDS)
      .filter(([, { isHidden }]) => !isHidden)
      .map(([name]) => ({ name, describe: describe(name) })),
    describeAll,
    printHelp,
    words,
  };
  const root = yargs()
    .scriptName('entire')
    .locale('en')
    .detectLocale(false)
    .parserConfiguration({ 'boolean-negation': false })
    .wrap(100)
    .version(false)
    .help(false)
    .strict()
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message, error) => {
      if (error) throw error;
      throw new UsageError(inOurWords(message, argv), argv[0]?.startsWith('-') ? undefined : argv[0]);
    });
  if (withHelpFlag) root.help('help').alias('help', 'h');
  for (const [name, { aliases = [], takes = '', load }] of Object.entries(COMMANDS)) {
    // Flags are known once the module is loaded, which only the chosen command is.
    root.command(
      [`${name} ${takes}`.trim(), ...aliases],
      describe(name),
      async (context: Argv) => {
        const { positionals = {}, options } = await load();
        for (const [key, positional] of Object.entries(positionals)) context.positional(key, positional);
        return context
          .usage(`$0 ${`${name} ${takes}`.trim()} [flags]\n\n${describe(name)}`)
          .epilogue('')
          .options(options);
      },
      (flags) => {
        throw new Parsed(async () => {
          const command = await load();
          return command.run(unshield(lastOfEach(flags, command)), cli);
        });
      },
    );
  }
  return root;
}

/** Of a flag that is given twice the last counts, unless it is one that takes several. */
function lastOfEach(
  flags: Readonly<Record<string, unknown>>,
  { options, positionals = {} }: Command,
): Record<string, unknown> {
  const takesMany = (key: string): boolean => (options[key] ?? positionals[key])?.array === true;
  const known = Object.keys({ ...options, ...positionals });
  const entries = Object.entries(flags).map(([key, value]) =>
    Array.isArray(value) && known.includes(key) && !takesMany(key) ? [key, value.at(-1)] : [key, value],
  );
  return Object.fromEntries(entries);
}

/** Of a command by way of the parser, so that it is what `--help` prints. */
async function printHelp(command?: string): Promise<void> {
  if (command === undefined) return say(renderRootHelp());
  if (command === 'environment') return say(renderEnvironmentHelp());
  await requireCommand(command);
  const argv = [command, '--help'];
  await parser(argv).parseAsync(argv);
}

async function requireCommand(name: string): Promise<void> {
  const known = Object.entries(COMMANDS).some(
    ([key, entry]) => key === name || entry.aliases?.includes(name),
  );
  if (known) return;
  const shown = Object.entries(COMMANDS).flatMap(([key, { isHidden }]) => (isHidden ? [] : key));
  throw new UsageError(unknownCommand(plain(name), findMeant(name, shown)));
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
function inOurWords(message: string, argv: readonly string[]): string {
  const takes = COMMANDS[argv[0] as keyof typeof COMMANDS]?.takes;
  if (takes !== undefined && message.startsWith('Not enough non-option arguments'))
    return missingArgument(takes);
  const unknown = /^Unknown (?:argument|command)s?: (.+)$/.exec(message)?.[1];
  if (unknown === undefined) return message;
  const given = argv.map((word) => word.replace(/=.*$/s, ''));
  const words = unknown
    .split(', ')
    .flatMap((name) => given.find((word) => word.replace(/^--?/, '') === name) ?? []);
  return unknownArguments(words.length > 0 ? words.join(', ') : unknown);
}
