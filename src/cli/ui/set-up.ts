import type { Repo } from '../../git/locate.ts';
import { locateHooksFolder } from '../../hooks/git/hooks-folder.ts';
import { missingGitHooks, runningProgram } from '../../hooks/git/install.ts';
import type { SetUp } from '../../origin/reason.ts';
import { readActivation } from '../../settings/enabled.ts';

/** Whether a commit that is made now would get a verdict. */
export function readSetUp(repo: Repo): SetUp {
  const activation = readActivation(repo);
  if (activation.kind === 'not-set-up') return 'not-set-up';
  if (activation.kind !== 'enabled') return 'disabled';
  if (activation.strategy === 'auto-commit') return 'auto-commit';
  const launcher = activation.absoluteGitHookPath ? runningProgram() : undefined;
  return missingGitHooks(locateHooksFolder(repo).dir, launcher).length > 0 ? 'hooks-missing' : 'complete';
}
