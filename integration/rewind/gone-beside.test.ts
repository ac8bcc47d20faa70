import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { viewOf } from '../support/undo/view.ts';

/** To the first step, and once more: where one is already, nothing changes. */
function expectSameTwice(repo: TestRepo, at: unknown): void {
  const point = stepOf(temporary(repo), 'Turn 1').id;
  goBack(repo, point);
  expect(viewOf(repo.dir)).toEqual(at);
  goBack(repo, point);
  expect(viewOf(repo.dir)).toEqual(at);
}

describe('going back once more, where the work of another session was gone or taken back before', () => {
  variation('its new file, deleted', (repo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'v1\n' });
    const at = viewOf(repo.dir);
    addWork(repo, { 'd.txt': 'theirs\n' });
    own.prompt('away with it');
    own.edit('a.txt', 'v2\n');
    own.shell(() => rmSync(join(repo.dir, 'd.txt')));
    own.stop();
    expectSameTwice(repo, at);
  });

  variation('its line, taken out', (repo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'v1\n', 'd.txt': 'v1\n' });
    const at = viewOf(repo.dir);
    addWork(repo, { 'd.txt': 'v1\ntheirs\n' });
    addWork(repo, { 'a.txt': 'v2\n', 'd.txt': 'v1\n' }, own);
    expectSameTwice(repo, at);
  });
});
