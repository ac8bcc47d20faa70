import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LIKE, TranscriptFolder } from '../../../integration/support/agent/transcripts.ts';
import { replaceDisk } from '../../base/file/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import { redactLive } from './redacted.ts';
import { saveRedacted } from './save.ts';
import { readUsage } from './usage.ts';

let folder: TranscriptFolder;
let restore = () => {};
beforeEach(() => {
  folder = new TranscriptFolder();
});
afterEach(() => {
  restore();
  restore = () => {};
  folder.remove();
});

const row = (value: unknown): string => `${JSON.stringify(value)}\n`;
const call = (id: string, output_tokens: number, minute?: number): string =>
  row({
    type: 'assistant',
    ...(minute === undefined ? {} : { timestamp: time(minute) }),
    message: { id, content: [], usage: { input_tokens: 1, output_tokens } },
  });
const returned = (agentId: string, minute?: number): string =>
  row({
    type: 'user',
    ...(minute === undefined ? {} : { timestamp: time(minute) }),
    message: { content: [{ type: 'tool_result', content: `agentId: ${agentId}` }] },
  });
const time = (minute: number): string => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString();

const SESSION = 's1' as SessionId;
const agentFile = (id: string): string =>
  join(dirname(folder.path), SESSION, 'subagents', `agent-${id}.jsonl`);
const agent = (id: string, text: string): void => {
  mkdirSync(dirname(agentFile(id)), { recursive: true });
  appendFileSync(agentFile(id), text);
};
const usage = async (item = 0) => readUsage(await redactLive(folder.read()), SESSION, item);
const tokens = (outputTokens: number, apiCallCount: number) => ({
  inputTokens: apiCallCount,
  cacheCreationTokens: 0,
  cacheReadTokens: 0,
  outputTokens,
  apiCallCount,
});

describe('tokens of sub-agents', () => {
  test('are passed through, apart from those of the session', async () => {
    writeFileSync(folder.path, call('m1', 10) + returned('a-1') + returned('b_2') + call('m2', 20));
    agent('a-1', call('s1', 3) + call('s2', 4));
    agent('b_2', call('s3', 5));
    expect(await usage()).toEqual({ ...tokens(30, 2), subagentTokens: tokens(12, 3) });
  });

  test('a call counts once, in whichever transcripts and however often it stands', async () => {
    writeFileSync(folder.path, call('m1', 10) + returned('a') + returned('b') + returned('a'));
    agent('a', call('s1', 1) + call('m1', 99) + call('s1', 3) + call('s1', 2));
    agent('b', call('s1', 50) + call('s2', 4));
    expect(await usage()).toEqual({ ...tokens(10, 1), subagentTokens: tokens(7, 2) });
  });

  test('none are said where there are none', async () => {
    writeFileSync(folder.path, call('m1', 10) + returned('gone') + returned('empty') + returned('broken'));
    agent('empty', '');
    agent('broken', 'half a li\n{"type":"assistant"}\n');
    expect(await usage()).toEqual(tokens(10, 1));
  });

  test('without times: from the item on that names the sub-agent', async () => {
    writeFileSync(folder.path, call('m1', 10) + returned('a') + call('m2', 20) + returned('b'));
    agent('a', call('s1', 1));
    agent('b', call('s2', 2));
    expect((await usage(1)).subagentTokens).toEqual(tokens(3, 2));
    expect((await usage(2)).subagentTokens).toEqual(tokens(2, 1));
    expect(await usage(4)).toEqual(tokens(0, 0));
    expect(await usage(99)).toEqual(tokens(0, 0));
  });

  test('with times: what a sub-agent in the background did after the item', async () => {
    writeFileSync(folder.path, call('m1', 10, 1) + returned('a', 2) + call('m2', 20, 5) + call('m3', 30, 8));
    agent('a', call('s1', 1, 3) + call('s2', 2, 4) + call('s3', 4, 6) + call('s4', 8, 9));
    expect((await usage(0)).subagentTokens).toEqual(tokens(15, 4));
    expect((await usage(2)).subagentTokens).toEqual(tokens(12, 2));
    expect((await usage(3)).subagentTokens).toEqual(tokens(8, 1));
  });
});

describe('what was read of a sub-agent', () => {
  const cache = () => join(folder.read().dir, 'agents.json');
  /** Bytes read of sub-agents’ transcripts. */
  async function read(item = 0): Promise<{ bytes: number; calls: number | undefined }> {
    const live = await redactLive(folder.read());
    saveRedacted(live, LIKE);
    const { readSync, openSync } = await import('node:fs');
    const agents = new Set<number>();
    let bytes = 0;
    restore = replaceDisk({
      openSync: ((path: string, flags: number) => {
        const fd = openSync(path, flags);
        if (path.includes('subagents')) agents.add(fd);
        return fd;
      }) as typeof openSync,
      readSync: ((fd: number, buffer: Buffer, at: number, length: number, position: number) => {
        const count = readSync(fd, buffer, at, length, position);
        if (agents.has(fd)) bytes += count;
        return count;
      }) as typeof readSync,
    });
    const found = readUsage(live, SESSION, item).subagentTokens?.apiCallCount;
    restore();
    return { bytes, calls: found };
  }

  test('is not read again, but for the end that tells it', async () => {
    writeFileSync(folder.path, returned('a'));
    const many = Array.from({ length: 5_000 }, (_, index) => call(`s${index}`, 1)).join('');
    agent('a', many);
    expect((await read()).bytes).toBeGreaterThanOrEqual(many.length);
    expect(await read()).toMatchObject({ calls: 5_000 });
    agent('a', call('new', 1));
    const { bytes, calls } = await read();
    expect(calls).toBe(5_001);
    expect(bytes).toBeLessThan(256 * 1024);
  });

  test('a half-written line waits; a whole one without its end counts, and once', async () => {
    writeFileSync(folder.path, returned('a'));
    const last = call('s2', 7).trimEnd();
    agent('a', call('s1', 3) + last.slice(0, 20));
    expect((await usage()).subagentTokens).toEqual(tokens(3, 1));
    agent('a', last.slice(20));
    expect((await usage()).subagentTokens).toEqual(tokens(10, 2));
    agent('a', `\n${call('s3', 1)}`);
    expect((await usage()).subagentTokens).toEqual(tokens(11, 3));
  });

  test('one that was rewritten is read from the start; one that is gone keeps what was read', async () => {
    writeFileSync(folder.path, returned('a'));
    agent('a', call('s1', 3) + call('s2', 4));
    expect((await usage()).subagentTokens).toEqual(tokens(7, 2));
    writeFileSync(agentFile('a'), call('s9', 100));
    expect((await usage()).subagentTokens).toEqual(tokens(100, 1));
    rmSync(agentFile('a'));
    expect((await usage()).subagentTokens).toEqual(tokens(100, 1));
  });

  test.each(['', '{', '{"version":2}', '{"version":1,"agents":{"a":7}}'])(
    'a broken cache: %j',
    async (text) => {
      writeFileSync(folder.path, returned('a'));
      agent('a', call('s1', 3));
      await usage();
      expect(existsSync(cache())).toBe(true);
      writeFileSync(cache(), text);
      expect((await usage()).subagentTokens).toEqual(tokens(3, 1));
      expect(JSON.parse(readFileSync(cache(), 'utf8')).version).toBe(1);
    },
  );
});
