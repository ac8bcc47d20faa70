import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './integration/support/runner/summary-reporter.ts';
import { TAGS } from './integration/support/runner/tags.ts';

// Every operation of every hook fails in turn, in every way. `npm test` has a sample of it.
export default defineConfig({
  test: {
    tags: TAGS,
    reporters: ['default', new SummaryReporter()],
    include: ['integration/faults/*.test.ts'],
    globalSetup: ['integration/support/faults/set-up.ts'],
    maxWorkers: 2,
    // Thousands of small repositories: in memory, where the system has a folder for that.
    env: existsSync('/dev/shm') ? { TMPDIR: '/dev/shm' } : {},
  },
});
