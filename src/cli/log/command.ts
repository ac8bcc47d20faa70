import { resolve } from 'node:path';
import { AGENTS } from '../../agents/names.ts';
import { EntireError } from '../../base/errors.ts';
import { lstatIfExists } from '../../base/file/disk.ts';
import { type Branch, readBranch } from '../../history/branch.ts';
import { type HistoryQuery, readHistoryLog } from '../../history/log.ts';
import { defineCommand } from '../command.ts';
import { exclusive } from '../messages.ts';
import { parseAgentFlag, parseSince, SINCE } from '../session/flags.ts';
import { wantsColour } from '../ui/colour.ts';
import { withLinks } from '../ui/hyperlink.ts';
import { page } from '../ui/pager.ts';
import { toNames } from '../ui/paths.ts';
import { requireRepo } from '../ui/repo.ts';
import { say } from '../ui/terminal.ts';
import { ABSOLUTE, wishAbsolute } from '../ui/time.ts';
import { terminalWidth } from '../ui/width.ts';
import { listRunning } from './running.ts';
import * as text from './text.ts';
import { renderLog, renderLogJson } from './view.ts';

const DEFAULT_LIMIT = 50;

export const logCommand = defineCommand({
  positionals: { range: { type: 'string', describe: text.FLAGS.range } },
  options: {
    limit: { type: 'number', alias: 'n', default: DEFAULT_LIMIT, describe: text.FLAGS.limit },
    session: { type: 'string', describe: text.FLAGS.session },
    agent: { type: 'string', describe: text.FLAGS.agent },
    graph: { type: 'boolean', describe: text.FLAGS.graph },
    since: { type: 'string', describe: `Only what was done since ${SINCE}` },
    absolute: ABSOLUTE,
    'no-pager': { type: 'boolean', describe: text.FLAGS.noPager },
    json: { type: 'boolean', describe: text.FLAGS.json },
  },
  completes: { range: 'target', session: 'session', agent: Object.keys(AGENTS) },
  examples: [
    'entire log',
    'entire log --agent codex --since 7d',
    'entire log main..HEAD',
    'entire log --graph',
    'entire log bee76f83',
    'entire log -- src/search.ts',
  ],
  async run(flags, { words }) {
    const repo = await requireRepo('log');
    // As git has it: `entire log -3`.
    const count = /^-(\d+)$/.exec(flags.range ?? '')?.[1];
    const limit = count === undefined ? flags.limit : Number(count);
    const range = count === undefined ? flags.range : undefined;
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new EntireError('BAD_FLAGS', '--limit takes a whole number, 1 or more');
    if (flags.graph && flags.json) throw new EntireError('BAD_FLAGS', exclusive('graph', 'json'));
    const agent = parseAgentFlag(flags.agent);
    const paths = toNames(repo, words);
    const isNarrow = Boolean(range || flags.session || agent || flags.since || paths.length > 0);
    const branch = readBranch(repo);
    const session = flags.session && (await findSession(branch, flags.session));
    const query: HistoryQuery = {
      ...{ limit, session },
      waiting: async (states) =>
        (await import('../../strategy/waiting-work.ts')).findWaitingFiles(repo, states),
      ...(paths.length > 0 && { paths }),
      ...(agent && { agent: AGENTS[agent].type }),
      ...(flags.since !== undefined && { since: parseSince(flags.since, 'local') }),
    };
    const running = range === undefined ? await listRunning(repo) : [];
    let found = await readHistoryLog(branch, { ...query, range, running });
    const meant = found || range === undefined ? undefined : await findMeant(branch, range, words);
    if (meant?.session && session && meant.session !== session)
      throw new EntireError('BAD_FLAGS', text.twoSessions(flags.session ?? '', range ?? ''));
    if (meant) found = await readHistoryLog(branch, { ...query, ...meant, running: await listRunning(repo) });
    if (!found) throw new EntireError('NOT_FOUND', text.noRange(range ?? ''), { hint: text.RANGE_HINT });
    if (flags.json) return say(renderLogJson(found.entries));
    if (found.entries.length === 0) return say(isNarrow ? text.NOTHING : text.EMPTY);
    wishAbsolute(flags.absolute);
    const view = {
      width: terminalWidth(),
      hasColour: wantsColour(process.env, process.stdout.isTTY),
      isGraph: flags.graph ?? false,
    };
    const lines = [renderLog(found.entries, view), ...(found.hasMore ? ['', text.more(limit)] : [])];
    const commits = found.entries.flatMap((entry) => (entry.kind === 'commit' ? entry.commit.oid : []));
    await page(withLinks(repo, lines.join('\n'), { commits }), flags['no-pager'] ?? false);
  },
});

/** Names are resolved by half of the product: loaded only where one is given, so that the first screen is there at once. */
const names = () => import('../names/find-named.ts');

const findSession = async (branch: Branch, word: string): Promise<string> =>
  (await names()).findSessionId(branch, word, 'entire log --session', true);

/** What a word is that is no range of commits: as with git a file, beside those that are named as such, or else a session. */
async function findMeant(
  branch: Branch,
  word: string,
  paths: readonly string[],
): Promise<Pick<HistoryQuery, 'paths' | 'session'> | undefined> {
  if (word !== '' && lstatIfExists(resolve(word))) {
    const names = toNames(branch.repo, [word, ...paths]);
    return { paths: names.length > 0 ? names : undefined };
  }
  const { lookForNamed } = await names();
  const session = await lookForNamed(branch, word, { kinds: ['session'], byTitle: true });
  return session && { session: session.id };
}
