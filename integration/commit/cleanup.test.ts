import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, editor, expectLinked, withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const add = (text: string) => `(echo "${text}"; cat "$1") > "$1.new" && mv "$1.new" "$1"`;

function expectAborted(repo: TestRepo, args: string[], what: string, cwd = repo.dir): void {
  const before = repo.git('rev-parse', 'HEAD');
  const result = repo.run('git', ['commit', '--quiet', ...args], { cwd, env: { GIT_EDITOR: 'true' } });
  expect(result.code, repo.message('HEAD')).toBe(1);
  expect(result.stderr).toContain(what);
  expect(repo.git('rev-parse', 'HEAD')).toBe(before);
}

describe('git decides what is left of a message (--cleanup)', () => {
  variation('a message of comments and our trailer is none under strip, and one elsewhere', (repo) => {
    const session = withWork(repo);
    repo.git('add', 'a.txt');
    expectAborted(repo, ['--cleanup=strip', '-m', '#42 only'], 'empty commit message');
    expectAborted(repo, ['--cleanup', 'strip', '-m', '#42', '-m', '# and more'], 'empty commit message');
    repo.git('config', 'commit.cleanup', 'strip');
    expectAborted(repo, ['-m', '#42 only'], 'empty commit message');
    repo.git('config', 'core.commentChar', ';');
    expectAborted(repo, ['-m', ';42 only'], 'empty commit message');
    repo.git('commit', '--quiet', '-m', '#42 only');
    const id = expectLinked(repo, session, 'a.txt');
    expect(repo.message('HEAD')).toBe(`#42 only\n\nEntire-Checkpoint: ${id}`);
  });

  for (const mode of ['strip', 'whitespace', 'verbatim', 'scissors', 'default']) {
    variation(`--cleanup=${mode} with -m and in an editor: one trailer, none of our comments`, (repo) => {
      const session = withWork(repo, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
      repo.git('add', 'a.txt');
      repo.git('commit', '--quiet', `--cleanup=${mode}`, '-m', 'Add a');
      const id = expectLinked(repo, session, 'a.txt');
      expect(repo.message('HEAD')).toBe(`Add a\n\nEntire-Checkpoint: ${id}`);

      repo.git('add', 'b.txt');
      const env = { GIT_EDITOR: editor(repo, add('Add b')) };
      repo.gitWith({ env }, 'commit', '--quiet', `--cleanup=${mode}`);
      expectLinked(repo, session, 'b.txt');
      expect(repo.message('HEAD')).toMatch(/^Add b\n\n+Entire-Checkpoint: [0-9a-f]{12}\n*/);
      expect(repo.message('HEAD')).not.toMatch(/Remove the|Last Prompt/);
      if (!['whitespace', 'verbatim'].includes(mode)) expect(repo.message('HEAD')).not.toContain('#');
    });
  }
});

describe('a template that was not edited is no message', () => {
  function withTemplate(repo: TestRepo) {
    const session = withWork(repo);
    mkdirSync(join(repo.dir, 'sub'));
    writeFileSync(join(repo.scratch, 'a template'), 'Why:\n\n# because\n\nHow:\n');
    writeFileSync(join(repo.dir, 'sub', 'template'), 'Why:\n\nHow:\n');
    repo.git('add', 'a.txt');
    return session;
  }

  variation('commit.template, commit -t, -t from a sub-directory', (repo) => {
    const session = withTemplate(repo);
    const said = 'you did not edit the message';
    expectAborted(repo, ['-t', '../a template'], said);
    expectAborted(repo, ['-v', '--template=../a template'], said);
    expectAborted(repo, ['-t', 'template'], said, join(repo.dir, 'sub'));
    expectAborted(repo, ['-s', '-t', 'sub/template'], said);
    repo.git('config', 'commit.template', join(repo.scratch, 'a template'));
    expectAborted(repo, [], said);
    const env = { GIT_EDITOR: editor(repo, `sed -i -e 's/Why:/Why: because/' "$1"`) };
    repo.gitWith({ env }, 'commit', '--quiet', '-t', 'sub/template');
    expectLinked(repo, session, 'a.txt');
    expect(repo.message('HEAD')).toMatch(/^Why: because\n\nHow:\n+Entire-Checkpoint: [0-9a-f]{12}$/);
  });

  variation('-t that is edited to what commit.template says is a message', (repo) => {
    const session = withTemplate(repo);
    repo.git('config', 'commit.template', join(repo.scratch, 'a template'));
    writeFileSync(join(repo.scratch, 'other'), 'Other\n');
    const env = { GIT_EDITOR: editor(repo, `sed -i -e '1s/Other/Why:\\n\\nHow:/' "$1"`) };
    repo.gitWith({ env }, 'commit', '--quiet', '-t', '../other');
    expectLinked(repo, session, 'a.txt');
  });

  variation('with a template, -m and -F are messages like any other', (repo) => {
    const session = withTemplate(repo);
    repo.git('config', 'commit.template', join(repo.dir, 'sub', 'template'));
    repo.git('commit', '--quiet', '-F', 'sub/template');
    expectLinked(repo, session, 'a.txt');
    addWork(repo, { 'b.txt': 'two\n' }, session);
    repo.commit('Add b', 'b.txt');
    expectLinked(repo, session, 'b.txt');
  });
});
