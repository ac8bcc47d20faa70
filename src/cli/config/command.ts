import { defineGroup } from '../command.ts';

/** Settings, of files and of git's configuration. */
export const configCommands = defineGroup({
  bare: 'list',
  commands: {
    list: {
      describe: 'List every setting: its value, where that comes from, and what it does',
      load: async () => (await import('./list.ts')).listCommand,
    },
    get: {
      describe: 'Print the value of a setting that is in effect',
      takes: '<key>',
      load: async () => (await import('./list.ts')).getCommand,
    },
    set: {
      describe: 'Change a setting',
      takes: '<key> <value>',
      load: async () => (await import('./change.ts')).setCommand,
    },
    unset: {
      describe: 'Remove a setting, so that the next place or the default applies',
      takes: '<key>',
      load: async () => (await import('./change.ts')).unsetCommand,
    },
  },
});
