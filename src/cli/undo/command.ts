import { stepBackCommand } from './step-back.ts';

export const undoCommand = stepBackCommand('undo');

export const redoCommand = stepBackCommand('redo');
