import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionId } from '../../base/ids.ts';
import { droidSessionHome as home, projectName } from './session-home.ts';
import { findHookSwitch } from './settings.ts';
import { findUnsaidPrompt, readTotals } from './transcript.ts';

const fixtures = join(import.meta.dirname, '../../../integration/fixtures/factoryai-droid/transcripts');
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'droid-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const write = (name: string, value: unknown): string => {
  const file = join(dir, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
};

describe('session home', () => {
  const id = 'abc' as SessionId;
  const env = { HOME: '/home/user' };

  test('a transcript lies in the folder that is called after the project', () => {
    const file = '/home/user/.factory/sessions/-srv-my.repo/abc.jsonl';
    expect(home.transcript(env, '/srv/my.repo', id)).toBe(file);
    expect(home.isTranscriptOf(file, id)).toBe(true);
    expect(home.isKeptFor(env, file, '/srv/my.repo')).toBe(true);
    expect(home.isKeptFor(env, file, '/srv')).toBe(true);
    expect(home.isKeptFor(env, file, '/other')).toBe(false);
    expect([projectName('/'), projectName('/a//b/')]).toEqual(['-', '-a-b']);
  });

  test('variables name another place', () => {
    expect([home.isOnly(env), home.root(env)]).toEqual([false, '/home/user/.factory/sessions']);
    const other = { ...env, FACTORY_HOME_OVERRIDE: '/opt/home' };
    expect([home.isOnly(other), home.root(other)]).toEqual([true, '/opt/home/.factory/sessions']);
    const scratch = { ...other, ENTIRE_TEST_DROID_PROJECT_DIR: '/tmp/x' };
    expect([home.isOnly(scratch), home.root(scratch)]).toEqual([true, '/tmp/x']);
    expect(home.transcript(scratch, '/srv', id)).toBe('/tmp/x/abc.jsonl');
  });

  test('a session is gone on with by its id', () => {
    expect(home.resumeCommand(id)).toEqual(['droid', '--resume', 'abc']);
  });
});

describe('totals', () => {
  test('are in a file beside the transcript', () => {
    cpSync(join(fixtures, 'basic.settings.json'), join(dir, 'basic.settings.json'));
    const { tokenUsage } = JSON.parse(readFileSync(join(fixtures, 'basic.settings.json'), 'utf8'));
    expect(readTotals(join(dir, 'basic.jsonl'), '')).toEqual({
      inputTokens: tokenUsage.inputTokens,
      cacheCreationTokens: tokenUsage.cacheCreationTokens,
      cacheReadTokens: tokenUsage.cacheReadTokens,
      outputTokens: tokenUsage.outputTokens,
    });
    expect(tokenUsage.inputTokens).toBeGreaterThan(0);
  });

  test('those of the session before a compaction are not those of the one after it', () => {
    const usage = (inputTokens: number, outputTokens: number) => ({
      tokenUsage: { inputTokens, outputTokens },
    });
    write('parent.settings.json', usage(100, 50));
    write('child.settings.json', usage(160, 40));
    const beginning =
      '{"type":"session_start","id":"child","parent":"parent"}\n{"type":"compaction_state"}\n';
    expect(readTotals(join(dir, 'child.jsonl'), beginning)).toMatchObject({
      inputTokens: 60,
      outputTokens: 0,
    });
    for (const other of [
      '',
      '{"type":"session_start","parent":"../x"}',
      '{"type":"session_start","parent":"gone"}',
    ])
      expect(readTotals(join(dir, 'child.jsonl'), other)).toMatchObject({ inputTokens: 160 });
  });

  test('are unknown where the file is missing, broken, or says nothing', () => {
    for (const value of [undefined, '', '{"tokenUsage":', '[]', { tokenUsage: 7 }, {}]) {
      if (value !== undefined) write('x.settings.json', value);
      expect(readTotals(join(dir, 'x.jsonl'), '')).toBeUndefined();
    }
    mkdirSync(join(dir, 'y.settings.json'));
    expect(readTotals(join(dir, 'y.jsonl'), '')).toBeUndefined();
    write('z.settings.json', { tokenUsage: { inputTokens: -1, outputTokens: '5', cacheReadTokens: 1.5 } });
    expect(readTotals(join(dir, 'z.jsonl'), '')).toEqual({
      inputTokens: 0,
      cacheCreationTokens: 0,
      cacheReadTokens: 0,
      outputTokens: 0,
    });
  });
});

describe('the prompt of `droid exec`', () => {
  const event = () => ({
    type: 'SessionStart' as const,
    sessionId: 's' as SessionId,
    cwd: dir,
    transcriptPath: join(dir, 's.jsonl'),
    source: 'startup',
  });

  test('is the title of a session with its tag', () => {
    write('s.settings.json', { tags: [{ name: 'exec' }] });
    expect(findUnsaidPrompt(event())).toBe('');
    write('s.jsonl', '{"type":"session_start","title":"Plant a tree"}\n');
    expect(findUnsaidPrompt(event())).toBe('Plant a tree');
  });

  test('is none of other sessions', () => {
    write('s.jsonl', '{"type":"session_start","title":"Plant a tree"}\n');
    expect(findUnsaidPrompt(event())).toBeUndefined();
    for (const settings of [{}, { tags: [] }, { tags: 'exec' }, { tags: [null, { name: 'mine' }] }, '{']) {
      write('s.settings.json', settings);
      expect(findUnsaidPrompt(event())).toBeUndefined();
    }
    expect(findUnsaidPrompt({ ...event(), transcriptPath: undefined })).toBeUndefined();
  });
});

describe('hook switch', () => {
  const find = () => findHookSwitch(join(dir, 'repo'), { HOME: join(dir, 'home') });
  const project = (hooks: unknown) => write('repo/.factory/settings.json', { hooks });
  const user = (hooks: unknown) => write('home/.factory/settings.json', { hooks });

  test('nobody has switched hooks off', () => {
    expect(find()).toBeUndefined();
    project({ Stop: [] });
    user('none');
    expect(find()).toBeUndefined();
  });

  test('the project counts before the user', () => {
    const file = user({ hooksDisabled: true });
    expect(find()).toBe(file);
    project({ hooksDisabled: false });
    expect(find()).toBeUndefined();
    expect(project({ hooksDisabled: true })).toBe(find());
  });

  test('a list of hooks of its own counts before the settings beside it', () => {
    const own = project({ hooksDisabled: true });
    const above = write('repo/.factory/hooks.json', { hooksDisabled: false });
    expect(find()).toBeUndefined();
    write('repo/.factory/hooks.json', { PreToolUse: [] });
    expect(find()).toBe(own);
    project({});
    expect(find()).toBe(above);
    write('repo/.factory/hooks.json', { Notification: [] });
    expect(find()).toBeUndefined();
    const command = 'entire hooks factoryai-droid stop || true';
    write('repo/.factory/hooks.json', { Stop: [null, { hooks: [7, { type: 'command', command }] }] });
    expect(find()).toBeUndefined();
    write('repo/.factory/hooks.json', '{"Stop":');
    expect(find()).toBeUndefined();
  });
});
