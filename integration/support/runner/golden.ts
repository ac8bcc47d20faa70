import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../process/builds.ts';
import type { TestRepo } from '../repository/test-repo.ts';

/**
 * Holds what a command printed against `integration/golden/<name>`. What differs from run to run stands there by name:
 * `<scratch>` for the folder of the test, `<sha>` for commits, `<id>` … for what the test names.
 * `ENTIRE_TEST_GOLDEN=write` writes the files anew.
 */
export function expectGolden(
  repo: TestRepo,
  name: string,
  printed: string,
  named: Readonly<Record<string, string>> = {},
): void {
  const file = join(root, 'integration', 'golden', name);
  let text = printed;
  for (const [word, value] of Object.entries(named)) text = text.replaceAll(value, `<${word}>`);
  text = text.replaceAll(repo.scratch, '<scratch>');
  const commits = repo.git('rev-list', '--all').split('\n').filter(Boolean);
  for (const length of [40, 12, 8, 7])
    for (const commit of commits) text = text.replaceAll(commit.slice(0, length), `<sha${length}>`);
  if (process.env.ENTIRE_TEST_GOLDEN === 'write') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, 'utf8'));
}
