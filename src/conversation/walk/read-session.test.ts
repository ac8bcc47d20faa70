import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '../../base/ids.ts';
import { readSession } from './read-session.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-read-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A session of Droid's, whose client keeps a sum of 7 tokens beside it. */
function read(message: object) {
  const path = join(dir, 'one.jsonl');
  writeFileSync(path, `${JSON.stringify({ type: 'message', id: 'm', message })}\n`);
  writeFileSync(join(dir, 'one.settings.json'), '{"tokenUsage":{"inputTokens":7}}');
  const id = 'one' as SessionId;
  return readSession({
    ...{
      sessionId: id,
      runId: undefined,
      runs: [],
      isStored: false,
      branch: undefined,
      cliOrigin: 'factoryai-droid',
      kind: 'agent',
      path,
      transcript: path,
    },
    ...{ agentSessionId: id, folder: undefined, startedAt: undefined, updatedAt: '', summary: {} },
  });
}

test('a sum beside the transcript is told where no message tells what it cost, and never on top of one', () => {
  const said = { role: 'assistant', content: 'x' };
  expect(read(said).usage).toMatchObject({ input_tokens: 7, output_tokens: 0 });
  const { usage, messages } = read({ ...said, usage: { input_tokens: 3, output_tokens: 1 } });
  expect(usage).toBeUndefined();
  expect(messages).toMatchObject([{ usage: { input_tokens: 3, output_tokens: 1 } }]);
});
