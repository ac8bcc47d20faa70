import { AGENTS } from '../../agents/names.ts';
import { EntireError } from '../../base/errors.ts';
import { type CheckpointId, parseCheckpointId } from '../../base/ids.ts';
import { locateRepo } from '../../git/locate.ts';
import type { LogRow } from '../../git/log.ts';
import { type Branch, readBranch } from '../../history/branch.ts';
import { findCommitsOfCheckpoints } from '../../history/commits-of-checkpoints.ts';
import { KINDS } from '../../search/document.ts';
import { parseQuery } from '../../search/query/query.ts';
import { type SearchResult, search } from '../../search/search.ts';
import { defineCommand } from '../command.ts';
import { listKnownSessions } from '../names/sessions.ts';
import { shortId } from '../names/short-id.ts';
import { unknown } from '../names/text.ts';
import { parseAgentFlag, parseSince, SINCE } from '../session/flags.ts';
import { wantsColour } from '../ui/colour.ts';
import { page } from '../ui/pager.ts';
import { withProgress } from '../ui/progress.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, say, warn, warnOf } from '../ui/terminal.ts';
import { ABSOLUTE, wishAbsolute } from '../ui/time.ts';
import { terminalWidth } from '../ui/width.ts';
import { openTurnNumbers } from './names.ts';
import { withoutRepeated } from './repeated.ts';
import * as text from './text.ts';
import { type FoundTurn, groupHits } from './turns.ts';
import { renderFound, renderFoundJson, type ShownTurn } from './view.ts';

const DEFAULT_LIMIT = 20;
/** Hits of one turn that are looked at beside those of others. */
const PER_TURN = 8;

export const searchCommand = defineCommand({
  positionals: { words: { type: 'string', array: true, describe: text.FLAGS.words } },
  options: {
    all: { type: 'boolean', describe: text.FLAGS.all },
    kind: { type: 'string', array: true, choices: KINDS, describe: text.FLAGS.kind },
    session: { type: 'string', describe: text.FLAGS.session },
    agent: { type: 'string', describe: text.FLAGS.agent },
    since: { type: 'string', describe: `Only what was said since ${SINCE}` },
    limit: { type: 'number', alias: 'n', default: DEFAULT_LIMIT, describe: text.FLAGS.limit },
    absolute: ABSOLUTE,
    'no-pager': { type: 'boolean', describe: text.FLAGS.noPager },
    json: { type: 'boolean', describe: text.FLAGS.json },
  },
  completes: { session: 'session', agent: Object.keys(AGENTS), kind: KINDS },
  examples: [
    'entire search rate limit',
    'entire search \'"cannot find module"\' --kind command',
    'entire search renderPage --agent codex --since 7d',
    'entire search --all parser',
  ],
  async run(flags, { words: behind }) {
    const { limit, all = false } = flags;
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new EntireError('BAD_FLAGS', '--limit takes a whole number, 1 or more');
    const agent = parseAgentFlag(flags.agent);
    const words = [...(flags.words ?? []), ...behind].map(String);
    const phrases = parseQuery(words);
    if (phrases.length === 0) throw new EntireError('BAD_FLAGS', text.NO_WORDS, { hint: text.NO_WORDS_HINT });
    const repo = all && !locateRepo(process.cwd()) ? undefined : await requireRepo('search');
    const branch = repo && readBranch(repo);
    const query = {
      ...{ phrases, limit: limit * PER_TURN, session: flags.session },
      ...(flags.kind && flags.kind.length > 0 && { kinds: flags.kind as (typeof KINDS)[number][] }),
      ...(agent && { agent: AGENTS[agent].type }),
      ...(flags.since !== undefined && { since: parseSince(flags.since, 'local') }),
    };
    const result = await withProgress((progress) => {
      progress.step(text.READING);
      const here = branch && { repo: branch.repo, store: branch.store };
      return search({ here, isEverywhere: all, env: process.env }, query, progress.step);
    });
    for (const problem of result.problems) warnOf(problem);
    const { session } = flags;
    const known = [...result.sessions, ...(branch ? listKnownSessions(branch) : [])];
    if (!flags.json && session !== undefined && !known.some((id) => id.startsWith(session)))
      throw new EntireError('NOT_FOUND', unknown(session, ['session']), { hint: text.noSessionHint(all) });
    wishAbsolute(flags.absolute);
    const grouped = groupHits(result.hits);
    const found = branch ? await withoutRepeated(branch, grouped) : grouped;
    const total = result.total - countHits(grouped) + countHits(found);
    const turns = await toShown(branch, found.slice(0, limit), result);
    if (flags.json) say(renderFoundJson(turns, total, phrases));
    if (turns.length === 0) {
      const nothing = all ? text.NOTHING_ANYWHERE : text.NOTHING_HERE;
      warn(result.sessions.length === 0 ? nothing : text.notFound(plain(words.join(' '))));
      process.exitCode = 1;
    } else if (!flags.json) {
      const view = {
        phrases,
        width: terminalWidth(),
        hasColour: wantsColour(process.env, process.stdout.isTTY),
      };
      await page(renderFound(turns, view), flags['no-pager'] ?? false);
      const shown = countHits(turns);
      if (shown < total) warn(text.more(shown, total, limit));
    }
  },
});

const countHits = (turns: readonly FoundTurn[]): number =>
  turns.reduce((sum, { hits }) => sum + hits.length, 0);

/** What is known of the turns besides: names, and commits. */
async function toShown(
  branch: Branch | undefined,
  turns: readonly FoundTurn[],
  { sessions, own }: SearchResult,
): Promise<ShownTurn[]> {
  const here = new Set(own);
  const commits = branch ? await commitsOf(branch, turns) : new Map<string, LogRow>();
  const numberOf = branch ? openTurnNumbers(branch.repo) : () => undefined;
  return turns.map((turn): ShownTurn => {
    const isElsewhere = !here.has(turn.session);
    const number = isElsewhere ? undefined : numberOf(turn);
    const id = shortId(turn.session, sessions);
    return {
      ...turn,
      ...{ number, isElsewhere, commit: commits.get(turn.checkpoint) },
      name: plain(number === undefined ? id : `${id}:${number}`),
    };
  });
}

/** A day before what was said, for clocks differ. */
const EARLIER_MS = 24 * 60 * 60 * 1000;

async function commitsOf(branch: Branch, turns: readonly FoundTurn[]): Promise<Map<string, LogRow>> {
  const ids = new Set(
    turns.flatMap(({ checkpoint }): CheckpointId[] => [parseCheckpointId(checkpoint) ?? []].flat()),
  );
  const times = turns.flatMap(({ checkpoint, at }) => (checkpoint === '' ? [] : at * 1000 - EARLIER_MS));
  const since = times.length > 0 && Math.min(...times) > 0 ? new Date(Math.min(...times)) : undefined;
  return findCommitsOfCheckpoints(branch, [...ids], since);
}
