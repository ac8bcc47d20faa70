import { AGENTS, type AgentName } from '../../../agents/names.ts';
import { EntireError } from '../../../base/errors.ts';
import { disk } from '../../../base/file/disk.ts';
import { createFileAtomic, writeFileAtomic } from '../../../base/file/write-file-atomic.ts';
import { type ExportEnvelope, renderEnvelope } from '../../../conversation/export/envelope.ts';
import { exportSession } from '../../../conversation/export/export-session.ts';
import { redactEnvelope } from '../../../conversation/export/redact-envelope.ts';
import type { Storage } from '../../../conversation/storage/storage.ts';
import { isPrompt } from '../../../conversation/turn-messages.ts';
import { defineCommand, type FlagsOf } from '../../command.ts';
import { exclusive } from '../../messages.ts';
import { useRepoRedaction } from '../../ui/repo.ts';
import { plain, warn } from '../../ui/terminal.ts';
import { findSession, openSessions } from '../find.ts';
import { parseAgentFlag } from '../flags.ts';
import { SESSION } from '../text.ts';
import { EXPORT_FORMATS, type ExportFormat, exported, NO_NAME, NO_OUT } from './text.ts';

const options = {
  agent: { type: 'string', describe: 'The agent whose session is meant, by its whole id' },
  format: {
    choices: EXPORT_FORMATS,
    describe: 'json can be imported, md and html are to be read (default: by the name of --out, else json)',
  },
  out: { type: 'string', describe: 'Write to this file instead of printing' },
  force: { type: 'boolean', alias: 'f', describe: 'Replace the file of --out' },
  redact: { type: 'boolean', describe: 'Replace secrets by REDACTED; md and html always do' },
  'no-redact': { type: 'boolean', describe: 'Leave secrets in md and html as they are' },
} as const;

export const exportCommand = defineCommand({
  positionals: { session: { type: 'string', demandOption: true, describe: SESSION } },
  options,
  completes: { session: 'session', agent: Object.keys(AGENTS), out: 'file' },
  examples: [
    'entire session export 7f3a --out session.json',
    'entire session export 7f3a --out session.html',
  ],
  run: ({ session, ...flags }) => exportOne(session, flags),
});

/** Writes a session to a file, or to stdout. */
async function exportOne(id: string, flags: FlagsOf<typeof options>): Promise<void> {
  const { out, force, redact, 'no-redact': noRedact } = flags;
  if (redact && noRedact) throw new EntireError('BAD_FLAGS', exclusive('redact', 'no-redact'));
  if (force && out === undefined) throw new EntireError('BAD_FLAGS', NO_OUT);
  const format = flags.format ?? formatOf(out);
  const agent = parseAgentFlag(flags.agent);
  const storage = openSessions();
  const envelope = await exportSession(...(await whichOf(storage, id, agent)));
  const redacted = redact ?? (noRedact !== true && format !== 'json');
  if (redacted) useRepoRedaction();
  const shown = redacted ? await redactEnvelope(envelope) : envelope;
  const isThere = await write(await render(shown, format), out, force === true);
  if (!isThere) return;
  const { session, transcripts } = shown;
  const turns = session.messages.filter(isPrompt).length;
  warn(
    plain(
      exported({ id: session.session_id, format, out, turns, transcripts: transcripts.length, redacted }),
    ),
  );
}

/** By the beginning of an id as well; an agent that is named is asked for exactly that one. */
async function whichOf(
  storage: Storage,
  word: string,
  agent: AgentName | undefined,
): Promise<Parameters<typeof exportSession>> {
  if (agent) return [word, { storage, agent }];
  const named = await findSession(storage, word);
  if ('ours' in named) return [named.ours, { storage }];
  const { agentSessionId, sessionId, cliOrigin } = named.agents;
  return [agentSessionId ?? sessionId, { storage, agent: cliOrigin || undefined }];
}

/** Where nobody says how, the ending of the file does; and what can be imported again is the safest. */
const formatOf = (out = ''): ExportFormat =>
  EXPORT_FORMATS.find((format) => out.toLowerCase().endsWith(`.${format}`)) ?? 'json';

async function render(envelope: ExportEnvelope, format: ExportFormat): Promise<string> {
  if (format === 'json') return renderEnvelope(envelope);
  if (format === 'html') {
    const { renderPage } = await import('../../../conversation/export/html/render-page.ts');
    return renderPage(envelope);
  }
  const { renderMarkdown } = await import('../../../conversation/export/markdown.ts');
  return renderMarkdown(envelope);
}

/** @returns whether all of it left: who closed stdout early knows; what else went wrong there is said where it ends */
async function write(text: string, out: string | undefined, force: boolean): Promise<boolean> {
  if (out === undefined) return print(text);
  if (out === '') throw new EntireError('BAD_FLAGS', NO_NAME);
  const there = disk.statSync(out, { throwIfNoEntry: false });
  if (there?.isDirectory())
    throw new EntireError('WRITE_FAILED', `${out} is a folder.`, { hint: 'Name a file in it.' });
  if (there && !there.isFile()) {
    disk.writeFileSync(out, text); // a pipe or a device, `/dev/stdout` or `>(gzip)`: nothing is replaced
    return true;
  }
  if (force) writeFileAtomic(out, text, { mode: 0o600 });
  else if (!createFileAtomic(out, text, { mode: 0o600 }))
    throw new EntireError('WRITE_FAILED', `${out} is there already.`, {
      hint: '`--force` replaces it.',
    });
  return true;
}

const print = (text: string): Promise<boolean> =>
  new Promise((resolve) => {
    process.stdout.write(text, (error) => resolve(!error));
  });
