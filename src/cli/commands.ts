import {
  type Command,
  type CommandGroup,
  type CommandPage,
  isGroup,
  type Listed,
  lastWord,
  UsageError,
} from './command.ts';
import { describeCommand } from './command-page.ts';
import { findMeant } from './did-you-mean.ts';
import { DESCRIPTIONS, unknownCommand } from './messages.ts';
import { plain } from './ui/terminal.ts';

type Entry = Omit<Listed, 'describe'> & { load(): Promise<Command | CommandGroup> };

/** Every command people see, by name. Loaded when it is the one that runs. */
const COMMANDS: Readonly<Record<keyof typeof DESCRIPTIONS, Entry>> = {
  agent: {
    load: async () => (await import('./agent/command.ts')).agentCommands,
  },
  blame: { takes: '<file>', load: async () => (await import('./blame/command.ts')).blameCommand },
  clean: { load: async () => (await import('./clean/command.ts')).cleanCommand },
  completion: {
    takes: '[shell]',
    isHidden: true,
    load: async () => (await import('./completion/command.ts')).completionCommand,
  },
  config: { load: async () => (await import('./config/command.ts')).configCommands },
  context: {
    load: async () => (await import('./context/command.ts')).contextCommands,
  },
  'curl-bash-post-install': {
    isHidden: true,
    load: async () => (await import('./post-install/command.ts')).postInstallCommand,
  },
  diff: {
    takes: '[what]',
    behind: '<path>...',
    load: async () => (await import('./diff/command.ts')).diffCommand,
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
  export: { takes: '[range]', load: async () => (await import('./export/command.ts')).exportCommand },
  fetch: { takes: '[remote]', load: async () => (await import('./fetch/command.ts')).fetchCommand },
  files: { takes: '[id]', load: async () => (await import('./files/command.ts')).filesCommand },
  forget: { takes: '<what>', load: async () => (await import('./forget/command.ts')).forgetCommand },
  gc: { load: async () => (await import('./gc/command.ts')).gcCommand },
  help: { takes: '[command..]', load: async () => (await import('./help/command.ts')).helpCommand },
  import: { takes: '[range]', load: async () => (await import('./import/command.ts')).importCommand },
  log: {
    takes: '[range]',
    behind: '<path>...',
    load: async () => (await import('./log/command.ts')).logCommand,
  },
  pause: { load: async () => (await import('./pause/command.ts')).pauseCommand },
  push: { takes: '[remote]', load: async () => (await import('./push/command.ts')).pushCommand },
  redo: { takes: '[id]', load: async () => (await import('./undo/command.ts')).redoCommand },
  relink: { takes: '[range]', load: async () => (await import('./relink/command.ts')).relinkCommand },
  resume: {
    takes: '[target]',
    behind: '<arg>...',
    load: async () => (await import('./resume/command.ts')).resumeCommand,
  },
  reset: { load: async () => (await import('./reset/command.ts')).resetCommand },
  rewind: { takes: '[point]', load: async () => (await import('./rewind/command.ts')).rewindCommand },
  scrub: { load: async () => (await import('./scrub/command.ts')).scrubCommand },
  search: {
    takes: '[words..]',
    behind: '',
    load: async () => (await import('./search/command.ts')).searchCommand,
  },
  session: {
    load: async () => (await import('./session/command.ts')).sessionCommands,
  },
  stats: {
    takes: '[range]',
    behind: '<path>...',
    load: async () => (await import('./stats/command.ts')).lineStatsCommand,
  },
  status: { load: async () => (await import('./status/command.ts')).statusCommand },
  statusline: {
    load: async () => (await import('./statusline/command.ts')).statuslineCommand,
  },
  undo: { takes: '[id]', load: async () => (await import('./undo/command.ts')).undoCommand },
  verify: { load: async () => (await import('./verify/command.ts')).verifyCommand },
  version: { load: async () => (await import('./version/command.ts')).versionCommand },
  why: { takes: '[commit]', load: async () => (await import('./why/command.ts')).whyCommand },
  worktree: {
    load: async () => (await import('./worktree/command.ts')).worktreeCommands,
  },
};

/** A command that a command line names, loaded. */
export interface Found {
  /** All of its words, aliases replaced: `session list`. Of a group alone its own word, and the command is what runs then. */
  readonly name: string;
  readonly listed: Listed;
  readonly command: Command;
  /** The words of the command line behind those of its name. */
  readonly rest: readonly string[];
  /** Words that would name a command below it; empty for a command that was named by all of its words. */
  readonly below: readonly string[];
}

/** The command that a command line begins with. @throws {UsageError} for none */
export async function findCommand(argv: readonly string[]): Promise<Found> {
  const [first = '', ...rest] = argv;
  const name = requireName(first);
  const { load, ...entry } = COMMANDS[name];
  const listed = { describe: DESCRIPTIONS[name], ...entry };
  const node = await load();
  if (!isGroup(node)) return { name, listed, command: node, rest, below: [] };
  const below = Object.keys(node.commands);
  const [word] = rest;
  if (word === undefined || word.startsWith('-')) {
    const bare = node.commands[node.bare] as CommandGroup['commands'][string];
    const { positionals: _, ...command } = await bare.load();
    const passing = bare.behind === undefined ? {} : { behind: bare.behind };
    return { name, listed: { ...listed, ...passing }, command, rest, below };
  }
  const chosen = Object.hasOwn(node.commands, word) && node.commands[word];
  if (!chosen) throw unknown(word, below, name);
  const own = { name: `${name} ${word}`, listed: chosen, command: await chosen.load() };
  return { ...own, rest: rest.slice(1), below: [] };
}

/** The page of a command by its words. @throws {UsageError} where there is none, or a word too many */
export async function describeOne(words: readonly string[]): Promise<CommandPage> {
  const [first = '', ...rest] = words;
  const name = requireName(first);
  const page = await describeEntry(name);
  return rest.reduce((found, word) => {
    const below = found.commands.find((one) => one.name === `${found.name} ${word}`);
    if (below) return below;
    throw unknown(word, found.commands.map(lastWord), found.name);
  }, page);
}

/** Every command with its flags, in the order of the table. Loads them all. */
export async function describeAll(): Promise<CommandPage[]> {
  const pages = await Promise.all(Object.keys(COMMANDS).map((name) => describeEntry(name as Name)));
  const names = [...pages.filter(({ isHidden }) => !isHidden).map(({ name }) => name), 'environment'];
  return pages.map((page) => (page.completes === 'command' ? { ...page, completes: names } : page));
}

/** Those that people see. */
export const listCommands = (): { readonly name: string; readonly describe: string }[] =>
  Object.entries(COMMANDS).flatMap(([name, { isHidden }]) =>
    isHidden ? [] : { name, describe: DESCRIPTIONS[name as Name] },
  );

type Name = keyof typeof DESCRIPTIONS;

async function describeEntry(name: Name): Promise<CommandPage> {
  const { load, ...entry } = COMMANDS[name];
  return describeCommand(name, { describe: DESCRIPTIONS[name], ...entry }, await load());
}

/** @throws {UsageError} for a word that is no command, nor another name of one */
function requireName(word: string): Name {
  const names = Object.keys(COMMANDS) as Name[];
  const name = names.find((one) => one === word || COMMANDS[one].aliases?.includes(word));
  if (name) return name;
  throw unknown(
    word,
    names.filter((one) => !COMMANDS[one].isHidden),
  );
}

/** @param known the words that could stand there @param above the command below which it was looked for */
const unknown = (word: string, known: readonly string[], above?: string): UsageError =>
  new UsageError(
    unknownCommand(plain(word), above === undefined ? 'entire' : `entire ${above}`, findMeant(word, known)),
    above,
  );
