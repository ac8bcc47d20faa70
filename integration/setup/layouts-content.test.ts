import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { commitLinked, expectStep, walkTheLine } from '../support/repository/walk.ts';

/** A filter that stores `*.bin` as a pointer of the format of Git LFS, and writes down what it is asked to do. */
function withPointers(repo: TestRepo): { calls(): string[] } {
  const log = join(repo.scratch, 'filter.log');
  const store = join(repo.scratch, 'lfs-objects');
  const script = join(repo.scratch, 'filter.sh');
  const lines = [
    '#!/bin/sh',
    `echo "$1 $2 \${LC_ALL-}|\${LANG-}" >>'${log}'`,
    `mkdir -p '${store}'; tmp='${store}'/tmp$$; cat >"$tmp"`,
    'if [ "$1" = clean ]; then',
    '  oid=$(sha256sum "$tmp" | cut -d" " -f1); size=$(wc -c <"$tmp")',
    `  mv "$tmp" '${store}'/$oid`,
    '  printf "version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n" $oid $size',
    'else',
    `  cat '${store}'/$(sed -n "s/^oid sha256://p" "$tmp"); rm "$tmp"`,
    'fi',
  ];
  writeFileSync(script, `${lines.join('\n')}\n`);
  chmodSync(script, 0o755);
  repo.git('config', 'filter.lfs.clean', `'${script}' clean %f`);
  repo.git('config', 'filter.lfs.smudge', `'${script}' smudge %f`);
  repo.git('config', 'filter.lfs.required', 'true');
  writeFileSync(log, '');
  return { calls: () => readFileSync(log, 'utf8').split('\n').filter(Boolean) };
}

describe('layouts: what git stores', () => {
  variation('files behind a filter (Git LFS): steps hold the pointers, and nothing is fetched', (repo) => {
    const { calls } = withPointers(repo.ready());
    repo.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    repo.write('old.bin', 'old contents\n');
    repo.commit('Set up the filter', '.gitattributes', 'old.bin');

    const session = repo.session();
    session.prompt('write binaries');
    session.edit('new.bin', 'new contents\n');
    session.edit('old.bin', 'other contents\n');
    session.stop();
    expectStep(repo, 'new.bin', 'old.bin');
    const [branch] = repo.shadowBranches();
    expect(repo.git('show', `${branch}:new.bin`)).toContain('version https://git-lfs.github.com/spec/v1');
    commitLinked(repo, session, 'new.bin');
    expectStep(repo, 'old.bin');
    commitLinked(repo, session, 'old.bin');
    expect(calls().filter((call) => call.startsWith('smudge'))).toEqual([]);
  });

  variation("a filter runs in the user's locale, as it does for git add", (repo) => {
    const { calls } = withPointers(repo.ready());
    repo.write('.gitattributes', '*.bin filter=lfs\n');
    repo.commit('Set up the filter', '.gitattributes');
    for (const variables of [{ LC_ALL: 'C.UTF-8' }, { LANG: 'C.UTF-8' }]) {
      repo.variables = variables;
      const charset = (call: string) => (call.split(' ')[2] as string).split('|').find(Boolean);
      const session = repo.session();
      session.prompt('write');
      session.edit('a.bin', `${Math.random()}\n`);
      session.stop();
      repo.commit('Add a', 'a.bin');
      expect(calls().length).toBeGreaterThan(1);
      expect([...new Set(calls().map(charset))]).toEqual(['C.UTF-8']);
    }
  });

  variation('the first commit of a repository (unborn HEAD), and what comes after it', (repo) => {
    repo.init();
    repo.entire('enable', '--agent', 'claude-code');
    const session = repo.session();
    session.prompt('write one and two');
    session.edit('one.txt', 'one\n');
    session.edit('two.txt', 'two\n');
    expect(session.stop().stderr).toContain('Will activate after first commit');
    const root = repo.commit('Add one', 'one.txt') as string;
    expect(repo.storedJson(root, '0/metadata.json')).toMatchObject({
      session_id: session.id,
      files_touched: ['one.txt'],
    });
    session.prompt('go on');
    session.edit('three.txt', 'three\n');
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['three.txt', 'two.txt']); // what was recorded is not lost
    commitLinked(repo, session, 'two.txt');
    walkTheLine(repo, { folder: 'sub/' });
  });

  variation('a detached HEAD', (repo) => {
    repo.ready().git('checkout', '--quiet', '--detach');
    const { first } = walkTheLine(repo);
    expect(repo.storedJson(first, '0/metadata.json')).not.toHaveProperty('branch');
    expect(repo.tryGit('symbolic-ref', '-q', 'HEAD').code).toBe(1);
  });

  for (const [name, set] of [
    ['core.autocrlf', (repo: TestRepo) => repo.git('config', 'core.autocrlf', 'true')],
    ['core.autocrlf and safecrlf', (repo: TestRepo) => repo.git('config', 'core.safecrlf', 'true')],
    [
      'eol=crlf',
      (repo: TestRepo) => {
        repo.write('.gitattributes', '*.txt text eol=crlf\n');
        repo.commit('Set line ends', '.gitattributes');
      },
    ],
  ] as const) {
    variation(`lines that end in CRLF (${name})`, (repo) => {
      repo.ready().write('old.txt', 'base\r\n');
      set(repo);
      if (name.endsWith('safecrlf')) repo.git('config', 'core.autocrlf', 'true');
      repo.commit('Add old', 'old.txt');
      expect(repo.git('cat-file', 'blob', 'HEAD:old.txt')).toBe('base');

      const session = repo.session();
      session.prompt('write with CRLF');
      session.edit('old.txt', 'base\r\nmore\r\n');
      session.edit('new.txt', 'one\r\ntwo\r\n');
      session.stop();
      expectStep(repo, 'old.txt', 'new.txt');
      expect(repo.git('cat-file', 'blob', `${repo.shadowBranches()[0]}:new.txt`)).toBe('one\ntwo');
      commitLinked(repo, session, 'new.txt');
      expect(repo.state(session.id).files_touched).toEqual(['old.txt']);
      commitLinked(repo, session, 'old.txt');
      expect(repo.read('old.txt')).toBe('base\r\nmore\r\n');
      expect(repo.git('status', '--porcelain')).toBe('');
    });
  }

  variation('a file that git would refuse to add for its line ends does not keep the others out', (repo) => {
    repo.ready().git('config', 'core.autocrlf', 'input');
    repo.git('config', 'core.safecrlf', 'true');
    const session = repo.session();
    session.prompt('write');
    session.edit('mixed.txt', 'one\r\ntwo\n');
    session.edit('plain.txt', 'one\n');
    session.stop();
    expectStep(repo, 'plain.txt');
    commitLinked(repo, session, 'plain.txt');
  });

  for (const [name, ...settings] of [
    ['a split index', 'core.splitIndex=true'],
    ['an untracked cache', 'core.untrackedCache=true'],
    ['the settings of feature.manyFiles', 'feature.manyFiles=true'],
    ['an index without a checksum', 'index.skipHash=true'],
  ]) {
    variation(`a repository with ${name}`, (repo) => {
      repo.ready();
      for (const setting of settings) repo.git('config', ...setting.split('='));
      repo.git('update-index', '--refresh');
      repo.git('status');
      walkTheLine(repo);
      walkTheLine(repo, { folder: 'sub/' });
      expect(repo.git('status', '--porcelain')).toBe('');
    });
  }

  variation('a repository with a file-system monitor, which is asked and believed', (repo) => {
    const hook = join(repo.scratch, 'monitor.sh');
    const log = join(repo.scratch, 'monitor.log');
    writeFileSync(hook, `#!/bin/sh\necho asked >>'${log}'\nprintf 'token\\0/\\0'\n`); // "/" is: all may have changed
    chmodSync(hook, 0o755);
    repo.ready().git('config', 'core.fsmonitor', hook);
    repo.git('config', 'core.fsmonitorHookVersion', '2');
    repo.git('status');
    walkTheLine(repo);
    expect(existsSync(log)).toBe(true);
  });

  variation('a file-system monitor that fails costs nobody a commit', (repo) => {
    repo.ready().git('config', 'core.fsmonitor', '/nonexistent/monitor');
    walkTheLine(repo);
    repo.git('config', '--unset', 'core.fsmonitor');
  });

  variation('references in a table (reftable)', (repo, skip) => {
    const { code } = repo.tryGit('init', '--quiet', '--ref-format=reftable', '../probe');
    if (code !== 0) skip(`this git has no reftable (it came with 2.45): ${repo.git('--version')}`);
    repo.init('--ref-format=reftable').write('README.md', 'base\n').git('add', '.');
    repo.git('commit', '--quiet', '-m', 'init');
    repo.entire('enable', '--agent', 'claude-code');
    walkTheLine(repo);
  });
});
