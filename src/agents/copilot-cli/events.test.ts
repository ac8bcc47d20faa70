import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCompaction } from './events.ts';

const folder = join(import.meta.dirname, '../../../integration/fixtures/copilot-cli/transcripts');
const compacted = readFileSync(join(folder, 'compacted.jsonl'));
const begin = compacted.lastIndexOf('\n', compacted.indexOf('"session.compaction_complete"')) + 1;
const line = compacted.toString('utf8', begin, compacted.indexOf('\n', begin));

test('a compaction that was done, with the tokens before and after', () => {
  const { preCompactionTokens, postCompactionTokens } = JSON.parse(line).data;
  const counts = { tokensBefore: preCompactionTokens, tokensAfter: postCompactionTokens };
  expect(counts.tokensBefore).toBeGreaterThan(counts.tokensAfter);
  expect(findCompaction(compacted)).toEqual(counts);
  expect(findCompaction(compacted.subarray(begin))).toEqual(counts);
});

test('not one that is known already, nor one that only began', () => {
  expect(findCompaction(compacted.subarray(begin + 1))).toBeUndefined();
  expect(compacted.toString('utf8', 0, begin)).toContain('session.compaction_start');
  expect(findCompaction(compacted.subarray(0, begin))).toBeUndefined();
  expect(findCompaction(readFileSync(join(folder, 'basic.jsonl')))).toBeUndefined();
});

test('not one that failed, is that of a sub-agent, stands in a text, or is half-written', () => {
  const changed = (change: (event: Record<string, object>) => object): Buffer =>
    Buffer.from(`${JSON.stringify(change(JSON.parse(line)))}\n`);
  expect(findCompaction(changed((event) => ({ ...event, data: { success: false } })))).toBeUndefined();
  expect(findCompaction(changed((event) => ({ ...event, agentId: 'a' })))).toBeUndefined();
  expect(findCompaction(changed((event) => ({ type: 'user.message', data: { of: event } })))).toBeUndefined();
  expect(findCompaction(Buffer.from(line.slice(0, -9)))).toBeUndefined();
  expect(findCompaction(changed((event) => ({ ...event, data: { success: true } })))).toEqual({});
});
