import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { realGit, withProgram } from '../support/process/programs.ts';
import {
  addCheckpoint,
  addClone,
  addCommit,
  ledger,
  METADATA,
  serverHook,
  userPush,
  withOrigin,
} from '../support/repository/clones.ts';
import { scenario } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const NOTES = 'refs/notes/entire';
const id = (digit: string): string => digit.repeat(12);
const line = (digit: string): string => `Entire-Checkpoint: ${id(digit)}`;

/** Puts a note at a commit, as our hooks do where git's did not run. */
function addNote(repo: TestRepo, text: string, commit = 'HEAD'): string {
  const oid = repo.git('rev-parse', commit);
  repo.git('notes', '--ref=entire', 'add', '--force', `--message=${text}`, oid);
  return oid;
}

/** What notes say, by commit. */
function notesOf(repo: TestRepo, dir = repo.dir): Record<string, string> {
  const listed = repo.tryGit('-C', dir, 'notes', '--ref=entire', 'list').stdout.split('\n').filter(Boolean);
  return Object.fromEntries(
    listed.map((row) => {
      const [blob = '', commit = ''] = row.split(' ');
      return [commit, repo.git('-C', dir, 'cat-file', 'blob', blob)];
    }),
  );
}

scenario('notes go along with checkpoints, in the same push, and are united', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  const first = addNote(repo, line('1'));
  expect(repo.entire('push', '--preview').stdout).toContain('  Notes:       of 1 commit\n');
  expect(JSON.parse(repo.entire('push', '--preview', '--json').stdout).notes).toBe(1);
  expect(userPush(repo)).toEqual({ code: 0, said: [`[entire] Pushing session logs to origin...`] });
  expect(notesOf(repo, bare)).toEqual({ [first]: line('1') });
  expect(ledger(repo)[0]).toMatchObject({ state: 'started', checkpoints: 1, notes: 1 });

  const clone = addClone(repo, bare);
  expect(clone.entire('fetch').stdout).toMatch(/^Fetched notes of 1 commit from origin \(/);
  expect(notesOf(clone)).toEqual({ [first]: line('1') });
  expect(clone.git('log', '--notes=entire', '-1', '--format=%N', first)).toBe(line('1'));

  // Both write at once, one of them for the same commit.
  addNote(clone, `${line('1')}\n${line('2')}`, first);
  addNote(repo, `${line('1')}\n${line('3')}`, first);
  addCommit(repo);
  const second = addNote(repo, line('4'));
  repo.git('push', '--quiet');
  expect(clone.entire('push').stdout).toMatch(
    /^Pushed notes of 1 commit \(.*\) to origin .*, after merging what others had pushed\.\n$/,
  );
  repo.entire('fetch');
  const all = { [first]: `${line('1')}\n${line('2')}\n${line('3')}`, [second]: line('4') };
  for (const where of [repo.dir, clone.dir, bare]) expect(notesOf(repo, where)).toEqual(all);
  expect(repo.git('rev-parse', NOTES)).toBe(repo.git('-C', bare, 'rev-parse', NOTES));
  expect(repo.entire('fetch').stdout).toMatch(/^Already up to date with origin/);
  expect(repo.entire('push').stdout).toBe('Everything up-to-date with origin.\n');
  expect(repo.entire('push', '--log').stdout).toContain('0 checkpoints, notes of 2 commits');
  expect(repo.entire('verify').stdout).not.toContain('notes');
  repo.expectSound();
});

scenario('a note that was taken away goes in the other clones, too', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  const first = addNote(repo, line('1'));
  repo.git('push', '--quiet');
  const clone = addClone(repo, bare);
  clone.entire('fetch');
  repo.git('notes', '--ref=entire', 'remove', first);
  addCommit(clone);
  const other = addNote(clone, line('2'));
  clone.git('push', '--quiet');
  repo.entire('push');
  clone.entire('fetch');
  expect(notesOf(clone)).toEqual({ [other]: line('2') });
  expect(notesOf(repo, bare)).toEqual({ [other]: line('2') });
});

/** What our hook asks of a remote with one push. */
function remoteCalls(repo: TestRepo): string[] {
  const log = join(repo.scratch, 'calls');
  writeFileSync(log, '');
  const env = withProgram(repo, 'git', `echo "$@" >>'${log}'`, `exec '${realGit(repo)}' "$@"`);
  repo.run('entire', ['hooks', 'git', 'pre-push', 'origin'], { env });
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((call) => / (push|fetch|ls-remote) /.exec(` ${call} `)?.[1] ?? []);
}

scenario('without notes there is no such ref, and nothing more is asked of a remote', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  const without = remoteCalls(repo);
  expect(repo.tryGit('-C', bare, 'rev-parse', '--verify', '--quiet', NOTES).code).not.toBe(0);
  addCheckpoint(repo);
  addNote(repo, line('1'));
  expect(remoteCalls(repo)).toEqual(without);
  expect(without).toEqual(['push']);
  expect(Object.keys(notesOf(repo, bare))).toHaveLength(1);
});

scenario('a remote that refuses notes gets checkpoints, and says why it has no notes', (repo) => {
  const bare = withOrigin(repo);
  serverHook(bare, 'update', `case "$1" in refs/notes/*) echo "no notes here" >&2; exit 1;; esac`);
  addCheckpoint(repo);
  addNote(repo, line('1'));
  const { code, said } = userPush(repo);
  expect(code).toBe(0);
  expect(said).toEqual([
    '[entire] Pushing session logs to origin...',
    expect.stringMatching(
      /^\[entire\] Warning: session logs are pushed, and notes of commits could not be, to origin: .*no notes here$/,
    ),
  ]);
  expect(repo.git('-C', bare, 'rev-parse', METADATA)).toBe(repo.git('rev-parse', METADATA));
  const tried = repo.tryEntire('push');
  expect(tried.code).toBe(1);
  expect(tried.stderr).toContain('Failed to push notes of commits to origin');
  expect(JSON.parse(repo.tryEntire('push', '--json').stdout)).toMatchObject({
    result: 'up-to-date',
    notes: { result: 'failed', failure: { code: 'refused' } },
  });
});

scenario('notes of others under our ref: binary, huge, of another tool, no commit at all', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  const first = addNote(repo, line('1'));
  repo.git('push', '--quiet');
  const clone = addClone(repo, bare);
  clone.entire('fetch');

  const blob = (bytes: Buffer): string => {
    writeFileSync(join(clone.scratch, 'note'), bytes);
    return clone.git('hash-object', '-w', join(clone.scratch, 'note'));
  };
  const binary = blob(Buffer.from([0, 1, 255, 10, 0]));
  const huge = blob(Buffer.alloc(3 << 20, 'x\n'));
  addCommit(clone);
  clone.git('notes', '--ref=entire', 'add', '--force', '-C', binary, first);
  clone.git('notes', '--ref=entire', 'add', '--force', '-C', huge, 'HEAD');
  const second = clone.git('rev-parse', 'HEAD');
  clone.git('push', '--quiet');
  // Meanwhile the same commit is linked here as well.
  addNote(repo, `${line('1')}\n${line('2')}`, first);
  repo.entire('push');
  const merged = notesOf(repo);
  expect(merged[first]).toBe(line('2'));
  expect(repo.git('rev-parse', `${NOTES}:unmerged/${first}/${binary}`)).toBe(binary);
  expect(repo.git('notes', '--ref=entire', 'list', second)).toBe(huge);
  expect(repo.tryEntire('log').code).toBe(0);
  expect(repo.tryEntire('why', first).code).toBe(0);
  expect(repo.entire('verify').stdout).toMatch(/No problems|OK|ok/i);

  // What is no commit is refused, and keeps no checkpoint away.
  const id2 = addCheckpoint(clone);
  clone.git('push', '--quiet');
  repo.git('-C', bare, 'update-ref', NOTES, repo.git('-C', bare, 'rev-parse', `${NOTES}^{tree}`));
  const fetched = repo.tryEntire('fetch');
  expect(fetched.code).toBe(1);
  expect(fetched.stdout).toMatch(/^Fetched 1 checkpoint from origin/);
  expect(fetched.stderr).toContain(
    'Failed to fetch notes of commits from origin: its refs/notes/entire is no commit.',
  );
  expect(repo.tryEntire('explain', id2).code).toBe(0);
  expect(notesOf(repo)).toEqual(merged);
});

scenario('a note of a checkpoint that was forgotten travels, as messages do: it holds an id', (repo) => {
  const bare = withOrigin(repo);
  const session = repo.session();
  session.prompt('Write a file');
  session.edit('one.txt', 'one\n');
  session.stop();
  const checkpoint = repo.commit('Add one', 'one.txt') as string;
  addCommit(repo);
  const noted = addNote(repo, `Entire-Checkpoint: ${checkpoint}`);
  repo.entire('forget', session.id, '--yes');
  repo.git('push', '--quiet');
  expect(notesOf(repo, bare)).toEqual({ [noted]: `Entire-Checkpoint: ${checkpoint}` });
  expect(repo.entire('why', noted).stdout).toContain('forgotten');
});

scenario('verify, doctor and du know notes', (repo) => {
  withOrigin(repo);
  addCheckpoint(repo);
  const noted = addNote(repo, line('1'));
  expect(repo.entire('du').stdout).toMatch(/Notes of commits +[1-9].* 1 note\n/);
  expect(repo.tryEntire('verify').code).toBe(0);

  const blob = repo.git('notes', '--ref=entire', 'list', noted);
  rmSync(join(repo.commonDir, 'objects', blob.slice(0, 2), blob.slice(2)));
  const missing = repo.tryEntire('verify');
  expect(missing.code).toBe(1);
  expect(missing.stdout).toContain(`${NOTES}:${noted}`);

  writeFileSync(join(repo.commonDir, NOTES), 'x'.repeat(40));
  const broken = JSON.parse(repo.tryEntire('verify', '--json').stdout);
  expect(JSON.stringify(broken)).toContain(`"ref-broken"`);
  expect(repo.tryEntire('doctor').stdout).toContain(NOTES);
  rmSync(join(repo.commonDir, NOTES));
  rmSync(join(repo.commonDir, 'logs', NOTES));
});

const AUTHOR = ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.com'];

scenario('notes that git refuses keep no checkpoint away', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  repo.git('push', '--quiet');
  const clone = addClone(repo, bare);
  clone.entire('fetch');
  const id2 = addCheckpoint(repo);
  addNote(repo, line('1'));
  repo.git('push', '--quiet');
  // A tree that no git writes.
  const entry = Buffer.concat([
    Buffer.from('100644 .git\0'),
    Buffer.from(repo.git('notes', '--ref=entire', 'list', 'HEAD'), 'hex'),
  ]);
  writeFileSync(join(repo.scratch, 'tree'), entry);
  const tree = repo.git(
    '-C',
    bare,
    'hash-object',
    '-t',
    'tree',
    '-w',
    '--literally',
    join(repo.scratch, 'tree'),
  );
  const commit = repo.git('-C', bare, ...AUTHOR, 'commit-tree', '-m', 'Notes', tree);
  repo.git('-C', bare, 'update-ref', NOTES, commit);

  const fetched = clone.tryEntire('fetch');
  expect(fetched.code).toBe(1);
  expect(fetched.stdout).toMatch(/^Fetched 1 checkpoint from origin/);
  expect(fetched.stderr).toMatch(/Failed to fetch notes of commits from origin: it sent what git refuses/);
  expect(clone.entire('explain', id2).stdout).toContain(id2);
  expect(notesOf(clone)).toEqual({});
  expect(clone.tryGit('fsck', '--strict', '--no-dangling').code).toBe(0);
});
