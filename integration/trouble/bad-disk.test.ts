import { chmodSync, mkdirSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { freeze } from '../support/repository/frozen.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { commitLinked, walkTheLine } from '../support/repository/walk.ts';

type Skip = (reason: string) => never;

/** Moves the repository to a disk of 8 MB. */
function onSmallDisk(repo: TestRepo, skip: Skip): void {
  const dir = join(repo.scratch, 'disk');
  mkdirSync(dir);
  const { code, stderr } = repo.run('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dir]);
  if (code !== 0) skip(`no file system can be mounted here: ${stderr.trim()}`);
  repo.onRemove(() => repo.run('umount', ['--lazy', dir]));
  repo.dir = join(dir, 'repo');
  mkdirSync(repo.dir);
}

describe('disks', () => {
  variation('a git folder that is read-only: every hook is silent and says why in the log', (repo, skip) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write');
    const thaw = freeze(repo, skip);
    const other = repo.session();
    for (const one of [session, other]) {
      expect(one.start()).toMatchObject({ code: 0 });
      expect(one.prompt('more').stdout).toBe('');
      expect(one.edit('a.txt', `${one.id}\n`)).toMatchObject({ stdout: '', stderr: '' });
      expect(one.stop().stdout).toBe('');
      expect(one.end().stdout).toBe('');
    }
    expect(repo.run('entire', ['hooks', 'git', 'post-commit'])).toMatchObject({ code: 0, stdout: '' });
    expect(repo.logText()).toMatch(/EROFS|EACCES|[Rr]ead-only|[Pp]ermission denied/);
    expect(repo.tryEntire('status').code).toBe(0);
    thaw();
    walkTheLine(repo, { folder: 'after/' });
  });

  variation(
    'a disk that is full: every hook is silent, nothing is damaged, and it goes on with room again',
    (repo, skip) => {
      onSmallDisk(repo, skip);
      repo.ready();
      const session = repo.session();
      session.prompt('write');
      session.edit('before.txt', 'before\n');
      const filler = join(repo.dir, '..', 'filler');
      for (const size of ['4096', '1'])
        repo.run('sh', [
          '-c',
          `head -c 9m /dev/zero | dd bs=${size} of='${filler}' oflag=append conv=notrunc 2>/dev/null`,
        ]);
      expect(session.reportEdit('before.txt')).toMatchObject({ stdout: '', stderr: '' });
      expect(session.stop().stdout).toBe('');
      expect(repo.session().prompt('another').stdout).toBe('');
      expect(session.end().stdout).toBe('');
      expect(repo.run('entire', ['hooks', 'git', 'post-commit'])).toMatchObject({ code: 0, stdout: '' });
      rmSync(filler);
      // What git's own fast-import leaves when it dies; `git gc` would delete the packs.
      repo.run('sh', ['-c', 'rm -f .git/fast_import_crash_* .git/objects/pack/tmp_pack_*']);
      session.prompt('go on');
      session.edit('after.txt', 'after\n');
      session.stop();
      expect(repo.state(session.id).files_touched).toEqual(['after.txt', 'before.txt']);
      commitLinked(repo, session, 'before.txt');
      commitLinked(repo, session, 'after.txt');
    },
  );

  variation('a disk that is nearly full: our hooks leave the user what a commit takes', (repo, skip) => {
    onSmallDisk(repo, skip);
    repo.ready();
    const session = repo.session();
    session.prompt('write');
    session.edit('a.txt', 'one\n');
    repo.git('add', 'a.txt');
    const kept = join(repo.scratch, 'kept');
    repo.run('cp', ['-a', repo.dir, kept]);
    const filler = join(repo.dir, '..', 'filler');
    /** Whether a commit succeeds with so many kilobytes left, with our hooks or with none. */
    const commits = (kib: number, isHooked: boolean): boolean => {
      repo.run('sh', ['-c', `rm -rf '${repo.dir}' '${filler}'; cp -a '${kept}' '${repo.dir}'`]);
      const { bavail, bsize } = statfsSync(repo.dir);
      writeFileSync(filler, new Uint8Array(bavail * bsize - kib * 1024));
      const hooks = isHooked ? [] : ['-c', `core.hooksPath=${repo.scratch}/none`];
      const { code, stderr } = repo.tryGit(...hooks, 'commit', '--quiet', '-m', 'Add a');
      if (isHooked && code === 0) expect(stderr).toContain('the disk is nearly full');
      return code === 0;
    };
    const sizes = [4, 8, 12, 16, 20, 24, 28, 32, 40, 64, 200];
    expect(sizes.map((kib) => commits(kib, true))).toEqual(sizes.map((kib) => commits(kib, false)));
    expect(commits(200, true)).toBe(true);
    expect(session.reportEdit('b.txt').code).toBe(0);
    expect(repo.tracked(session.id)).toEqual(['a.txt', 'b.txt']);
    expect(repo.logText()).toContain('the disk is nearly full');
    rmSync(filler);
    session.stop();
    expect(repo.git('notes', '--ref', 'refs/notes/entire', 'show', 'HEAD')).toContain('Entire-Checkpoint: ');
  });

  variation('an untracked file of 500 MB is not read, stored or in the way', (repo) => {
    repo.ready();
    const big = join(repo.dir, 'data.bin');
    writeFileSync(big, '');
    truncateSync(big, 500_000_000);
    chmodSync(big, 0o600);
    const past = new Date('2001-01-01T00:00:00Z');
    repo.run('touch', ['-a', '-d', past.toISOString(), big]); // the kernel moves it forward when somebody reads
    walkTheLine(repo);
    expect(statSync(big).atime).toEqual(past);
    const stored = repo.git('count-objects', '-v').match(/^size(?:-pack)?: (\d+)$/gm) ?? [];
    expect(stored.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)).toBeLessThan(2_000);
  });

  variation(
    'a file of more than 64 MiB that an agent makes is in no step, and is its own when it is committed',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('make a large one');
      session.edit('a.txt', 'one\n');
      writeFileSync(join(repo.dir, 'large.bin'), '');
      truncateSync(join(repo.dir, 'large.bin'), 64 * 1024 * 1024 + 1);
      session.stop();
      const [branch = ''] = repo.shadowBranches();
      expect(repo.git('ls-tree', '-r', '--name-only', branch)).not.toContain('large.bin');
      expect(repo.tracked(session.id)).toEqual(['large.bin']);
      expect(repo.logText()).toContain('file too large for the step');
      const id = repo.commit('Add a large one', 'large.bin') as string;
      expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['large.bin']);
    },
  );

  variation('65,000 recorded paths go through a commit and a stop', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write and delete a lot');
    session.edit('kept.txt', 'kept\n');
    const paths = Array.from(
      { length: 65_000 },
      (_, n) => `gone/${n % 100}/a file with a name of usual length ${n}.ts`,
    );
    const tracking = join(repo.commonDir, 'entire-sessions', `${session.id}.files`);
    writeFileSync(tracking, `kept.txt\n${paths.join('\n')}\n`);
    const id = repo.agentCommit('Add kept', 'kept.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['kept.txt']);
    session.edit('later.txt', 'later\n');
    session.stop();
    commitLinked(repo, session, 'later.txt');
  });
});
