import { expect, test } from 'vitest';
import type { ObjectId } from '../../base/ids.ts';
import { entryOf, parseCommitConfig } from './changes.ts';

test.each([
  [{}, { isSigned: false, ignoresModes: false, ignoresLinks: false }],
  [{ 'commit.gpgsign': 'true' }, { isSigned: true }],
  [{ 'commit.gpgsign': 'Yes' }, { isSigned: true }],
  [{ 'commit.gpgsign': '1' }, { isSigned: true }],
  [{ 'commit.gpgsign': '0' }, { isSigned: false }],
  [{ 'commit.gpgsign': '' }, { isSigned: false }],
  [
    { 'core.filemode': 'false', 'core.symlinks': 'off' },
    { ignoresModes: true, ignoresLinks: true },
  ],
  [
    { 'core.filemode': 'true', 'core.symlinks': 'on' },
    { ignoresModes: false, ignoresLinks: false },
  ],
  [{ 'user.email': 'a@b' }, { author: { name: 'Unknown', email: 'a@b' } }],
])('git settings %j mean %j', (config, expected) => {
  expect(parseCommitConfig(new Map(Object.entries(config)))).toMatchObject(expected);
});

test('what a tree has after a change', () => {
  const like = 'a'.repeat(40) as ObjectId;
  expect(entryOf({ path: 'a', removed: true }, like)).toBeUndefined();
  expect(entryOf({ path: 'a', mode: '160000', oid: like }, like)).toEqual({ mode: '160000', oid: like });
  const link = entryOf({ path: 'a', mode: '120000', data: 'x' }, like);
  expect(link).toEqual({ mode: '120000', oid: 'c1b0730e0133447badcfd47fd144e254807b06e1' });
});
