import { defineGroup } from '../command.ts';

/** Sessions: conversations with agents, held from here or in the agents themselves. */
export const sessionCommands = defineGroup({
  bare: 'chat',
  commands: {
    chat: {
      describe: 'Talk with an agent; `entire session` alone does that, too',
      takes: '[message..]',
      behind: '<arg>...',
      load: async () => (await import('./chat/command.ts')).chatCommand,
    },
    list: {
      describe: 'List the sessions of this repository, the last written first',
      load: async () => (await import('./list/command.ts')).listCommand,
    },
    show: {
      describe: 'Show a session: what is known of it, and the conversation',
      takes: '<session>',
      load: async () => (await import('./show/command.ts')).showCommand,
    },
    stats: {
      describe: 'Sum up turns and tokens, by agent, day and repository',
      load: async () => (await import('./stats/command.ts')).statsCommand,
    },
    fork: {
      describe: 'Copy a session, so that it can go two ways',
      takes: '<session>',
      load: async () => (await import('./fork.ts')).forkCommand,
    },
    export: {
      describe: 'Write a session to a file, to be read or imported elsewhere',
      takes: '<session>',
      load: async () => (await import('./export/command.ts')).exportCommand,
    },
    import: {
      describe: 'Keep a session that was exported elsewhere',
      takes: '[file]',
      load: async () => (await import('./import.ts')).importCommand,
    },
    delete: {
      describe: 'Delete sessions that are kept here; what agents keep stays',
      takes: '<session..>',
      load: async () => (await import('./delete.ts')).deleteCommand,
    },
  },
});
