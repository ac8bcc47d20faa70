import type { Command } from '../command.ts';
import { ABSOLUTE } from '../ui/time.ts';
import type { Direction } from './step-sessions.ts';
import * as text from './text.ts';

const options = {
  steps: { type: 'number', describe: text.FLAGS.steps },
  session: { type: 'string', describe: text.FLAGS.session },
  files: { type: 'string', array: true, describe: text.FLAGS.files },
  'dry-run': { type: 'boolean', describe: text.FLAGS.dryRun },
  diff: { type: 'boolean', describe: text.FLAGS.diff },
  force: { type: 'boolean', describe: text.FLAGS.force },
  'files-only': { type: 'boolean', describe: text.FLAGS.filesOnly },
  conversation: { type: 'boolean', describe: text.FLAGS.conversation },
  list: { type: 'boolean', describe: text.FLAGS.list },
  continue: { type: 'boolean', describe: text.FLAGS.continue },
  abort: { type: 'boolean', describe: text.FLAGS.abort },
  absolute: ABSOLUTE,
  json: { type: 'boolean', describe: text.FLAGS.json },
} as const;

export type UndoOptions = typeof options;

/** A redo brings back whole undos, so that what only undo takes is refused, and not offered. */
export const optionsOf = (direction: Direction): Command['options'] =>
  direction === 'undo'
    ? options
    : {
        ...options,
        steps: { ...options.steps, describe: text.UNDOS },
        files: { ...options.files, hidden: true },
        conversation: { ...options.conversation, hidden: true },
      };
