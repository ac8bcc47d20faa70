import { importSession } from '../../conversation/export/import-session.ts';
import { parseEnvelope } from '../../conversation/export/read-envelope.ts';
import { readExportFile, readExportStream } from '../../conversation/export/read-file.ts';
import { plain, say } from '../ui/terminal.ts';
import { imported, STDIN } from './export/text.ts';
import { openSessions } from './find.ts';

/** Keeps the session of an export. @param file stdin without it */
export async function importFile(file: string | undefined, as: string | undefined): Promise<void> {
  const text = file === undefined ? await readExportStream(process.stdin, STDIN) : readExportFile(file);
  const envelope = parseEnvelope(text, file ?? STDIN);
  const outcome = await importSession(envelope, { storage: openSessions(), as });
  say(plain(imported(outcome, as ?? envelope.session.session_id)));
}
