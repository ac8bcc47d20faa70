import { EntireError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import { type PauseScope, readPauses } from '../../session/record/pause.ts';
import { listStates } from '../../session/state-store.ts';
import { readActivation } from '../../settings/enabled.ts';
import { beginPause, endAllPauses, endPause } from '../../strategy/pause/pause.ts';
import { type Work, workIn } from '../../strategy/work.ts';
import { defineCommand } from '../command.ts';
import { openCommandLog, requireRepo } from '../ui/repo.ts';
import { findNamed } from '../ui/session-choice.ts';
import { plain, say } from '../ui/terminal.ts';
import * as text from './view.ts';

export const pauseCommand = defineCommand({
  options: {
    session: { type: 'string', describe: text.FLAGS.session },
    end: { type: 'boolean', describe: text.FLAGS.end },
    all: { type: 'boolean', describe: text.FLAGS.all },
    json: { type: 'boolean', describe: text.FLAGS.json },
  },

  async run({ session, end = false, all = false, json = false }) {
    if (all && (!end || session !== undefined)) throw new EntireError('BAD_FLAGS', text.ALL_ENDS);
    const repo = await requireRepo('pause');
    const work = workIn(repo);
    openCommandLog(repo, 'pause');
    const print = (report: text.PauseReport) =>
      say(json ? text.renderPauseJson(report) : plain(text.renderPause(report, repo.worktreeId)));
    if (all) return print({ did: 'ended', pauses: await endAllPauses(work) });
    const scope = scopeOf(work, session);
    if (end) {
      const pause = await endPause(work, scope);
      const others = readPauses(repo.commonDir);
      return print({
        did: pause ? 'ended' : 'nothing',
        pauses: pause ? [pause] : [],
        ...(others !== 'unreadable' && { others }),
      });
    }
    if (readActivation(repo).kind !== 'enabled') throw new EntireError('UNSUPPORTED', text.NOT_ENABLED);
    const { pause, isNew } = await beginPause(work, scope);
    print({ did: isNew ? 'begun' : 'goes-on', pauses: [pause] });
  },
});

function scopeOf(work: Work, named: string | undefined): PauseScope {
  if (named === undefined) return { kind: 'worktree', worktreeId: work.repo.worktreeId };
  const known = listStates(work.sessions).states.map(({ sessionId }) => sessionId as SessionId);
  return { kind: 'session', sessionId: findNamed(known, named, text.unknownSession(named)) };
}
