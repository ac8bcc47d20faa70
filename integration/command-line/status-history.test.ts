import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { LastCommit } from '../../src/cli/status/commits.ts';
import { diagnose } from '../support/command/doctor.ts';
import { minutesAgo } from '../support/command/stuck.ts';
import { commitWithout, why } from '../support/command/why.ts';
import { withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';

describe('status: what happened', () => {
  variation('the last commits are those of HEAD, whatever was committed elsewhere', (repo) => {
    const last = () =>
      repo.entire('status', '--detailed').stdout.split('Last commits:\n')[1]?.trimEnd().split('\n') ?? [];
    const sha = (name: string) => repo.git('rev-parse', '--short=7', name);
    const session = withWork(repo, { 'a.txt': 'one\n' });
    repo.git('switch', '--quiet', '-c', 'topic');
    const id = repo.commit('Add a', 'a.txt');
    const topic = sha('HEAD');
    repo.git('switch', '--quiet', 'main');
    expect(last().join()).not.toContain(topic);
    repo.git('merge', '--quiet', '--no-ff', '--no-edit', 'topic');
    repo.write('mine.txt', 'mine\n');
    commitWithout(repo, 'Mine', 'mine.txt');
    expect(last()).toEqual([
      `  ${sha('HEAD')}  not linked: made in another clone, or without the git hooks`,
      `  ${sha('HEAD~1')}  not linked: a merge, or made of earlier commits`,
      `  ${topic}  linked (${id}, ${session.id.slice(0, 8)})`,
      `  ${sha('HEAD~2')}  not linked: no session was open in this worktree`,
    ]);
    // A clone has no record of its own.
    const clone = join(repo.scratch, 'clone');
    repo.git('clone', '--quiet', repo.dir, clone);
    repo.git('-C', clone, 'fetch', '--quiet', 'origin', 'entire/checkpoints/v1');
    repo.dir = clone;
    repo.entire('enable', '--agent', 'claude-code');
    expect(last()).toEqual([
      `  ${sha('HEAD~1')}  not linked: a merge, or made of earlier commits`,
      `  ${topic}  linked by the id in its message or git note (${id}, ${session.id.slice(0, 8)})`,
    ]);
  });

  variation('where git hooks are missing, or recording is off, a commit is judged as by why', (repo) => {
    withWork(repo);
    repo.commit('Add a', 'a.txt');
    repo.write('b.txt', 'b\n');
    rmSync(join(repo.dir, '.git', 'hooks', 'post-commit'));
    commitWithout(repo, 'Unseen', 'b.txt');
    const reasons = () =>
      JSON.parse(repo.entire('status', '--json').stdout).verdicts.map(({ reason }: LastCommit) => reason);
    expect(reasons()).toEqual(['hooks-missing', 'linked', 'no-session']);
    expect(why(repo).reason).toBe('hooks-missing');
    expect(repo.entire('status').stdout).toContain('  not linked: git hooks are missing\n');
    repo.entire('disable');
    expect(reasons()).toEqual(['disabled', 'linked', 'no-session']);
    expect(why(repo).reason).toBe('disabled');
  });

  variation('what failed is told of the whole last day, by status as by doctor', (repo) => {
    repo.ready();
    const at = (minutes: number) => minutesAgo(minutes);
    const line = (minutes: number, level: string, msg: string) =>
      `${JSON.stringify({ time: at(minutes), level, msg })}\n`;
    mkdirSync(join(repo.dir, '.entire', 'logs'), { recursive: true });
    const quiet = Array.from({ length: 2000 }, () => line(60, 'INFO', 'fine')).join('');
    repo.write(
      '.entire/logs/entire.log.1',
      line(26 * 60, 'ERROR', 'too old') + line(23 * 60, 'ERROR', 'in the older file'),
    );
    repo.write(
      '.entire/logs/entire.log',
      line(90, 'WARN', 'behind much') + line(80, 'WARN', 'behind much') + quiet,
    );
    const { stdout } = repo.entire('status');
    expect(stdout).toContain('Problems:\n  23h ago: in the older file\n  1h ago: behind much (2 times)\n');
    expect(diagnose(repo).get('hook-failures')?.items).toEqual([
      expect.stringMatching(/Z in the older file$/),
      expect.stringMatching(/Z behind much \(2 times\)$/),
    ]);
  });

  variation('says what is missing, and what hooks complained about', (repo) => {
    repo.ready();
    repo.run('rm', [join(repo.dir, '.git', 'hooks', 'post-commit')]);
    repo.hook('stop', 'no json');
    const { stdout } = repo.entire('status');
    expect(stdout).toContain("git: 5 of 6 hooks, run 'entire enable'");
    expect(stdout).toMatch(/Problems:\n {2}just now: hook failed: stop: failed to parse hook input/);
  });

  variation('settings that do not parse are named, and permit nothing', (repo) => {
    repo.ready();
    repo.write('.entire/settings.json', '{"enabled": tru');
    const { stdout } = repo.entire('status');
    expect(stdout).toMatch(/\.entire\/settings\.json is not read, and permits nothing: /);
    expect(stdout).toContain('Enabled');
  });

  variation('text from prompts and file names cannot steer the terminal', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('make \u001b[2Jit \u001b]0;owned\u0007red');
    session.edit('a\u001b[31m.txt', 'one\n');
    session.stop();
    expect(repo.entire('status').stdout).not.toContain('\u001b');
  });
});
