import { CompactionMetadata } from '../../context/compaction/compaction.ts';
import { readCompaction } from '../../session/record/compactions.ts';
import { workIn } from '../../strategy/work.ts';
import { readWorkedFiles } from '../../strategy/worked-files.ts';
import { defineCommand } from '../command.ts';
import { requireRepo } from '../ui/repo.ts';
import { chooseSession } from '../ui/session-choice.ts';
import { plain, say } from '../ui/terminal.ts';
import { renderWorkedFiles, renderWorkedFilesJson } from './view.ts';

export const filesCommand = defineCommand({
  options: {
    session: { type: 'string', describe: 'The session, by its id or how it begins; else the newest' },
    json: { type: 'boolean', describe: 'Print the lists as JSON' },
  },

  async run({ session: named, json }) {
    const work = workIn(await requireRepo('files'));
    const session = chooseSession(work, named);
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
