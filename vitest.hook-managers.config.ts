import { defineConfig } from 'vitest/config';
import { TAGS } from './integration/support/runner/tags.ts';

// Real hook managers from npm and PyPI. Not part of `npm test`: the first run downloads.
export default defineConfig({
  test: {
    tags: TAGS,
    include: ['integration/hook-managers/*.test.ts'],
    globalSetup: ['integration/support/process/build-once.ts'],
    testTimeout: 120_000,
    hookTimeout: 360_000,
  },
});
