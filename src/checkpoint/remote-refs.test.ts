import { expect, test } from 'vitest';
import { replacesThere, trackingOf } from './remote-refs.ts';

test('what a remote had has a ref of its own: by its name, or by the digest of a URL', () => {
  const branch = 'refs/remotes/up/stream/entire/checkpoints/v1';
  expect(trackingOf(branch, 'branch')).toBe(branch);
  expect(trackingOf(branch, 'ref')).toBe('refs/entire/tracking/up/stream/checkpoints');
  expect(trackingOf(branch, 'notes')).toBe('refs/entire/tracking/up/stream/notes');
  expect(trackingOf('refs/entire/remotes/0123456789ab', 'notes')).toBe(
    'refs/entire/tracking/0123456789ab/notes',
  );
});

test('what replaces checkpoints there, as it is typed', () => {
  expect(replacesThere('origin', 'branch')).toBe('git push --force origin entire/checkpoints/v1');
  expect(replacesThere('origin', 'ref')).toBe(
    'git push --force origin entire/checkpoints/v1:refs/entire/checkpoints/v1',
  );
});
