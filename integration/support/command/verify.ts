import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withoutProgress } from '../process/progress.ts';
import type { TestRepo } from '../repository/test-repo.ts';

export interface FoundProblem {
  readonly code: string;
  readonly where: string;
  readonly detail?: string | null;
}

/** What `entire verify --json` finds; the exit code must say whether it found anything. */
export function problems(repo: TestRepo, ...args: string[]): FoundProblem[] {
  const { code, stdout, stderr } = repo.tryEntire('verify', '--json', ...args);
  expect(withoutProgress(stderr)).toBe('');
  const report = JSON.parse(stdout) as {
    problems: Array<FoundProblem & { meaning: string; advice: string }>;
  };
  expect(code).toBe(report.problems.length > 0 ? 1 : 0);
  return report.problems.map(({ meaning, advice, ...problem }) => {
    expect(meaning.length * advice.length).toBeGreaterThan(0);
    return problem;
  });
}

/** Exactly these problems, in any order; what is not named of one does not matter. */
export function expectProblems(
  repo: TestRepo,
  expected: readonly FoundProblem[],
  what = '',
  ...args: string[]
): void {
  const found = problems(repo, ...args);
  expect(found.map(({ code, where }) => ({ code, where })).sort(byPlace), what).toEqual(
    expected.map(({ code, where }) => ({ code, where })).sort(byPlace),
  );
}

const byPlace = (a: FoundProblem, b: FoundProblem): number =>
  `${a.where} ${a.code}` < `${b.where} ${b.code}` ? -1 : 1;

/** The file of a loose object. */
const objectFile = (repo: TestRepo, oid: string): string =>
  join(repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2));

/** Runs `body` while an object is missing, or is there and cannot be read. */
export function withBroken(
  repo: TestRepo,
  name: string,
  how: 'missing' | 'damaged',
  body: (oid: string) => void,
): void {
  const oid = repo.git('rev-parse', name);
  const file = objectFile(repo, oid);
  const bytes = readFileSync(file);
  rmSync(file);
  // The last bytes are a checksum: its beginning says what the object is.
  if (how === 'damaged') writeFileSync(file, Buffer.concat([bytes.subarray(0, -4), Buffer.from('oops')]));
  body(oid);
  rmSync(file, { force: true });
  writeFileSync(file, bytes);
}
