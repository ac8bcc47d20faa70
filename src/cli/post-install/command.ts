import { homedir } from 'node:os';
import { describeError } from '../../base/errors.ts';
import { defineCommand } from '../command.ts';
import * as text from '../messages.ts';
import { canAsk, confirm, plain, say } from '../ui/terminal.ts';
import { addLine, detectShell, isSetUp } from './shell-setup.ts';

/** Offers completions once the program is installed. An installer calls it, so it never fails. */
export const postInstallCommand = defineCommand({
  options: {},
  async run() {
    try {
      await offerCompletion();
    } catch (error) {
      say(text.completionSkipped(plain(describeError(error))));
    }
  },
});

async function offerCompletion(): Promise<void> {
  const shell = detectShell(process.env.SHELL ?? '', homedir());
  if (!shell) return say(text.NO_COMPLETION);
  if (isSetUp(shell)) return say(text.completionThere(plain(shell.file)));
  if (!canAsk()) return say(text.completionSkipped(text.NO_TERMINAL));
  if (!(await confirm(text.completionQuestion(shell.name)))) return;
  addLine(shell);
  say(text.completionAdded(plain(shell.file)));
}
