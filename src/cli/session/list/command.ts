import { type AgentName, parseAgentName } from '../../../agents/names.ts';
import { EntireError } from '../../../base/errors.ts';
import { KNOWN_CLI_ORIGINS } from '../../../conversation/runs/run-id.ts';
import type { SessionRecord } from '../../../conversation/walk/session-record.ts';
import { withLongerTitle } from '../../../conversation/walk/title.ts';
import { listSessions } from '../../../conversation/walk/walker.ts';
import { locateRepo, type Repo } from '../../../git/locate.ts';
import { type Progress, withProgress } from '../../ui/progress.ts';
import { plain, renderJson, say, warn, warnOf } from '../../ui/terminal.ts';
import { findWork } from '../find-work.ts';
import { MORE } from '../text.ts';
import { type ListedSession, renderSessions, toJson } from './view.ts';

export interface ListFlags {
  readonly agent?: string | undefined;
  readonly 'all-clis'?: boolean | undefined;
  readonly here?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly all?: boolean | undefined;
  readonly 'no-commits'?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const LIMIT = 20;
/** A list is waited for; who wants to know it of all files asks for one session. */
const MAX_FILES = 200;
/** Of a longer list nobody waits for titles that are not told by what is read anyway. */
const MAX_READ = 100;

/** Lists sessions: ours, one agent's and ours with it, or all there are; newest first. */
export async function listCommand(flags: ListFlags): Promise<void> {
  const agent = requireAgent(flags);
  const repo = locateRepo(process.cwd());
  if (flags.here && !repo) throw new EntireError('NOT_A_REPO', '--here: this is no repository.');
  const limit = requireLimit(flags);
  const sessions = await withProgress(async (progress) => {
    progress.step('Looking for sessions');
    const records = await find(flags, agent, repo, limit + 1);
    return join(records, flags, repo, limit, progress);
  });
  const shown = sessions.slice(0, limit);
  if (flags.json) return say(renderJson(shown.map(toJson)));
  const view = {
    withOrigin: agent === undefined,
    isOurs: agent === undefined && !flags['all-clis'],
    root: repo?.worktreeRoot,
    withWork: repo !== undefined && !flags['no-commits'],
    width: process.stdout.isTTY ? process.stdout.columns : undefined,
  };
  say(renderSessions(shown, view));
  if (sessions.length > limit) warn(MORE);
}

async function find(
  { 'all-clis': isAll, here }: ListFlags,
  agent: AgentName | undefined,
  repo: Repo | undefined,
  limit: number,
): Promise<SessionRecord[]> {
  const folder = here && repo ? { folder: repo.worktreeRoot } : {};
  const agents = isAll ? [...KNOWN_CLI_ORIGINS] : agent ? [agent] : [];
  // Ours of other agents are among what is found: so many more are asked for.
  const most = agent === undefined ? { limit } : {};
  const records = await listSessions({ ...folder, ...most, agents, newest: 'written', onProblem: warnOf });
  const wanted = agent ? records.filter(({ cliOrigin }) => cliOrigin === agent) : records;
  return isAll || agent ? wanted : wanted.filter(({ kind }) => kind !== 'agent');
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

function requireAgent({ agent: named, 'all-clis': isAll }: ListFlags): AgentName | undefined {
  if (named === undefined) return undefined;
  if (isAll) throw new EntireError('BAD_FLAGS', '--agent and --all-clis are two questions; choose one.');
  const agent = parseAgentName(named);
  if (agent) return agent;
  throw new EntireError('BAD_FLAGS', `no agent: ${plain(named)}`, {
    hint: `One of: ${[...KNOWN_CLI_ORIGINS].join(', ')}.`,
  });
}

function requireLimit({ limit, all }: ListFlags): number {
  if (all) return Number.POSITIVE_INFINITY;
  if (limit === undefined) return LIMIT;
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new EntireError('BAD_FLAGS', '--limit takes a number from 1 on.');
}
