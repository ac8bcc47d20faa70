import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { InitialAttribution } from '../../checkpoint/initial-attribution.ts';
import type { PathChanges } from '../../git/commits.ts';
import type { SessionState } from '../../session/state.ts';
import type { Work } from '../work.ts';

/**
 * Says who wrote the lines of a commit that is made of a session's work: the session, but for what the user is known to
 * have changed before its prompts. The numbers are an extra: without them the checkpoint is whole.
 */
export async function openAttribution(
  work: Work,
  state: SessionState,
): Promise<(changes: PathChanges) => InitialAttribution | undefined> {
  const { attributeCommit } = await import('../attribution/commit.ts');
  return (changes) => {
    try {
      return attributeCommit(work, state, {
        changes,
        files: [...changes.keys()],
        left: new Set(),
        renamed: new Map(),
        foreign: new Set(),
        saved: new Set(),
        steps: new Map(),
        isByAgent: false,
      });
    } catch (error) {
      log('warn', 'lines not attributed', { session_id: state.sessionId, error: describeError(error) });
      return undefined;
    }
  };
}
