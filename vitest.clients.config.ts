import { defineConfig } from 'vitest/config';

// Real clients from npm, driven by a scripted model on 127.0.0.1. Not part of `npm test`: the first run downloads.
export default defineConfig({
  test: {
    include: ['integration/clients/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 360_000,
  },
});
