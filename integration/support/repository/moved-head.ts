import type { TestRepo } from './test-repo.ts';

/** What git is run with by an agent's shell. */
export const asAgent = { env: { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1' } };

/** A turn whose shell does something, and is over. */
export function shellTurn(repo: TestRepo, act: () => void): void {
  const session = repo.session();
  session.prompt('by shell');
  session.shell(act);
  session.stop();
}

/** A branch `upstream` beside the one that is checked out, with a commit of its own. */
export function upstream(repo: TestRepo, files: Readonly<Record<string, string>>): void {
  repo.git('checkout', '--quiet', '-b', 'upstream');
  for (const [path, content] of Object.entries(files)) repo.write(path, content);
  repo.commit('Upstream', ...Object.keys(files));
  repo.git('checkout', '--quiet', '-');
}

/** A commit that git hooks of ours see nothing of: it names no checkpoint. */
export function commitUnlinked(repo: TestRepo, ...paths: string[]): void {
  repo.git('add', '--', ...paths);
  repo.gitWith({ env: { ENTIRE: '0' } }, 'commit', '--quiet', '-m', 'Not linked');
}
