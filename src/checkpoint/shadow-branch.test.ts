import { expect, test } from 'vitest';
import { branchRef, isShadowBranch, METADATA_REF, metadataDir, shadowBranch } from './shadow-branch.ts';

const COMMIT = '9b1d2c3000000000000000000000000000000000';

test('named after the commit and the worktree', () => {
  expect(shadowBranch(COMMIT, '')).toBe('entire/9b1d2c3-e3b0c4');
  expect(shadowBranch(COMMIT, 'side')).toMatch(/^entire\/9b1d2c3-[0-9a-f]{6}$/);
  expect(shadowBranch(COMMIT, 'side')).not.toBe(shadowBranch(COMMIT, 'other'));
  expect(branchRef(shadowBranch(COMMIT, ''))).toBe('refs/heads/entire/9b1d2c3-e3b0c4');
});

test.each(['entire/9b1d2c3-e3b0c4', 'entire/9B1D2C3-E3B0C4', 'entire/9b1d2c3', `entire/${COMMIT}-e3b0c4`])(
  '%s is a shadow branch',
  (name) => {
    expect(isShadowBranch(name)).toBe(true);
  },
);

test.each([
  'entire/checkpoints/v1',
  'entire/9b1d2c',
  'entire/9b1d2c3-e3b0c',
  'entire/9b1d2c3-e3b0c4x',
  'entire/feature',
  'x/entire/9b1d2c3',
  'main',
  'entire/9b1d2c3\n',
])('%j is none', (name) => {
  expect(isShadowBranch(name)).toBe(false);
});

test('the metadata branch is no shadow branch', () => {
  expect(isShadowBranch(METADATA_REF.replace('refs/heads/', ''))).toBe(false);
});

test('metadata lies below the folder that git ignores', () => {
  expect(metadataDir('s1')).toBe('.entire/metadata/s1');
});
