import { join } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { counted } from '../../base/text/text.ts';
import { computeFileStats } from '../../context/aggregate/file-stats.ts';
import { readFileForContext } from '../../context/aggregate/read-file.ts';
import { isHistoryFile, resolvePaths, shownPath } from '../../context/aggregate/resolve-paths.ts';
import { renderWarning } from '../../context/config/warning.ts';
import { VIEW_MODES } from '../../context/file-item.ts';
import { ContextPresetManager } from '../../context/preset/presets.ts';
import type { Repo } from '../../git/locate.ts';
import { type ActionFlags, defineCommand, foreignFlag, isActionOf } from '../command.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, renderJson, say, warn } from '../ui/terminal.ts';
import { buildContext } from './build.ts';
import { findPreset, presetPlace } from './preset-choice.ts';

/** Which flags each action takes. */
const ACTIONS = {
  build: ['session', 'view', 'budget', 'out', 'force', 'stdout', 'json'],
  presets: ['json'],
  show: ['json'],
} as const satisfies ActionFlags;
const USAGE =
  'entire context build [<preset> | <paths>...], entire context presets, entire context show <preset>';

/** Puts files together for a model. */
export const contextCommand = defineCommand({
  positionals: {
    action: { type: 'string', default: 'presets', describe: 'build, presets or show' },
    names: { type: 'string', array: true, describe: 'A preset, or paths and globs' },
  },
  options: {
    session: { type: 'string', describe: 'Take the files that this session modified and read' },
    view: { choices: VIEW_MODES, describe: 'How much is shown of files that need not stand there in full' },
    budget: {
      type: 'number',
      describe: 'Show less of the largest files, so that it has at most so many tokens',
    },
    out: { type: 'string', describe: 'Write to this file' },
    force: { type: 'boolean', alias: 'f', describe: 'Replace the file of --out' },
    stdout: { type: 'boolean', describe: 'Print the text instead of writing it' },
    json: { type: 'boolean', describe: 'Print a report, or the presets, as JSON' },
  },
  completes: { action: Object.keys(ACTIONS), names: 'file', out: 'file', view: VIEW_MODES },

  async run({ action, names = [], ...flags }) {
    const repo = await requireRepo('context');
    if (!isActionOf(ACTIONS, action)) throw badUse(`unknown action: ${action}`);
    const foreign = foreignFlag(ACTIONS, action, flags);
    if (foreign !== undefined) throw badUse(foreign);
    switch (action) {
      case 'build':
        return buildContext(repo, names, flags);
      case 'presets':
        if (names.length > 0) throw badUse(`presets takes no name: ${names.join(' ')}`);
        return listPresets(repo, flags.json === true);
      case 'show':
        if (names.length !== 1) throw badUse('show takes one preset');
        return showPreset(repo, names[0] as string, flags.json === true);
    }
  },
});

const badUse = (message: string): EntireError =>
  new EntireError('BAD_FLAGS', message, { hint: `Usage: ${USAGE}` });

const HINT =
  'Presets stand in .entire/context.toml, and for all your repositories in ~/.config/entire/context.toml.';

/** Lists the presets of the repository and of its user; says of each file that is gone. */
export function listPresets({ worktreeRoot }: Repo, isJson: boolean): void {
  const { presets, warnings } = new ContextPresetManager({ root: worktreeRoot }).reload();
  for (const warning of warnings) warn(plain(renderWarning(warning)));
  const listed = [...presets.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (isJson)
    return say(
      renderJson({
        presets: listed.map(({ name, description, files, screenshots }) => ({
          name,
          description,
          files: files.length,
          screenshots: screenshots.length,
        })),
      }),
    );
  if (listed.length === 0) return say(`No presets. ${HINT}`);
  const width = Math.max(...listed.map(({ name }) => name.length));
  for (const { name, description, files } of listed)
    say(
      plain(`${name.padEnd(width)}  ${counted(files.length, 'entry', 'entries')}  ${description}`.trimEnd()),
    );
}

/** Shows a preset: each file that it stands for, how it is shown, and how large it is. */
export async function showPreset(repo: Repo, name: string, isJson: boolean): Promise<void> {
  const { worktreeRoot } = repo;
  const manager = new ContextPresetManager({ root: worktreeRoot });
  const preset = isJson ? manager.loadAll().get(name) : findPreset(manager, name, presetPlace(repo));
  if (!preset) throw new EntireError('NOT_FOUND', `There is no preset ${name}.`, { hint: HINT });
  if (isJson) return say(renderJson({ name, ...preset.toDict() }));
  say(plain(preset.description === '' ? name : `${name}: ${preset.description}`));
  for (const item of preset.files) {
    const paths = resolvePaths(worktreeRoot, item.path);
    const left = isHistoryFile(item.path) ? 'a conversation, left out' : 'not there';
    const absence = paths.length === 0 ? `  ${left}` : '';
    say(plain(`  ${item.path}  ${item.forceFull ? 'full' : item.viewMode}${absence}`));
    for (const path of paths) {
      const shown = path === join(worktreeRoot, item.path) ? '' : `${shownPath(worktreeRoot, path)}, `;
      say(plain(`    ${shown}${await sizeOf(path)}`));
    }
  }
  for (const path of preset.screenshots) {
    const there = resolvePaths(worktreeRoot, path).some((one) => disk.existsSync(one));
    say(plain(`  ${path}  screenshot${there ? '' : '  not there'}`));
  }
}

/** How large a file is to a reader, or why nothing of it will be shown. */
async function sizeOf(path: string): Promise<string> {
  const reading = readFileForContext(path);
  if (reading.status === 'missing') return 'not there';
  if (reading.status !== 'text') return `not shown: ${reading.reason}`;
  const { lines, symbols } = await computeFileStats(path);
  return `${counted(lines, 'line')}, ${counted(symbols, 'symbol')}`;
}
