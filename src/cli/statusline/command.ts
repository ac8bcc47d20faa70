import { defineCommand, UsageError } from '../command.ts';
import { wantsColour } from '../ui/colour.ts';
import { PLACEHOLDERS, parseFormat } from './format.ts';
import { runStatusLine } from './run.ts';

const SIGNS = Object.entries(PLACEHOLDERS).map(([letter, { describe }]) => `%${letter} ${describe}`);

/** `entire.ts` runs the flags that status lines are set up with itself: this is for those it does not know, and for help. */
export const statuslineCommand = defineCommand({
  options: {
    format: {
      type: 'string',
      describe: `What the line says. ${SIGNS.join('; ')}; %{...} a part that is left out where a placeholder in it is empty; %C(red) a colour, %C(auto) by what %s says, %C(reset)`,
    },
    stdin: {
      type: 'boolean',
      describe: 'Wait for the JSON that a client such as Claude Code writes to stdin',
    },
  },
  examples: ['entire statusline', "entire statusline --format '%b%{, %f}'", 'entire enable --statusline'],
  run({ format, stdin }) {
    const parsed = format === undefined ? undefined : parseFormat(format);
    if (parsed && 'problem' in parsed) throw new UsageError(`--format: ${parsed.problem}`, 'statusline');
    runStatusLine({ format, isColoured: wantsColour({}, false), isTold: stdin === true });
  },
});
