import { EntireError } from '../../base/errors.ts';
import { defineCommand } from '../command.ts';

const USAGE = [
  'entire session chat [--agent <name>] [--resume <id> | --fork <id>]',
  'entire session delete <id>...',
];

/** Conversations with agents: what can be done with one stands in `cli/session/`, a file for each. */
export const sessionCommand = defineCommand({
  positionals: {
    action: { type: 'string', default: 'chat', describe: 'chat or delete' },
    names: { type: 'string', array: true, describe: 'Ids of sessions' },
  },
  options: {
    agent: { type: 'string', describe: 'The agent to talk to' },
    resume: { type: 'string', describe: 'Go on with this session' },
    fork: { type: 'string', describe: 'Go on with a copy of this session' },
  },
  completes: { action: ['chat', 'delete'] },

  async run({ action, names = [], ...flags }, { words }) {
    switch (action) {
      case 'chat':
        if (names.length > 0) throw badUse(`chat takes no name: ${names.join(' ')}`);
        return (await import('../session/chat.ts')).chat(flags, words);
      case 'delete':
        if (names.length === 0) throw badUse('delete takes a session');
        return (await import('../session/delete.ts')).deleteSessions(names);
      default:
        throw badUse(`unknown action: ${action}`);
    }
  },
});

const badUse = (message: string): EntireError =>
  new EntireError('BAD_FLAGS', message, { hint: `Usage: ${USAGE.join(', ')}` });
