import { defineConfig } from 'vitest/config';
import { TAGS } from './integration/support/runner/tags.ts';

// The packages of a release, installed by npm from a registry on 127.0.0.1. Not part of `npm test`: the first run downloads.
export default defineConfig({
  test: {
    tags: TAGS,
    reporters: ['verbose'],
    include: ['integration/install/*.test.ts'],
    globalSetup: ['integration/install/release.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
