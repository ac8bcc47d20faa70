import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './integration/support/runner/summary-reporter.ts';
import { TAGS } from './integration/support/runner/tags.ts';
import { textFiles } from './integration/support/runner/text-files.ts';

// Real clients from npm, driven by a scripted model on 127.0.0.1. Not part of `npm test`: the first run downloads.
export default defineConfig({
  plugins: [textFiles()], // of the pages that exports are, which the library has
  test: {
    tags: TAGS,
    // `verbose` says of each test why it was skipped: a client that cannot be had has not passed.
    reporters: ['verbose', new SummaryReporter()],
    include: ['integration/clients/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 360_000,
  },
});
