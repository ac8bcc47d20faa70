import { defineCommand } from '../command.ts';
import { say } from '../ui/terminal.ts';

export const helpCommand = defineCommand({
  positionals: { command: { type: 'string', array: true, describe: 'A command, or `environment`' } },
  options: { tree: { type: 'boolean', alias: 't', hidden: true, describe: 'Show the commands as a tree' } },
  completes: { command: 'command' },
  async run({ command: words = [], tree }, cli) {
    if (!tree) return cli.printHelp(words);
    say('entire');
    cli.commands.forEach(({ name, describe }, index) => {
      say(`${index === cli.commands.length - 1 ? '└──' : '├──'} ${name} - ${describe}`);
    });
  },
});
