import {
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentName } from '../../src/agents/names.ts';
import { agentOf } from '../../src/agents/registry.ts';
import type { SessionId } from '../../src/base/ids.ts';
import { turn } from '../support/command/resume.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures');
const HOUR_MS = 3_600_000;

/** The real transcripts of agents, and the sessions they are of. */
const OWN: readonly (readonly [AgentName, string])[] = [
  ['claude-code', 'f947edb3-1e50-4344-8bf1-34bcf22d5471'],
  ['codex', '01a1fdb4-f11c-77c3-9696-5a653ee2f2f1'],
  ['copilot-cli', 'c14ef695-955a-4e31-92a0-a1b7a1d1c46a'],
  ['pi', '01a20476-43e3-7733-907e-e5a341f66cba'],
  ['qwen-code', 'abcb8c0a-34a5-47c2-9293-d240a2b1e622'],
];

/** Puts them where their clients have them, the first one written an hour ago, each other an hour before. */
function putOwn(repo: TestRepo): void {
  for (const [at, [agent, id]] of OWN.entries()) {
    const time = new Date(Date.now() - (at + 1) * HOUR_MS);
    const text = readFileSync(join(FIXTURES, agent, 'transcripts/basic.jsonl'), 'utf8');
    const file = agentOf(agent).home.transcript({ HOME: repo.home }, repo.dir, id as SessionId, time);
    put(file, text.replaceAll('"/repo"', JSON.stringify(repo.dir)), time);
  }
}

function put(file: string, text: string, time: Date): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, time, time);
}

/** A run as a chat leaves it, so many minutes ago. */
function putRun(
  repo: TestRepo,
  agent: AgentName,
  minutes: number,
  more: object = {},
  tail = 'abc12345',
): string {
  const time = new Date(Date.now() - minutes * 60_000);
  const id = `${agent}-${time.toISOString().replace(/[:.]/g, '-')}-${tail}`;
  const run = { version: 1, run_id: id, session_id: id, cli_origin: agent, folder: repo.dir, ...more };
  put(join(repo.home, '.entire/eventlog', id, 'run.json'), JSON.stringify(run), time);
  return id;
}

const list = (repo: TestRepo, ...more: string[]) => {
  // biome-ignore lint/suspicious/noExplicitAny: JSON as a program sees it
  return JSON.parse(repo.entire('session', 'list', '--json', ...more).stdout) as any[];
};

describe('entire session list', () => {
  onBothBuilds('all agents: newest first, with origin, title and folder', (repo) => {
    repo.init();
    putOwn(repo);
    const run = putRun(repo, 'gemini', 90, { title: 'Paint it blue' });
    putRun(repo, 'codex', 5, {}, 'notarun!');
    put(join(repo.home, '.entire/eventlog/backup-2026-05-08-abc12345/run.json'), '{}', new Date());
    const all = list(repo, '--all-clis');
    expect(all.map(({ cli_origin, session_id }) => [cli_origin, session_id])).toEqual([
      OWN[0],
      ['gemini', run],
      ...OWN.slice(1),
    ]);
    const ours = { kind: 'run', stored: false, run_id: run, title: 'Paint it blue', folder: repo.dir };
    expect(all[1]).toMatchObject(ours);
    expect(all[0]).toMatchObject({
      kind: 'agent',
      run_id: null,
      folder: repo.dir,
      checkpoints: [],
      commits: [],
    });
    expect(all[2].title).toBe('write-and-edit please');

    const { stdout } = repo.entire('session', 'list', '--all-clis', '--no-commits');
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ID +ORIGIN +WHEN +TITLE +FOLDER$/);
    expect(lines[1]).toMatch(/^f947edb3 +claude-code +1h ago +TURN-ONE: please create hello\.txt +\.$/);
    expect(lines[2]).toMatch(/^abc12345 +gemini \(chat\) +1h ago +\(log only\) Paint it blue +\.$/);
    expect(lines).toHaveLength(7);
  });

  variation(
    'by itself it lists what was begun in this repository; chats, one agent, or everything on request',
    (repo) => {
      repo.ready();
      const none = repo.entire('session', 'list');
      expect(none.stdout).toContain(
        'No session of this repository. `entire session list --everywhere` lists',
      );
      expect(repo.entire('session', 'list', '--chats').stdout).toContain('No chats yet.');
      putOwn(repo);
      const mine = putRun(repo, 'pi', 10);
      const other = putRun(repo, 'gemini', 20);
      const tree = join(repo.scratch, 'tree');
      const elsewhere = putRun(repo, 'codex', 30, { folder: tree }, '00000001');
      const own = OWN.map(([, id]) => id);
      const ids = (...more: string[]) => list(repo, ...more).map(({ session_id }) => session_id);
      expect(ids()).toEqual([mine, other, ...own]);
      expect(ids('--everywhere')).toEqual([mine, other, elsewhere, ...own]);
      expect(ids('--chats')).toEqual([mine, other]);
      expect(ids('--chats', '--everywhere')).toEqual([mine, other, elsewhere]);
      repo.git('worktree', 'add', '--quiet', '--detach', tree);
      expect(ids()).toEqual([mine, other, elsewhere, ...own]);
      expect(ids('--here')).toEqual([mine, other, ...own]);
      expect(ids('--limit', '3')).toEqual([mine, other, elsewhere]);
      expect(list(repo, '--agent', 'pi').map(({ session_id }) => session_id)).toEqual([mine, OWN[3]?.[1]]);
      expect(repo.entire('session', 'list', '--agent', 'pi').stdout).not.toContain('ORIGIN');
    },
  );

  variation('sessions are joined with their checkpoints, commits, and lines that survive', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('Write a list');
    session.edit('list.txt', 'one\ntwo\nthree\n');
    session.stop();
    repo.commit('List', 'list.txt');
    const first = repo.git('rev-parse', 'HEAD');
    turn(repo, session, 'b.txt', 'And b');
    const second = repo.git('rev-parse', 'HEAD');
    repo.write('list.txt', 'one\nmine\nthree\n');
    repo.commit('Mine', 'list.txt');
    const [one] = list(repo, '--all-clis');
    expect(one).toMatchObject({ session_id: session.id, cli_origin: 'claude-code', surviving_lines: 3 });
    expect(one.commits).toEqual([second, first]);
    expect(one.checkpoints).toEqual([second, first].map((commit) => repo.checkpointOf(commit)));
    const { stdout } = repo.entire('session', 'list', '--all-clis');
    expect(stdout.split('\n')[0]).toMatch(/CHECKPOINTS +COMMITS +LINES$/);
    expect(stdout.split('\n')[1]).toMatch(/ 2 +2 +3$/);
    expect(list(repo, '--all-clis', '--no-commits')[0]).toMatchObject({
      commits: null,
      surviving_lines: null,
    });

    // A run whose agent recorded through its hooks is joined by the agent's own id.
    const run = putRun(repo, 'claude-code', 0, { agent_session_id: session.id });
    expect(list(repo, '--all-clis')).toMatchObject([
      { session_id: run, agent_session_id: session.id, transcript: session.transcript, surviving_lines: 3 },
    ]);
  });

  variation('they are joined from another worktree, and after the repository was moved', (repo) => {
    repo.ready();
    const session = repo.session();
    turn(repo, session, 'a.txt');
    const head = repo.git('rev-parse', 'HEAD');
    const [tree, moved] = [join(repo.scratch, 'tree'), join(repo.scratch, 'moved')];
    repo.git('worktree', 'add', '--quiet', '--detach', tree);
    const work = { session_id: session.id, folder: repo.dir, commits: [head], surviving_lines: 1 };
    const run = (cwd: string, ...args: string[]) =>
      JSON.parse(repo.run('entire', ['session', ...args, '--json'], { cwd }).stdout);
    expect(run(tree, 'list', '--all-clis')).toMatchObject([work]);
    expect(run(tree, 'show', session.id)).toMatchObject(work);
    expect(run(tree, 'list', '--all-clis', '--here')).toEqual([]);
    repo.run('git', ['clone', '--quiet', '--mirror', repo.dir, join(moved, '.git')]);
    repo.run('git', ['-C', moved, 'config', 'core.bare', 'false']);
    expect(run(moved, 'list', '--all-clis')).toMatchObject([work]);
  });

  variation('elsewhere it lists all the same, and --here wants a repository', (repo) => {
    repo.init();
    putOwn(repo);
    const outside = join(repo.scratch, 'outside');
    mkdirSync(outside);
    const run = (...args: string[]) => repo.run('entire', ['session', 'list', ...args], { cwd: outside });
    expect(JSON.parse(run('--all-clis', '--json').stdout)).toHaveLength(5);
    expect(run('--all-clis').stdout).toContain(realpathSync(repo.dir));
    expect(run('--here')).toMatchObject({ code: 1, stderr: 'Error: --here: this is not a repository.\n' });
    expect(list(repo, '--all-clis', '--here')).toHaveLength(5);
  });

  variation('a limit says that there are more; wrong flags are refused', (repo) => {
    repo.init();
    putOwn(repo);
    const { stdout, stderr } = repo.entire('session', 'list', '--all-clis', '--limit', '2');
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr).toBe('There are more: --limit or --all.\n');
    expect(list(repo, '--all-clis', '--limit', '2')).toHaveLength(2);
    for (const args of [
      ['--limit', '0'],
      ['--limit', 'x'],
      ['--agent', 'mink'],
      ['--since', 'soon'],
      ['word'],
    ])
      expect(repo.tryEntire('session', 'list', ...args), args.join(' ')).toMatchObject({
        code: 2,
        stdout: '',
      });
  });

  variation('since a date or a span: by when something was last written', (repo) => {
    repo.init();
    putOwn(repo);
    const since = (word: string, ...more: string[]) =>
      list(repo, '--since', word, ...more).map(({ session_id }) => session_id);
    const own = OWN.map(([, id]) => id);
    expect(since('3h')).toEqual(own.slice(0, 2)); // the third was written a moment more than three hours ago
    expect(since('3h', '--limit', '1')).toEqual(own.slice(0, 1));
    expect(since(new Date(Date.now() - 1.5 * HOUR_MS).toISOString())).toEqual(own.slice(0, 1));
    expect(since('2099-01-01')).toEqual([]);
    const run = putRun(repo, 'gemini', 600);
    put(join(repo.home, '.entire/eventlog', run, 'events.jsonl'), '{}\n', new Date());
    expect(since('1h')).toEqual([run]);
  });

  variation('pipes in the place of files are not waited for', (repo) => {
    repo.init();
    putOwn(repo);
    const run = putRun(repo, 'codex', 5);
    const project = join(repo.home, '.gemini/tmp/abc');
    const gemini = readFileSync(join(FIXTURES, 'gemini/transcripts/basic.jsonl'), 'utf8');
    put(join(project, 'chats/session-2026-11-21T10-44-aaaaaaaa.jsonl'), gemini, new Date());
    mkdirSync(join(repo.home, '.entire/sessions'));
    const pipes = [
      join(repo.home, '.entire/eventlog', run, 'events.jsonl'),
      join(repo.home, '.entire/sessions/pipe.json'),
      join(repo.home, '.entire/stats-cache.json'),
      join(repo.home, '.entire/session-heads.json'),
      join(repo.home, '.gemini/projects.json'),
      join(project, '.project_root'),
      join(
        dirname(agentOf('pi').home.transcript({ HOME: repo.home }, repo.dir, 'x' as SessionId)),
        'x.jsonl',
      ),
    ];
    repo.run('mkfifo', pipes);
    expect(list(repo, '--all-clis')).toHaveLength(7);
    expect(repo.tryEntire('session', 'show', run).stderr).toContain('its run tells nothing');
    expect(JSON.parse(repo.entire('session', 'stats', '--json').stdout)).toMatchObject({
      sessions: 6,
      unread: 1,
    });
    expect(JSON.parse(repo.entire('session', 'stats', '--json').stdout)).toMatchObject({
      sessions: 6,
      unread: 1,
    });
  });

  variation('what is broken hides nothing else', (repo) => {
    repo.init();
    putOwn(repo);
    const top = join(repo.home, '.entire/eventlog');
    put(join(top, 'pi-2026-05-08-00000001/run.json'), '{"session_id": "../../x", "title"', new Date());
    put(join(top, 'pi-2026-05-08-00000002'), 'a file', new Date());
    put(join(top, 'pi-2026-05-08-00000003/events.jsonl'), '', new Date());
    put(
      join(top, 'pi-2026-05-08-00000004/run.json'),
      '{"version":1,"title":"\\u001b[31mred\\u001b[0m","folder":"/a\\u0000b"}',
      new Date(),
    );
    put(join(repo.home, '.entire/sessions/x.json'), '\0\0', new Date());
    const all = list(repo, '--all-clis');
    const runs = all.filter(({ kind }) => kind === 'run').map(({ run_id }) => run_id.slice(-1));
    expect(runs.sort()).toEqual(['1', '3', '4']);
    expect(all).toHaveLength(9);
    expect(repo.entire('session', 'list').stdout).not.toContain('\x1b');
    rmSync(top, { recursive: true });
    writeFileSync(top, 'a file where a folder should be');
    expect(list(repo, '--all-clis')).toHaveLength(6);
  });

  variation('a store that is there and cannot be looked at is said; an unknown id may be in it', (repo) => {
    repo.init();
    putOwn(repo);
    const locked = join(repo.home, '.gemini/tmp');
    mkdirSync(dirname(locked), { recursive: true });
    symlinkSync(locked, locked);
    const said = `${locked} cannot be read: ELOOP`;
    const listed = repo.entire('session', 'list', '--all-clis');
    expect(listed.stderr).toContain(said);
    for (const [agent] of OWN) expect(listed.stdout).toContain(agent);
    const shown = repo.tryEntire('session', 'show', 'no-such-session');
    expect(shown.code).not.toBe(0);
    expect(shown.stderr).toContain(said);
    expect(repo.tryEntire('resume', '--dry-run').stderr).toContain(said);
  });
});
