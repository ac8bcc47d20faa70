import { expect, test } from 'vitest';
import { stripTags } from './prompt-tags.ts';

test('any ide tag closes any other, whatever stands in it', () => {
  expect(stripTags('<ide_opened_file>a.ts</ide_selection x="1">Go on')).toBe('Go on');
  expect(stripTags('<ide_x>a</ide_>b')).toBe('b');
  expect(stripTags('<ide_x>a</ide_x b')).toBe('<ide_x>a</ide_x b');
});

test('ends, also where a megabyte of tags opens and none closes', () => {
  const hostile = ['<ide_', '</ide_', '<ide_x>', '<ide_x '].map((start) => start + 'a'.repeat(500_000));
  for (const text of [...hostile, `<ide_x>${hostile[1]}`, `<ide_x>${'</ide_'.repeat(100_000)}`])
    expect(stripTags(text)).toBe(text.trim());
});
