import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseFileRead } from './hook-input.ts';

const folder = join(import.meta.dirname, '../../../integration/fixtures/copilot-cli/payloads');
const recorded = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
const PARENT = '869bea58-a09a-4467-8bcc-25cea437a356';
const CHILD = '723903b6-c82e-4094-a54b-dae3fa8af6c3';

let sessions: string;
const transcript = (id: string) => join(sessions, id, 'events.jsonl');

beforeEach(() => {
  sessions = mkdtempSync(join(tmpdir(), 'copilot-sessions-'));
  vi.stubEnv('ENTIRE_TEST_COPILOT_PROJECT_DIR', sessions);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(sessions, { recursive: true, force: true });
});

describe('reads', () => {
  const view = recorded('postToolUse-view');
  const sessionId = view.sessionId as string;

  test('of the tool that shows a file, in the words of the client and in those of VS Code', () => {
    const read = { type: 'FileRead', sessionId, cwd: '/repo', transcriptPath: transcript(sessionId) };
    expect(parseFileRead(view)).toEqual({ ...read, paths: ['/repo/old.txt'] });
    expect(parseFileRead({ ...view, toolArgs: '{"path":"a.txt"}' })).toMatchObject({ paths: ['a.txt'] });
    const words = { session_id: sessionId, tool_name: 'Read', tool_input: { file_path: 'b.txt' } };
    expect(parseFileRead(words)).toMatchObject({ sessionId, paths: ['b.txt'] });
  });

  test('are none where the call failed, and not of other tools', () => {
    expect(parseFileRead(recorded('postToolUseFailure-view'))).toBeUndefined();
    expect(parseFileRead({ ...view, toolResult: { resultType: 'failure' } })).toBeUndefined();
    for (const name of ['postToolUse-bash', 'postToolUse-edit', 'userPromptSubmitted'])
      expect(parseFileRead(recorded(name))).toBeUndefined();
    for (const toolArgs of [undefined, 7, 'x', [], { path: '' }])
      expect(parseFileRead({ ...view, toolArgs })).toBeUndefined();
    for (const odd of [null, [], 'x', { ...view, sessionId: '../x' }])
      expect(parseFileRead(odd)).toHaveProperty('rejected');
  });

  test('of a sub-agent are those of the session that began it', () => {
    const child = { ...view, sessionId: CHILD, parentAgentId: PARENT, agentId: CHILD };
    expect(parseFileRead(child)).toBeUndefined(); // nobody knows a session of that name
    mkdirSync(join(sessions, PARENT));
    expect(parseFileRead(child)).toMatchObject({ sessionId: PARENT, paths: ['/repo/old.txt'] });
  });
});
