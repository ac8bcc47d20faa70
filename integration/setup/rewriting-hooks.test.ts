import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { commitAt as commit, script, withProbe } from '../support/command/probe.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import { withCommit } from '../support/repository/set-up.ts';

describe('the git hook of commits that are made again', () => {
  onBothBuilds('post-rewrite reads its list, and hands all of it on to everything that was there', (repo) => {
    withCommit(repo);
    const keep = (n: number) => `{ echo "hook ${n} $1"; cat; } >>"$LOG"`;
    script(repo, '.git/hooks/post-rewrite', keep(1), 'exit 9');
    repo.entire('enable');
    script(repo, '.git/hooks/post-rewrite', keep(2)); // a hook manager came by
    repo.entire('enable');
    const { env, calls } = withProbe(repo);
    writeFileSync(
      join(repo.scratch, 'probe', 'entire'),
      `#!/bin/sh\n{ echo "entire $3 $4"; cat; } >>"$LOG"\n`,
    );
    commit(repo, env, '--quiet');
    const old = repo.git('rev-parse', 'HEAD');
    writeFileSync(env.LOG as string, '');
    expect(commit(repo, env, '--quiet', '--amend', '-m', 'again').code).toBe(0);
    const line = `${old} ${repo.git('rev-parse', 'HEAD')}`;
    const told = calls().filter((call) => /post-rewrite|^hook|^[0-9a-f]{40} /.test(call));
    expect(told).toEqual(['entire post-rewrite amend', line, 'hook 1 amend', line]);
    script(repo, '.git/hooks/post-rewrite.pre-entire', keep(1));
    writeFileSync(env.LOG as string, '');
    expect(commit(repo, { ...env, ENTIRE: '0' }, '--quiet', '--amend', '-m', 'and again').code).toBe(0);
    const next = `${line.slice(41)} ${repo.git('rev-parse', 'HEAD')}`;
    expect(calls()).toEqual(['hook 1 amend', next, 'hook 2 amend', next]);
  });

  variation('a rebase that folds commits tells of them once, in the end', (repo) => {
    withCommit(repo).entire('enable');
    const { env, calls } = withProbe(repo);
    for (const name of ['one', 'fixup! one', 'fixup! one']) {
      repo.write('a.txt', `${name}${Math.random()}\n`).git('add', 'a.txt');
      repo.run('git', ['commit', '--quiet', '-m', name], { env });
    }
    writeFileSync(env.LOG as string, '');
    const plan = { ...env, GIT_SEQUENCE_EDITOR: ':' };
    expect(repo.run('git', ['rebase', '-q', '-i', '--autosquash', 'HEAD~3'], { env: plan }).code).toBe(0);
    expect(calls().filter((call) => call.includes('post-rewrite'))).toEqual(['entire post-rewrite rebase']);
  });
});
