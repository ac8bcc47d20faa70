import type { Repo } from '../../git/locate.ts';
import { locateHooksFolder } from '../../hooks/hooks-folder.ts';
import { missingGitHooks, runningProgram } from '../../hooks/install.ts';
import type { SetUp } from '../../origin/reason.ts';
import { readWhy } from '../../origin/why.ts';
import { readActivation } from '../../settings/enabled.ts';
import { defineCommand } from '../command.ts';
import { requireRepo } from '../repo.ts';
import { plain, say } from '../terminal.ts';
import { renderWhy, renderWhyJson } from '../why-view.ts';

export const whyCommand = defineCommand({
  positionals: { commit: { type: 'string', describe: 'Commit to look up; HEAD when left out' } },
  options: { json: { type: 'boolean', describe: 'Print the answer as JSON' } },
  completes: { commit: 'commit' },
  async run({ commit, json }) {
    const repo = await requireRepo('why');
    const report = await readWhy(repo, commit ?? 'HEAD', () => readSetUp(repo));
    say(json ? renderWhyJson(report) : plain(renderWhy(report)));
  },
});

/** Whether a commit that is made now would get a verdict. */
function readSetUp(repo: Repo): SetUp {
  const activation = readActivation(repo);
  if (activation.kind === 'not-set-up') return 'not-set-up';
  if (activation.kind !== 'enabled') return 'disabled';
  const launcher = activation.absoluteGitHookPath ? runningProgram() : undefined;
  return missingGitHooks(locateHooksFolder(repo).dir, launcher).length > 0 ? 'hooks-missing' : 'complete';
}
