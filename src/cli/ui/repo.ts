import { EntireError } from '../../base/errors.ts';
import { openLog } from '../../base/log.ts';
import { locateRepo, type Repo } from '../../git/locate.ts';
import { askGit, gitAt } from '../../git/run.ts';
import { admitExternalAgents } from '../../hooks/agent/external-agents.ts';
import { locateHooksFolder } from '../../hooks/git/hooks-folder.ts';
import { missingGitHooks, runningProgram } from '../../hooks/git/install.ts';
import { FOLLOWING_HOOKS } from '../../hooks/git/shims.ts';
import type { SetUp } from '../../origin/reason.ts';
import { readActivation } from '../../settings/enabled.ts';
import { parseRedaction, useRedaction } from '../../settings/redaction.ts';
import { findRepository, type Repository } from '../../worktree/repository.ts';
import { BARE, notARepo, pleaseRun } from '../messages.ts';

/**
 * The repository a command was called in. Its redaction settings hold from now on: what a command stores is redacted as
 * what a hook stores.
 *
 * @param refusal what that command says elsewhere, unless it is to be run in a repository
 * @throws {EntireError} `NOT_A_REPO`
 */
export async function requireRepo(command: string, refusal = pleaseRun(command)): Promise<Repo> {
  const cwd = process.cwd();
  const repo = locateRepo(cwd);
  if (repo) {
    useRedactionOf(repo);
    admitExternalAgents(repo);
    return repo;
  }
  const { message, hint } = (await isBareRepo(cwd)) ? BARE : notARepo(refusal);
  throw new EntireError('NOT_A_REPO', message, { hint });
}

/** What is known of this clone when it is judged who wrote lines. */
export function readJudging(repo: Repo): { readonly isOn: boolean; readonly believesGitAi: boolean } {
  const activation = readActivation(repo);
  const isOn = activation.kind === 'enabled';
  return { isOn, believesGitAi: isOn && activation.believesGitAiNotes };
}

/** The repository of `entire worktree`, which a bare one can be. @throws {EntireError} `NOT_A_REPO` */
export function requireRepository(): Repository {
  const repository = findRepository(process.cwd());
  if (repository) return repository;
  const { message } = notARepo(pleaseRun('worktree'));
  const hint = '`entire worktree list --all` shows those of every repository.';
  throw new EntireError('NOT_A_REPO', message, { hint });
}

/** Whether a folder that belongs to no worktree lies in a repository all the same. */
export const isBareRepo = async (cwd: string): Promise<boolean> =>
  (await askGit(gitAt(cwd), 'rev-parse', '--is-bare-repository').catch(() => '')) === 'true';

/** For commands that work anywhere: in a repository, its redaction settings hold from now on. */
export function useRepoRedaction(): void {
  const repo = locateRepo(process.cwd());
  if (repo) useRedactionOf(repo);
}

function useRedactionOf(repo: Repo): void {
  const activation = readActivation(repo);
  if ('redaction' in activation) useRedaction(parseRedaction(activation.redaction));
}

/** What the command does is logged beside what hooks do; where nothing is set up, there is no log. */
export function openCommandLog(repo: Repo, command: string): void {
  const activation = readActivation(repo);
  if (activation.kind === 'not-set-up') return;
  openLog(activation.root, activation.kind === 'enabled' ? activation.logLevel : undefined, {
    component: command,
  });
}

/**
 * Whether a commit that is made now would get a verdict.
 *
 * @param hooks finds the folder of git's hooks
 */
export function readSetUp(repo: Repo, hooks = () => locateHooksFolder(repo).dir): SetUp {
  const activation = readActivation(repo);
  if (activation.kind === 'not-set-up') return 'not-set-up';
  if (activation.kind !== 'enabled') return 'disabled';
  if (activation.strategy === 'auto-commit') return 'auto-commit';
  const launcher = activation.absoluteGitHookPath ? runningProgram() : undefined;
  const missing = missingGitHooks(hooks(), launcher).filter((hook) => !FOLLOWING_HOOKS.includes(hook));
  return missing.length > 0 ? 'hooks-missing' : 'complete';
}
