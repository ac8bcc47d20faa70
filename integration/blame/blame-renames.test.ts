import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { commitBefore } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const lines = (who: string) => Array.from({ length: 8 }, (_, at) => `${who} line ${at}\n`).join('');

interface Way {
  /** Who wrote the lines of the file: `agent`, `human`, or what nobody can know. */
  readonly expected: Readonly<Record<string, 'agent' | 'human' | 'unknown'>>;
  play(repo: TestRepo, session: AgentSession): void;
}

function replace(repo: TestRepo, path: string, old: string, now: string, session?: AgentSession): void {
  const text = repo.read(path).replace(old, now);
  if (session) session.edit(path, text);
  else repo.write(path, text);
}

function turn(session: AgentSession, act: () => void): void {
  session.prompt('go on');
  act();
  session.stop();
}

/** All begin with a file of the user's, `base.txt`, and one of another folder; all end with `moved.txt` or `there/moved.txt`. */
const WAYS: Readonly<Record<string, Way>> = {
  'the agent moves with its shell, then edits': {
    expected: { 'by the agent': 'agent' },
    play(repo, session) {
      turn(session, () => {
        session.shell(() => repo.git('mv', 'base.txt', 'moved.txt'));
        replace(repo, 'moved.txt', 'base line 3', 'by the agent', session);
      });
      repo.commit('Move', '.');
    },
  },
  'the agent edits, then moves with its shell': {
    expected: { 'by the agent': 'agent' },
    play(repo, session) {
      turn(session, () => {
        replace(repo, 'base.txt', 'base line 3', 'by the agent', session);
        session.shell(() => repo.git('mv', 'base.txt', 'moved.txt'));
      });
      repo.commit('Move', '.');
    },
  },
  'the user moves what the agent edited, and changes a line': {
    expected: { 'by the agent': 'agent', 'by hand': 'human' },
    play(repo, session) {
      turn(session, () => replace(repo, 'base.txt', 'base line 3', 'by the agent', session));
      repo.git('mv', 'base.txt', 'moved.txt');
      replace(repo, 'moved.txt', 'base line 5', 'by hand');
      repo.commit('Move', '.');
    },
  },
  'the user moves a file that the agent made, and changes a line': {
    expected: { 'agent line 0': 'agent', 'agent line 7': 'agent', 'by hand': 'human' },
    play(repo, session) {
      turn(session, () => session.edit('new.txt', lines('agent')));
      repo.git('add', 'new.txt');
      repo.git('mv', 'new.txt', 'moved.txt');
      replace(repo, 'moved.txt', 'agent line 3', 'by hand');
      repo.commit('Move', '.');
    },
  },
  'the user moves a file of the agent that was committed, and changes a line': {
    expected: { 'agent line 0': 'agent', 'by hand': 'human' },
    play(repo, session) {
      turn(session, () => session.edit('new.txt', lines('agent')));
      repo.commit('New', 'new.txt');
      repo.git('mv', 'new.txt', 'moved.txt');
      replace(repo, 'moved.txt', 'agent line 3', 'by hand');
      repo.commit('Move', '.');
    },
  },
  'the agent moves, and that alone is committed': {
    expected: { 'agent line 0': 'agent', 'agent line 7': 'agent' },
    play(repo, session) {
      turn(session, () => session.edit('new.txt', lines('agent')));
      repo.commit('New', 'new.txt');
      turn(session, () => session.shell(() => repo.git('mv', 'new.txt', 'moved.txt')));
      repo.commit('Move', '.');
    },
  },
  'the user moves the folder of what the agent edited': {
    expected: { 'by the agent': 'agent' },
    play(repo, session) {
      turn(session, () => replace(repo, 'here/moved.txt', 'base line 3', 'by the agent', session));
      repo.git('mv', 'here', 'there');
      repo.commit('Move', '.');
    },
  },
  'nothing of the move is committed yet': {
    expected: { 'by the agent': 'agent', 'by hand': 'human' },
    play(repo, session) {
      turn(session, () => replace(repo, 'base.txt', 'base line 3', 'by the agent', session));
      repo.git('mv', 'base.txt', 'moved.txt');
      replace(repo, 'moved.txt', 'base line 5', 'by hand');
    },
  },
  'a squash merge of an edit and a move': {
    expected: { 'by the agent': 'agent' },
    play(repo, session) {
      repo.git('checkout', '--quiet', '-b', 'side');
      turn(session, () => replace(repo, 'base.txt', 'base line 3', 'by the agent', session));
      repo.commit('Edit', '.');
      repo.git('mv', 'base.txt', 'moved.txt');
      repo.commit('Move', '.');
      repo.git('checkout', '--quiet', 'main');
      repo.git('merge', '--quiet', '--squash', 'side');
      repo.git('commit', '--quiet', '-m', 'Squashed');
    },
  },
};

interface Line {
  readonly text: string;
  readonly commit: string | null;
  readonly class: string;
  readonly reason: string;
  readonly session_id: string | null;
}

interface Why {
  readonly status: string;
  readonly reason: string;
  readonly sessions: ReadonlyArray<{ readonly session_id: string }>;
}

/** What `why` says of a commit must be what `blame` says of each line that comes from it. */
function expectAgreement(line: Line, { status, reason, sessions }: Why): void {
  const told = JSON.stringify({ line, status, reason });
  if (line.class === 'agent') {
    expect(status, told).toBe('linked');
    expect(
      sessions.map((session) => session.session_id),
      told,
    ).toContain(line.session_id);
  }
  if (['no-session', 'no-record', 'elsewhere'].includes(line.reason) && status === 'linked')
    expect(line.reason, told).toBe('elsewhere');
  if (line.reason === 'no-session') expect(['no-session', 'no-overlap'], told).toContain(reason);
  if (line.reason === 'elsewhere' && status !== 'linked') expect(reason, told).toBe('merge');
}

describe('blame and why agree on each line of a file that was renamed', () => {
  for (const [name, { expected, play }] of Object.entries(WAYS))
    variation(name, (repo) => {
      repo.ready();
      repo.write('base.txt', lines('base'));
      repo.write('here/moved.txt', lines('base'));
      commitBefore(repo, 'Base', 'base.txt', 'here');
      play(repo, repo.session());
      const path = ['moved.txt', 'there/moved.txt'].find((one) => repo.exists(one)) as string;
      const blamed = JSON.parse(repo.entire('blame', path, '--json').stdout).lines as Line[];
      const whys = new Map<string, Why>();
      for (const line of blamed) {
        if (line.commit === null) continue;
        const known = whys.get(line.commit) ?? JSON.parse(repo.entire('why', line.commit, '--json').stdout);
        whys.set(line.commit, known);
        expectAgreement(line, known);
      }
      const classes = Object.fromEntries(blamed.map(({ text, class: kind }) => [text, kind]));
      expect(classes).toMatchObject(expected);
    });
});
