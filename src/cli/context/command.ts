import { EntireError } from '../../base/errors.ts';
import { VIEW_MODES } from '../../context/file-item.ts';
import { type ActionFlags, defineCommand, foreignFlag, isActionOf } from '../command.ts';
import { requireRepo } from '../ui/repo.ts';
import { buildContext } from './build.ts';
import { listPresets, showPreset } from './presets.ts';

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
