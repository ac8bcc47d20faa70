import { appendFileSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { readCompactionLook } from '../../session/record/compactions.ts';
import type { Work } from '../../strategy/work.ts';
import { findUnsaidCompaction } from './unsaid-compaction.ts';

let commonDir: string;
beforeEach(() => {
  commonDir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-unsaid-')));
});
afterEach(() => rmSync(commonDir, { recursive: true, force: true }));

test('a history that is taken up again is looked for once in what stands before it, however long that is', () => {
  const path = join(commonDir, 'transcript.jsonl');
  const sessionId = parseSessionId('s1') as SessionId;
  const work = { repo: { commonDir } } as Work;
  const write = (line: object) => appendFileSync(path, `${JSON.stringify(line)}\n`);
  const find = () =>
    findUnsaidCompaction(work, { sessionId, cwd: undefined, transcriptPath: path }, 'Gemini CLI');
  const looked = () => readCompactionLook(commonDir, sessionId, { path, bytes: statSync(path).size });

  const answer = { id: 'a1', type: 'gemini', content: 'words '.repeat(20_000) };
  write(answer);
  expect(find()).toBeUndefined();
  const before = looked();
  expect(before).toBe(statSync(path).size);
  write({ id: 'u1', type: 'user', content: 'short' });
  expect(find()).toBeUndefined();
  expect(looked()).toBe(before); // a few bytes cost less than a write
  write({ $set: { messages: [{ ...answer, content: 'Done.' }] } });
  expect(find()).toBeUndefined();
  expect(looked()).toBe(statSync(path).size);
  write({ $set: { messages: [{ ...answer, id: 'a2' }] } });
  expect(find()).toEqual({ tokensBefore: undefined, tokensAfter: undefined });
});
