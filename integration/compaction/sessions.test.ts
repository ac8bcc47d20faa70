/** Clients that go on in another session after a compaction, or in one whose model has forgotten what a hook told it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Payload } from '../support/agent/payloads.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Runs a hook of a client with its captured payload; what it prints. */
const hook = (repo: TestRepo, agent: string, verb: string, name: string, more: Payload = {}): string => {
  const captured = readFileSync(join(import.meta.dirname, '../fixtures', agent, `${name}.json`), 'utf8');
  const payload = { ...JSON.parse(captured), cwd: repo.dir, transcript_path: '', ...more };
  const { code, stdout } = repo.run('entire', ['hooks', agent, verb], { input: JSON.stringify(payload) });
  expect(code).toBe(0);
  return stdout;
};

const told = (stdout: string): string => JSON.parse(stdout).hookSpecificOutput.additionalContext;

const section = (...read: string[]) => `## Files you've been working with\nRead: ${read.join(', ')}`;

describe('Factory Droid goes on after a compaction in a session of its own', () => {
  const [OLD, NEW] = ['92152f6d-30c7-48f0-bb7f-094efd66700b', '3837707b-eabd-47f3-b17d-3b8e75d8d62f'];
  const droid = (repo: TestRepo, verb: string, name: string, more: Payload) =>
    hook(repo, 'factoryai-droid', verb, name, more);
  const read = (repo: TestRepo, session_id: string, name: string) =>
    droid(repo, 'post-file-read', 'PostToolUse-Read', {
      session_id,
      tool_input: { file_path: join(repo.dir, name) },
    });

  variation(
    'and knows what was kept of the one before, also where no hook told of the compaction',
    (repo) => {
      repo.ready().entire('agent', 'add', 'factoryai-droid');
      for (const tells of [true, false]) {
        const [old, next] = [`${OLD}-${tells}`, `${NEW}-${tells}`];
        expect(read(repo, old, 'a.txt')).toBe('');
        if (tells) expect(droid(repo, 'pre-compact', 'PreCompact-auto', { session_id: old })).toBe('');
        const more = { session_id: next, previous_session_id: old };
        const start = (source: string) =>
          droid(repo, 'session-start', 'SessionStart-compact', { ...more, source });
        expect(told(start('compact'))).toBe(section('a.txt'));
        read(repo, next, 'b.txt');
        // Opened again: the client does not remember what a hook told. One reply, without the words for the user.
        expect(told(start('resume'))).toBe(section('a.txt', 'b.txt'));
        const resumed = droid(repo, 'session-start', 'SessionStart-resume', { session_id: old });
        expect(resumed).not.toContain('additionalContext');
      }
    },
  );

  variation('which is begun like any other where the settings do not want the model told', (repo) => {
    repo.ready().entire('agent', 'add', 'factoryai-droid');
    read(repo, OLD, 'a.txt');
    droid(repo, 'session-start', 'SessionStart-compact', { session_id: NEW, previous_session_id: OLD });
    const off = { strategy_options: { compaction: { enabled: false } } };
    repo.write('.entire/settings.local.json', JSON.stringify(off));
    const resumed = droid(repo, 'session-start', 'SessionStart-resume', { session_id: NEW });
    expect(Object.keys(JSON.parse(resumed))).toEqual(['systemMessage']);
  });

  variation('a session that was forked is told nothing', (repo) => {
    repo.ready().entire('agent', 'add', 'factoryai-droid');
    read(repo, OLD, 'a.txt');
    const more = { session_id: NEW, previous_session_id: OLD, source: 'startup' };
    expect(droid(repo, 'session-start', 'SessionStart-compact', more)).not.toContain('additionalContext');
    const unusable = { session_id: NEW, previous_session_id: '../x' };
    expect(droid(repo, 'session-start', 'SessionStart-compact', unusable)).toBe('');
  });
});

describe('what a session worked with since the compaction', () => {
  variation('has an outline too when it is told again, before the others', (repo) => {
    repo.ready().entire('agent', 'add', 'qwen-code');
    const qwen = (verb: string, name: string, more: Payload = {}) =>
      hook(repo, 'qwen-code', verb, name, { session_id: 's1', ...more });
    const write = (name: string) => {
      repo.write(name, `def ${name.slice(0, 1)}():\n    return 1\n`);
      qwen('post-file-edit', 'PostToolUse-write_file', { tool_input: { file_path: join(repo.dir, name) } });
    };
    qwen('user-prompt-submit', 'UserPromptSubmit');
    write('a.py');
    qwen('pre-compact', 'PreCompact-manual');
    const outlined = (text: string) => text.match(/(?<=^#### ).*/gm);
    expect(outlined(told(qwen('session-start', 'SessionStart-compact')))).toEqual(['a.py']);
    write('b.py');
    expect(outlined(told(qwen('session-start', 'SessionStart-resume')))).toEqual(['b.py', 'a.py']);
  });
});

describe('Qwen Code', () => {
  const qwen = (repo: TestRepo, verb: string, name: string, more: Payload = {}) =>
    hook(repo, 'qwen-code', verb, name, { session_id: 's1', ...more });

  variation('is told again once a compacted session is taken up again, and not before', (repo) => {
    repo.ready().entire('agent', 'add', 'qwen-code');
    qwen(repo, 'post-file-read', 'PostToolUse-read_file', {
      tool_input: { file_path: join(repo.dir, 'a.txt') },
    });
    expect(qwen(repo, 'session-start', 'SessionStart-resume')).toBe('');
    expect(qwen(repo, 'pre-compact', 'PreCompact-manual')).toBe('');
    expect(qwen(repo, 'session-start', 'SessionStart-resume')).toBe('');
    expect(told(qwen(repo, 'session-start', 'SessionStart-compact'))).toBe(section('a.txt'));
    expect(told(qwen(repo, 'session-start', 'SessionStart-resume'))).toBe(section('a.txt'));
  });

  variation('is told again, too, where another compaction was begun and came to nothing', (repo) => {
    repo.ready().entire('agent', 'add', 'qwen-code');
    const read = (name: string) =>
      qwen(repo, 'post-file-read', 'PostToolUse-read_file', {
        tool_input: { file_path: join(repo.dir, name) },
      });
    read('a.txt');
    qwen(repo, 'pre-compact', 'PreCompact-manual');
    qwen(repo, 'session-start', 'SessionStart-compact');
    qwen(repo, 'pre-compact', 'PreCompact-manual');
    read('b.txt');
    const resumed = qwen(repo, 'session-start', 'SessionStart-resume');
    expect(told(resumed)).toBe(section('a.txt', 'b.txt'));
  });
});
