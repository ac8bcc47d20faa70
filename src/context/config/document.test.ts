import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseDocument, readDocument } from './document.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-document-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const refused = (reason: string) =>
  expect.objectContaining({ code: 'CONFIG_UNREADABLE', message: expect.stringContaining(reason) });

test('a document that is nested without end is refused, whatever its format', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(() => parseDocument(`{"a":${deep}}`, 'c.json')).toThrow(refused('nested too deep'));
  expect(() => parseDocument(`a = ${deep}`, 'c.toml')).toThrow(refused('nested'));
});

test('what is no file, or larger than any document, is refused before it is read', () => {
  const file = join(dir, 'c.toml');
  expect(readDocument(file)).toBeUndefined();
  writeFileSync(file, 'a = 1\n');
  expect(readDocument(file)?.values).toEqual({ a: 1 });
  truncateSync(file, 3 * 1024 ** 3);
  expect(() => readDocument(file)).toThrow(refused('larger than 1 MiB'));
  rmSync(file);
  symlinkSync('/dev/zero', file);
  expect(() => readDocument(file)).toThrow(refused('a device'));
  expect(() => readDocument(dir)).toThrow(refused('a folder'));
});
