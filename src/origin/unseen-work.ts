import { AGENT_NAMES, type AgentName } from '../agents/names.ts';
import { agentOf } from '../agents/registry.ts';
import { isMereCopy, type KeptTranscript } from '../agents/shared/transcript/kept-transcripts.ts';
import { describeError } from '../base/errors.ts';
import { disk } from '../base/file/disk.ts';
import { openLogs } from '../base/file/log-tail.ts';
import type { ObjectId, SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { locateRepo } from '../git/locate.ts';
import { type Git, runGit } from '../git/run.ts';
import type { Verdict } from '../session/record/verdicts.ts';
import { listTracked } from '../session/session-index.ts';
import { hasState } from '../session/state-store.ts';
import type { Work } from '../strategy/work.ts';

/** Sessions of each agent that are looked at; older ones have been seen by a hook, or say nothing of today. */
const NEWEST = 20;
/** Git counts in seconds. */
const SLACK_MS = 1_000;

/** A commit, and the ones it was made on. */
interface Made {
  readonly committedAt: string;
  readonly parents: readonly ObjectId[];
}

/** When an agent was at work; in milliseconds since 1970. */
interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Tells of a commit whether, between the one before and it, an agent was at work in the worktree of which no hook told: it was begun in
 * a folder below, its hooks were off, or nobody had set it up. Then none of its lines is a person's for sure. Looks at the newest
 * sessions that agents keep, once, and at the times of commits where there are any.
 */
export function openUnseenWork(
  work: Work,
  commits: ReadonlyMap<ObjectId, Made>,
  verdicts: readonly Verdict[],
  env: NodeJS.ProcessEnv,
): (commit: ObjectId) => boolean {
  let stretches: readonly Stretch[] | undefined;
  let times: ReadonlyMap<ObjectId, number> | undefined;
  return (commit) => {
    const made = commits.get(commit);
    stretches ??= findStretches(work, verdicts, env);
    if (!made || stretches.length === 0) return false;
    times ??= readTimes(work.git, [...new Set([...commits.values()].flatMap(({ parents }) => parents))]);
    const fromMs = Math.max(0, ...made.parents.map((parent) => times?.get(parent) ?? 0));
    const toMs = Date.parse(made.committedAt) + SLACK_MS;
    return stretches.some((stretch) => stretch.fromMs <= toMs && stretch.toMs >= fromMs);
  };
}

function findStretches(work: Work, verdicts: readonly Verdict[], env: NodeJS.ProcessEnv): Stretch[] {
  const { worktreeRoot } = work.repo;
  const known = new Set<string>([
    ...listTracked(work.sessions),
    ...verdicts.flatMap(({ sessions }) => sessions),
  ]);
  const isLogged = openLogs(worktreeRoot); // of sessions that were taken off the record
  const isKnown = (id: SessionId): boolean => known.has(id) || isLogged(id) || hasState(work.sessions, id);
  return AGENT_NAMES.flatMap((agent) => {
    try {
      return listKeptHere(worktreeRoot, agent, env, NEWEST)
        .filter(({ sessionId }) => !isKnown(sessionId))
        .map(({ path, writtenMs }) => ({ fromMs: beganMs(path), toMs: writtenMs }));
    } catch (error) {
      log('warn', 'sessions of an agent passed over', { agent, error: describeError(error) });
      return [];
    }
  });
}

/**
 * The newest sessions that an agent keeps for a worktree, copies that nobody went on with left out. A folder below may be of another
 * repository, or of another worktree.
 */
export const listKeptHere = (
  worktreeRoot: string,
  agent: AgentName,
  env: NodeJS.ProcessEnv,
  limit: number,
): KeptTranscript[] =>
  agentOf(agent)
    .home.list(env, limit, worktreeRoot)
    .filter(({ folder }) => folder === undefined || locateRepo(folder)?.worktreeRoot === worktreeRoot)
    .filter(({ path }) => !isMereCopy(path));

/** When commits were made, in milliseconds since 1970. One process. */
function readTimes(git: Git, commits: readonly ObjectId[]): Map<ObjectId, number> {
  if (commits.length === 0) return new Map();
  const args = ['log', '--no-walk=unsorted', '--no-show-signature', '--format=%H %ct', '--stdin'];
  const { code, stdout } = runGit(git, args, {
    input: commits.map((oid) => `${oid}\n`).join(''),
    okCodes: [0, 128],
  });
  const lines = code === 0 ? stdout.toString('utf8').trim().split('\n') : [];
  return new Map(lines.map((line) => [line.split(' ')[0] as ObjectId, Number(line.split(' ')[1]) * 1000]));
}

/** Where the file system does not know it, the session may have begun at any time. */
const beganMs = (path: string): number => disk.statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
