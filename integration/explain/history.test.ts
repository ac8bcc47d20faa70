import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import { checkpointFiles, store } from '../support/repository/stored-checkpoints.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ID = '1a2b3c4d5e6f';

/** Of a checkpoint that one commit leads to. */
const ONE_COMMIT = /^Commit: +[0-9a-f]{7} (?![\s\S]*^Commit:)/m;

/** Commits of 2020, the first of which is damaged, and one that leads to a checkpoint of January 2026. */
function withDamage(repo: TestRepo, act: () => void): void {
  repo.init().entire('enable');
  const at = (when: string, message: string): string => {
    const env = { GIT_COMMITTER_DATE: when };
    repo.gitWith(
      { env },
      '-c',
      'core.hooksPath=/dev/null',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      message,
    );
    return repo.git('rev-parse', 'HEAD');
  };
  const gone = at('2020-01-01T00:00:00Z', 'first');
  at('2020-02-01T00:00:00Z', 'second');
  at('2026-01-02T03:04:00Z', `mine\n\nEntire-Checkpoint: ${ID}`);
  store(repo, { [ID]: checkpointFiles(ID, { session: 's', prompts: ['do it'] }) });
  const object = join(repo.commonDir, 'objects', gone.slice(0, 2), gone.slice(2));
  renameSync(object, `${object}.away`);
  act();
  renameSync(`${object}.away`, object);
}

variation('explain looks for the commits of a checkpoint no further back than they can be', (repo) => {
  withDamage(repo, () => {
    expect(repo.entire('explain', ID).stdout).toMatch(ONE_COMMIT);
    expect(repo.entire('explain', ID, '--search-all').stdout).toMatch(ONE_COMMIT);
  });
});

variation('a history that cannot be read is no branch without checkpoints', (repo) => {
  withDamage(repo, () => {
    for (const args of [['explain'], ['explain', '--json']])
      expect(repo.tryEntire(...args)).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'Error: the history of this branch cannot be read\nHint: `git log` and `git fsck` say what is wrong with it.\n',
      });
  });
});

variation('a checkpoint whose commits cannot be looked for is shown all the same', (repo) => {
  withDamage(repo, () => {
    const other = '6f5e4d3c2b1a';
    store(repo, { [other]: checkpointFiles(other, { session: 's', prompts: ['do more'] }) });
    const { stdout } = repo.entire('explain', other);
    expect(stdout).toContain('\n> do more\n');
    expect(stdout).toMatch(/\nProblems:\n {2}- the history of this branch cannot be read\n\nMore: /);
  });
});

variation('a commit that is much older than its checkpoint, or has none to go by, is found', (repo) => {
  repo.ready();
  const env = { GIT_COMMITTER_DATE: '2020-03-01T00:00:00Z' };
  repo.gitWith({ env }, 'commit', '--quiet', '--allow-empty', '-m', `mine\n\nEntire-Checkpoint: ${ID}`);
  for (const created of ['2026-01-02T03:04:00Z', '2099-01-01T00:00:00Z', 'never', null]) {
    store(repo, { [ID]: checkpointFiles(ID, { session: 's', metadata: { created_at: created } }) });
    expect(repo.entire('explain', ID).stdout, String(created)).toMatch(ONE_COMMIT);
  }
});
