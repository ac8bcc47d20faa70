import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENTS } from './agents/names.ts';

const root = resolve(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The section on agents: its table, and what stands above it of what cells rest on. */
const section = /^## Agents$([\s\S]*?)^## /m.exec(readme)?.[1] ?? '';

const testFiles = ['src', 'integration'].flatMap((dir) =>
  readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('fixtures'))
    .map((name) => readFileSync(join(root, dir, name), 'utf8')),
);

describe("the README's table of agents", () => {
  test('has each agent, and a page about it', () => {
    for (const [name, { type }] of Object.entries(AGENTS)) {
      expect(section).toContain(`| [${type}](docs/agents/${name}.md)`);
      expect(readFileSync(join(root, 'docs/agents', `${name}.md`), 'utf8')).toContain(type);
    }
  });

  const named = [...section.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, title = '']) =>
    title.replace(/\s+/g, ' '),
  );

  test.each(named)('names a test that there is: %s', (title) => {
    const isThere = testFiles.some((text) => text.includes(title));
    expect(isThere).toBe(true);
  });
});
