import { ABOUT, DESCRIPTIONS, ENVIRONMENT, EXIT_CODES, FILES } from '../messages.ts';
import { wrapLines } from '../ui/width.ts';

type CommandName = keyof typeof DESCRIPTIONS;

/** The commands in the order in which somebody comes to need them. One that stands nowhere here is not shown. */
export const GROUPS: readonly { readonly title: string; readonly commands: readonly CommandName[] }[] = [
  { title: 'Every day', commands: ['enable', 'disable', 'status', 'statusline', 'config', 'agent', 'pause'] },
  { title: 'Understand', commands: ['log', 'diff', 'search', 'why', 'blame', 'stats', 'explain', 'files'] },
  { title: 'Go back', commands: ['undo', 'redo', 'rewind'] },
  { title: 'Sessions', commands: ['session', 'resume', 'worktree', 'context'] },
  { title: 'Share', commands: ['push', 'fetch', 'export', 'import'] },
  {
    title: 'Upkeep',
    commands: [
      'doctor',
      'verify',
      'relink',
      'du',
      'gc',
      'clean',
      'scrub',
      'forget',
      'reset',
      'version',
      'help',
    ],
  },
];

/** At the top it costs no blank line: the list has as many as two screens take. */
const MORE = 'More: `entire help <command>`. Variables and files: `entire help environment`.';

/** Two that people think of together stand on one line. */
const PAIRS: Partial<Readonly<Record<CommandName, { readonly with: CommandName; readonly text: string }>>> = {
  du: { with: 'gc', text: 'Show disk usage; delete undo data no longer needed' },
  enable: { with: 'disable', text: 'Set up Entire in this repository, or turn it off here' },
  export: { with: 'import', text: 'Export who wrote which lines for other tools, or import it' },
  push: { with: 'fetch', text: 'Push checkpoints to a remote, or fetch and merge them' },
  undo: { with: 'redo', text: 'Take back the last turn of an agent, or bring it back' },
};
const SECOND = Object.values(PAIRS).map((pair) => pair.with);

function rowOf(name: CommandName): Row {
  const pair = PAIRS[name];
  return pair ? [`${name}, ${pair.with}`, pair.text] : [name, DESCRIPTIONS[name]];
}

type Row = readonly [name: string | number, text: string];

const widthOf = (rows: readonly Row[]): number => Math.max(...rows.map(([name]) => `${name}`.length)) + 2;

const renderRows = (rows: readonly Row[], width = widthOf(rows)): string =>
  rows.map(([name, text]) => `  ${`${name}`.padEnd(width)}${text}`).join('\n');

/** What `entire` prints alone, and `entire help`: no line is longer than 80 characters. @param columns of the terminal */
export function renderRootHelp(columns = 80): string {
  const groups = GROUPS.map(({ title, commands }) => ({
    title,
    rows: commands.filter((name) => !SECOND.includes(name)).map(rowOf),
  }));
  const width = widthOf(groups.flatMap(({ rows }) => rows));
  const help = [
    `entire <command> [flags]\n${ABOUT} Begin with \`entire enable\`.\n${MORE}`,
    ...groups.map(({ title, rows }) => `${title}:\n${renderRows(rows, width)}`),
  ].join('\n\n');
  return wrapLines(help, Math.min(columns, 80));
}

/** `entire help environment`: what is true of all commands. */
export const renderEnvironmentHelp = (): string =>
  [
    `Environment variables:\n${renderRows(ENVIRONMENT)}`,
    `Files:\n${renderRows(FILES)}`,
    `Exit codes:\n${renderRows(EXIT_CODES)}`,
  ].join('\n\n');
