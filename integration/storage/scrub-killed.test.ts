import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { killInMemory } from '../support/process/in-memory.ts';
import { realGit, withProgram } from '../support/process/programs.ts';
import { variation } from '../support/repository/scenario.ts';
import { checkpointFiles, store } from '../support/repository/stored-checkpoints.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

killInMemory();

const METADATA = 'refs/heads/entire/checkpoints/v1';
// Joined here, so that the repository holds nothing that looks like a live key.
const SECRET = ['sb_', 'secret_', 'k3J9'.repeat(6)].join('');
/** Every so many calls of git are killed; `ENTIRE_TEST_STRIDE=1`: all. */
const STRIDE = Number(process.env.ENTIRE_TEST_STRIDE ?? 3);
const IDS = ['a1b2c3d4e5f6', 'b1b2c3d4e5f6', 'c1b2c3d4e5f6'];

/** Runs `entire scrub` and kills it at its `nth` call of git: before git does anything, or after it is done. */
function scrubKilled(
  repo: TestRepo,
  args: readonly string[],
  nth: number,
  when: 'before' | 'after',
): boolean {
  const count = join(repo.scratch, 'count');
  writeFileSync(count, '0');
  const kill = 'kill -9 $PPID; exit 1';
  const env = withProgram(
    repo,
    'git',
    `read -r n <'${count}'; n=$((n + 1)); echo $n >'${count}'`,
    `[ $n -eq ${nth} ] && { ${when === 'before' ? kill : `'${realGit(repo)}' "$@"; ${kill}`}; }`,
    `exec '${realGit(repo)}' "$@"`,
  );
  repo.run('entire', ['scrub', ...args], { env });
  expect(existsSync(count)).toBe(true);
  return Number(readFileSync(count, 'utf8')) >= nth;
}

/** All that the branch holds in any of its commits. */
const history = (repo: TestRepo): string => repo.git('log', '-p', '--format=%B', METADATA);

for (const args of [[], ['--rewrite']]) {
  variation(
    `scrub ${args.join(' ')} killed at a call of git: the branch is as before or as after`,
    (repo) => {
      repo.ready();
      for (const id of IDS)
        store(repo, { [id]: checkpointFiles(id, { session: id, transcript: `{"text":"${SECRET}"}` }) });
      const before = repo.git('rev-parse', METADATA);
      repo.entire('scrub', ...args);
      const after = repo.git('rev-parse', `${METADATA}^{tree}`);
      expect(after).not.toBe(repo.git('rev-parse', `${before}^{tree}`));

      let kills = 0;
      for (let nth = 1, isOver = false; !isOver; nth += STRIDE) {
        for (const when of ['before', 'after'] as const) {
          repo.git('update-ref', METADATA, before);
          isOver = !scrubKilled(repo, args, nth, when);
          kills += isOver ? 0 : 1;
          const trees = [repo.git('rev-parse', `${before}^{tree}`), after];
          expect(trees, `${when} call ${nth}`).toContain(repo.git('rev-parse', `${METADATA}^{tree}`));
          repo.entire('scrub', ...args);
          expect(repo.git('rev-parse', `${METADATA}^{tree}`)).toBe(after);
          expect(history(repo).includes(SECRET)).toBe(args.length === 0); // only `--rewrite` reaches older commits
          expect(repo.git('for-each-ref', 'refs/entire')).toBe('');
        }
      }
      expect(kills).toBeGreaterThan(10 / STRIDE);
      repo.expectSound();
    },
  );
}
