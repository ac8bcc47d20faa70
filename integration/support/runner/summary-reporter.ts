import type { Reporter, TestModule } from 'vitest/node';

/** Ends the run with a plain line that needs no knowledge of the runner to be read: `N passed, N failed`. */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (state: string) => states.filter((one) => one === state).length;
    // A file that could not be loaded, or an error outside of any test, is a failure without a test.
    const broken = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    ).length;
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
    const line = `${count('passed')} passed, ${count('failed') + broken + errors.length} failed${skipped}`;
    process.once('exit', () => console.log(line)); // after the other reporters
  }
}
