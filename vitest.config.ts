import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './integration/support/summary-reporter.ts';
import { textFiles } from './integration/support/text-files.ts';
import { wasmPaths } from './integration/support/wasm-paths.ts';

export default defineConfig({
  plugins: [textFiles(), wasmPaths()],
  test: {
    reporters: ['default', new SummaryReporter()],
    maxWorkers: '100%', // tests wait for processes most of the time
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 30_000 } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['integration/*.test.ts'],
          exclude: ['integration/*.long.test.ts'],
          globalSetup: ['integration/support/build-once.ts'],
          // Whoever asks for all of them waits for all of them.
          testTimeout: process.env.ENTIRE_TEST_STRIDE ? 4 * 3_600_000 : 60_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
