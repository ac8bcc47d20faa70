import type { AgentEvent, SessionEnd, SessionStart } from '../agents/event.ts';
import { AGENTS, type AgentName, parseAgentName } from '../agents/names.ts';
import { AGENT_READERS } from '../agents/registry.ts';
import { now, renderLocal } from '../base/clock.ts';
import { describeError } from '../base/errors.ts';
import { log, openLog } from '../base/log.ts';
import { readRef } from '../git/refs.ts';
import { readStatus } from '../git/status.ts';
import { withSessionLock } from '../session/lock.ts';
import { applyEvent } from '../session/state.ts';
import { readStateOrSetAside, writeState } from '../session/state-store.ts';
import { removePreTask, writePreTask } from '../session/turn-snapshot.ts';
import { readActivation } from '../settings/enabled.ts';
import { ensureGitignore } from '../settings/gitignore.ts';
import { tell } from '../strategy/progress.ts';
import { listSessions } from '../strategy/sessions.ts';
import { ensureStrategySetUp } from '../strategy/set-up.ts';
import { endTurn } from '../strategy/turn-end.ts';
import { startTurn } from '../strategy/turn-start.ts';
import { type Work, workIn } from '../strategy/work.ts';
import { failOpenAsync } from './fail-open.ts';
import { locateHooksFolder } from './hooks-folder.ts';
import { ensureGitHooks, runningProgram } from './install.ts';
import { countOthers, writeBanner } from './reply.ts';
import { locateSessionHome } from './session-home.ts';
import { readPayload } from './stdin.ts';

/**
 * Runs every agent hook but the hot one: payload → event → what the event means. Exits 0 whatever happens; an
 * unknown agent or verb, a folder without a repository, and one that is not enabled do nothing.
 */
export async function runAgentHook(
  name: string,
  verb: string | undefined,
  readInput: () => unknown = readPayload,
): Promise<void> {
  const agent = parseAgentName(name);
  if (!agent || !verb) return;
  await failOpenAsync(verb, async () => {
    const known = locateSessionHome(undefined);
    const early = known && readActivation(known);
    if (early?.kind === 'enabled') openLog(early.root, early.logLevel, { component: 'hooks', agent });

    const event = AGENT_READERS[agent].parseHookInput(verb, readInput());
    if (event === undefined) return;
    if ('rejected' in event) return log('warn', 'hook skipped', { hook: verb, error: event.rejected });

    const repo = locateSessionHome(event.cwd);
    if (!repo) return;
    const activation = readActivation(repo);
    if (activation.kind === 'unreadable') {
      openLog(activation.root, undefined);
      return log('warn', 'settings are unreadable, hooks do nothing', {
        file: activation.file,
        error: activation.reason,
      });
    }
    if (activation.kind !== 'enabled') return;
    openLog(activation.root, activation.logLevel, {
      session_id: event.sessionId,
      component: 'lifecycle',
      agent,
    });
    log('info', verb, { hook: verb, transcript_path: event.transcriptPath });
    await dispatch(workIn(repo), agent, event, activation.absoluteGitHookPath);
  });
}

async function dispatch(
  work: Work,
  agent: AgentName,
  event: AgentEvent,
  absoluteGitHookPath: boolean,
): Promise<void> {
  const turn = {
    sessionId: event.sessionId,
    agentType: AGENTS[agent].type,
    transcriptPath: event.transcriptPath,
  };
  switch (event.type) {
    case 'SessionStart':
      return startSession(work, event);
    case 'TurnStart':
      ensureSetup(work, absoluteGitHookPath);
      return startTurn(work, turn, event);
    case 'TurnEnd':
      return endTurn(work, turn, event);
    case 'SessionEnd':
      return endSession(work, event);
    case 'SubagentStart': {
      const changes = [...readStatus(work.git).changes];
      const untracked = changes.flatMap(([path, kind]) => (kind === 'untracked' ? [path] : []));
      writePreTask(work.repo.worktreeRoot, event.toolUseId, untracked);
      return tell(`Captured state before task: ${untracked.length} untracked files`);
    }
    case 'SubagentEnd':
      // Its edits were recorded one by one; the turn that runs it saves them.
      if (event.toolUseId) removePreTask(work.repo.worktreeRoot, event.toolUseId);
      return;
    case 'Compaction':
      // Offsets stay as they are: a transcript shorter than its offset is read from the start, once.
      return log('info', 'context compaction');
    case 'FileEdit':
      return; // the hot path, hooks/post-file-edit.ts
  }
}

/** Puts back what other tools removed since the last turn; the agent may commit in this one. */
function ensureSetup(work: Work, absoluteGitHookPath: boolean): void {
  for (const [what, ensure] of [
    ['.gitignore', () => ensureGitignore(work.repo.worktreeRoot)],
    ['metadata branch', () => ensureStrategySetUp(work)],
    ['git hooks', () => ensureOwnGitHooks(work, absoluteGitHookPath)],
  ] as const) {
    try {
      ensure();
    } catch (error) {
      log('warn', 'set-up is incomplete', { what, error: describeError(error) });
      tell(`Warning: failed to ensure strategy setup: ${describeError(error)}`);
    }
  }
}

/** In a hooks folder outside the repository nothing is ever written unasked. */
function ensureOwnGitHooks(work: Work, absoluteGitHookPath: boolean): void {
  const folder = locateHooksFolder(work.repo);
  if (folder.isOwn) ensureGitHooks(folder.dir, absoluteGitHookPath ? runningProgram() : undefined);
}

async function startSession(work: Work, event: SessionStart): Promise<void> {
  const sessions = listSessions(work);
  // After a compaction the same conversation goes on: nothing to announce.
  if (event.source !== 'compact') {
    const head = sessions.length > 0 ? readRef(work.git, 'HEAD') : undefined;
    writeBanner(countOthers(sessions, event.sessionId, head));
  }
  if (!sessions.some((session) => session.sessionId === event.sessionId)) return;
  await withSessionLock(work.sessions, event.sessionId, () => {
    const state = readStateOrSetAside(work.sessions, event.sessionId);
    if (state) writeState(work.sessions, applyEvent(state, 'session-start'));
  });
}

/** Clients kill this hook when they exit: it does nothing that a commit or the next prompt could not do without. */
async function endSession(work: Work, event: SessionEnd): Promise<void> {
  await withSessionLock(work.sessions, event.sessionId, () => {
    const state = readStateOrSetAside(work.sessions, event.sessionId);
    if (state)
      writeState(work.sessions, { ...applyEvent(state, 'session-stop'), endedAt: renderLocal(now()) });
  });
}
