import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseApplyPatch, patchedPaths } from './apply-patch.ts';

const envelope = (...lines: readonly string[]) =>
  ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

describe('apply_patch envelopes', () => {
  test('adds, updates, deletes and moves', () => {
    const text = envelope(
      '*** Add File: docs/new file.txt',
      '+one',
      '+',
      '+three',
      '*** Update File: src/old.ts',
      '*** Move to: src/new.ts',
      '@@ function f() {',
      ' keep',
      '-gone',
      '+here',
      '*** Delete File: dead.txt',
      '*** Update File: plain.txt',
      '@@',
      '-a',
      '+b',
      '*** End of File',
    );
    expect(parseApplyPatch(text)).toMatchObject([
      { kind: 'add', path: 'docs/new file.txt', movedTo: undefined, lines: ['one', '', 'three'], swaps: [] },
      {
        ...{ kind: 'update', path: 'src/old.ts', movedTo: 'src/new.ts', lines: ['here'] },
        swaps: [['keep\ngone\n', 'keep\nhere\n']],
      },
      { kind: 'delete', path: 'dead.txt', movedTo: undefined, lines: [], swaps: [] },
      { kind: 'update', path: 'plain.txt', movedTo: undefined, lines: ['b'], swaps: [['a\n', 'b\n']] },
    ]);
    expect(patchedPaths(text)).toEqual([
      'docs/new file.txt',
      'src/old.ts',
      'src/new.ts',
      'dead.txt',
      'plain.txt',
    ]);
  });

  test('text of a file is no header, and no end', () => {
    const text = envelope(
      '*** Add File: a.md',
      '+*** Delete File: not-me.txt',
      '+*** End Patch',
      '*** Update File: b.md',
      ' *** Add File: nor-me.txt',
      ' *** End Patch',
      '-*** Delete File: nor-me-either.txt',
      '+*** Begin Patch',
    );
    expect(patchedPaths(text)).toEqual(['a.md', 'b.md']);
    expect(parseApplyPatch(text)[1]?.lines).toEqual(['*** Begin Patch']);
  });

  test('what a hunk takes away and writes again is not written by it; another hunk may write it', () => {
    const hunks = ['@@', '-x', '-y', '+y', '+z', '@@', '+x'];
    expect(parseApplyPatch(envelope('*** Update File: a', ...hunks))[0]).toMatchObject({
      lines: ['z', 'x'],
      removed: ['x'],
    });
  });

  test('a move stands right after the header of an update, and nowhere else', () => {
    expect(patchedPaths(envelope('*** Add File: a', '*** Move to: b', '+x'))).toEqual(['a']);
    expect(patchedPaths(envelope('*** Update File: a', '@@', '+x', '*** Move to: b'))).toEqual(['a']);
    expect(patchedPaths(envelope('*** Delete File: a', '*** Move to: b'))).toEqual(['a']);
    expect(patchedPaths(envelope('*** Update File: a', '*** Move to:  '))).toEqual(['a']);
    expect(patchedPaths(envelope('*** Update File: a', '*** Move to: a'))).toEqual(['a']);
  });

  test('a heredoc around it, CRLF line ends and indented headers are read', () => {
    const text = envelope('  *** Add File: a.txt  ', '+x', ' *** Delete File: b.txt');
    expect(patchedPaths(`apply_patch <<'EOF'\n${text}EOF\n`)).toEqual(['a.txt', 'b.txt']);
    expect(parseApplyPatch(text.replaceAll('\n', '\r\n'))[0]?.lines).toEqual(['x']);
    expect(
      patchedPaths(`${envelope('*** Add File: a')}echo between\n${envelope('*** Add File: b')}`),
    ).toEqual(['a', 'b']);
  });

  test('one that was cut off says what it says up to there', () => {
    const whole = envelope('*** Add File: a.txt', '+one', '*** Update File: b.txt', '@@', '-x', '+y');
    expect(patchedPaths(whole.slice(0, whole.indexOf('+y') + 2))).toEqual(['a.txt', 'b.txt']);
    expect(parseApplyPatch(whole.slice(0, whole.indexOf('one') + 2))).toMatchObject([
      { kind: 'add', path: 'a.txt', movedTo: undefined, lines: ['on'], swaps: [] },
    ]);
    expect(patchedPaths('*** Begin Patch\n*** Add File:')).toEqual([]);
  });

  test.each([
    ['nothing', ''],
    ['no envelope', '*** Add File: a\n+x\n'],
    ['an envelope that is over', '*** Begin Patch\n*** End Patch\n*** Add File: a\n+x\n'],
    ['a file without a name', '*** Begin Patch\n*** Update File:   \n*** Move to: b\n+x\n*** End Patch'],
    ['a unified diff', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'],
    ['headers of another case', '*** Begin Patch\n*** add file: a\n*** End Patch'],
  ])('%s names no file', (_, text) => {
    expect(patchedPaths(text)).toEqual([]);
  });

  test('any text is survived, and no path has a line end or is empty', () => {
    const piece = fc.constantFrom(
      '*** Begin Patch',
      '*** End Patch',
      '*** Add File: ',
      '*** Update File: x',
      '*** Move to: ',
      '*** Delete File: ../../etc/passwd',
      '*** End of File',
      '@@',
      '+',
      '-',
      ' ',
      '\r',
      '\0',
      '__proto__',
    );
    const line = fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 3 });
    const text = fc.array(line.map((parts) => parts.join(''))).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, (given) => {
        for (const path of patchedPaths(given)) expect(path).toMatch(/^[^\n]+$/);
      }),
      { numRuns: 1000 },
    );
  });

  test('a long one takes time in proportion', () => {
    const lines = Array.from({ length: 200_000 }, (_, n) => `*** Update File: f${n}`).join('\n');
    expect(patchedPaths(envelope(lines))).toHaveLength(200_000);
  });
});
