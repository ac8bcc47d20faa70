import { expect, test } from 'vitest';
import type { SessionId } from '../../base/ids.ts';
import { hookTranscripts } from './transcripts.ts';

test('a reference that can be no path is a word of the agent’s', () => {
  const plugin = { program: '/none', root: '/none', env: {}, forbidden: [] };
  const { known } = hookTranscripts(plugin, new Set());
  for (const reference of [`/${'x'.repeat(5000)}`, '/a\0b', '/dev', 'word'])
    expect(known('s1' as SessionId, reference), reference.slice(0, 10)).toBeUndefined();
  expect(known('s1' as SessionId, '/not/yet.jsonl')).toBe('/not/yet.jsonl');
});
