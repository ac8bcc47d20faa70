import { stepBackCommand } from './step-back.ts';

export const redoCommand = stepBackCommand('redo');
