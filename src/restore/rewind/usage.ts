import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { Branch } from '../../history/branch.ts';
import { readStepTranscript } from '../../history/detail.ts';
import type { SessionState, TokenUsage } from '../../session/state.ts';
import { readLive } from '../../strategy/transcript/live.ts';
import { redactLive } from '../../strategy/transcript/redacted.ts';
import { readUsage } from '../../strategy/transcript/usage.ts';
import type { Work } from '../../strategy/work.ts';
import { subtractUsage } from '../rollback.ts';
import type { CutBranch } from './steps.ts';
import { countLines } from './transcript.ts';

/** Tokens that the later steps counted, as far as the transcript tells. */
export async function readAbandonedUsage(
  { repo }: Work,
  branch: Branch,
  state: SessionState,
  { target, later }: CutBranch,
): Promise<TokenUsage | undefined> {
  const last = later.find(({ step }) => step.sessionId === state.sessionId && !step.isTask)?.step;
  if (!last) return undefined;
  try {
    const [from, to] = [target, last].map((step) => countLines(readStepTranscript(branch, step).bytes));
    if (!from || !to) return undefined;
    const transcript = await redactLive(readLive(repo.commonDir, state));
    const usageFrom = (item: number) => readUsage(transcript, state.sessionId, item);
    return subtractUsage(usageFrom(from), usageFrom(to));
  } catch (error) {
    log('info', 'tokens after the step are not known', { error: describeError(error) });
    return undefined;
  }
}
