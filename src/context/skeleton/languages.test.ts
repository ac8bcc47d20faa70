import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStructure } from './read-structure.ts';
import { viewSource } from './source-view.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', '..', 'integration', 'fixtures', 'skeleton');
const SAMPLES = [
  ['store.py', 'python'],
  ['ring.c', 'c'],
  ['shape.cpp', 'cpp'],
  ['queue.ts', 'typescript'],
  ['panel.tsx', 'tsx'],
  ['server.js', 'javascript'],
  ['cache.go', 'go'],
  ['parser.rs', 'rust'],
  ['Account.java', 'java'],
] as const;

describe.each(SAMPLES)('%s', (name, language) => {
  const text = readFileSync(join(FIXTURES, `${name}.txt`), 'utf8');

  test.each(['skeleton', 'outline'] as const)('its %s', async (mode) => {
    const view = await viewSource(name, text, { mode });
    expect(view).toMatchObject({ status: 'shown', language });
    if (view.status !== 'shown') return;
    expect(view.note).toBeUndefined();
    await expect(view.text).toMatchFileSnapshot(join(FIXTURES, `${name}.${mode}.txt`));
  });

  test('the signatures of its symbols', async () => {
    const reading = await readStructure(name, text);
    const symbols = reading.status === 'read' ? reading.structure.symbols : [];
    const lines = symbols.map(({ path, signature }) => `${path} | ${signature}`);
    await expect(lines.join('\n')).toMatchFileSnapshot(join(FIXTURES, `${name}.symbols.txt`));
  });
});
