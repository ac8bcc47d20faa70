import { defineConfig } from 'vitest/config';
import { inMemory } from './integration/support/runner/in-memory.ts';
import { SummaryReporter } from './integration/support/runner/summary-reporter.ts';
import { TAGS } from './integration/support/runner/tags.ts';

// What takes minutes to hours. Not part of `npm test`. Builds are made by the script that calls this.
export default defineConfig({
  test: {
    tags: TAGS,
    reporters: ['default', new SummaryReporter()],
    include: ['integration/**/*.long.test.ts'],
    globalSetup: ['integration/support/process/build-once.ts'],
    env: inMemory(),
    fileParallelism: false,
    testTimeout: 4 * 3_600_000,
    hookTimeout: 180_000,
  },
});
