import { AGENTS } from '../../../agents/names.ts';
import { measureMessages } from '../../../conversation/message-facts.ts';
import { readSession } from '../../../conversation/walk/read-session.ts';
import { locateRepo } from '../../../git/locate.ts';
import { defineCommand, type FlagsOf } from '../../command.ts';
import { page } from '../../ui/pager.ts';
import { withProgress } from '../../ui/progress.ts';
import { plain, renderJson, say } from '../../ui/terminal.ts';
import { tinted } from '../../ui/tint.ts';
import { findRecord } from '../find.ts';
import { findWork } from '../find-work.ts';
import { toJson } from '../list/view.ts';
import { SESSION } from '../text.ts';
import { renderSession, type ShownSession, TONES } from './view.ts';

const options = {
  'no-commits': { type: 'boolean', describe: 'Do not look for commits and lines that survive' },
  'no-pager': { type: 'boolean', describe: 'Do not use a pager' },
  json: { type: 'boolean', describe: 'Print it as JSON' },
} as const;

export const showCommand = defineCommand({
  positionals: { session: { type: 'string', demandOption: true, describe: SESSION } },
  options,
  completes: { session: 'session' },
  examples: ['entire session show 7f3a', 'entire session show 7f3a --json'],
  run: ({ session, ...flags }) => showSession(session, flags),
});

/** Shows one session: ours, or an agent's own. @param word its id, that of a run, or how it begins */
async function showSession(word: string, flags: FlagsOf<typeof options>): Promise<void> {
  const shown = await withProgress(async (progress): Promise<ShownSession> => {
    progress.step('Looking for the session');
    const record = await findRecord(word);
    const read = readSession(record);
    const repo = flags['no-commits'] ? undefined : locateRepo(process.cwd());
    const query = { maxFiles: Number.POSITIVE_INFINITY, onProgress: progress.step };
    const workOf = await findWork(repo, [record], query);
    return { record, read, facts: measureMessages(read.messages, read.usage), work: workOf(record) };
  });
  if (flags.json) return say(renderJson(shownJson(shown)));
  await page(tinted(plain(renderSession(shown)), TONES), flags['no-pager'] ?? false);
}

const shownJson = ({ record, read, facts, work }: ShownSession): object => ({
  ...toJson({ record, work }),
  agent_type: record.cliOrigin === '' ? null : AGENTS[record.cliOrigin].type,
  parent_id: read.data?.parent_id ?? null,
  models: facts.models,
  turns: facts.turns,
  usage: { ...facts.usage, cost_usd: facts.usage.cost_usd ?? null },
  files: facts.files,
  read_from: read.from,
  messages: read.messages,
});
