import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk, replaceDisk } from '../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import {
  appendFilesTouched,
  claimFilesTouched,
  readFilesTouched,
  sessionsDir,
  trackingFile,
} from './tracking-file.ts';

const id = parseSessionId('s1') as SessionId;
const real = { ...disk };
let root: string;
let dir: string;
let file: string;
let restore = () => {};
const append = (...paths: string[]) => appendFilesTouched(file, paths as RepoPath[]);
const tracked = () => readFilesTouched(dir, id) as string[];
const text = () => readFileSync(file, 'utf8');
const replace = (calls: Parameters<typeof replaceDisk>[0]) => {
  restore = replaceDisk(calls);
};
/** Runs `action` in place of the first call, then goes on as usual. */
const once = (action: () => void) => {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
};
const failure = (code: string) => () => {
  throw Object.assign(new Error(`${code}: failed`), { code });
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'entire-tracking-'));
  dir = sessionsDir(root);
  file = trackingFile(dir, id);
});
afterEach(() => {
  restore();
  restore = () => {};
  rmSync(root, { recursive: true, force: true });
});

describe('writing and reading', () => {
  test('one path per line, in a private file', () => {
    append('src/a.ts');
    append('b c', 'é');
    expect(file).toBe(join(root, 'entire-sessions', 's1.files'));
    expect(text()).toBe('src/a.ts\nb c\né\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dir).mode & 0o027).toBe(0);
  });

  test('reading sorts, drops doubles and what is no path', () => {
    mkdirSync(dir);
    writeFileSync(file, 'b\n\na\r\na\nb\n/etc/passwd\n../up\na/../b\nnul\0\nlast without end');
    expect(tracked()).toEqual(['a', 'b', 'last without end']);
  });

  test('a session that never wrote has no files', () => {
    expect(tracked()).toEqual([]);
    expect(claimFilesTouched(dir, id).paths).toEqual([]);
  });

  test('another worktree has a file of its own', () => {
    const other = trackingFile(dir, id, 'side');
    appendFilesTouched(other, ['x' as RepoPath]);
    appendFilesTouched(trackingFile(dir, id, ''), ['y' as RepoPath]);
    expect(readdirSync(dir)).toEqual(['s1@.files', 's1@side.files']);
    expect(tracked()).toEqual([]);
    expect(readFilesTouched(dir, id, 'side')).toEqual(['x']);
    expect(claimFilesTouched(dir, id, '').paths).toEqual(['y']);
  });
});

describe('claims', () => {
  test('what was claimed is read until it is released', () => {
    append('a');
    const claim = claimFilesTouched(dir, id);
    append('b');
    expect(claim.paths).toEqual(['a']);
    expect(tracked()).toEqual(['a', 'b']);
    claim.release();
    expect(tracked()).toEqual(['b']);
    expect(readdirSync(dir)).toEqual(['s1.files']);
  });

  test('claims that a crash left behind are read and released with the next', () => {
    append('a');
    claimFilesTouched(dir, id);
    append('b');
    claimFilesTouched(dir, id);
    append('c');
    expect(tracked()).toEqual(['a', 'b', 'c']);
    const claim = claimFilesTouched(dir, id);
    expect(claim.paths).toEqual(['a', 'b', 'c']);
    claim.release();
    expect(readdirSync(dir)).toEqual([]);
  });

  test('sessions and worktrees with longer names are left alone', () => {
    const others = ['s10.files.claim-1', 's1@main.files.claim-1', 's1.files2', 's1.json'];
    mkdirSync(dir);
    for (const name of others) writeFileSync(join(dir, name), 'theirs\n');
    append('a');
    const claim = claimFilesTouched(dir, id);
    expect(claim.paths).toEqual(['a']);
    claim.release();
    expect(readdirSync(dir)).toEqual(others.sort());
  });

  test('a claim between open and write: written again', () => {
    append('old');
    const claim = once(() => claimFilesTouched(dir, id));
    replace({
      writeSync: ((fd: number, bytes: Buffer) => {
        claim();
        return real.writeSync(fd, bytes);
      }) as typeof disk.writeSync,
    });
    append('new');
    restore();
    expect(text()).toBe('new\n');
    expect(tracked()).toEqual(['new', 'old']);
  });

  test('a claim and its release between open and look: written to the new file only', () => {
    append('old');
    const consume = once(() => claimFilesTouched(dir, id).release());
    replace({
      fstatSync: ((fd: number) => {
        consume();
        return real.fstatSync(fd);
      }) as typeof disk.fstatSync,
    });
    append('new');
    restore();
    expect(tracked()).toEqual(['new']);
  });

  test('claims without end are an error, not a loop', () => {
    replace({
      writeSync: ((fd: number, bytes: Buffer) => {
        const count = real.writeSync(fd, bytes);
        if (existsSync(file)) unlinkSync(file);
        return count;
      }) as typeof disk.writeSync,
    });
    expect(() => append('a')).toThrow(expect.objectContaining({ code: 'WRITE_FAILED' }));
  });
});

describe('failures', () => {
  test('a short write is repeated on a line of its own', () => {
    let calls = 0;
    replace({
      writeSync: ((fd: number, bytes: Buffer) =>
        real.writeSync(fd, ++calls === 1 ? bytes.subarray(0, 5) : bytes)) as typeof disk.writeSync,
    });
    append('src/long-name.ts');
    restore();
    expect(text()).toBe('src/l\nsrc/long-name.ts\n');
    expect(tracked()).toContain('src/long-name.ts');
  });

  test('what another writer left torn does not swallow the next path', () => {
    let calls = 0;
    replace({
      writeSync: ((fd: number, bytes: Buffer) =>
        ++calls === 1
          ? real.writeSync(fd, bytes.subarray(0, 5))
          : failure('ENOSPC')()) as typeof disk.writeSync,
    });
    expect(() => append('src/long-name.ts')).toThrow('ENOSPC');
    restore();
    append('b.ts');
    expect(tracked()).toContain('b.ts');
  });

  test.each([
    ['writeSync', 'ENOSPC'],
    ['openSync', 'EACCES'],
    ['mkdirSync', 'EROFS'],
  ])('%s fails with %s: the hook hears of it', (call, code) => {
    replace({ [call]: failure(code) });
    expect(() => append('a')).toThrow(expect.objectContaining({ code }));
    restore();
    expect(tracked()).toEqual([]);
  });

  test('every descriptor is closed, also after a failure', () => {
    const open = new Set<number>();
    replace({
      openSync: ((...args: Parameters<typeof real.openSync>) => {
        const fd = real.openSync(...args);
        open.add(fd);
        return fd;
      }) as typeof disk.openSync,
      closeSync: (fd) => {
        open.delete(fd);
        real.closeSync(fd);
      },
      writeSync: failure('ENOSPC'),
    });
    expect(() => append('a')).toThrow('ENOSPC');
    expect(open.size).toBe(0);
  });
});

describe('something else in the place of the file', () => {
  beforeEach(() => mkdirSync(dir));

  test('a link is not followed, neither to write nor to read', () => {
    writeFileSync(join(root, 'theirs'), 'secret\n');
    symlinkSync(join(root, 'theirs'), file);
    expect(() => append('a')).toThrow(expect.objectContaining({ code: 'ELOOP' }));
    expect(readFileSync(join(root, 'theirs'), 'utf8')).toBe('secret\n');
    expect(tracked()).toEqual([]);
    expect(claimFilesTouched(dir, id).paths).toEqual([]);
  });

  test('a folder is refused', () => {
    mkdirSync(file);
    expect(() => append('a')).toThrow(expect.objectContaining({ code: 'EISDIR' }));
    expect(tracked()).toEqual([]);
  });

  test('a folder does not stand in the way of releasing a claim', () => {
    mkdirSync(file);
    expect(() => claimFilesTouched(dir, id).release()).not.toThrow();
  });

  test('a socket is refused, without waiting for its other end', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(file, resolve));
    expect(() => append('a')).toThrow(expect.objectContaining({ code: 'ENXIO' })); // as for a FIFO nobody reads
    expect(tracked()).toEqual([]);
    await new Promise((resolve) => server.close(resolve));
  });

  test('a device, or a FIFO that somebody reads, is refused after it was opened', () => {
    const device = ['/dev/null' as RepoPath];
    expect(() => appendFilesTouched('/dev/null', device)).toThrow(
      expect.objectContaining({ code: 'WRITE_FAILED' }),
    );
  });
});
