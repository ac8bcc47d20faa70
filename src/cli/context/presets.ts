import { join } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { counted } from '../../base/text/text.ts';
import { computeFileStats } from '../../context/aggregate/file-stats.ts';
import { readFileForContext } from '../../context/aggregate/read-file.ts';
import { isHistoryFile, resolvePaths, shownPath } from '../../context/aggregate/resolve-paths.ts';
import { renderWarning } from '../../context/config/warning.ts';
import { ContextPresetManager } from '../../context/preset/presets.ts';
import type { Repo } from '../../git/locate.ts';
import { defineCommand } from '../command.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, renderJson, say, warn } from '../ui/terminal.ts';
import { findPreset, presetPlace } from './preset-choice.ts';

export const presetsCommand = defineCommand({
  options: { json: { type: 'boolean', describe: 'Print them as JSON' } },
  run: async ({ json }) => listPresets(await requireRepo('context'), json === true),
});

export const showCommand = defineCommand({
  positionals: { preset: { type: 'string', demandOption: true, describe: 'Its name' } },
  options: { json: { type: 'boolean', describe: 'Print it as JSON' } },
  run: async ({ preset, json }) => showPreset(await requireRepo('context'), preset, json === true),
});

const HINT =
  'Presets stand in .entire/context.toml, and for all your repositories in ~/.config/entire/context.toml.';

/** Lists the presets of the repository and of its user; says of each file that is gone. */
function listPresets({ worktreeRoot }: Repo, isJson: boolean): void {
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
async function showPreset(repo: Repo, name: string, isJson: boolean): Promise<void> {
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
