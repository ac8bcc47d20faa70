import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { Repo } from '../../git/locate.ts';
import type { LoggedTurn } from '../../history/log.ts';
import type { SessionState } from '../../session/state.ts';
import { listStates } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';

/** Turns of this worktree that go on, and have changed something so far. */
export async function listRunning(repo: Repo): Promise<LoggedTurn[]> {
  const { states } = listStates(sessionsDir(repo.commonDir), { archived: false });
  const running: LoggedTurn[] = [];
  for (const state of states)
    if (state.phase === 'active' && state.worktreeId === repo.worktreeId)
      running.push(...(await lookAt(repo, state)));
  return running.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

async function lookAt(repo: Repo, state: SessionState): Promise<LoggedTurn[]> {
  const { peekOpenTurn } = await import('../../strategy/turn/keep.ts'); // only here: it takes as long to load as all else of the list
  const { workIn } = await import('../../strategy/work.ts');
  const { readStillTouched } = await import('../../strategy/waiting-work.ts');
  const work = workIn(repo);
  const { sessionId, agentType, lastInteractionTime, startedAt } = state;
  const open = await peekOpenTurn(work, sessionId, { isOver: false, state }).catch((error) => {
    log('warn', 'running turn not looked at', { session_id: sessionId, error: describeError(error) });
    return undefined;
  });
  // Where no contents are kept, the hooks of edits still tell which files it wrote.
  const files = open ? [...open.files.keys()] : readStillTouched(work.repo, sessionId);
  if (files.length === 0) return [];
  const session = { sessionId, agent: agentType, prompt: open?.subject ?? '', more: 0 };
  return [
    {
      kind: 'turn',
      step: undefined,
      at: lastInteractionTime ?? startedAt,
      session,
      files,
      uncommitted: files,
      isTakenBack: false,
    },
  ];
}
