import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/** Ends the run with a plain line that needs no knowledge of the runner to be read: `N passed, N failed`. */
export class SummaryReporter implements Reporter {
  private isFiltered = false;

  onInit({ config }: Vitest): void {
    this.isFiltered = (config.tagsFilter ?? []).length > 0;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) =>
      tests.filter((test) => test.result().state === state && !this.isLeftOut(test)).length;
    // A file that could not be loaded, or an error outside of any test, is a failure without a test.
    const broken = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    ).length;
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
    const line = `${count('passed')} passed, ${count('failed') + broken + errors.length} failed${skipped}`;
    const leftOut = tests.filter((test) => this.isLeftOut(test)).length;
    process.once('exit', () => {
      if (leftOut > 0) console.log(`${leftOut} left out by their tags; npm run test:all runs them all`);
      console.log(line); // after the other reporters
    });
  }

  /** Of a test that skips itself it is known why. */
  private isLeftOut(test: TestCase): boolean {
    const result = test.result();
    return this.isFiltered && result.state === 'skipped' && result.note === undefined;
  }
}
