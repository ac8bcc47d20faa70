import { describe, expect, it } from 'vitest';
import type { Swap } from '../../base/file/swaps.ts';
import { beforeReplacing, isAllOf, ownPart, parseReplaced } from './replaced.ts';

const texts = (...swaps: Swap[]) => ({ swaps, isByLine: false });
const patch = (...swaps: Swap[]) => ({ swaps, isByLine: true });
const part = (...given: Parameters<typeof ownPart>) => {
  const found = ownPart(...given);
  return found && [found.before.toString('latin1'), found.after.toString('latin1')];
};
const utf8 = (text: string) => Buffer.from(text);
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('the texts that an edit replaced', () => {
  it('say what a file was, where the new text stands once', () => {
    expect(beforeReplacing(latin1('\xe9 new'), texts(['old', 'new']))?.toString('latin1')).toBe('\xe9 old');
    expect(beforeReplacing(utf8('new new'), texts(['old', 'new']))).toBeUndefined();
    expect(beforeReplacing(utf8('a'), texts(['old', '']))).toBeUndefined();
    expect(beforeReplacing(utf8('x\r\n1\r\n2\r\n'), texts(['a\nb', '1\n2']))?.toString()).toBe(
      'x\r\na\r\nb\r\n',
    );
  });

  it('are all that changed: also in other encodings, with other line ends, and lines found without their spaces', () => {
    expect(isAllOf(texts(['old', '']), utf8('a old b'), utf8('a  b'))).toBe(true);
    expect(isAllOf(texts(['old', 'new']), latin1('\xe9 old'), utf8('\uFFFD new'))).toBe(true);
    expect(
      isAllOf(texts(['old', 'new']), Buffer.from('é old', 'utf16le'), Buffer.from('é new', 'utf16le')),
    ).toBe(true);
    expect(isAllOf(texts(['old', 'new']), utf8('a\r\nold\r\n'), utf8('a\nnew\n'))).toBe(true);
    expect(isAllOf(patch(['a\nold\n', 'a\nnew\n']), utf8('a\nold'), utf8('a\nnew\n'))).toBe(true);
    expect(isAllOf(patch(['a\nold\n', 'a\nnew\n']), utf8('  a\nold \nb\n'), utf8('a\nnew\nb\n'))).toBe(true);
    expect(isAllOf(texts(['old', 'new']), utf8('a old b'), utf8('a new b, mine'))).toBe(false);
  });

  it('leave the rest to somebody else', () => {
    expect(part(texts(['old', 'new']), utf8('1\nold\n'), utf8('mine\nnew\n'))).toEqual([
      '1\nold\n',
      '1\nnew\n',
    ]);
    expect(part(texts(['mine', 'new']), utf8('1\nold\n'), utf8('1\nnew\n'))).toEqual([
      '1\nmine\n',
      '1\nnew\n',
    ]);
  });

  it('say nothing where a client may have written all of the file anew, or found lines without their spaces', () => {
    expect(part(texts(['old', 'new']), latin1('\xe9 old'), utf8('\uFFFD new, mine'))).toBeUndefined();
    expect(part(texts(['old', 'new']), utf8('1\r\nold\r\n'), utf8('1\nnew\nmine\n'))).toBeUndefined();
    expect(part(patch(['a\nold\n', 'a\nnew\n']), utf8(' a\nold\n'), utf8('a\nnew\nmine\n'))).toBeUndefined();
  });

  it('are read from what a hook kept, and from nothing else', () => {
    expect(parseReplaced(utf8('{"swaps":[["a","b"]],"by_line":true}'))).toEqual(patch(['a', 'b']));
    for (const bad of ['', '[]', '{"swaps":1}', '{"swaps":[["a"]]}', '{"swaps":[[1,2]]}'])
      expect(parseReplaced(utf8(bad))).toBeUndefined();
  });
});
