import { EntireError } from '../../base/errors.ts';
import { findReturned, wasLeftOut } from '../../sync/forgotten.ts';
import { changedCheckpoints } from '../../sync/outgoing.ts';
import { noteUrls } from '../../sync/spoken.ts';
import { fetchTip } from '../../sync/transport.ts';
import { takeIn } from '../../sync/union.ts';
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
    const fetched = await fetchTip(line, line.to.places[0]);
    if ('failure' in fetched) {
      const { message, hint } = text.failed('fetch', place.remote, fetched.failure);
      throw new EntireError('REMOTE_FAILED', message, { hint });
    }
    noteUrls(repo.commonDir, line.to.places);
    let result: Fetched = { result: 'none', before: undefined, after: undefined, checkpoints: 0 };
    if (fetched.value) {
      const { kind, before, tip, leftOut } = takeIn(line.git, repo.commonDir, fetched.value);
      for (const stone of leftOut) warn(plain(wasLeftOut(stone, place.remote)));
      const checkpoints = before === tip ? 0 : changedCheckpoints(line.git, before, tip).length;
      for (const stone of findReturned(line.git, repo.commonDir)) warn(plain(cameBack(stone)));
      result = { result: kind, before, after: tip, checkpoints };
    }
    say(flags.json ? renderFetchedJson(place, result) : plain(renderFetched(place, result)));
  },
});
