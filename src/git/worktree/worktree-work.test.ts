import { expect, test } from 'vitest';
import { parseUncommitted } from './worktree-work.ts';

const oids = `100644 100644 100644 ${'1'.repeat(40)} ${'2'.repeat(40)}`;

test('changed, untracked and ignored paths, with spaces and line breaks', () => {
  expect(
    parseUncommitted([
      `1 M. N... ${oids} a b.txt`,
      `1 .D N... ${oids} gone\n.txt`,
      `u UU N... 100644 ${oids} ${'3'.repeat(40)} both.txt`,
      '? new file',
      '? nested/',
      '! dist/',
      '',
    ]),
  ).toEqual({
    changed: ['a b.txt', 'gone\n.txt', 'both.txt'],
    untracked: ['new file', 'nested/'],
    ignored: ['dist/'],
  });
});

test('a submodule is on another commit; changes in it are its own', () => {
  const found = parseUncommitted([
    `1 .M SC.. ${oids} moved`,
    `1 .M S.M. ${oids} dirty`,
    `1 .M S..U ${oids} new`,
    `1 M. S.M. ${oids} staged`,
  ]);
  expect(found.changed).toEqual(['moved', 'staged']);
});

test.each([`2 R. N... ${oids} R100 a`, 'warning: what is this', '1'])(
  '%j is not taken for nothing',
  (line) => {
    expect(() => parseUncommitted(['? a', line])).toThrow('printed what is not understood');
  },
);
