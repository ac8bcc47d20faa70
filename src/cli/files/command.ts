import { CompactionMetadata } from '../../context/compaction/compaction.ts';
import { readCompaction } from '../../session/record/compactions.ts';
import { workIn } from '../../strategy/work.ts';
import { readWorkedFiles } from '../../strategy/worked-files.ts';
import { defineCommand } from '../command.ts';
import { chooseSession } from '../names/worktree-session.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, say } from '../ui/terminal.ts';
import { ABSOLUTE, wishAbsolute } from '../ui/time.ts';
import { renderWorkedFiles, renderWorkedFilesJson } from './view.ts';

export const filesCommand = defineCommand({
  positionals: {
    id: { type: 'string', describe: 'A session (id or prefix); else the newest' },
  },
  options: {
    session: { type: 'string', describe: 'The same, as a flag' },
    absolute: ABSOLUTE,
    json: { type: 'boolean', describe: 'Print the lists as JSON' },
  },

  completes: { id: 'session', session: 'session' },
  async run({ id, session: named = id, absolute, json }) {
    wishAbsolute(absolute);
    const work = workIn(await requireRepo('files'));
    const session = await chooseSession(work, named, 'entire files');
    const files = readWorkedFiles(work, session.sessionId);
    const kept = readCompaction(work.repo.commonDir, session.sessionId);
    const compacted = kept && CompactionMetadata.fromDict(kept);
    say(
      json
        ? renderWorkedFilesJson(session, files, compacted)
        : plain(renderWorkedFiles(session, files, compacted)),
    );
  },
});
