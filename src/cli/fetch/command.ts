import { EntireError } from '../../base/errors.ts';
import { fetchTips, takeInAll } from '../../sync/fetch.ts';
import { findReturned, wasLeftOut } from '../../sync/forgotten.ts';
import { countNotes, takeInNotes } from '../../sync/notes.ts';
import { changedCheckpoints } from '../../sync/outgoing.ts';
import { defineCommand } from '../command.ts';
import { cameBack } from '../forget/view.ts';
import { connect, DEFAULT_TIMEOUT_SECONDS } from '../push/line.ts';
import * as text from '../push/text.ts';
import { type Fetched, renderFetched, renderFetchedJson } from '../push/view.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, say, warn } from '../ui/terminal.ts';

export const fetchCommand = defineCommand({
  positionals: {
    remote: {
      type: 'string',
      describe: 'Remote to fetch from; by default where the branch is usually pushed',
    },
  },
  options: {
    json: { type: 'boolean', describe: 'Print the result as JSON' },
    timeout: { type: 'number', default: DEFAULT_TIMEOUT_SECONDS, describe: 'Seconds to wait for the remote' },
  },

  async run(flags) {
    const repo = await requireRepo('fetch');
    const { line, place } = connect('fetch', repo, flags.remote, flags.timeout);
    const { git } = line;
    const fetched = await fetchTips(line, repo.commonDir);
    if ('failure' in fetched) {
      const { message, hint } = text.failed('fetch', place.remote, fetched.failure, line.to.record);
      throw new EntireError('REMOTE_FAILED', message, { hint });
    }
    const { record, notes, notesFailure } = fetched.value;
    let result: Fetched = { result: 'none', before: undefined, after: undefined, checkpoints: 0, notes: 0 };
    const union = takeInAll(git, repo.commonDir, record, (stone, what) =>
      warn(plain(wasLeftOut(stone, place.remote, what))),
    );
    if (union) {
      const { kind, before, tip } = union;
      const checkpoints = before === tip ? 0 : changedCheckpoints(git, before, tip).length;
      for (const stone of findReturned(git, repo.commonDir)) warn(plain(cameBack(stone)));
      result = { ...result, result: kind, before, after: tip, checkpoints };
    }
    if (notes) {
      const { before, tip } = takeInNotes(git, notes);
      result = { ...result, notes: countNotes(git, before, tip) };
    }
    say(flags.json ? renderFetchedJson(place, result) : plain(renderFetched(place, result)));
    if (notesFailure) {
      const { message, hint } = text.notesFailed('fetch', place.remote, notesFailure);
      throw new EntireError('REMOTE_FAILED', message, { hint });
    }
  },
});
