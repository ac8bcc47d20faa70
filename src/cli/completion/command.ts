import { EntireError } from '../../base/errors.ts';
import { defineCommand } from '../command.ts';
import { unknownShell } from '../messages.ts';
import { plain, say } from '../ui/terminal.ts';
import { renderBash } from './bash.ts';
import { renderFish } from './fish.ts';
import { renderZsh } from './zsh.ts';

const SHELLS = { bash: renderBash, fish: renderFish, zsh: renderZsh } as const;
const names = Object.keys(SHELLS);

/** Prints a script that is made from the table of commands; completing then starts no process of ours. */
export const completionCommand = defineCommand({
  positionals: { shell: { type: 'string', demandOption: true, describe: `Shell: ${names.join(', ')}` } },
  options: {},
  completes: { shell: names },
  async run({ shell }, cli) {
    if (!Object.hasOwn(SHELLS, shell)) {
      const { message, hint } = unknownShell(plain(shell), names);
      throw new EntireError('BAD_FLAGS', message, { hint });
    }
    say(SHELLS[shell as keyof typeof SHELLS](await cli.describeAll()).trimEnd());
  },
});
