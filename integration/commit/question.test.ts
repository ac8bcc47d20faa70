import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { editor, expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
import { needsTerminal } from '../support/process/terminal.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Commits at a terminal of its own, where somebody types `keys`; returns what the terminal showed. */
function commitAtTerminal(
  repo: TestRepo,
  keys: string,
  args: string[],
  env: Record<string, string> = {},
): string {
  const file = join(repo.scratch, 'typescript');
  const command = ['git', 'commit', '--quiet', ...args].map((arg) => `'${arg}'`).join(' ');
  const all = { ENTIRE_TEST_TTY: '', ...env };
  const result = repo.run('script', ['-qec', command, file], { input: keys, env: all });
  expect(result.code, result.stdout).toBe(0);
  return readFileSync(file, 'utf8').replaceAll('\r', '');
}

function prompting(repo: TestRepo) {
  const session = withWork(repo);
  writeFileSync(join(repo.dir, '.entire', 'settings.local.json'), '{"commit_linking": "prompt"}\n');
  repo.git('add', 'a.txt');
  return session;
}

const QUESTION = 'Link this commit to Claude Code session context? [Y/n] ';

describe('commit_linking "prompt" asks before a commit with -m is linked', () => {
  for (const keys of ['\n', 'y\n', 'Yes\n', 'what?\n']) {
    variation(`${JSON.stringify(keys)} links`, (repo, skip) => {
      needsTerminal(skip);
      const session = prompting(repo);
      const shown = commitAtTerminal(repo, keys, ['-m', 'Add a']);
      expect(shown).toContain(
        `You have an active Claude Code session.\nLast Prompt: write a.txt\n${QUESTION}`,
      );
      expectLinked(repo, session, 'a.txt');
    });
  }

  for (const keys of ['n\n', 'NO\n']) {
    variation(`${JSON.stringify(keys)} does not, and the work waits for the next commit`, (repo, skip) => {
      needsTerminal(skip);
      const session = prompting(repo);
      expect(commitAtTerminal(repo, keys, ['-m', 'Add a'])).toContain(QUESTION);
      expectNotLinked(repo, 'trailer-missing');
      expect(repo.state(session.id).files_touched).toEqual(['a.txt']);
    });
  }

  variation('double question: one commit, one question', (repo, skip) => {
    needsTerminal(skip);
    prompting(repo);
    repo.session().prompt('another session');
    const shown = commitAtTerminal(repo, 'n\nn\n', ['-m', 'Add a']);
    expect(shown.split(QUESTION)).toHaveLength(2);
  });

  variation(
    'no question in an editor, for an amend, for an agent, without our work, without the setting',
    (repo, skip) => {
      needsTerminal(skip);
      const session = prompting(repo);
      const env = { GIT_EDITOR: editor(repo, '(echo "Add a"; cat "$1") > "$1.new" && mv "$1.new" "$1"') };
      expect(commitAtTerminal(repo, '', [], env)).not.toContain('[Y/n]');
      expectLinked(repo, session, 'a.txt');
      expect(commitAtTerminal(repo, '', ['--amend', '-m', 'Add the letter a'])).not.toContain('[Y/n]');
      repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
      expect(commitAtTerminal(repo, '', ['-m', 'Mine'])).not.toContain('[Y/n]');

      session.prompt('more');
      session.edit('b.txt', 'two\n');
      repo.git('add', 'b.txt');
      expect(commitAtTerminal(repo, '', ['-m', 'Add b'], { CLAUDECODE: '1' })).not.toContain('[Y/n]');
      expectLinked(repo, session, 'b.txt');

      session.edit('c.txt', 'three\n');
      writeFileSync(join(repo.dir, '.entire', 'settings.local.json'), '{"commit_linking": "always"}\n');
      repo.git('add', 'c.txt');
      expect(commitAtTerminal(repo, '', ['-m', 'Add c'])).not.toContain('[Y/n]');
      expectLinked(repo, session, 'c.txt');
    },
  );
});

describe('commit_linking "prompt" where nobody can answer', () => {
  variation('links without a question', (repo, skip) => {
    needsTerminal(skip);
    const session = prompting(repo);
    const env = { ENTIRE_TEST_TTY: '1' }; // a terminal, they say; there is none
    const result = repo.run('setsid', ['git', 'commit', '--quiet', '-m', 'Add a'], { env });
    expect(result.code, result.stderr).toBe(0);
    expectLinked(repo, session, 'a.txt');
  });
});
