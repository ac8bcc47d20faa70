import { expect, test } from 'vitest';
import { renderCollected } from './view.ts';

const MIB = 1024 * 1024;
const nothing = { unnamed: { files: 0, bytes: 0 }, evicted: [], skipped: [] };

test('what stays beyond the budget is explained', () => {
  const over = { ...nothing, totalBytes: 100 * MIB };
  expect(renderCollected(over, 64 * MIB, false)).toBe(
    'Kept for undo: 100 MiB of 64 MiB.\nEach session keeps its newest step: together they take more than the budget.',
  );
  const unnamed = { files: 1, bytes: 50 * MIB };
  expect(renderCollected({ ...over, unnamed }, 64 * MIB, false)).not.toContain('newest step');
  expect(renderCollected(holding(10 * MIB), 64 * MIB, false)).toBe(
    'Kept for undo: 10 MiB of 64 MiB. Nothing to remove.',
  );
});

const holding = (totalBytes: number) => ({ ...nothing, totalBytes });
