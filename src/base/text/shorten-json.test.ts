import { describe, expect, it } from 'vitest';
import { JsonShortener, type ShortLimits } from './shorten-json.ts';

function shorten(text: string, limits: Partial<ShortLimits> = {}, pieceBytes = 7): string {
  const shortener = new JsonShortener({ textBytes: 10, totalBytes: 1000, ...limits });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) shortener.push(bytes.subarray(at, at + pieceBytes));
  return shortener.end().toString('utf8');
}

describe('a JSON value that is too long', () => {
  it('keeps what is short as it stands, escapes at the edges of pieces included', () => {
    const line = String.raw`{"a": "x\"y\\", "b": [1, {"c": "\\\""}], "d": null}`;
    for (let size = 1; size <= line.length; size++) expect(shorten(line, {}, size)).toBe(line);
  });

  it('says of each long text how many bytes were left out', () => {
    const long = `${'x'.repeat(50)}\\"${'y'.repeat(48)}`;
    const line = `{"uuid":"u-1","message":{"content":[{"text":"${long}"},{"text":"short"}]}}`;
    for (const size of [1, 2, 3, 64, 1000])
      expect(JSON.parse(shorten(line, {}, size))).toEqual({
        uuid: 'u-1',
        message: { content: [{ text: '[entire: 100 bytes left out]' }, { text: 'short' }] },
      });
  });

  it('leaves the short fields of the outermost object where there is too much else', () => {
    const line = `{"type":"user","list":[${'1,'.repeat(900)}1],"uuid":"u-1","n":5,"o":{"p":1},"last":true}`;
    expect(JSON.parse(shorten(line, { totalBytes: 200 }))).toEqual({
      type: 'user',
      uuid: 'u-1',
      n: 5,
      last: true,
      entire_left_out_bytes: line.length,
    });
  });

  it('tells of what is no object, and of what ends in the middle, no more than it can', () => {
    const list = `[${'1,'.repeat(200)}1]`;
    expect(JSON.parse(shorten(list, { totalBytes: 100 }))).toEqual({ entire_left_out_bytes: list.length });
    const torn = `{"type":"user","list":[${'1,'.repeat(200)}`;
    expect(JSON.parse(shorten(torn, { totalBytes: 100 }))).toEqual({
      type: 'user',
      entire_left_out_bytes: torn.length,
    });
    const text = 'no JSON, '.repeat(100);
    expect(JSON.parse(shorten(text, { totalBytes: 100 }))).toEqual({ entire_left_out_bytes: text.length });
  });
});
