import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceClock } from '../../base/clock.ts';
import { EntireError } from '../../base/errors.ts';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { EventLog } from './event-log.ts';
import { readEvents } from './events.ts';
import { mintRunId } from './run-id.ts';

const AT = new Date('2026-11-23T07:10:00.123Z');
let home: string;
let restoreClock: () => void;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'entire-event-log-')));
  restoreClock = replaceClock(() => AT);
});
afterEach(() => {
  restoreClock();
  rmSync(home, { recursive: true, force: true });
});

const openLog = (runId = mintRunId('codex'), sessionId: string = runId) => {
  const log = EventLog.open({ runId, sessionId, agent: 'codex', folder: '/repo', env: { HOME: home } });
  return { log, runId };
};
const readRun = (log: EventLog): unknown => JSON.parse(readFileSync(join(log.folder, 'run.json'), 'utf8'));

test('each event is a line with its time, as soon as it happens', () => {
  const { log, runId } = openLog();
  log.append({ type: 'prompt', text: 'Make it blue.\nPlease.' });
  log.append({ type: 'text', text: 'Done.' });
  expect(log.folder).toBe(join(home, '.entire', 'eventlog', runId));
  expect(readFileSync(join(log.folder, 'events.jsonl'), 'utf8')).toBe(
    [
      '{"at":"2026-11-23T07:10:00.123Z","type":"prompt","text":"Make it blue.\\nPlease."}\n',
      '{"at":"2026-11-23T07:10:00.123Z","type":"text","text":"Done."}\n',
    ].join(''),
  );
  log.close();
  expect(statSync(log.folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(log.folder, 'events.jsonl')).mode & 0o777).toBe(0o600);
});

test('the run says which session it is of, and is called after its first prompt', () => {
  const { log, runId } = openLog(undefined, 'codex-2026-11-22-0123abcd');
  log.append({ type: 'prompt', text: '  Make it\nblue. ' });
  log.append({ type: 'prompt', text: 'And green.' });
  expect(readRun(log)).toEqual({
    version: 1,
    run_id: runId,
    session_id: 'codex-2026-11-22-0123abcd',
    cli_origin: 'codex',
    folder: '/repo',
    title: 'Make it blue.',
    started_at: '2026-11-23T07:10:00.123Z',
  });
  log.close();
});

test("the agent's own session is noted once it is known", () => {
  const { log } = openLog();
  log.append({ type: 'prompt', text: 'Hello' });
  log.noteAgentSession('0199');
  log.noteAgentSession('0199');
  expect(readRun(log)).toMatchObject({ title: 'Hello', agent_session_id: '0199' });
  log.noteAgentSession('0200');
  expect(readRun(log)).toMatchObject({ title: 'Hello', agent_session_id: '0200' });
  log.close();
});

test('a run in which nothing is said leaves nothing', () => {
  const { log } = openLog();
  log.noteAgentSession('0199');
  log.close();
  expect(readdirSync(home)).toEqual([]);
});

test('a full disk ends no conversation: the log says so once, and goes on on a new line', () => {
  const { log } = openLog();
  log.append({ type: 'prompt', text: 'Hello' });
  const { writeSync } = disk;
  let isFull = false;
  const restore = replaceDisk({
    writeSync: ((fd: number, bytes: Uint8Array, at: number) => {
      if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      isFull = true;
      return writeSync(fd, bytes, at, 5);
    }) as typeof disk.writeSync,
  });
  log.append({ type: 'text', text: 'lost' });
  restore();
  log.append({ type: 'text', text: 'kept' });
  expect(log.failure?.message).toBe('no space');
  log.close();
  const texts = [...readEvents(log.folder)].map((event) => event.text);
  expect(texts).toEqual(['Hello', 'kept']);
});

test('a run that cannot say what it is of tells all the same what happened', () => {
  const { log } = openLog();
  const restore = replaceDisk({
    renameSync: () => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    },
  });
  log.append({ type: 'prompt', text: 'Hello' });
  restore();
  log.append({ type: 'text', text: 'Hi' });
  log.noteAgentSession('0199');
  log.close();
  expect(log.failure?.message).toBe('no space');
  expect([...readEvents(log.folder)].map((event) => event.text)).toEqual(['Hello', 'Hi']);
  expect(readRun(log)).toMatchObject({ title: 'Hello', agent_session_id: '0199' });
});

test('an id that names a way out, or is no run of the agent, is refused', () => {
  for (const runId of ['../x', 'codex-2026-05-08-abc12345/../../x', 'pi-2026-05-08-abc12345', ''])
    expect(() => openLog(runId as never)).toThrow(EntireError);
  expect(() => openLog(mintRunId('codex'), '../x')).toThrow(EntireError);
});

test('two logs do not share a folder', () => {
  const { log, runId } = openLog();
  log.append({ type: 'prompt', text: 'one' });
  const { log: second } = openLog(runId);
  second.append({ type: 'prompt', text: 'two' });
  expect(second.failure?.message).toContain('EEXIST');
  expect([...readEvents(log.folder)].map(({ text }) => text)).toEqual(['one']);
  log.close();
  second.close();
});

test('a line that was cut short, and whatever else is no event, is passed over', () => {
  const { log } = openLog();
  log.append({ type: 'prompt', text: 'Hello' });
  log.close();
  const file = join(log.folder, 'events.jsonl');
  disk.appendFileSync(
    file,
    '[]\n7\n{"at":"x"}\n\0\0\0\n{"at":"2026-11-23T07:10:01Z","type":"text","text":"on"}\n{"at":"2026-11',
  );
  expect([...readEvents(log.folder)].map(({ type }) => type)).toEqual(['prompt', 'text']);
  expect([...readEvents(join(home, 'gone'))]).toEqual([]);
});
