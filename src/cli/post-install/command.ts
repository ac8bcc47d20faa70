import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { readUserText } from '../../base/file/small-file.ts';
import { defineCommand } from '../command.ts';
import * as text from '../messages.ts';
import { canAsk, confirm, plain, say } from '../ui/terminal.ts';

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

/** A shell whose start-up file can load our completions. */
interface ShellSetUp {
  readonly name: 'Bash' | 'Fish' | 'Zsh';
  /** Its start-up file, absolute. */
  readonly file: string;
  readonly line: string;
}

/** The shell that `SHELL` names; `undefined` for one we have no completions for. */
function detectShell(shell: string, home: string): ShellSetUp | undefined {
  const name = basename(shell);
  if (name.includes('zsh'))
    return {
      name: 'Zsh',
      file: join(home, '.zshrc'),
      line: 'autoload -Uz compinit && compinit && source <(entire completion zsh)',
    };
  if (name.includes('bash')) {
    const profile = join(home, '.bash_profile');
    const file = disk.existsSync(profile) ? profile : join(home, '.bashrc');
    return { name: 'Bash', file, line: 'source <(entire completion bash)' };
  }
  if (name.includes('fish'))
    return {
      name: 'Fish',
      file: join(home, '.config', 'fish', 'config.fish'),
      line: 'entire completion fish | source',
    };
  return undefined;
}

/** Whether the start-up file loads our completions already, in whatever way. */
const isSetUp = ({ file }: ShellSetUp): boolean =>
  (readUserText(file, 'home') ?? '').includes('entire completion');

/** Adds the line at the end of the start-up file, which may not exist yet. @throws the system error */
function addLine({ file, line }: ShellSetUp): void {
  disk.mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  disk.appendFileSync(file, `\n# Entire CLI shell completion\n${line}\n`, { mode: 0o644 });
}
