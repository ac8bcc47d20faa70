import { defineGroup } from '../command.ts';

/** Puts files together for a model. */
export const contextCommands = defineGroup({
  bare: 'presets',
  commands: {
    build: {
      describe: 'Put the files of a preset, of a session, or those you name into one text',
      takes: '[files..]',
      load: async () => (await import('./build.ts')).buildCommand,
    },
    presets: {
      describe: 'List the presets of this repository and yours',
      load: async () => (await import('./presets.ts')).presetsCommand,
    },
    show: {
      describe: 'Show the files of a preset, and how large they are',
      takes: '<preset>',
      load: async () => (await import('./presets.ts')).showCommand,
    },
  },
});
