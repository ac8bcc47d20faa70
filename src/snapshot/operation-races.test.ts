import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Disk, disk, lookAt, replaceDisk } from '../base/file/disk.ts';
import { sha256Of } from '../base/hash.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { gitAt } from '../git/run.ts';
import { fingerprints } from '../session/record/turn-snapshot.ts';
import { applyOperation, type Conclude } from './operation.ts';
import { captureAll, type Place } from './place.ts';
import { listRecordIds, newRecord, newRecordId, readRecord } from './record/record.ts';
import { NO_TRANSCRIPT, type SnapshotRecord } from './record/snapshot-record.ts';
import { restorePaths } from './restore.ts';
import { blobFile } from './store/blobs.ts';
import { type FileState, MISSING } from './store/file-state.ts';
import { readTurnBegin, writeTurnBegin } from './turn/turn-begin.ts';

let place: Place;
const restore: Array<() => void> = [];
const PATH = 'dir/file.txt' as RepoPath;
const at = (...names: string[]) => join(place.root, ...names);

beforeEach(() => {
  const scratch = fs.mkdtempSync(join(tmpdir(), 'entire-races-'));
  place = { root: join(scratch, 'root'), store: join(scratch, 'store') };
  fs.mkdirSync(at('dir'), { recursive: true });
  fs.writeFileSync(at(PATH), 'agent\n');
});

afterEach(() => {
  for (const undo of restore.splice(0)) undo();
  fs.rmSync(join(place.root, '..'), { recursive: true, force: true });
});

/** Somebody does something right before the first call of that kind that is about the path. */
function meddle(name: keyof Disk, act: () => void): void {
  const call = disk[name] as (...args: unknown[]) => unknown;
  let isOver = false;
  const meddled = (...args: unknown[]) => {
    if (!isOver && args.some((arg) => typeof arg === 'string' && arg.endsWith('file.txt'))) {
      isOver = true;
      act();
    }
    return call(...args);
  };
  restore.push(replaceDisk({ [name]: Object.assign(meddled, call) } as Partial<Disk>));
}

/** The path as it is becomes `to`, and somebody does something after it was looked at. */
function change(to: FileState, meanwhile: () => void): SnapshotRecord {
  const look = lookAt(at(PATH));
  const from = captureAll(place, PATH);
  meanwhile();
  const files = new Map([[PATH, { before: from, after: to, source: 'tool' } as const]]);
  const record = newRecord({ id: newRecordId(undefined), kind: 'undo', files });
  return applyOperation(place, { record, looks: new Map([[PATH, look]]) });
}

function earlier(): FileState {
  fs.writeFileSync(at(PATH), 'before\n');
  const state = captureAll(place, PATH);
  fs.writeFileSync(at(PATH), 'agent\n');
  return state;
}

/** The folder is moved, and a link to where it went stands in its place. */
function moveBehindLink(): void {
  fs.renameSync(at('dir'), at('moved'));
  fs.symlinkSync('moved', at('dir'));
}

describe('a disk that fails once a file has another name', () => {
  it('gives the file its name back when the other one cannot be looked at', () => {
    const { lstatSync } = disk;
    const failing = (file: string, ...more: unknown[]) => {
      if (/old-[0-9a-f]{64}$/.test(file)) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      return (lstatSync as (...args: unknown[]) => unknown)(file, ...more);
    };
    restore.push(replaceDisk({ lstatSync: failing as Disk['lstatSync'] }));
    const { files, left } = change(MISSING, () => {});
    expect([[...files.keys()], left.get(PATH)]).toEqual([[], 'EIO: i/o error']);
    expect(fs.readFileSync(at(PATH), 'utf8')).toBe('agent\n');
  });

  it('a folder that cannot be tidied up is no failure of a file that is done', () => {
    const { lstatSync } = disk;
    let looks = 0; // of the folder, once the file has gone: the first one still belongs to that
    const failing = (file: string, ...more: unknown[]) => {
      if (!fs.existsSync(at(PATH)) && file === at('dir') && looks++ === 1)
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      return (lstatSync as (...args: unknown[]) => unknown)(file, ...more);
    };
    restore.push(replaceDisk({ lstatSync: failing as Disk['lstatSync'] }));
    const { files, left } = change(MISSING, () => {});
    expect(fs.existsSync(at(PATH))).toBe(false);
    expect(looks).toBeGreaterThan(1);
    expect([[...files.keys()], [...left]]).toEqual([[PATH], []]);
  });
});

describe('a path that changes under a step back', () => {
  it.each([
    ['deleted', () => MISSING],
    ['restored', earlier],
  ] as const)('whose folder is a link now is left, not %s through it', (_, to) => {
    const { left } = change(to(), moveBehindLink);
    expect(left.get(PATH)).toMatch(/a file or a link now|changed a moment ago/);
    expect(fs.readFileSync(at('moved', 'file.txt'), 'utf8')).toBe('agent\n');
  });

  it('whose folder becomes a link in the last moment is left', () => {
    meddle('renameSync', moveBehindLink);
    const { left } = change(MISSING, () => {});
    expect(left.size).toBe(1);
    expect(fs.readFileSync(at('moved', 'file.txt'), 'utf8')).toBe('agent\n');
  });

  it('that is a folder now is left', () => {
    const { left } = change(earlier(), () => {
      fs.rmSync(at(PATH));
      fs.mkdirSync(at(PATH));
      fs.writeFileSync(at(PATH, 'inner.txt'), 'inner\n');
    });
    expect(left.get(PATH)).toBe('it was changed a moment ago');
    expect(fs.readFileSync(at(PATH, 'inner.txt'), 'utf8')).toBe('inner\n');
  });

  it('that becomes a folder in the last moment is left', () => {
    const to = earlier();
    meddle('renameSync', () => {
      fs.rmSync(at(PATH));
      fs.mkdirSync(at(PATH));
    });
    const { left } = change(to, () => {});
    expect([left.size, fs.lstatSync(at(PATH)).isDirectory()]).toEqual([1, true]);
  });

  it('that somebody wrote since is left', () => {
    const { left } = change(earlier(), () => fs.writeFileSync(at(PATH), 'user, in between\n'));
    expect(left.get(PATH)).toBe('it was changed a moment ago');
    expect(fs.readFileSync(at(PATH), 'utf8')).toBe('user, in between\n');
  });

  it('into which somebody writes in the last moment: what was written is kept', () => {
    const to = earlier();
    meddle('renameSync', () => fs.appendFileSync(at(PATH), 'user, in the last moment\n'));
    const { files } = change(to, () => {});
    const late = Buffer.from('agent\nuser, in the last moment\n');
    expect(files.get(PATH)?.before).toMatchObject({ sha256: sha256Of(late), size: late.length });
    expect(fs.readFileSync(blobFile(place.store, sha256Of(late)))).toEqual(late);
    const [id] = listRecordIds(place.store) as [string];
    expect(readRecord(place.store, id).files).toEqual(files);
  });

  it.each([
    ['removed', () => MISSING],
    ['restored', earlier],
  ] as const)('that an editor replaces in the last moment: what it wrote is kept, when it is %s', (_, to) => {
    const target = to();
    meddle(target.kind === 'missing' ? 'renameSync' : 'linkSync', () => {
      fs.writeFileSync(at('dir/other'), 'user, by a rename\n');
      fs.renameSync(at('dir/other'), at(PATH));
    });
    const { files } = change(target, () => {});
    const late = Buffer.from('user, by a rename\n');
    expect(files.get(PATH)?.before).toMatchObject({ sha256: sha256Of(late) });
    expect(fs.readFileSync(blobFile(place.store, sha256Of(late)))).toEqual(late);
  });

  it('that was missing, and that somebody makes in the last moment, is left', () => {
    const to = earlier();
    fs.rmSync(at(PATH));
    meddle('linkSync', () => {}); // the look at what is there
    let calls = 0;
    const { linkSync } = disk;
    restore.push(
      replaceDisk({
        linkSync: (from, file) => {
          if (++calls === 2) fs.writeFileSync(at(PATH), 'user, in the last moment\n');
          linkSync(from, file);
        },
      }),
    );
    const { left } = change(to, () => {});
    expect(left.get(PATH)).toBe('it was changed a moment ago');
    expect(fs.readFileSync(at(PATH), 'utf8')).toBe('user, in the last moment\n');
  });

  it('of which the last words cannot be kept is as it was, and left', () => {
    const to = earlier();
    meddle('renameSync', () => {
      fs.appendFileSync(at(PATH), 'user, in the last moment\n');
      const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      const { openSync } = disk;
      restore.push(
        replaceDisk({
          openSync: ((file: never, ...rest: [never]) => {
            if (String(file).includes('/blobs/')) throw full;
            return openSync(file, ...rest);
          }) as Disk['openSync'],
        }),
      );
    });
    const { left } = change(to, () => {});
    expect(left.get(PATH)).toContain('ENOSPC');
    expect(fs.readFileSync(at(PATH), 'utf8')).toBe('agent\nuser, in the last moment\n');
  });

  it('whose stored content is damaged is left, and the others are done', () => {
    const to = earlier();
    fs.writeFileSync(blobFile(place.store, (to as { sha256: string }).sha256), 'damaged');
    const { files, left } = change(to, () => {});
    expect([files.size, left.get(PATH)]).toEqual([0, expect.stringContaining('is damaged')]);
    expect(fs.readFileSync(at(PATH), 'utf8')).toBe('agent\n');
  });

  it('that cannot be read is left, and nothing is said of room on the disk', () => {
    const to = earlier();
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    const { readFileSync, openSync } = disk;
    const refuse = (file: unknown): void => {
      if (typeof file === 'string' && file.endsWith('file.txt')) throw denied;
    };
    restore.push(
      replaceDisk({
        readFileSync: ((file: never, ...rest: never[]) => {
          refuse(file);
          return readFileSync(file, ...rest);
        }) as Disk['readFileSync'],
        openSync: ((file: never, ...rest: [never]) => {
          refuse(file);
          return openSync(file, ...rest);
        }) as Disk['openSync'],
      }),
    );
    const what = {
      kind: 'rewind',
      turnId: '',
      subject: '',
      effects: [],
      targets: [{ path: PATH, to }],
    } as const;
    const { left } = restorePaths(place, gitAt(place.root), what);
    expect(left.get(PATH)).toMatch(/^it cannot be read: .*EACCES/);
  });

  it.each(['the same disk', 'another disk'])(
    'whose name is as long as can be is put back, on %s',
    (where) => {
      const path = `dir/${'n'.repeat(255)}` as RepoPath;
      fs.writeFileSync(at(path), 'before\n');
      const before = captureAll(place, path);
      fs.writeFileSync(at(path), 'agent\n');
      const across = () => {
        throw Object.assign(new Error('EXDEV: cross-device link not permitted'), { code: 'EXDEV' });
      };
      const { linkSync, renameSync } = disk;
      const isAcross = (from: unknown, to: unknown) =>
        where === 'another disk' && String(from).includes('staging-') !== String(to).includes('staging-');
      restore.push(
        replaceDisk({
          linkSync: (from, to) => (isAcross(from, to) ? across() : linkSync(from, to)),
          renameSync: (from, to) => (isAcross(from, to) ? across() : renameSync(from, to)),
        }),
      );
      const files = new Map([
        [path, { before: captureAll(place, path), after: before, source: 'tool' } as const],
      ]);
      const record = newRecord({ id: newRecordId(undefined), kind: 'undo', files });
      expect([...applyOperation(place, { record }).left]).toEqual([]);
      expect(fs.readFileSync(at(path), 'utf8')).toBe('before\n');
      expect(fs.readdirSync(at('dir')).sort()).toEqual(['file.txt', 'n'.repeat(255)]);
    },
  );
});

it('tells the turn that comes next nothing of a path that changes once a step back has put it there', () => {
  const begun = { turnId: 'turn', at: '', head: '', transcript: NO_TRANSCRIPT, last: undefined };
  writeTurnBegin(place.store, { ...begun, files: new Map() });
  const to = earlier();
  const files = new Map([[PATH, { before: captureAll(place, PATH), after: to, source: 'tool' } as const]]);
  const record = newRecord({ id: newRecordId(undefined), kind: 'undo', files });
  const conclude: Conclude = (effects) => {
    fs.writeFileSync(at(PATH), 'somebody, later\n');
    return effects;
  };
  applyOperation(place, { record, conclude });
  const told = readTurnBegin(place.store)?.files.get(PATH);
  expect(told?.state).toEqual(to);
  expect(told?.fingerprint).not.toBe(fingerprints(place.root, [PATH]).get(PATH));
});
