import { EntireError } from '../../base/errors.ts';
import type { Repo } from '../../git/locate.ts';
import { readBranch } from '../../history/branch.ts';
import { type PauseScope, readPauses } from '../../session/record/pause.ts';
import { readActivation } from '../../settings/enabled.ts';
import { beginPause, endAllPauses, endPause } from '../../strategy/pause/pause.ts';
import { workIn } from '../../strategy/work.ts';
import { defineCommand } from '../command.ts';
import { exclusive } from '../messages.ts';
import { findSessionId } from '../names/find-named.ts';
import { openCommandLog, requireRepo } from '../ui/repo.ts';
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
    if (all && session !== undefined) throw new EntireError('BAD_FLAGS', exclusive('all', 'session'));
    if (all && !end) throw new EntireError('BAD_FLAGS', text.ALL_NEEDS_END);
    const repo = await requireRepo('pause');
    const work = workIn(repo);
    openCommandLog(repo, 'pause');
    const print = (report: text.PauseReport) =>
      say(json ? text.renderPauseJson(report) : plain(text.renderPause(report, repo.worktreeId)));
    if (all) return print({ did: 'ended', pauses: await endAllPauses(work) });
    const scope = await scopeOf(repo, session);
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

async function scopeOf(repo: Repo, named: string | undefined): Promise<PauseScope> {
  if (named === undefined) return { kind: 'worktree', worktreeId: repo.worktreeId };
  return {
    kind: 'session',
    sessionId: await findSessionId(readBranch(repo), named, 'entire pause --session'),
  };
}
