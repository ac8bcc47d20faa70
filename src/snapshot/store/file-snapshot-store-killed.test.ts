import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killAt } from '../../../integration/support/process/killed.ts';
import { replaceDisk } from '../../base/file/disk.ts';
import { FileSnapshotStore } from './file-snapshot-store.ts';

const PATHS = ['a.txt', 'b.txt', 'deep/c.txt'];

let putBack: () => void;
beforeEach(() => {
  putBack = replaceDisk({ fsyncSync: () => {} }); // against power cuts, not kills; and slow
});
afterEach(() => putBack());

describe('a restore that is killed', () => {
  it('is finished by the next one, whichever snapshot that is of, and nothing is lost', () => {
    for (let at = 1, isKilled = true; isKilled; at += 3) {
      const scratch = mkdtempSync(join(tmpdir(), 'entire-killed-'));
      const [cwd, root] = [join(scratch, 'work'), join(scratch, 'store')];
      const write = (text: string) => {
        for (const path of PATHS) writeFileSync(join(cwd, path), `${text} ${path}\n`);
      };
      const read = () => PATHS.map((path) => readFileSync(join(cwd, path), 'utf8').split(' ')[0]);
      mkdirSync(join(cwd, 'deep'), { recursive: true });
      const store = new FileSnapshotStore({ root, cwd });
      write('old');
      const old = store.snap(PATHS);
      write('new');
      const latest = store.snap(PATHS);
      write('unkept');
      ({ isKilled } = killAt(at, () => store.restore(old)));
      for (const word of read()) expect(['old', 'unkept'], `killed at ${at}`).toContain(word);

      const again = new FileSnapshotStore({ root, cwd });
      const [target, word] = at % 2 === 0 ? [old, 'old'] : [latest, 'new'];
      expect([...again.restore(target).left], `killed at ${at}`).toEqual([]);
      expect(read(), `killed at ${at}`).toEqual([word, word, word]);
      const kept = readdirSync(join(root, 'blobs')).map((name) =>
        readFileSync(join(root, 'blobs', name), 'utf8'),
      );
      for (const path of PATHS) expect(kept, `killed at ${at}`).toContain(`unkept ${path}\n`);
      expect(readdirSync(root).sort(), `killed at ${at}`).toEqual(['blobs', 'snaps']);
      rmSync(scratch, { recursive: true });
    }
  });
});
