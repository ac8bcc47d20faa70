import { basename, join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { readUserText } from '../../base/file/small-file.ts';

/** A shell whose start-up file can load our completions. */
export interface ShellSetUp {
  readonly name: 'Bash' | 'Fish' | 'Zsh';
  /** Its start-up file, absolute. */
  readonly file: string;
  readonly line: string;
}

/** The shell that `SHELL` names; `undefined` for one we have no completions for. */
export function detectShell(shell: string, home: string): ShellSetUp | undefined {
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
export const isSetUp = ({ file }: ShellSetUp): boolean =>
  (readUserText(file, 'home') ?? '').includes('entire completion');

/** Adds the line at the end of the start-up file, which may not exist yet. @throws the system error */
export function addLine({ file, line }: ShellSetUp): void {
  disk.mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  disk.appendFileSync(file, `\n# Entire CLI shell completion\n${line}\n`, { mode: 0o644 });
}
