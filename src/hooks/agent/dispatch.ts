import type { AgentEvent, SessionEnd, SessionStart } from '../../agents/event.ts';
import { type AnyAgent, isBuiltIn } from '../../agents/names.ts';
import { agentOf, typeOf } from '../../agents/registry.ts';
import { now, renderUtc } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { Repo } from '../../git/locate.ts';
import { readRef } from '../../git/ref/refs.ts';
import { withSessionLock } from '../../session/lock.ts';
import { lacksTokensAfter, readCompaction } from '../../session/record/compactions.ts';
import { dropIdle } from '../../session/record/idle.ts';
import { removeBaseline } from '../../session/record/turn-snapshot.ts';
import { forgetUserLines } from '../../session/record/user-lines.ts';
import { applyEvent } from '../../session/state.ts';
import { hasState, readStateOrSetAside } from '../../session/state-store.ts';
import { ensureExcluded } from '../../settings/gitignore.ts';
import { linkUnhooked } from '../../strategy/commit/afterwards.ts';
import { tell } from '../../strategy/progress.ts';
import { listParticipants } from '../../strategy/sessions.ts';
import { ensureStrategySetUp, strategyOf } from '../../strategy/strategies.ts';
import type { Strategy } from '../../strategy/strategy.ts';
import { dropLostTasks, launchTask, startTask } from '../../strategy/task/start.ts';
import { dropTranscriptCache } from '../../strategy/transcript/index-file.ts';
import { readUnfinished } from '../../strategy/transcript/take-in.ts';
import { completeTurn } from '../../strategy/turn/end.ts';
import { keepBrokenOff, keepEnded } from '../../strategy/turn/keep.ts';
import { recordShellEdits } from '../../strategy/turn/shell.ts';
import { saveState, type Work, workIn } from '../../strategy/work.ts';
import { ensureOwnGitHooks } from '../git/hooks-folder.ts';
import { findOwner } from '../git/ownership.ts';
import { countOthers, writeBanner, writeReminder } from './reply.ts';
import { findUnsaidCompaction } from './unsaid-compaction.ts';

/** What the settings say of what a hook does. */
export interface DispatchSettings {
  readonly strategy: string | undefined;
  readonly absoluteGitHookPath: boolean;
  readonly remindsOfFiles: boolean;
  /** Settings files that are not heard: nobody knows how git hooks are to look. */
  readonly refused: readonly unknown[];
}

/** Says what an event means for the session, and does it. */
export async function dispatch(
  repo: Repo,
  agent: AnyAgent,
  event: AgentEvent,
  settings: DispatchSettings,
): Promise<void> {
  const work = workIn(repo);
  const owner = findOwner(work, agent, event);
  if (owner) return log('info', 'hook of another agent passed over', { owner, event: event.type });
  const strategy = strategyOf(settings.strategy);
  const turn = {
    sessionId: event.sessionId,
    agentType: typeOf(agent),
    transcriptPath: event.transcriptPath,
  };
  switch (event.type) {
    case 'SessionStart': {
      const isCompacted = isOfCompacted(work, agent, event, settings);
      await startSession(work, strategy, agent, event, isCompacted);
      if (isCompacted && settings.remindsOfFiles) {
        const { adoptCompaction } = await import('./adopt-compaction.ts'); // both seldom needed
        const { remindOfFiles } = await import('./compaction.ts');
        adoptCompaction(work, event, typeOf(agent));
        const known = { isRepeated: event.mayBeRepeated === true || event.source === 'resume' };
        writeReminder(agent, await remindOfFiles(work, event, typeOf(agent), known));
      }
      const prompt = isBuiltIn(agent) ? agentOf(agent).findUnsaidPrompt?.(event) : undefined;
      if (prompt === undefined) return;
      // Clients read one reply of a hook, and the start of the session has it.
      const silently = { ...settings, remindsOfFiles: false };
      return dispatch(repo, agent, { ...event, type: 'TurnStart', prompt }, silently);
    }
    case 'TurnStart':
      dropIdle(repo); // it is out of date by now: here nobody has to know by what
      ensureSetup(work, settings);
      if (strategy.linksUsersCommits) await linkUnhooked(work, event.sessionId, false);
      await strategy.startTurn(work, turn, event);
      await remindIfCompacted(work, agent, event, settings);
      return dropLostTasks(work, event.sessionId, undefined);
    case 'TurnEnd':
      if (strategy.linksUsersCommits) await linkUnhooked(work, event.sessionId, false);
      await strategy.endTurn(work, turn, event);
      if (settings.remindsOfFiles && lacksTokensAfter(repo.commonDir, event.sessionId))
        (await import('./compaction.ts')).completeCompaction(work, event, typeOf(agent));
      return dropLostTasks(work, event.sessionId, event.runningAgents);
    case 'SessionEnd':
      return endSession(work, strategy, event);
    case 'SubagentStart':
      return startTask(work, event);
    case 'SubagentLaunch':
      return launchTask(work, event);
    case 'SubagentEnd':
      return strategy.endTask(work, turn, event);
    case 'TodoUpdate':
      return strategy.saveIncrement(work, turn, event);
    case 'Compaction':
      // Offsets stay as they are: a transcript shorter than its offset is read from the start, once.
      log('info', 'context compaction');
      if (settings.remindsOfFiles)
        (await import('./compaction.ts')).noteCompaction(work, event, typeOf(agent));
      return;
    case 'ShellCommand':
      await recordShellEdits(work, event.sessionId);
      if (strategy.linksUsersCommits) await linkUnhooked(work, event.sessionId, true);
      if (event.isSubagent !== true) await remindIfCompacted(work, agent, event, settings);
      return;
    case 'FileEdit':
      return; // the hot path, hooks/post-file-edit.ts
  }
}

/** The model hears of its files with the next prompt, or with what a shell command gave, where no hook says that a compaction is over. */
async function remindIfCompacted(
  work: Work,
  agent: AnyAgent,
  event: AgentEvent,
  { remindsOfFiles }: DispatchSettings,
): Promise<void> {
  const find = () => findUnsaidCompaction(work, event, typeOf(agent));
  if (!remindsOfFiles || find() === undefined) return;
  const { remindOfFiles } = await import('./compaction.ts');
  writeReminder(agent, await remindOfFiles(work, event, typeOf(agent), { find }), event.type);
}

/** Whether a session goes on with a conversation that was compacted, and its model knows of no files. */
function isOfCompacted(
  work: Work,
  agent: AnyAgent,
  { source, sessionId }: SessionStart,
  { remindsOfFiles }: DispatchSettings,
): boolean {
  if (source === 'compact') return true;
  const forgets = source === 'resume' && isBuiltIn(agent) && agentOf(agent).forgets === true;
  return remindsOfFiles && forgets && readCompaction(work.repo.commonDir, sessionId)?.compacted === true;
}

/** Puts back what other tools removed since the last turn; the agent may commit in this one. */
function ensureSetup(work: Work, { absoluteGitHookPath, refused }: DispatchSettings): void {
  for (const [what, ensure] of [
    ['info/exclude', () => ensureExcluded(work.repo.commonDir)],
    ['metadata branch', () => ensureStrategySetUp(work)],
    ['git hooks', () => refused.length === 0 && ensureOwnGitHooks(work.repo, absoluteGitHookPath)],
  ] as const) {
    try {
      ensure();
    } catch (error) {
      log('warn', 'set-up is incomplete', { what, error: describeError(error) });
      tell(`Warning: failed to ensure strategy setup: ${describeError(error)}`);
    }
  }
}

async function startSession(
  work: Work,
  strategy: Strategy,
  agent: AnyAgent,
  event: SessionStart,
  isCompacted: boolean,
): Promise<void> {
  const sessions = listParticipants(work);
  // After a compaction the same conversation goes on: nothing to announce, and clients read one reply.
  if (!isCompacted) {
    const counts = strategy.linksUsersCommits && sessions.length > 0;
    const head = counts ? readRef(work.git, 'HEAD') : undefined;
    writeBanner(agent, counts ? countOthers(sessions, event.sessionId, head) : 0);
  }
  if (!hasState(work.sessions, event.sessionId)) return;
  await withSessionLock(work.sessions, event.sessionId, async () => {
    const state = readStateOrSetAside(work.sessions, event.sessionId);
    if (!state) return;
    // Only a compaction happens in a turn: a session that is taken up again is in one whose client died. Where the prompt
    // may have come first, it is what ends that one.
    const isInTurn = event.source === 'compact' || event.mayBeInTurn;
    if (!isInTurn && state.phase === 'active') await keepBrokenOff(work, state, state);
    const over = isInTurn ? state : applyEvent(state, 'turn-end');
    saveState(work, applyEvent(over, 'session-start'));
  });
}

/**
 * Clients kill this hook when they exit: it does nothing that a commit or the next prompt could not do without, and
 * what takes longer last. A turn that had no stop may have left checkpoints to complete.
 */
async function endSession(work: Work, strategy: Strategy, event: SessionEnd): Promise<void> {
  await withSessionLock(work.sessions, event.sessionId, async () => {
    const state = readStateOrSetAside(work.sessions, event.sessionId);
    const ended = state && { ...applyEvent(state, 'session-stop'), endedAt: renderUtc(now()) };
    if (ended) saveState(work, ended);
    if (state?.phase === 'active') await keepEnded(work, state);
    removeBaseline(work.repo.commonDir, event.sessionId);
    if (ended && ended.turnCheckpointIds.length > 0) saveState(work, await completeTurn(work, ended));
    // While a part of a long transcript waits, whoever goes on with it needs what there is.
    if (ended && readUnfinished(work.repo.commonDir, event.sessionId)) return;
    if (!ended || !strategy.isPending(ended)) {
      dropTranscriptCache(work.repo.commonDir, event.sessionId);
      forgetUserLines(work.repo.commonDir, event.sessionId);
    }
  });
  await dropLostTasks(work, event.sessionId, event.mayGoOn ? undefined : []);
}
