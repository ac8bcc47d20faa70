import { describe, expect, test } from 'vitest';
import { MARK, parsePatches } from './patch.ts';

/** What stands beside the added lines of a file. */
function runsOf(hunks: string): string[][] {
  const oid = '1'.repeat(40);
  const text = `${MARK}1 ${oid} ${oid}\ndiff --git a/a b/a\nindex ${oid}..${oid}\n--- a/a\n+++ b/a\n${hunks}`;
  return parsePatches(text).flatMap(({ files }) =>
    files.flatMap(({ added }) =>
      added.map(({ lines, above, below }) => [above ?? '', lines.join('|'), below ?? '']),
    ),
  );
}

describe('what stands beside lines that a commit adds', () => {
  test('the lines right above and below', () => {
    expect(runsOf('@@ -1,2 +1,3 @@\n one\n+new\n two\n')).toEqual([['one', 'new', 'two']]);
  });

  test('the next that say something, past empty ones and braces', () => {
    expect(runsOf('@@ -1,6 +1,7 @@\n one\n }\n \n+new\n \n }\n two\n')).toEqual([['one', 'new', 'two']]);
  });

  test('lines that it adds, too, further up or down', () => {
    expect(runsOf('@@ -1,3 +1,6 @@\n one\n+a\n \n+\n+b\n two\n')).toEqual([
      ['one', 'a', 'b'],
      ['a', '|b', 'two'],
    ]);
    expect(runsOf('@@ -1,2 +1,4 @@\n+a\n \n+}\n two\n')).toEqual([
      ['', 'a', 'two'],
      ['a', '}', 'two'],
    ]);
  });

  test('none that it takes out, and none of another hunk', () => {
    const hunks = '@@ -1,2 +1,2 @@\n-gone\n+new\n }\n@@ -9 +9,2 @@\n }\n+more\n';
    expect(runsOf(hunks)).toEqual([
      ['', 'new', ''],
      ['', 'more', ''],
    ]);
  });
});
