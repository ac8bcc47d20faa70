import type { TestRepo } from './test-repo.ts';

/** A repository with one commit, in which Entire is not enabled. */
export function withCommit(repo: TestRepo): TestRepo {
  repo.init().git('commit', '--quiet', '--allow-empty', '-m', 'init');
  return repo;
}

/** What a settings file says. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever stands there
export const settings = (repo: TestRepo, name = 'settings.json'): any =>
  JSON.parse(repo.read(`.entire/${name}`));
