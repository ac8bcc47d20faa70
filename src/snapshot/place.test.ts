import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RepoPath } from '../base/repo-path.ts';
import { captureAll, type Place } from './place.ts';
import { blobFile, partsFile } from './store/blobs.ts';
import { readBlob, storeParts } from './store/chunks.ts';
import type { FileState } from './store/file-state.ts';

let place: Place;
beforeEach(() => {
  const scratch = mkdtempSync(join(tmpdir(), 'entire-place-'));
  place = { root: join(scratch, 'root'), store: join(scratch, 'store') };
  mkdirSync(place.root);
});
afterEach(() => rmSync(join(place.root, '..'), { recursive: true, force: true }));

const shaOf = (state: FileState): string => ('sha256' in state ? state.sha256 : '');
const PATH = 'file' as RepoPath;

it.each([
  ['of no bytes', ''],
  ['of other bytes', 'damaged'],
])('what is about to be replaced is kept once more where the stored content is one %s', (_, damage) => {
  writeFileSync(join(place.root, PATH), 'work of hours\n');
  const sha256 = shaOf(captureAll(place, PATH));
  writeFileSync(blobFile(place.store, sha256), damage);
  captureAll(place, PATH);
  expect(readBlob(place.store, sha256).toString()).toBe('work of hours\n');
});

it('so is a link, and a large file whose parts are damaged', () => {
  symlinkSync('somewhere', join(place.root, 'link'));
  const link = shaOf(captureAll(place, 'link' as RepoPath));
  writeFileSync(blobFile(place.store, link), '');
  captureAll(place, 'link' as RepoPath);
  expect(readBlob(place.store, link).toString()).toBe('somewhere');

  const bytes = Buffer.from('a line\n'.repeat(20_000));
  writeFileSync(join(place.root, PATH), bytes);
  const sha256 = shaOf(captureAll(place, PATH));
  storeParts(place.store, sha256, bytes, undefined);
  writeFileSync(partsFile(place.store, sha256), '');
  captureAll(place, PATH);
  storeParts(place.store, sha256, bytes, undefined);
  expect(readBlob(place.store, sha256).equals(bytes)).toBe(true);
});
