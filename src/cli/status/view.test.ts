// Long on purpose: whole screens as snapshots, each beside the report that it shows.
import { beforeEach, describe, expect, test } from 'vitest';
import { replaceClock } from '../../base/clock.ts';
import type { SessionId } from '../../base/ids.ts';
import { parseState } from '../../session/state.ts';
import type { SessionRow, StatusReport } from './report.ts';
import { renderDetailed, renderStatus, renderStatusJson } from './view.ts';

beforeEach(() => replaceClock(() => new Date('2026-02-10T12:00:00Z'))); // what it returns is called afterwards

const row = (state: object, more: Partial<SessionRow> = {}): SessionRow => ({
  state: parseState(JSON.stringify({ phase: 'idle', started_at: '2026-02-10T09:00:00Z', ...state })),
  branch: undefined,
  here: true,
  isAtWork: false,
  isGone: false,
  waiting: [],
  stashed: [],
  isLeft: false,
  unfinished: undefined,
  ...more,
});

const QUIET: StatusReport = {
  enabled: true,
  keepsContents: true,
  strategy: 'manual-commit',
  files: ['/repo/.entire/settings.json'],
  leaving: {
    settings: {
      permission: { given: undefined, by: undefined, unheard: [] },
      ...{
        proposal: undefined,
        checkpointRemote: undefined,
        shown: [],
        pushRemote: undefined,
        pushTo: 'branch',
        timeoutMs: undefined,
      },
    },
    ...{
      to: undefined,
      unseen: [],
      stepsElsewhere: [],
      lastPush: undefined,
      reason: 'undecided',
      summaries: { on: false, by: undefined },
      unheard: [],
    },
  },
  project: { enabled: true },
  local: undefined,
  external: { wish: 'off', problems: [] },
  agents: [{ name: 'claude-code', type: 'Claude Code', hooks: 10, expected: 10 }],
  gitHooks: {
    dir: '/home/u/repo/.git/hooks',
    installed: ['prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-push'],
    expected: 4,
  },
  ...{ sessions: [], known: [], pauses: [], worktreeId: '', unreadable: [], verdicts: [], problems: [] },
};

const BUSY: StatusReport = {
  ...QUIET,
  local: { enabled: false, strategy: 'auto-commit' },
  agents: [{ name: 'claude-code', type: 'Claude Code', hooks: 7, expected: 10 }],
  gitHooks: { dir: '/home/u/repo/.git/hooks', installed: ['post-commit'], expected: 4 },
  sessions: [
    row(
      {
        session_id: 'aaaaaaaa-1111',
        agent_type: 'Claude Code',
        worktree_path: '/home/u/repo',
        last_interaction_time: '2026-02-10T12:55:00+01:00',
        phase: 'active',
        checkpoint_count: 2,
        first_prompt: `Please add\n a hello file? ${'x'.repeat(60)}`,
        token_usage: { input_tokens: 1, output_tokens: 2, api_call_count: 1 },
      },
      { branch: 'main', waiting: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    ),
    row(
      {
        session_id: 'bbbbbbbb-2222',
        agent_type: 'Claude Code',
        worktree_path: '/home/u/repo',
        started_at: '2026-02-10T11:59:30Z',
        last_interaction_time: '2026-02-10T12:00:00Z',
      },
      {
        branch: 'main',
        waiting: ['a'],
        unfinished: { sessionId: 'bbbbbbbb-2222' as SessionId, path: '/t', taken: 120e6, size: 500e6 },
      },
    ),
    row({ session_id: 'cc', worktree_path: '', started_at: 'nonsense' }, { here: false }),
  ],
  unreadable: ['/home/u/repo/.git/entire-sessions/broken.json'],
  verdicts: [
    {
      commit: '9b1d2c3000000000',
      at: '2026-02-10T11:00:00Z',
      reason: 'linked',
      checkpoint: 'a3b2c4d5e6f7',
      sessions: ['aaaaaaaa-1111', 'bbbbbbbb-2222'],
    },
    { commit: '8a1d2c3000000000', at: 't', reason: 'no-session', sessions: [] },
    {
      commit: '7a1d2c3000000000',
      at: 't',
      reason: 'condense-failed',
      checkpoint: 'b3b2c4d5e6f7',
      sessions: [],
      detail: 'no space left on device',
    },
    { commit: '6a1d2c3000000000', at: 't', reason: 'a later reason' as 'merge', sessions: [] },
  ],
  problems: [{ time: '2026-02-10T10:00:00Z', message: 'hook skipped: post-file-edit' }],
};

describe('for people', () => {
  test('nothing to tell', () => {
    expect(renderStatus(QUIET)).toMatchInlineSnapshot(`
      "Enabled (manual-commit)

      Recording: Claude Code
      Session logs: stay on this machine (nobody here has decided; \`entire enable --push-sessions\` sends them along with your pushes)

      Next: prompt your agent. The commit of what it writes is linked to the session.
      More: \`entire status --detailed\`"
    `);
  });

  test('everything to tell', () => {
    expect(renderStatus(BUSY)).toMatchInlineSnapshot(`
      "Enabled (manual-commit)

      Recording: Claude Code
      Claude Code: 7 of 10 hooks, run 'entire enable'
      git: 1 of 4 hooks, run 'entire enable'
      Session logs: stay on this machine (nobody here has decided; \`entire enable --push-sessions\` sends them along with your pushes)

      Active Sessions:
        [Claude Code] aaaaaaa   started 3h ago, active 5m ago
          "Please add a hello file? xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
          not committed yet: a, b, c, d, e, and 2 more
        [Claude Code] bbbbbbb   started just now
          not committed yet: a
          long transcript: 114.4 MiB of 476.8 MiB taken in, the rest follows; its checkpoints are completed then

      Last commit:
        9b1d2c3  linked (a3b2c4d5e6f7, aaaaaaaa, bbbbbbbb)

      Problems:
        2h ago: hook skipped: post-file-edit
        unreadable session state: /home/u/repo/.git/entire-sessions/broken.json

      Next: \`entire enable\`
      More: \`entire status --detailed\`"
    `);
  });

  test('everything to tell, in detail', () => {
    expect(renderDetailed(BUSY)).toMatchInlineSnapshot(`
      "Enabled (manual-commit)

      Project, enabled (manual-commit)
      Local, disabled (auto-commit)

      Settings: /repo/.entire/settings.json
      Claude Code: 7 of 10 hooks, run 'entire enable'
      git: 1 of 4 hooks, run 'entire enable'
      Session logs: stay on this machine (nobody here has decided; \`entire enable --push-sessions\` sends them along with your pushes)

      Active Sessions:
        /home/u/repo (main)
          [Claude Code] aaaaaaa   started 3h ago, active 5m ago
            "Please add a hello file? xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
            not committed yet: a, b, c, d, e, and 2 more
          [Claude Code] bbbbbbb   started just now
            not committed yet: a
            long transcript: 114.4 MiB of 476.8 MiB taken in, the rest follows; its checkpoints are completed then

        (unknown)
          [(unknown)] cc        started some time ago

      Last commits:
        9b1d2c3  linked (a3b2c4d5e6f7, aaaaaaaa, bbbbbbbb)
        8a1d2c3  not linked: no session was open in this worktree
        7a1d2c3  storing failed: no space left on device (b3b2c4d5e6f7)
        6a1d2c3  a later reason

      Problems:
        2h ago: hook skipped: post-file-edit
        unreadable session state: /home/u/repo/.git/entire-sessions/broken.json"
    `);
  });

  test('in detail: each settings file on its own', () => {
    expect(
      renderDetailed({ ...BUSY, sessions: [], verdicts: [], problems: [], unreadable: [] }),
    ).toMatchInlineSnapshot(`
      "Enabled (manual-commit)

      Project, enabled (manual-commit)
      Local, disabled (auto-commit)

      Settings: /repo/.entire/settings.json
      Claude Code: 7 of 10 hooks, run 'entire enable'
      git: 1 of 4 hooks, run 'entire enable'
      Session logs: stay on this machine (nobody here has decided; \`entire enable --push-sessions\` sends them along with your pushes)"
    `);
  });

  test('switched off: no sessions, no commits', () => {
    expect(renderStatus({ ...BUSY, enabled: false, agents: [] })).toMatchInlineSnapshot(`
      "Disabled (manual-commit)

      git: 1 of 4 hooks, run 'entire enable'
      Session logs: stay on this machine (nobody here has decided; \`entire enable --push-sessions\` sends them along with your pushes)

      Next: \`entire enable\`"
    `);
  });
});

test('for programs', () => {
  const report = { ...BUSY, sessions: BUSY.sessions.slice(0, 2), verdicts: BUSY.verdicts.slice(0, 2) };
  expect(renderStatusJson(report)).toMatchInlineSnapshot(`
    "{
      "enabled": true,
      "strategy": "manual-commit",
      "undo": true,
      "settings": [
        "/repo/.entire/settings.json"
      ],
      "session_logs": {
        "leave": false,
        "remote": null,
        "url": null,
        "reason": "undecided",
        "decided_by": null,
        "asked_for": null,
        "steps_elsewhere": [],
        "summaries": false,
        "not_heard": []
      },
      "project": {
        "enabled": true,
        "strategy": "manual-commit"
      },
      "local": {
        "enabled": false,
        "strategy": "auto-commit"
      },
      "agents": [
        {
          "name": "claude-code",
          "hooks": 7,
          "expected": 10
        }
      ],
      "external_agents": {
        "setting": "off",
        "problems": []
      },
      "git_hooks": {
        "dir": "/home/u/repo/.git/hooks",
        "installed": [
          "post-commit"
        ]
      },
      "pauses": [],
      "sessions": [
        {
          "session_id": "aaaaaaaa-1111",
          "agent_type": "Claude Code",
          "worktree_path": "/home/u/repo",
          "this_worktree": true,
          "branch": "main",
          "started_at": "2026-02-10T09:00:00Z",
          "last_interaction_time": "2026-02-10T12:55:00+01:00",
          "phase": "active",
          "client_ended": false,
          "checkpoint_count": 2,
          "first_prompt": "Please add\\n a hello file? xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
          "files_touched": [
            "a",
            "b",
            "c",
            "d",
            "e",
            "f",
            "g"
          ],
          "token_usage": {
            "input_tokens": 1,
            "cache_creation_tokens": 0,
            "cache_read_tokens": 0,
            "output_tokens": 2,
            "api_call_count": 1
          },
          "transcript_waits": null
        },
        {
          "session_id": "bbbbbbbb-2222",
          "agent_type": "Claude Code",
          "worktree_path": "/home/u/repo",
          "this_worktree": true,
          "branch": "main",
          "started_at": "2026-02-10T11:59:30Z",
          "last_interaction_time": "2026-02-10T12:00:00Z",
          "phase": "idle",
          "client_ended": false,
          "checkpoint_count": 0,
          "first_prompt": "",
          "files_touched": [
            "a"
          ],
          "token_usage": null,
          "transcript_waits": {
            "taken_bytes": 120000000,
            "size_bytes": 500000000
          }
        }
      ],
      "verdicts": [
        {
          "commit": "9b1d2c3000000000",
          "at": "2026-02-10T11:00:00Z",
          "reason": "linked",
          "checkpoint": "a3b2c4d5e6f7",
          "sessions": [
            "aaaaaaaa-1111",
            "bbbbbbbb-2222"
          ]
        },
        {
          "commit": "8a1d2c3000000000",
          "at": "t",
          "reason": "no-session",
          "sessions": []
        }
      ],
      "problems": [
        {
          "time": "2026-02-10T10:00:00Z",
          "message": "hook skipped: post-file-edit"
        }
      ],
      "unreadable": [
        "broken.json"
      ]
    }"
  `);
  expect(JSON.parse(renderStatusJson(QUIET))).toMatchObject({
    local: null,
    sessions: [],
    verdicts: [],
    problems: [],
  });
});

test('a replayed commit that names a checkpoint keeps its link, one that names none has none', () => {
  const replayed = { at: 't', reason: 'sequence', sessions: [] } as const;
  const verdicts = [
    { ...replayed, commit: '1a1d2c3000000000', checkpoint: 'a3b2c4d5e6f7' },
    { ...replayed, commit: '2a1d2c3000000000' },
  ];
  const lines = renderDetailed({ ...QUIET, verdicts }).split('\n');
  expect(lines.slice(-2)).toEqual([
    '  1a1d2c3  keeps its link: replayed by rebase, cherry-pick or revert (a3b2c4d5e6f7)',
    '  2a1d2c3  not linked: replayed by rebase, cherry-pick or revert',
  ]);
});
