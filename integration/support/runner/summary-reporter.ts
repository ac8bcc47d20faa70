import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

const SLOWEST = 10;

/**
 * Ends the run with what one looks for first: the slowest files, the tests that failed, a line each, and a plain line
 * that needs no knowledge of the runner to be read: `N passed, N failed`.
 */
export class SummaryReporter implements Reporter {
  private isFiltered = false;

  onInit({ config }: Vitest): void {
    this.isFiltered = (config.tagsFilter ?? []).length > 0;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) =>
      tests.filter((test) => test.result().state === state && !this.isLeftOut(test)).length;
    const failures = [
      // A file that could not be loaded, or an error outside of any test, is a failure without a test.
      ...modules
        .filter((module) => module.state() === 'failed' && module.errors().length > 0)
        .map((module) => failure(fileOf(module), module.errors()[0])),
      ...errors.map((error) => failure('outside of any test', error)),
      ...tests
        .filter((test) => test.result().state === 'failed')
        .map((test) => failure(`${fileOf(test.module)} > ${test.fullName}`, test.result().errors?.[0])),
    ];
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
    const line = `${count('passed')} passed, ${failures.length} failed${skipped}`;
    const leftOut = tests.filter((test) => this.isLeftOut(test)).length;
    // After the other reporters.
    process.once('exit', () => {
      for (const slow of slowest(modules)) console.log(slow);
      if (leftOut > 0)
        console.log(`${leftOut} left out by their tags; npm run test:all and npm run test:more run them`);
      for (const failed of failures) console.log(failed);
      console.log(line);
    });
  }

  /** Of a test that skips itself it is known why. */
  private isLeftOut(test: TestCase): boolean {
    const result = test.result();
    return this.isFiltered && result.state === 'skipped' && result.note === undefined;
  }
}

/** `failed: <which test>: <first line of why>`; `.ci/run` repeats these lines at its end. */
function failure(where: string, error: unknown): string {
  const { message = String(error) } = (error ?? {}) as { message?: string };
  return `failed: ${where}: ${message.split('\n', 1)[0]}`;
}

function slowest(modules: readonly TestModule[]): string[] {
  if (modules.length <= SLOWEST) return [];
  const timed = modules.map((module) => ({
    file: fileOf(module),
    seconds: module.diagnostic().duration / 1000,
  }));
  timed.sort((a, b) => b.seconds - a.seconds);
  return [
    'Slowest files:',
    ...timed.slice(0, SLOWEST).map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`),
  ];
}

const fileOf = (module: TestModule): string => relative(process.cwd(), module.moduleId);
