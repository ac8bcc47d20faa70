import { defineConfig } from 'vitest/config';
import { inMemory } from './integration/support/runner/in-memory.ts';
import { LongFirst } from './integration/support/runner/long-first.ts';
import { SummaryReporter } from './integration/support/runner/summary-reporter.ts';
import { TAGS } from './integration/support/runner/tags.ts';
import { textFiles } from './integration/support/runner/text-files.ts';
import { wasmPaths } from './integration/support/runner/wasm-paths.ts';

export default defineConfig({
  plugins: [textFiles(), wasmPaths()],
  test: {
    reporters: ['default', new SummaryReporter()],
    maxWorkers: '100%', // tests wait for processes most of the time
    sequence: { sequencer: LongFirst },
    tags: TAGS,
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 30_000 } },
      {
        extends: true,
        test: {
          name: 'integration',
          isolate: false, // what is tested runs in processes of its own
          include: ['integration/**/*.test.ts'],
          // Each of these has a config of its own.
          exclude: ['**/*.long.test.ts', 'integration/{clients,faults,hook-managers,install}/**'],
          globalSetup: ['integration/support/process/build-once.ts'],
          env: inMemory(),
          // Whoever asks for all of them waits for all of them.
          testTimeout: process.env.ENTIRE_TEST_STRIDE ? 4 * 3_600_000 : 60_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
