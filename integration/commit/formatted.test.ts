import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { why } from '../support/command/why.ts';
import { withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const classes = (repo: TestRepo, file: string): string[] =>
  JSON.parse(repo.entire('blame', file, '--json').stdout).lines.map(
    (line: { class: string; reason: string }) => `${line.class}:${line.reason}`,
  );

variation(
  'a formatter in a pre-commit hook: the commit of a new file is linked, its lines are the agent’s',
  (repo) => {
    withWork(repo, { 'a.js': "const s='x'\nconst t   =   2\nconst u = [1, 2]\n" });
    const formatted = 'const s = "x";\nconst t = 2;\nconst u = [\n  1,\n  2,\n];\n';
    repo.write('formatted', formatted);
    const hook = join(repo.commonDir, 'hooks', 'pre-commit');
    writeFileSync(hook, '#!/bin/sh\ncp formatted a.js\ngit add a.js\n', { mode: 0o755 });
    repo.commit('Add a', 'a.js');
    expect(repo.read('a.js')).toBe(formatted);
    expect(why(repo)).toMatchObject({ status: 'linked', reason: 'linked' });
    expect(classes(repo, 'a.js')).toEqual([
      'agent:written',
      'agent:written',
      ...Array.from({ length: 3 }, () => 'unknown:reformatted'),
      'unknown:unseen',
    ]);
  },
);
