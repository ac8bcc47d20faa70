import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { addWork, withWork } from '../support/command/work.ts';
import { needsTerminal } from '../support/process/terminal.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Temporary folders of a test alone. */
function withTemporary(repo: TestRepo): string {
  const folder = join(repo.scratch, 'tmp');
  mkdirSync(folder);
  repo.variables = { ...repo.variables, TMPDIR: folder };
  return folder;
}

/** Everything below the git folder, with the contents of what is small. */
const gitFolder = (repo: TestRepo): string[] =>
  readdirSync(repo.commonDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return `${file} ${readFileSync(file).toString('base64').slice(0, 400)}`;
    })
    .sort();

/** In a terminal, as somebody has it who set nothing but git; what is printed, and the exit code where it is not 0. */
function onTerminal(repo: TestRepo, command: string, env: Record<string, string> = {}): string {
  const { code, stdout } = repo.run(
    'script',
    ['--quiet', '--return', '--command', `exec entire ${command}`, '/dev/null'],
    { env: { TERM: 'xterm', ...env } },
  );
  return `${stdout.replaceAll('\r\n', '\n')}${code === 0 ? '' : `[exit ${code}]`}`;
}

onBothBuilds('nothing is written into the repository, and nothing is left in temporary folders', (repo) => {
  const folder = withTemporary(repo);
  const session = withWork(repo);
  repo.commit('A', 'a.txt');
  addWork(repo, { 'a.txt': 'two\r\n', 'b.txt': 'b\n' }, session);
  repo.write('.gitattributes', '*.txt diff=upper text\n');
  repo.git('config', 'diff.upper.textconv', 'tr a-z A-Z <');
  repo.git('config', 'diff.upper.cachetextconv', 'true');
  const before = gitFolder(repo);
  for (const args of [[], [session.id], ['HEAD'], ['--json'], ['--stat'], ['nobody']])
    repo.tryEntire('diff', ...args);
  expect(repo.entire('diff').stdout).toContain('+TWO\n');
  expect(gitFolder(repo)).toEqual(before);
  expect(repo.git('for-each-ref', 'refs/notes')).toBe('');
  expect(readdirSync(folder)).toEqual([]);
});

variation('programs that git starts are those that git starts for the person', (repo) => {
  withWork(repo, { 'a.x': 'one\n' });
  repo.write('.gitattributes', '*.x diff=x\n');
  repo.git('config', 'diff.x.textconv', 'to-text');
  const [own, other] = [join(repo.dir, 'node_modules', '.bin'), join(repo.scratch, 'programs')];
  for (const [folder, says] of [
    [own, 'OWN'],
    [other, 'OTHER'],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'to-text'), `#!/bin/sh\necho ${says}\n`, { mode: 0o755 });
  }
  repo.variables = { ...repo.variables, PATH: `${own}:${other}:${repo.env.PATH}` };
  expect(repo.entire('diff').stdout).toContain('+OWN\n');
});

describe('in a terminal', () => {
  onBothBuilds('the colours and the pager of the user hold', (repo, skip) => {
    needsTerminal(skip);
    withWork(repo);
    repo.git('config', 'core.pager', "sed 's/^/paged: /'");
    const shown = onTerminal(repo, 'diff');
    expect(shown).toMatch(/^paged: \x1b\[33mturn [0-9a-f]{8}:1\x1b\[m\n/m);
    expect(shown).toContain('paged: \x1b[32m+\x1b[m\x1b[32mone\x1b[m\n');
    repo.git('config', 'color.diff.new', 'blue');
    expect(onTerminal(repo, 'diff')).toContain('\x1b[34m+');
    repo.git('config', 'color.ui', 'false');
    expect(onTerminal(repo, 'diff')).toMatch(/^paged: turn /m);
    expect(onTerminal(repo, 'diff --no-pager')).toMatch(/^turn /m);
    expect(onTerminal(repo, 'diff', { ACCESSIBLE: '1' })).toMatch(/^turn /m);
    expect(onTerminal(repo, 'diff', { GIT_PAGER: "sed 's/^/mine: /'" })).toMatch(/^mine: turn /m);
    expect(repo.entire('diff').stdout).toMatch(/^turn /);
  });

  variation('diff.external runs, and not where the output is piped', (repo, skip) => {
    needsTerminal(skip);
    withWork(repo);
    repo.git('config', 'core.pager', 'cat');
    repo.git('config', 'diff.external', 'echo external');
    expect(onTerminal(repo, 'diff')).toMatch(/^external a\.txt /m);
    expect(repo.entire('diff').stdout).toContain('\n+one\n');
    repo.git('config', 'diff.external', 'false');
    const failed = onTerminal(repo, 'diff');
    expect(failed).toMatch(/git could not show it; it says why above\.\n\[exit 1\]$/);
  });

  variation('a pager that ends early is no failure', (repo, skip) => {
    needsTerminal(skip);
    const folder = withTemporary(repo);
    repo.ready();
    addWork(repo, { 'a.txt': 'line\n'.repeat(100_000) });
    repo.git('config', 'core.pager', 'head -1');
    expect(onTerminal(repo, 'diff')).toMatch(/^.*turn .*\n$/);
    const piped = repo.run('sh', ['-c', 'entire diff | head -1; entire diff --json | head -1']);
    expect([piped.stdout, piped.stderr]).toEqual([expect.stringMatching(/^turn .*\n\[\n$/), '']);
    expect(readdirSync(folder)).toEqual([]);
  });

  variation('a reader of dates and languages has their own', (repo) => {
    withWork(repo);
    repo.git('config', 'log.date', 'format:day %d');
    expect(repo.entire('diff').stdout).toMatch(/^Date: {3}day \d\d$/m);
    repo.variables = { TZ: 'Asia/Kolkata' };
    repo.git('config', '--unset', 'log.date');
    expect(repo.entire('diff').stdout).toMatch(/^Date: .* \+0530$/m);
  });
});

describe('when it is told to stop', () => {
  for (const signal of ['INT', 'TERM', 'HUP'])
    onBothBuilds(`by SIG${signal}, the temporary objects are gone`, async (repo) => {
      const folder = withTemporary(repo);
      withWork(repo);
      const waits = join(repo.scratch, 'waits');
      writeFileSync(waits, `#!/bin/sh\ntouch ${repo.scratch}/begun\nexec sleep 20\n`, { mode: 0o755 });
      repo.write('.gitattributes', '*.txt diff=slow\n');
      repo.git('config', 'diff.slow.textconv', waits);
      // As a terminal does: to all that run in it.
      const script = `setsid sh -c 'echo $$ > ${repo.scratch}/pid; exec entire diff' & wait`;
      const running = repo.inBackground('sh', ['-c', script]).catch((error) => error);
      while (!existsSync(join(repo.scratch, 'begun'))) await sleep(20);
      expect(readdirSync(folder).filter((name) => name.startsWith('entire-objects-'))).toHaveLength(1);
      const pid = readFileSync(join(repo.scratch, 'pid'), 'utf8').trim();
      repo.run('kill', [`-${signal}`, '--', `-${pid}`]);
      await running;
      while (readdirSync(folder).some((name) => name.startsWith('entire-objects-'))) await sleep(20);
      expect(readdirSync(folder).filter((name) => name.startsWith('entire-'))).toEqual([]);
    });
});

describe('where the repository is another one', () => {
  variation('of SHA-256', (repo) => {
    repo.init('--object-format=sha256').write('a.txt', 'one\n');
    repo.git('add', '.');
    repo.git('commit', '-qm', 'Begin');
    repo.entire('enable', '--agent', 'claude-code');
    addWork(repo, { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' });
    expect(repo.entire('diff').stdout).toMatch(/ one\n\+two\n[\s\S]*\+b\n$/);
    repo.commit('More', 'a.txt', 'b.txt');
    expect(repo.entire('diff', 'HEAD').stdout).toContain(`commit ${repo.git('rev-parse', 'HEAD')}\n`);
  });

  variation('a linked worktree shows its own turns', (repo) => {
    withWork(repo);
    const main = repo.dir;
    repo.git('worktree', 'add', '-q', join(repo.scratch, 'a:b'), '-b', 'side');
    repo.dir = join(repo.scratch, 'a:b');
    expect(repo.entire('diff').stdout).toContain('No turn of an agent');
    addWork(repo, { 'w.txt': 'here\n' });
    expect(repo.entire('diff').stdout).toContain('+here\n');
    repo.dir = main;
    expect(repo.entire('diff').stdout).toContain('+one\n');
  });

  variation('whose folder has what separates folders in its name, and before the first commit', (repo) => {
    repo.dir = join(repo.scratch, 'x:y z');
    mkdirSync(repo.dir);
    repo.init();
    repo.entire('enable', '--agent', 'claude-code');
    addWork(repo, { 'a.txt': 'one\n' });
    expect(repo.entire('diff').stdout).toContain('+one\n');
    repo.write('c.txt', 'c\n');
    repo.git('add', '.');
    repo.git('commit', '-qm', 'Begin');
    addWork(repo, { 'c.txt': 'changed\n' });
    expect(repo.entire('diff').stdout).toMatch(/-c\n\+changed\n$/);
  });
});
