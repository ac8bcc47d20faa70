import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { CLAUDE, json, put, putOwn, putRun, RUN } from '../support/agent/kept-sessions.ts';
import { ANSWERS, standIn } from '../support/agent/stand-in.ts';
import { turn } from '../support/command/resume.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

const EVENTS = [
  { type: 'prompt', text: 'Paint it blue' },
  { type: 'text', text: 'I will ' },
  { type: 'text', text: 'look.' },
  { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '/a/b.txt' } },
  { type: 'tool_result', tool_use_id: 't1', content: 'no such file', is_error: true },
  { type: 'later-kind', text: 7 },
];

describe('entire session show', () => {
  onBothBuilds("an agent's own session: its head, and the conversation with a line for each tool", (repo) => {
    repo.init();
    const file = putOwn(repo, 'claude-code', CLAUDE);
    const { stdout } = repo.entire('session', 'show', CLAUDE.slice(0, 6));
    expect(stdout).toContain(`Session:     ${CLAUDE}\n`);
    expect(stdout).toContain('Origin:      Claude Code (claude-code)\n');
    expect(stdout).toContain(`From:        ${file}\n`);
    expect(stdout).toMatch(/^Model: +claude/m);
    expect(stdout).toMatch(/^Tokens: +[\d,]+ in, [\d,]+ out/m);
    expect(stdout).toMatch(/\n\[User\] 2026-\d\d-\d\d \d\d:\d\d\nTURN-ONE: please create hello\.txt\n/);
    expect(stdout).toMatch(/^\* Write .*hello\.txt$/m);
    const shown = json(repo, 'show', CLAUDE);
    expect(shown).toMatchObject({
      session_id: CLAUDE,
      cli_origin: 'claude-code',
      agent_type: 'Claude Code',
      commits: [],
    });
    expect(shown.messages[0]).toMatchObject({ role: 'user', content: 'TURN-ONE: please create hello.txt' });
    expect(shown.turns).toBeGreaterThan(0);
    expect(shown.usage.output_tokens).toBeGreaterThan(0);
    expect(shown.files.join()).toContain('hello.txt');
  });

  variation('a run of which nothing is stored is told from its log', (repo) => {
    repo.init();
    putRun(repo, EVENTS);
    for (const word of [RUN, RUN.slice(0, 12), '7f3a91c2']) {
      const { stdout } = repo.entire('session', 'show', word, '--no-commits');
      expect(stdout.slice(stdout.indexOf('\n\n'))).toBe(`

[User] 2026-11-23 07:10
Paint it blue

[Agent] 2026-11-23 07:10
I will look.
* Read /a/b.txt
  failed: no such file
`);
    }
  });

  variation('files of patches are files that it wrote, and an export names them without JSON', (repo) => {
    repo.init();
    const input = { changes: [{ path: '/a/noted.txt', kind: 'add' }] };
    const patch = '*** Begin Patch\n*** Update File: patched.txt\n-x\n+y\n*** End Patch';
    putRun(repo, [
      { type: 'prompt', text: 'Paint it blue' },
      { type: 'tool_use', id: 't1', name: 'file_change', input },
      { type: 'tool_use', id: 't2', name: 'apply_patch', input: { input: patch } },
      { type: 'tool_result', tool_use_id: 't1', content: '' },
      { type: 'tool_result', tool_use_id: 't2', content: '' },
    ]);
    expect(json(repo, 'show', RUN).files).toEqual(['/a/noted.txt', 'patched.txt']);
    const { stdout } = repo.entire('session', 'show', RUN, '--no-commits');
    expect(stdout).toContain('* file_change /a/noted.txt\n* apply_patch patched.txt\n');
    expect(repo.entire('session', 'stats', '--json').stdout).toContain('"files": 2');
  });

  variation("the parent of what was forked from an agent's own session is that one", (repo) => {
    repo.init();
    standIn(repo, ANSWERS);
    putOwn(repo, 'claude-code', CLAUDE);
    const { session_id, parent_id } = JSON.parse(repo.entire('session', 'fork', CLAUDE, '--json').stdout);
    expect(parent_id).toBe(CLAUDE);
    expect(json(repo, 'show', session_id)).toMatchObject({ parent_id });
    repo.entire('session', 'chat', '--fork', CLAUDE, '--branch', 'aside', 'hello');
    expect(json(repo, 'show', 'aside')).toMatchObject({ parent_id });
    expect(json(repo, 'show', parent_id)).toMatchObject({ session_id: CLAUDE, kind: 'agent' });
  });

  variation('what is stored is told before the log and the transcript, with its parent', (repo) => {
    repo.init();
    putRun(repo, EVENTS);
    const data = {
      ...{ session_id: RUN, messages: [{ role: 'user', content: 'Stored \u001b[31mred' }], system: null },
      ...{
        parent_id: 'the-parent',
        created_at: 1779264000,
        updated_at: 1779264001,
        metadata: { agent: 'codex' },
      },
    };
    put(join(repo.home, `.entire/sessions/${RUN}.json`), JSON.stringify(data));
    const { stdout } = repo.entire('session', 'show', RUN);
    expect(stdout).toContain('Parent:      the-parent\n');
    expect(stdout).toContain('[User]\nStored red\n');
    expect(json(repo, 'show', RUN)).toMatchObject({ parent_id: 'the-parent', messages: data.messages });
  });

  variation('its checkpoints, commits and lines', (repo) => {
    repo.ready();
    const session = repo.session();
    turn(repo, session, 'a.txt');
    const { stdout } = repo.entire('session', 'show', session.id);
    expect(stdout).toContain(`Checkpoints: 1 ${repo.checkpointOf('HEAD')}\n`);
    expect(stdout).toContain(`Commits:     1 ${repo.git('rev-parse', '--short=7', 'HEAD')}\n`);
    expect(stdout).toContain(
      'Lines:       1 line in HEAD comes from its commits; `entire blame` shows who wrote each\n',
    );
  });

  variation('what is nobody, ambiguous, broken or gone is said', (repo) => {
    repo.init();
    putOwn(repo, 'claude-code', CLAUDE);
    putOwn(repo, 'claude-code', CLAUDE.replace('5471', '5472'));
    for (const word of ['nobody', '../x', 'a/b', ''])
      expect(repo.tryEntire('session', 'show', word).stderr, word).toContain('no session is kept under');
    const both = repo.tryEntire('session', 'show', 'f947');
    expect(both).toMatchObject({ code: 1, stdout: '' });
    expect(both.stderr).toContain('several sessions begin with f947');
    for (let at = 10; at < 22; at++) putOwn(repo, 'claude-code', CLAUDE.replace('5471', `54${at}`));
    const many = repo.tryEntire('session', 'show', 'f947').stderr;
    expect(many.match(/f947edb3/g)).toHaveLength(10);
    expect(many).toContain(', and 4 more\n');
    put(join(repo.home, '.entire/sessions/broken.json'), '{"session_id":"broken"');
    expect(repo.tryEntire('session', 'show', 'broken').stderr).toContain('holds no session: it is not JSON.');
    putRun(repo, []);
    expect(repo.tryEntire('session', 'show', RUN).stderr).toContain('its run tells nothing');
  });
});
