import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AGENT_NAMES, type AgentName } from '../../agents/names.ts';
import { readTitle } from '../read-title.ts';
import { findTitle } from './title.ts';

const names = AGENT_NAMES;
const fileOf = (agent: AgentName): string =>
  join(import.meta.dirname, '../../../integration/fixtures', agent, 'transcripts/basic.jsonl');

test.each(names.filter((agent) => agent !== 'codex' && existsSync(fileOf(agent))))(
  '%s: the same title as by reading all of the beginning',
  (agent) => {
    const text = readFileSync(fileOf(agent), 'utf8');
    for (const length of [200, 4096, text.length])
      expect(findTitle(agent, text.slice(0, length)), `${length}`).toBe(
        readTitle(agent, text.slice(0, length)),
      );
    expect(findTitle(agent, text)).toBeTruthy();
  },
);

test('a prompt that is longer than what is read is a title all the same', () => {
  const line = {
    type: 'user',
    uuid: 'u',
    message: { role: 'user', content: `Read this: ${'x'.repeat(9000)}` },
  };
  expect(findTitle('claude-code', JSON.stringify(line).slice(0, 4096))).toMatch(/^Read this: x+$/);
});

test('what a client tells the model, and is cut, is no title', () => {
  const text = `<system-reminder>\n${'x'.repeat(9000)}</system-reminder>`;
  const line = { type: 'message', id: 'm', message: { role: 'user', content: [{ type: 'text', text }] } };
  expect(findTitle('factoryai-droid', JSON.stringify(line).slice(0, 4096))).toBeUndefined();
});

test('what is no transcript has none', () => {
  for (const agent of names)
    for (const text of ['', '"user"', '\0"user"\n"user.', '{"user"\n[]'])
      expect(findTitle(agent, text)).toBeUndefined();
});
