import { AGENTS } from '../../../agents/names.ts';
import { EntireError } from '../../../base/errors.ts';
import type { SessionRecord } from '../../../conversation/walk/session-record.ts';
import { withLongerTitle } from '../../../conversation/walk/title.ts';
import { isWithin, listSessions } from '../../../conversation/walk/walker.ts';
import { locateRepo, physicalPath, type Repo } from '../../../git/locate.ts';
import { listWorktreeRoots } from '../../../git/worktree/worktrees.ts';
import { defineCommand, type FlagsOf } from '../../command.ts';
import { wantsColour } from '../../ui/colour.ts';
import { type Progress, withProgress } from '../../ui/progress.ts';
import { renderJson, say, warn, warnOf } from '../../ui/terminal.ts';
import { ABSOLUTE, wishAbsolute } from '../../ui/time.ts';
import { terminalWidth } from '../../ui/width.ts';
import { findWork } from '../find-work.ts';
import { parseAgentFlag, parseSince, SINCE } from '../flags.ts';
import { MORE, NO_CHATS, NONE, NONE_HERE } from '../text.ts';
import { listRecorded } from './recorded.ts';
import { type ListedSession, renderSessions, toJson } from './view.ts';

const options = {
  everywhere: {
    type: 'boolean',
    alias: 'all-clis',
    describe: 'Also sessions that were begun outside of this repository',
  },
  here: { type: 'boolean', describe: 'Only sessions that were begun in this worktree' },
  agent: { type: 'string', describe: 'Only sessions of this agent' },
  chats: {
    type: 'boolean',
    describe: 'Only those of `entire session chat`, and what was forked or imported',
  },
  since: { type: 'string', describe: `Only what was written since ${SINCE}` },
  limit: { type: 'number', default: 20, describe: 'Show at most this many sessions' },
  all: { type: 'boolean', describe: 'All of them' },
  'no-commits': { type: 'boolean', describe: 'Do not look for commits and lines that survive' },
  absolute: ABSOLUTE,
  json: { type: 'boolean', describe: 'Print the list as JSON' },
} as const;

type ListFlags = FlagsOf<typeof options>;

export const listCommand = defineCommand({
  options,
  completes: { agent: Object.keys(AGENTS) },
  examples: [
    'entire session list',
    'entire session list --agent codex --since 7d',
    'entire session list --everywhere',
  ],
  run: tellSessions,
});

/** A list is waited for; who wants to know it of all files asks for one session. */
const MAX_FILES = 200;
/** Of a longer list nobody waits for titles that are not told by what is read anyway. */
const MAX_READ = 100;

/** Lists sessions: those of the repository, or all there are; the last written first. */
async function tellSessions(flags: ListFlags): Promise<void> {
  const agent = parseAgentFlag(flags.agent);
  const since = flags.since === undefined ? undefined : parseSince(flags.since, 'local');
  const repo = locateRepo(process.cwd());
  if (flags.here && !repo) throw new EntireError('NOT_A_REPO', '--here: this is not a repository.');
  const limit = requireLimit(flags);
  const folder = foldersOf(repo, flags);
  const sessions = await withProgress(async (progress) => {
    progress.step('Looking for sessions');
    const isAsked = ({ cliOrigin, kind, updatedAt }: SessionRecord): boolean =>
      (agent === undefined || cliOrigin === agent) &&
      (!flags.chats || kind !== 'agent') &&
      (since === undefined || Date.parse(updatedAt) >= since.getTime());
    const walk = { ...(folder ? { folder } : {}), newest: 'written', onProblem: warnOf } as const;
    // Ours of other agents are among what is found: so many more are asked for.
    const most = agent === undefined && !flags.chats ? { limit: limit + 1 } : {};
    const agents = flags.chats ? [] : agent ? [agent] : undefined;
    const kept = await listSessions({ ...walk, ...most, ...(agents ? { agents } : {}) });
    const isHere = isWithin(flags.here ? folder : undefined);
    const recorded =
      repo && !flags.chats ? listRecorded(repo, kept).filter((record) => isHere(record.folder)) : [];
    const records = [...kept, ...recorded].filter(isAsked);
    records.sort((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
    return join(records, flags, repo, limit, progress);
  });
  const shown = sessions.slice(0, limit);
  if (flags.json) return say(renderJson(shown.map(toJson)));
  if (shown.length === 0) {
    const isNarrow = flags.here || agent !== undefined || since !== undefined;
    return say(isNarrow ? NONE : flags.chats ? NO_CHATS : folder ? NONE_HERE : NONE);
  }
  wishAbsolute(flags.absolute);
  const view = {
    withOrigin: agent === undefined,
    root: repo?.worktreeRoot,
    withWork: repo !== undefined && !flags['no-commits'],
    width: terminalWidth(),
    hasColour: wantsColour(process.env, process.stdout.isTTY),
  };
  say(renderSessions(shown, view));
  if (sessions.length > limit) warn(MORE);
}

/** Where sessions are asked for that were begun; `undefined` for anywhere. */
function foldersOf(repo: Repo | undefined, { here, everywhere }: ListFlags): readonly string[] | undefined {
  if (!repo || (everywhere && !here)) return undefined;
  if (here) return [repo.worktreeRoot];
  const roots = [...new Set([repo.worktreeRoot, ...listWorktreeRoots(repo).map(physicalPath)])];
  return roots.filter((root) => !roots.some((other) => other !== root && isWithin([other])(root)));
}

/** Looks into the record for what is shown. */
async function join(
  records: readonly SessionRecord[],
  flags: ListFlags,
  repo: Repo | undefined,
  limit: number,
  progress: Progress,
): Promise<ListedSession[]> {
  const shown = records.slice(0, limit);
  const rest = records.slice(limit).map((record) => ({ record, work: undefined }));
  const query = { maxFiles: MAX_FILES, onProgress: progress.step };
  const workOf = await findWork(flags['no-commits'] ? undefined : repo, shown, query);
  const listed = shown.map((record) => ({
    record: shown.length > MAX_READ ? record : withLongerTitle(record),
    work: workOf(record),
  }));
  return [...listed, ...rest];
}

function requireLimit({ limit, all }: ListFlags): number {
  if (all) return Number.POSITIVE_INFINITY;
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new EntireError('BAD_FLAGS', '--limit takes a number from 1 on.');
}
