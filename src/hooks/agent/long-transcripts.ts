import { tmpdir } from 'node:os';
import { describeError } from '../../base/errors.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { log, openLog } from '../../base/log.ts';
import { startDetached } from '../../base/process/program.ts';
import { locateRepo, type Repo } from '../../git/locate.ts';
import { readActivation } from '../../settings/enabled.ts';
import { parseRedaction, useRedaction } from '../../settings/redaction.ts';
import { isTakingIn, readUnfinished } from '../../strategy/transcript/take-in.ts';
import { failOpenAsync } from '../fail-open.ts';
import { runningProgram } from '../git/install.ts';

/**
 * Starts a process of its own that takes in the rest of a long transcript, where a hook had no time for all of it and none is at it.
 * It outlives the hook; nobody waits for it. A failure is logged.
 */
export function startTakingIn(repo: Repo, sessionId: SessionId): void {
  try {
    if (!readUnfinished(repo.commonDir, sessionId) || isTakingIn(repo.commonDir, sessionId)) return;
    const [program = '', ...args] = runningProgram();
    startDetached({
      program,
      args: [...args, 'hooks', 'long-transcript', repo.worktreeRoot, sessionId],
      cwd: tmpdir(),
      env: process.env,
    });
  } catch (error) {
    log('warn', 'the rest of a transcript not taken in', {
      session_id: sessionId,
      error: describeError(error),
    });
  }
}

/** What that process does: `entire hooks long-transcript <worktree> <session>`. */
export async function runTakingIn(root: string | undefined, session: string | undefined): Promise<void> {
  await failOpenAsync('long-transcript', async () => {
    const repo = root === undefined ? undefined : locateRepo(root);
    const sessionId = parseSessionId(session);
    const activation = repo && readActivation(repo);
    if (!repo || !sessionId || activation?.kind !== 'enabled') return;
    openLog(activation.root, activation.logLevel, { component: 'long-transcript', session_id: sessionId });
    useRedaction(parseRedaction(activation.redaction));
    const { finishTranscript } = await import('../../strategy/turn/finish-transcript.ts');
    const { workIn } = await import('../../strategy/work.ts');
    const { strategyOf } = await import('../../strategy/strategies.ts');
    await finishTranscript(workIn(repo), sessionId, strategyOf(activation.strategy).isPending);
  });
}
