import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { CLAUDE, DROID, FIXTURES, json, PI, put, putOwn } from '../support/agent/kept-sessions.ts';
import { turn } from '../support/command/resume.ts';
import { variation } from '../support/repository/scenario.ts';

describe('entire session stats', () => {
  variation('sums by agent, day and repository', (repo) => {
    repo.ready();
    const session = repo.session();
    turn(repo, session, 'a.txt');
    putOwn(repo, 'pi', PI);
    const report = json(repo, 'stats');
    expect(report).toMatchObject({ sessions: 2, since: null, unread: 0, commits: 1 });
    expect(report.by_agent.map(({ key }: { key: string }) => key).sort()).toEqual(['claude-code', 'pi']);
    expect(report.by_repository).toMatchObject([{ key: repo.dir, sessions: 2, commits: 1 }]);
    const sum = (key: string): number =>
      report.by_day.reduce((total: number, row: Record<string, number>) => total + (row[key] ?? 0), 0);
    for (const key of ['turns', 'input_tokens', 'output_tokens', 'files', 'commits'])
      expect(sum(key), key).toBe(report[key]);
    expect(report.turns).toBe(json(repo, 'show', PI).turns + json(repo, 'show', session.id).turns);

    const { stdout } = repo.entire('session', 'stats');
    expect(stdout).toMatch(/^Sessions: {2}2\nTurns: +\d+\nTokens: +[\d,]+ \([\d,]+ out\)\nCost: /);
    expect(stdout).toMatch(/^AGENT +SESSIONS +TURNS +TOKENS +COST +FILES +COMMITS$/m);
    expect(stdout).toMatch(/^Turns by day:\n2026-11-22 +\d+ {2}#+\n/m);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  variation('what a client keeps in a sum beside its transcript is counted, and shown', (repo) => {
    repo.init();
    const file = putOwn(repo, 'factoryai-droid', DROID);
    const sum = readFileSync(join(FIXTURES, 'factoryai-droid/transcripts/basic.settings.json'), 'utf8');
    put(file.replace(/\.jsonl$/, '.settings.json'), sum);
    const spent = { input_tokens: 400, output_tokens: 80 };
    expect(json(repo, 'show', DROID).usage).toMatchObject(spent);
    expect(repo.entire('session', 'show', DROID).stdout).toContain('400 in, 80 out');
    const { by_day: days, ...all } = json(repo, 'stats');
    expect(all).toMatchObject({ sessions: 1, ...spent });
    expect(days).toMatchObject([{ key: '2026-11-21', ...spent }]);

    const beside = file.replace(/\.jsonl$/, '.settings.json');
    put(beside, sum.replace('"inputTokens": 400', '"inputTokens": 900'));
    expect(json(repo, 'stats').input_tokens).toBe(900); // it may be written later than the transcript
    rmSync(beside);
    repo.run('mkfifo', [beside]);
    expect(json(repo, 'stats')).toMatchObject({ sessions: 1, input_tokens: 0 });
  });

  variation('since a date or a span; the second time only what has changed is read', (repo) => {
    repo.init();
    const file = putOwn(repo, 'pi', PI);
    const time = new Date('2026-11-22T20:00:00Z');
    utimesSync(file, time, time);
    const all = json(repo, 'stats');
    expect(all).toMatchObject({ sessions: 1, turns: 1 });
    expect(json(repo, 'stats', '--since', '2026-11-22')).toMatchObject({ sessions: 1, since: '2026-11-22' });
    expect(json(repo, 'stats', '--since', '2099-01-01')).toMatchObject({ sessions: 0, by_day: [] });
    expect(repo.entire('session', 'stats', '--since', '2099-01-01').stdout).toBe(
      'No session since 2099-01-01.\n',
    );
    for (const since of ['soon', '2026-13-01', '7x', '2026-02-30', ''])
      expect(repo.tryEntire('session', 'stats', '--since', since), since).toMatchObject({
        code: 2,
        stdout: '',
      });

    // The same size and time: what is in the cache is told, and nothing is read.
    const { size } = statSync(file);
    writeFileSync(file, ' '.repeat(size));
    utimesSync(file, time, time);
    expect(json(repo, 'stats')).toMatchObject({ turns: 1 });
    const cache = join(repo.home, '.entire/stats-cache.json');
    for (const broken of ['{"version":1,"totals":{', '{"version":3,"totals":{}}', '[]']) {
      writeFileSync(cache, broken);
      expect(json(repo, 'stats')).toMatchObject({ sessions: 0 });
      putOwn(repo, 'pi', PI);
      expect(json(repo, 'stats')).toMatchObject({ turns: 1 });
      writeFileSync(file, ' '.repeat(size));
    }
    rmSync(file);
    expect(json(repo, 'stats')).toMatchObject({ sessions: 0 });
    expect(JSON.parse(readFileSync(cache, 'utf8'))).toMatchObject({ version: 4 });
  });

  variation('what a fork took over from its parent counts once', (repo) => {
    repo.init();
    const file = putOwn(repo, 'claude-code', CLAUDE);
    const alone = json(repo, 'stats');
    const [id, other] = [CLAUDE.replace('5471', '5472'), CLAUDE.replace('5471', '5473')];
    const text = readFileSync(file, 'utf8').replaceAll(CLAUDE, id);
    const said = { role: 'user', content: 'Only here' };
    const row = {
      type: 'user',
      uuid: 'u-new',
      sessionId: id,
      timestamp: '2026-11-23T10:00:00.000Z',
      message: said,
    };
    const last = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).uuid)
      .filter(Boolean)
      .at(-1);
    const fork = put(file.replace(CLAUDE, id), `${text}${JSON.stringify({ ...row, parentUuid: last })}\n`);
    put(file.replace(CLAUDE, other), text.replaceAll(id, other)); // nothing was said in it yet
    for (const _ of ['read', 'kept']) {
      const { sessions, turns, output_tokens, files, by_day } = json(repo, 'stats');
      expect({ sessions, turns, output_tokens, files }).toEqual({
        ...{ sessions: 2, turns: alone.turns + 1 },
        ...{ output_tokens: alone.output_tokens, files: alone.files },
      });
      expect(by_day.at(-1)).toMatchObject({ key: '2026-11-23', sessions: 1, turns: 1, files: 0 });
    }
    expect(json(repo, 'stats', '--since', '2026-11-23')).toMatchObject({
      sessions: 1,
      turns: 1,
      output_tokens: 0,
    });
    rmSync(file);
    expect(json(repo, 'stats')).toMatchObject({ turns: alone.turns + 1, output_tokens: alone.output_tokens });
    rmSync(fork);
    expect(json(repo, 'stats')).toMatchObject({ sessions: 1, turns: alone.turns });
  });

  variation('a repository that git refuses costs its commits, and nothing else', (repo) => {
    repo.ready();
    turn(repo, repo.session(), 'a.txt');
    const broken = join(repo.scratch, 'broken');
    put(join(broken, '.git/HEAD'), 'ref: refs/heads/main\n');
    const file = putOwn(repo, 'pi', PI);
    put(file, readFileSync(file, 'utf8').replaceAll(JSON.stringify(repo.dir), JSON.stringify(broken)));
    expect(json(repo, 'stats')).toMatchObject({ sessions: 2, commits: 1 });
    const { stderr } = repo.entire('session', 'stats');
    expect(stderr).toContain(`commits of ${broken} are not counted: git`);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);

    const run = (...args: string[]) => repo.run('entire', ['session', ...args], { cwd: broken });
    const listed = run('list', '--all-clis');
    expect(listed).toMatchObject({ code: 0 });
    expect(listed.stdout).toContain(PI.slice(0, 8));
    expect(listed.stderr).toContain('what this repository has of sessions is not told: git');
    expect(run('list', '--all-clis', '--no-commits')).toMatchObject({ code: 0, stderr: '' });
    expect(run('show', PI)).toMatchObject({ code: 0 });
  });

  variation('what cannot be read is counted apart', (repo) => {
    repo.init();
    putOwn(repo, 'pi', PI);
    put(join(repo.home, '.entire/sessions/broken.json'), '{"session_id":"broken"');
    expect(json(repo, 'stats')).toMatchObject({ sessions: 1, unread: 1 });
    expect(repo.entire('session', 'stats').stdout).toContain('Not read:  1\n');
  });
});
