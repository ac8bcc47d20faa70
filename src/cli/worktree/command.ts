import { defineGroup } from '../command.ts';

/** A worktree for each task. */
export const worktreeCommands = defineGroup({
  bare: 'list',
  commands: {
    create: {
      describe: 'Make a worktree beside the repository, with what git ignores and an agent needs',
      takes: '<name>',
      load: async () => (await import('./create.ts')).createCommand,
    },
    list: {
      describe: 'List the worktrees of this repository, and the sessions in them',
      load: async () => (await import('./list.ts')).listCommand,
    },
    remove: {
      describe: 'Remove a worktree, unless work would be lost',
      takes: '<name>',
      load: async () => (await import('./remove.ts')).removeCommand,
    },
  },
});
