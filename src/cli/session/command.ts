import { AGENTS } from '../../agents/names.ts';
import { EntireError } from '../../base/errors.ts';
import { type ActionFlags, defineCommand, foreignFlag, isActionOf } from '../command.ts';
import { EXPORT_FLAGS, EXPORT_FORMATS } from './export/text.ts';
import * as text from './text.ts';
import { WALK_FLAGS } from './text.ts';

/** Which flags each action takes. */
const ACTIONS = {
  chat: ['agent', 'resume', 'fork', 'branch', 'silence', 'json'],
  list: ['agent', 'all-clis', 'here', 'limit', 'all', 'no-commits', 'json'],
  show: ['no-commits', 'no-pager', 'json'],
  stats: ['since', 'agent', 'json'],
  fork: ['branch', 'json'],
  export: ['agent', 'format', 'out', 'force', 'redact', 'no-redact'],
  import: ['as'],
  delete: ['log'],
} as const satisfies ActionFlags;

/** Conversations with agents: what can be done with one stands beside it, a file or a folder for each. */
export const sessionCommand = defineCommand({
  positionals: {
    action: { type: 'string', default: 'chat', describe: text.ACTION },
    names: { type: 'string', array: true, describe: text.NAMES },
  },
  options: {
    agent: { type: 'string', describe: text.FLAGS.agent },
    resume: { type: 'string', describe: text.FLAGS.resume },
    fork: { type: 'string', describe: text.FLAGS.fork },
    branch: { type: 'string', describe: text.FLAGS.branch },
    silence: { type: 'number', describe: text.FLAGS.silence },
    json: { type: 'boolean', describe: text.FLAGS.json },
    ...WALK_FLAGS,
    ...EXPORT_FLAGS,
  },
  completes: {
    action: Object.keys(ACTIONS),
    names: 'file',
    agent: Object.keys(AGENTS),
    format: EXPORT_FORMATS,
    out: 'file',
  },

  async run({ action, names = [], ...flags }, { words }) {
    if (!isActionOf(ACTIONS, action)) throw badUse(`unknown action: ${action}`);
    const foreign = foreignFlag(ACTIONS, action, flags);
    if (foreign !== undefined) throw badUse(foreign);
    if (words.length > 0 && action !== 'chat') throw badUse(text.noWords(action));
    switch (action) {
      case 'chat':
        return (await import('./chat/command.ts')).chat(names.join(' '), flags, words);
      case 'show':
        if (names.length !== 1) throw badUse('show takes one session');
        return (await import('./show/command.ts')).showSession(names[0] as string, flags);
      case 'stats':
        if (names.length > 0) throw badUse(`stats takes no name: ${names.join(' ')}`);
        return (await import('./stats/command.ts')).statsCommand(flags);
      case 'fork':
        if (names.length !== 1) throw badUse('fork takes one session');
        return (await import('./fork.ts')).forkSession(names[0] as string, flags.branch, flags.json === true);
      case 'delete':
        if (names.length === 0) throw badUse('delete takes a session');
        return (await import('./delete.ts')).deleteSessions(names, flags.log === true);
      case 'list':
        if (names.length > 0) throw badUse(`list takes no name: ${names.join(' ')}`);
        return (await import('./list/command.ts')).listCommand(flags);
      case 'export':
        if (names.length !== 1) throw badUse('export takes one session');
        return (await import('./export/command.ts')).exportOne(names[0] as string, flags);
      case 'import':
        // yargs takes `-` for nothing: no file stands for stdin, unless somebody would have to type there.
        if (names.length > 1 || (names.length === 0 && process.stdin.isTTY))
          throw badUse('import takes one file');
        return (await import('./import.ts')).importFile(names[0], flags.as);
    }
  },
});

const badUse = (message: string): EntireError =>
  new EntireError('BAD_FLAGS', message, { hint: `Usage: ${text.USAGE.join(', ')}` });
