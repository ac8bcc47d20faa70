import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Agent } from '../../conversation/agent.ts';
import { mintRunId } from '../../conversation/runs/run-id.ts';
import { Session } from '../../conversation/session.ts';
import { InMemoryStorage } from '../../conversation/storage/in-memory.ts';
import { RunLog } from './run-log.ts';
import { SavedSession } from './saved-session.ts';

let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'entire-run-log-'));
  vi.stubEnv('HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

const echo: Agent = {
  name: 'codex',
  async *run({ message }) {
    yield { type: 'text', text: message.toUpperCase() };
  },
};

test('what is said after a session became a fork is logged as it was said', async () => {
  const storage = new InMemoryStorage();
  const runId = mintRunId('codex');
  let log: RunLog | undefined;
  const session = new Session(echo, {
    storage,
    sessionId: runId,
    onEvent: (event) => log?.event(event),
    onTurn: (end) => log?.turn(end),
  });
  const notes: string[] = [];
  const view = {
    begin() {},
    event() {},
    turn() {},
    end() {},
    hold() {},
    note: (text: string) => notes.push(text),
  };
  const saved = new SavedSession(session, view);
  log = new RunLog(runId, saved);
  await saved.session.chat('one');
  await saved.save();
  await (await Session.resume(runId, echo, storage)).save(); // another process
  await saved.save();
  expect(notes).toEqual([expect.stringContaining('is kept as')]);
  await saved.session.chat('two');
  expect(log.close()).toBeUndefined();
  const run = JSON.parse(readFileSync(join(home, '.entire', 'eventlog', runId, 'run.json'), 'utf8'));
  expect(run).toMatchObject({ run_id: runId, session_id: saved.session.sessionId, title: 'one' });
  expect(saved.session.parentId).toBe(runId);
  const lines = readFileSync(join(home, '.entire', 'eventlog', runId, 'events.jsonl'), 'utf8').trim();
  expect(lines.split('\n').map((line) => JSON.parse(line))).toMatchObject([
    { type: 'prompt', text: 'one' },
    { type: 'text', text: 'ONE' },
    { type: 'turn_end' },
    { type: 'prompt', text: 'two' },
    { type: 'text', text: 'TWO' },
    { type: 'turn_end' },
  ]);
});
