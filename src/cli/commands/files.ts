import { EntireError } from '../../base/errors.ts';
import { listSessions, type Participant } from '../../strategy/sessions.ts';
import { type Work, workIn } from '../../strategy/work.ts';
import { readWorkedFiles } from '../../strategy/worked-files.ts';
import { defineCommand } from '../command.ts';
import { renderWorkedFiles, renderWorkedFilesJson } from '../files-view.ts';
import { requireRepo } from '../repo.ts';
import { findNamed } from '../session-choice.ts';
import { plain, say } from '../terminal.ts';

const HINT = '`entire status` lists the sessions of this worktree.';

export const filesCommand = defineCommand({
  options: {
    session: { type: 'string', describe: 'The session, by its id or how it begins; else the newest' },
    json: { type: 'boolean', describe: 'Print the lists as JSON' },
  },

  async run({ session: named, json }) {
    const work = workIn(await requireRepo('files'));
    const session = choose(work, named);
    const files = readWorkedFiles(work, session.sessionId);
    say(json ? renderWorkedFilesJson(session, files) : plain(renderWorkedFiles(session, files)));
  },
});

/** The session that is named, or the one that did something last. */
function choose(work: Work, named: string | undefined): Participant {
  const sessions = listSessions(work).toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)));
  const [newest] = sessions;
  if (!newest) throw new EntireError('NOT_FOUND', 'No session in this worktree.', { hint: HINT });
  if (named === undefined) return newest;
  const id = findNamed(
    sessions.map(({ sessionId }) => sessionId),
    named,
    { unknown: `no session of this worktree: ${named}`, hint: HINT },
  );
  return sessions.find(({ sessionId }) => sessionId === id) ?? newest;
}

const timeOf = ({ lastInteractionTime, startedAt }: Participant): string => lastInteractionTime ?? startedAt;
