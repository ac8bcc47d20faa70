import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { writeCommit } from '../../src/git/object/objects.ts';
import { gitAt } from '../../src/git/run.ts';
import { scenario } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Real bytes of all object files. */
function objectBytes(repo: TestRepo): number {
  const dir = join(repo.commonDir, 'objects');
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => statSync(join(dir, name)))
    .reduce((sum, it) => sum + (it.isFile() ? it.size : 0), 0);
}

// git keeps an import of a hundred objects and more as a pack, with the compression it was written with, and a
// later gc copies that.
describe('objects are compressed, however many come at once', () => {
  for (const count of [20, 150, 1500]) {
    scenario(`${count} files`, (repo) => {
      repo.init();
      const before = objectBytes(repo);
      const texts = Array.from({ length: count }, (_, at) => `line ${at} of many\n`.repeat(1000));
      writeCommit(gitAt(repo.dir), {
        ref: 'refs/heads/entire/many',
        parent: undefined,
        changes: texts.map((data, at) => ({ path: `chunk.${at}`, mode: '100644', data })),
        message: 'Many\n',
        author: { name: 'Ada', email: 'ada@example.com' },
      });
      const bytes = texts.reduce((sum, text) => sum + text.length, 0);
      expect(objectBytes(repo) - before).toBeLessThan(bytes / 10);
      repo.git('gc', '--quiet');
      expect(objectBytes(repo) - before).toBeLessThan(bytes / 10);
    });
  }
});
