import { EntireError } from '../../base/errors.ts';
import { defineCommand, UsageError } from '../command.ts';
import { missingArgument, unknownShell } from '../messages.ts';
import { plain, sayAsIs } from '../ui/terminal.ts';
import { renderBash } from './bash.ts';
import { renderFish } from './fish.ts';
import { ID_KINDS, renderIds } from './ids.ts';
import { renderZsh } from './zsh.ts';

const SHELLS = { bash: renderBash, fish: renderFish, zsh: renderZsh } as const;
const names = Object.keys(SHELLS);

/** Prints a script that is made from the table of commands; completing starts a process of ours only where an id can stand. */
export const completionCommand = defineCommand({
  positionals: { shell: { type: 'string', describe: `Shell: ${names.join(', ')}` } },
  options: {
    ids: {
      type: 'string',
      choices: ID_KINDS,
      hidden: true,
      describe: 'Print ids instead, which the scripts offer',
    },
    word: { type: 'string', hidden: true, describe: 'With --ids: what was typed so far' },
  },
  completes: { shell: names },
  async run({ shell, ids, word = '' }, cli) {
    if (ids !== undefined) return sayAsIs(await renderIds(ids, word).catch(() => ''));
    if (shell === undefined) throw new UsageError(missingArgument('<shell>'), 'completion');
    if (!Object.hasOwn(SHELLS, shell)) {
      const { message, hint } = unknownShell(plain(shell), names);
      throw new EntireError('BAD_FLAGS', message, { hint });
    }
    sayAsIs(SHELLS[shell as keyof typeof SHELLS](await cli.describeAll()).trimEnd());
  },
});
