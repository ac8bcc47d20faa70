import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect } from 'vitest';
import { agentOf } from '../../src/agents/registry.ts';
import type { SessionId } from '../../src/base/ids.ts';
import { fakeProgram, turn } from '../support/command/resume.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const PI = '01a20476-43e3-7733-907e-e5a341f66cba';

function put(file: string, text: string, time: Date): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, time, time);
  return file;
}

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

/** A session of Pi that none of our hooks saw. */
function putPi(repo: TestRepo, minutes: number, folder = repo.dir): string {
  const text = readFileSync(resolve(import.meta.dirname, '../fixtures/pi/transcripts/basic.jsonl'), 'utf8');
  const home = agentOf('pi').home;
  const file = home.transcript(
    { HOME: repo.home },
    folder,
    PI as SessionId,
    new Date('2026-11-22T18:13:09Z'),
  );
  return put(file, text.replaceAll('"/repo"', JSON.stringify(folder)), minutesAgo(minutes));
}

/** A run as a chat leaves it. */
function putRun(
  repo: TestRepo,
  minutes: number,
  more: object = {},
  agent = 'codex',
  hex = '7f3a91c2',
): string {
  const time = minutesAgo(minutes);
  const id = `${agent}-${time.toISOString().replace(/[:.]/g, '-')}-${hex}`;
  const run = { version: 1, run_id: id, session_id: id, cli_origin: agent, folder: repo.dir, ...more };
  put(join(repo.home, '.entire/eventlog', id, 'run.json'), JSON.stringify(run), time);
  const stored = run.session_id;
  const data = {
    session_id: stored,
    messages: [],
    system: null,
    parent_id: null,
    created_at: 0,
    updated_at: 0,
  };
  put(join(repo.home, `.entire/sessions/${stored}.json`), JSON.stringify({ ...data, metadata: {} }), time);
  return id;
}

describe('entire resume, of what no hook told of', () => {
  scenario('the newest of all agents: a run of ours, or the session that only its agent keeps', (repo) => {
    repo.ready();
    const file = putPi(repo, 20);
    expect(repo.entire('resume').stderr).toBe(`Already up to date: ${file}
Session: ${PI}

To continue this session, run:
  pi --session ${PI}  # PI-ONE go
`);
    const run = putRun(repo, 10, { title: 'Paint it' });
    putRun(repo, 5, { folder: '/elsewhere' }, 'pi');
    expect(repo.entire('resume').stderr).toBe(`Session: ${run}

To continue this session, run:
  entire session chat --resume ${run}  # Paint it
`);
    const outcome = JSON.parse(repo.entire('resume', '--json').stdout);
    expect(outcome).toMatchObject({
      result: 'unchanged',
      sessions: [
        { session_id: run, agent: 'Codex', command: ['entire', 'session', 'chat', '--resume', run] },
      ],
    });
    expect(repo.entire('resume', PI.slice(0, 8)).stderr).toContain(`pi --session ${PI}`);
  });

  variation(
    'newest by the time in the id: a later run of an agent that comes first in the alphabet',
    (repo) => {
      repo.ready();
      putRun(repo, 30, {}, 'qwen-code');
      const later = putRun(repo, 20, {}, 'claude-code');
      putRun(repo, 40, {}, 'pi');
      expect(repo.entire('resume').stderr).toContain(`chat --resume ${later}\n`);
    },
  );

  variation('a chat that is open since hours is as new as what was said in it last', (repo) => {
    repo.ready();
    const long = putRun(repo, 300);
    put(join(repo.home, '.entire/eventlog', long, 'events.jsonl'), '{}\n', minutesAgo(1));
    putRun(repo, 60, {}, 'pi', '00000001');
    putPi(repo, 20);
    expect(repo.entire('resume').stderr).toContain(`chat --resume ${long}\n`);
    expect(repo.entire('session', 'show', long, '--no-commits').stdout).toMatch(/^Last: .* \(1m ago\)$/m);
    const [first] = JSON.parse(repo.entire('session', 'list', '--all-clis', '--json').stdout);
    expect(first).toMatchObject({ session_id: long });
  });

  variation('what hooks know is as new as they say', (repo) => {
    repo.ready();
    putPi(repo, 20);
    putRun(repo, 10);
    const session = repo.session();
    turn(repo, session, 'a.txt');
    expect(repo.entire('resume').stderr).toContain(`claude -r ${session.id}`);
    // Talked in by us: it goes on where it was talked in.
    const run = putRun(repo, 15, { agent_session_id: session.id }, 'claude-code');
    expect(repo.entire('resume').stderr).toContain(`entire session chat --resume ${run}`);
  });

  variation('a run by its id, whichever of its session it is', (repo) => {
    repo.ready();
    const first = putRun(repo, 20);
    const second = putRun(repo, 10, { session_id: first }, 'codex', '00000002');
    for (const word of [first, second])
      expect(repo.entire('resume', word).stderr).toContain(`entire session chat --resume ${first}\n`);
    const gone = repo.tryEntire('resume', first.replace('7f3a91c2', '00000009'));
    expect(gone).toMatchObject({ code: 1, stdout: '' });
    expect(repo.tryEntire('resume', 'no-such-branch').stderr).toContain(
      'session here or on origin: no-such-branch',
    );
  });

  variation('--exec starts the agent of a session that only it keeps', (repo) => {
    repo.ready();
    putPi(repo, 20);
    const pi = fakeProgram(repo, 'pi');
    repo.run('entire', ['resume', '--exec', '--', '--offline'], { env: pi.env });
    expect(pi.calls()).toContain(`--session\n${PI}\n--offline\n`);
  });
});
