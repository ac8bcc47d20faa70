import { join } from 'node:path';
import { externalAgents } from '../../agents/external/locate.ts';
import { AGENT_NAMES, type AnyAgent } from '../../agents/names.ts';
import { typeOf } from '../../agents/registry.ts';
import { now, renderUtc } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { compileCustomRules } from '../../checkpoint/redact/custom.ts';
import { RULE_SKIPPED } from '../../checkpoint/redact/find.ts';
import { readLogFailures } from '../../doctor/examine/log-failures.ts';
import type { Repo } from '../../git/locate.ts';
import { askGit, gitFor } from '../../git/run.ts';
import { isRemoved } from '../../git/worktree/worktrees.ts';
import {
  admitExternalAgents,
  type ExternalListing,
  listExternalAgents,
} from '../../hooks/agent/external-agents.ts';
import { type OpenSources, openSources } from '../../hooks/agent/sources.ts';
import { agentSettingsOf, settingsPlace } from '../../hooks/agent-settings.ts';
import { locateHooksFolder } from '../../hooks/git/hooks-folder.ts';
import { findGitHooks } from '../../hooks/git/install.ts';
import { GIT_HOOKS } from '../../hooks/git/shims.ts';
import { isAtWork } from '../../restore/at-work.ts';
import { type Pause, readPauses } from '../../session/record/pause.ts';
import { isPending, type SessionState } from '../../session/state.ts';
import { listStates } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { type Activation, type RefusedSettings, readActivation } from '../../settings/enabled.ts';
import { LOCAL_SETTINGS_FILE, SETTINGS_FILE } from '../../settings/layers.ts';
import { parseRedaction } from '../../settings/redaction.ts';
import { loadHeardSettings, type SettingsValues } from '../../settings/settings.ts';
import { canBeAtWork, isAbandoned } from '../../strategy/signs-of-life.ts';
import { readUnfinished, type Unfinished } from '../../strategy/transcript/take-in.ts';
import { findWaitingFiles, type WaitingFiles } from '../../strategy/waiting-work.ts';
import { workIn } from '../../strategy/work.ts';
import { RULES_MISSING } from '../messages.ts';
import { type Leaving, readLeaving } from '../push/leaving.ts';
import { type LastCommit, readLastCommits } from './commits.ts';

/** Everything `entire status` can say. */
export interface StatusReport {
  readonly enabled: boolean;
  readonly strategy: string;
  /** Contents of files are kept for `entire undo`. */
  readonly keepsContents: boolean;
  /** The settings files that hold, absolute; a linked worktree may follow the main one. */
  readonly files: readonly string[];
  /** What leaves by itself; nothing where git's configuration cannot be read. */
  readonly leaving: Leaving | { readonly unknown: string };
  readonly project: SettingsValues | undefined;
  readonly local: SettingsValues | undefined;
  readonly agents: readonly {
    readonly name: AnyAgent;
    readonly type: string;
    readonly hooks: number;
    readonly expected: number;
  }[];
  /** Agents that are not built in: what the settings say of them, and which cannot be used. */
  readonly external: Pick<ExternalListing, 'wish' | 'problems'>;
  readonly gitHooks: {
    readonly dir: string;
    readonly installed: readonly string[];
    readonly expected: number;
  };
  /** Private stretches that go on, of all worktrees; `unreadable`: nothing is recorded anywhere. */
  readonly pauses: readonly Pause[] | 'unreadable';
  /** The worktree that was asked from. */
  readonly worktreeId: string;
  readonly sessions: readonly SessionRow[];
  /** All sessions that are known here, also those of which there is nothing to tell: no id that is shown may fit two. */
  readonly known: readonly string[];
  /** State files that cannot be read. */
  readonly unreadable: readonly string[];
  readonly verdicts: readonly LastCommit[];
  /** What hooks had to say lately, newest last. */
  readonly problems: readonly Problem[];
}

export interface SessionRow {
  readonly state: SessionState;
  readonly branch: string | undefined;
  readonly here: boolean;
  /** It is in a turn that goes on, as far as is known. */
  readonly isAtWork: boolean;
  /** It is in a turn whose client has ended. */
  readonly isGone: boolean;
  /** Files that it touched and that a commit can still take. */
  readonly waiting: readonly string[];
  /** Those of them that are in a stash alone. */
  readonly stashed: readonly string[];
  /** Its worktree is gone, and its steps wait for it to go on in another one. */
  readonly isLeft: boolean;
  /** Of a long transcript: how much is taken in, where that is not all of it. */
  readonly unfinished: Unfinished | undefined;
}

export interface Problem {
  readonly time: string;
  readonly message: string;
  /** How often it was said in the last day, where that is known. */
  readonly count?: number;
}

const PROBLEMS_SHOWN = 3;
const NONE: WaitingFiles = { paths: [], stashed: [], renamed: [] };

/** Collects the report. `undefined` when the repository is not set up. @throws {EntireError} unreadable settings */
export async function readStatusReport(repo: Repo): Promise<StatusReport | undefined> {
  const activation = readActivation(repo);
  if (activation.kind === 'not-set-up') return undefined;
  const settings = loadHeardSettings(activation.root);
  const sources = openSources(repo);
  const hooksDir = locateHooksFolder(repo).dir;
  const { states, unreadable } = listStates(sessionsDir(repo.commonDir));
  const waiting = findWaitingFiles(repo, states);
  const waitingOf = ({ sessionId }: SessionState) => waiting.get(sessionId) ?? NONE;
  // A session that is over, with work that no commit has yet, still waits for one.
  const shown = states.filter(
    (state) => !state.endedAt || waitingOf(state).paths.length > 0 || isLeft(repo, state),
  );
  const { agents, external, unread } = readAgents(repo, sources);
  const branches = await readBranches(repo, new Set(shown.map(({ worktreePath }) => worktreePath)));
  const sessions = shown.map((state) =>
    toRow(repo, state, branches.get(state.worktreePath), waitingOf(state)),
  );
  const verdicts = await readLastCommits(repo, hooksDir);
  return {
    enabled: activation.kind === 'enabled',
    strategy: settings.effective.strategy,
    keepsContents: settings.effective.snapshots ?? true,
    files: [SETTINGS_FILE, LOCAL_SETTINGS_FILE]
      .map((file) => join(activation.root, file))
      .filter((file) => disk.existsSync(file)),
    leaving: readLeavingIfReadable(repo, sources),
    project: settings.project,
    local: settings.local,
    agents,
    external,
    gitHooks: { dir: hooksDir, installed: findGitHooks(hooksDir), expected: GIT_HOOKS.length },
    pauses: readPauses(repo.commonDir),
    worktreeId: repo.worktreeId,
    sessions: sessions.sort((a, b) => compare(a.state, b.state)),
    known: [...states.map(({ sessionId }) => sessionId), ...verdicts.flatMap((verdict) => verdict.sessions)],
    unreadable,
    verdicts,
    problems: [
      ...readLogFailures(activation.root).slice(-PROBLEMS_SHOWN),
      ...(await readRedactionProblems(activation)),
      ...unread,
      ...listRefused(activation.refused, settings.refused).map(toProblem),
    ],
  };
}

/** Its worktree was removed, and the steps that no commit took are there: they come along where it goes on. */
const isLeft = ({ commonDir }: Repo, state: SessionState): boolean =>
  isPending(state) && isRemoved(commonDir, state.worktreeId);

function readLeavingIfReadable(repo: Repo, sources: OpenSources): StatusReport['leaving'] {
  try {
    return readLeaving(repo, sources);
  } catch (error) {
    return { unknown: describeError(error) }; // hooks and commands push nothing then, either
  }
}

/** By worktree, then newest first. */
const compare = (a: SessionState, b: SessionState): number =>
  a.worktreePath === b.worktreePath
    ? Date.parse(b.startedAt) - Date.parse(a.startedAt)
    : a.worktreePath < b.worktreePath
      ? -1
      : 1;

function readAgents(
  repo: Repo,
  sources: OpenSources,
): Pick<StatusReport, 'agents' | 'external'> & { readonly unread: readonly Problem[] } {
  admitExternalAgents(repo);
  const { wish, problems } = listExternalAgents(repo, sources);
  const silent: ExternalListing['problems'][number][] = [];
  const read = (name: AnyAgent): StatusReport['agents'] => {
    const { current, outdated, expected } = agentSettingsOf(name).inspect(settingsPlace(repo, name));
    const hooks = current + outdated;
    return hooks === 0 ? [] : [{ name, type: typeOf(name), hooks, expected }];
  };
  const external = externalAgents().flatMap(({ name, program }) => {
    try {
      return read(name);
    } catch (error) {
      silent.push({ name, file: program, reason: describeError(error) });
      return [];
    }
  });
  const unread: Problem[] = [];
  const own = AGENT_NAMES.flatMap((name) => {
    try {
      return read(name);
    } catch (error) {
      unread.push({ time: renderUtc(now()), message: describeError(error) });
      return [];
    }
  });
  const agents = [...own, ...external];
  return {
    unread,
    agents,
    external: { wish, problems: [...problems, ...silent] },
  };
}

/** What is checked out in each worktree; those that are gone are left out. */
async function readBranches(repo: Repo, worktrees: ReadonlySet<string>): Promise<Map<string, string>> {
  const branches = new Map<string, string>();
  for (const cwd of worktrees) {
    const name =
      cwd && (await askGit({ ...gitFor(repo), cwd }, 'rev-parse', '--abbrev-ref', 'HEAD').catch(() => ''));
    if (name) branches.set(cwd, name);
  }
  return branches;
}

function toRow(
  repo: Repo,
  state: SessionState,
  branch: string | undefined,
  { paths, stashed }: WaitingFiles,
): SessionRow {
  return {
    state,
    branch,
    here: state.worktreeId === repo.worktreeId,
    isAtWork:
      state.phase === 'active' &&
      canBeAtWork(repo.commonDir, state) &&
      isAtWork(workIn(repo), state.sessionId),
    isGone: state.phase === 'active' && isAbandoned(repo.commonDir, state),
    ...{ waiting: paths, stashed },
    isLeft: isLeft(repo, state),
    unfinished: readUnfinished(repo.commonDir, state.sessionId),
  };
}

/** Redaction settings that cannot be used, now. */
async function readRedactionProblems(activation: Activation): Promise<Problem[]> {
  if (activation.kind !== 'enabled') return [];
  const { problems } = await compileCustomRules(parseRedaction(activation.redaction));
  return problems.map((problem) => ({ time: renderUtc(now()), message: `${RULE_SKIPPED}: ${problem}` }));
}

/** What hooks do not read, and what only the commands refuse. */
const listRefused = (
  byHooks: readonly RefusedSettings[],
  byCommands: readonly RefusedSettings[],
): RefusedSettings[] => [
  ...byHooks,
  ...byCommands.filter(({ file }) => !byHooks.some((refused) => refused.file === file)),
];

const toProblem = ({ file, reason, lacksRules }: RefusedSettings): Problem => ({
  time: renderUtc(now()),
  message: `${file} is not read, and permits nothing: ${reason}${lacksRules ? RULES_MISSING : ''}`,
});
