import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentOf } from '../../agents/registry.ts';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import { listSessions } from './walker.ts';

const TEXT = readFileSync(
  join(import.meta.dirname, '../../../integration/fixtures/claude-code/transcripts/basic.jsonl'),
  'utf8',
);
const WAS = 'f947edb3-1e50-4344-8bf1-34bcf22d5471';

let home: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'entire-heads-')));
  env = { HOME: home };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string, time: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, Date.parse(time) / 1000, Date.parse(time) / 1000);
}

/** A real transcript in Claude Code's own store. */
const putOwn = (id: string, time: string): void =>
  put(agentOf('claude-code').home.transcript(env, '/repo', id as SessionId), TEXT.replaceAll(WAS, id), time);

test('beginnings that were read are remembered, and only those that have changed are read again', async () => {
  const count = 120;
  const id = (n: number): string => `f947edb3-1e50-4344-8bf1-${String(n).padStart(12, '0')}`;
  for (let n = 0; n < count; n++) putOwn(id(n), '2026-05-08T12:00:00Z');
  put(
    agentOf('claude-code').home.transcript(env, '/repo', id(0) as SessionId),
    `{"type":"user","message":{"role":"user","content":"${'A long prompt. '.repeat(200)}"},"cwd":"/repo"}\n`,
    '2026-05-08T12:00:00Z',
  );
  const opened: string[] = [];
  const { openSync } = disk;
  const restore = replaceDisk({
    openSync: ((file: string, ...more: [string]) => {
      opened.push(file);
      return openSync(file, ...more);
    }) as typeof disk.openSync,
  });
  const transcripts = (): number => opened.splice(0).filter((file) => file.endsWith('.jsonl')).length;
  expect(await listSessions({ env, limit: 10 })).toHaveLength(10);
  expect(transcripts()).toBe(10); // a short list has no need of the file
  expect(existsSync(join(home, '.entire/session-heads.json'))).toBe(false);
  const first = await listSessions({ env });
  expect(transcripts()).toBe(count);
  expect(await listSessions({ env })).toEqual(first);
  expect(transcripts()).toBe(0);
  const kept = readFileSync(join(home, '.entire/session-heads.json'), 'utf8');
  expect(kept).toContain('A long prompt. A long');
  expect(kept).not.toContain('A long prompt. '.repeat(20)); // of a prompt no more is kept than a list shows

  put(
    first[5]?.path ?? '',
    '{"type":"user","message":{"role":"user","content":"Another"},"cwd":"/b"}\n',
    '2026-05-09T12:00:00Z',
  );
  expect((await listSessions({ env }))[0]).toMatchObject({ folder: '/b', summary: { title: 'Another' } });
  expect(transcripts()).toBe(1);
  rmSync(first[6]?.path ?? '');
  expect(await listSessions({ env })).toHaveLength(count - 1);

  for (const broken of [
    '{"version":1,"heads":{"a',
    '{"version":2,"heads":{}}',
    '{"version":1,"heads":{"/x":[1]}}',
  ]) {
    writeFileSync(join(home, '.entire/session-heads.json'), broken);
    opened.length = 0;
    expect(await listSessions({ env })).toHaveLength(count - 1);
    expect(transcripts()).toBe(count - 1);
  }
  restore();
});
