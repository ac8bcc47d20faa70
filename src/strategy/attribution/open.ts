import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { InitialAttribution } from '../../checkpoint/initial-attribution.ts';
import type { SessionState } from '../../session/state.ts';
import type { Work } from '../work.ts';
import type { AttributedCommit } from './commit.ts';

/**
 * Says who wrote the lines of commits, for one session's slots. Loaded only where a slot is written. The numbers are an
 * extra, without which the checkpoint is whole: neither it nor what it returns ever throws.
 */
export async function openAttribution(
  work: Work,
  state: SessionState,
): Promise<(commit: AttributedCommit) => InitialAttribution | undefined> {
  const giveUp = (error: unknown): undefined => {
    log('warn', 'lines not attributed', { session_id: state.sessionId, error: describeError(error) });
  };
  const loaded = await import('./commit.ts').catch(giveUp);
  return (commit) => {
    try {
      return loaded?.attributeCommit(work, state, commit);
    } catch (error) {
      return giveUp(error);
    }
  };
}
