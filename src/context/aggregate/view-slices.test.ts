import { describe, expect, test } from 'vitest';
import { FileItem } from '../file-item.ts';
import { FuzzyAnchor } from '../slice/fuzzy-anchor.ts';
import { renderSlices } from './view.ts';

const PYTHON = 'import re\n\nLIMIT = 3\n\ndef main():\n    print("main")\n';

describe('slices with an anchor', () => {
  const slice = FuzzyAnchor.createSlice(PYTHON, 5, 6, { tag: 'main' });
  const shown = (text: string): string => renderSlices(text, [slice]);

  test('are found again where they have moved to', () => {
    expect(shown(`# new\n# lines\n${PYTHON}`)).toBe(
      '---\n[Slice: main]\nLines 7-8 (moved, was lines 5-6):\ndef main():\n    print("main")',
    );
  });

  test('say where their text has changed', () => {
    const text = shown(PYTHON.replace('"main"', '"other"'));
    expect(text).toContain(
      'Lines 5-6 (changed since it was chosen as lines 5-6):\ndef main():\n    print("other")',
    );
  });

  test('are told without lines where their text is gone', () => {
    expect(shown('x = 1\n')).toBe('---\n[Slice: main]\n(not shown: what was lines 5-6 is gone)');
  });

  test('that could be in very many places are told with a few of them', () => {
    const one = FuzzyAnchor.createSlice('x\n'.repeat(2000), 1000, 1000);
    expect(renderSlices('x\n'.repeat(500), [one])).toMatch(
      /^---\n\[Slice\]\nLines .* may also be lines (\d+-\d+, ){5}and \d+ more\):\nx$/,
    );
  });

  test('without one are told as gone beyond the end of the file', () => {
    const item = new FileItem({ path: 'a.py', customSlices: [{ start_line: 5, end_line: 6 }] });
    expect(renderSlices('one\ntwo\n', item.customSlices)).toBe(
      '---\n[Slice]\n(not shown: what was lines 5-6 is gone)',
    );
  });
});
