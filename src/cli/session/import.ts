import { importSession } from '../../conversation/export/import-session.ts';
import { parseEnvelope } from '../../conversation/export/read-envelope.ts';
import { readExportFile, readExportStream } from '../../conversation/export/read-file.ts';
import { defineCommand, UsageError } from '../command.ts';
import { plain, say } from '../ui/terminal.ts';
import { imported, STDIN } from './export/text.ts';
import { openSessions } from './find.ts';

export const importCommand = defineCommand({
  positionals: { file: { type: 'string', describe: 'What was exported as JSON; stdin without it' } },
  options: { as: { type: 'string', describe: 'Keep it under this id' } },
  completes: { file: 'file' },
  examples: ['entire session import session.json'],
  run({ file, as }) {
    // yargs takes `-` for nothing: no file stands for stdin, unless somebody would have to type there.
    if (file === undefined && process.stdin.isTTY)
      throw new UsageError('missing argument: [file]', 'session import');
    return importFile(file, as);
  },
});

/** Keeps the session of an export. @param file stdin without it */
async function importFile(file: string | undefined, as: string | undefined): Promise<void> {
  const text = file === undefined ? await readExportStream(process.stdin, STDIN) : readExportFile(file);
  const envelope = parseEnvelope(text, file ?? STDIN);
  const outcome = await importSession(envelope, { storage: openSessions(), as });
  say(plain(imported(outcome, as ?? envelope.session.session_id)));
}
