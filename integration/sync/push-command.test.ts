import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { realGit, withProgram } from '../support/process/programs.ts';
import { needsTerminal } from '../support/process/terminal.ts';
import {
  addBare,
  addCheckpoint,
  addCommit,
  checkpointsOn,
  METADATA,
  noteShown,
  setPush,
  userPush,
  withOrigin,
} from '../support/repository/clones.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const told = (text: string, repo: TestRepo): string =>
  text
    .replaceAll(repo.scratch, '/place')
    .replace(/\d+(\.\d+)? (bytes|KiB)/g, '1.0 KiB')
    .replace(/\b[0-9a-f]{12}\b/g, 'a1b2c3d4e5f6')
    .replace(/\b[0-9a-f]{40}\b/g, '<commit>')
    .replace(/\b[0-9a-f]{7}\b/g, '1234567')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-02T03:04:05Z');

scenario('push: preview, consent, the push, and its record', (repo) => {
  const bare = withOrigin(repo, false);
  const session = repo.session('5e551011-0000-4000-8000-000000000001');
  session.prompt('my key is AKIAZ7Q2M4X6P8R3T5W9, please');
  session.edit('a.txt', 'one\n');
  session.stop();
  const id = repo.commit('Add a', 'a.txt') as string;

  const preview = repo.entire('push', '--preview').stdout;
  expect(told(preview, repo)).toMatchInlineSnapshot(`
    "Would push entire/checkpoints/v1 to origin (file:///place/remote.git), once you say yes (--yes):
      Checkpoints: 1 (1 new, 0 changed)
      Sessions:    1
      Size:        1.0 KiB
      Redactions:  1 × aws
      Consent:     no, by git config entire.pushSessions

      a1b2c3d4e5f6  new      5e551011
    "
  `);
  expect(preview).toContain(id);
  expect(repo.entire('push', '--dry-run').stdout).toBe(preview);
  const json = JSON.parse(repo.entire('push', '--preview', '--json').stdout);
  expect(json).toEqual({
    remote: 'origin',
    url: `file://${bare}`,
    consent: 'no',
    from: null,
    to: repo.git('rev-parse', METADATA),
    checkpoints: [{ id, new: true, sessions: [session.id] }],
    sessions: [session.id],
    notes: 0,
    bytes: expect.any(Number),
    redactions: {
      marks: { REDACTED: expect.any(Number) },
      by_rule: { aws: 1 },
      unknown_sessions: [],
    },
    steps_elsewhere: [],
  });
  expect(json.bytes).toBeGreaterThan(100);
  expect(json.redactions.marks.REDACTED).toBeGreaterThan(0);

  const caches = join(repo.commonDir, 'entire', 'transcripts');
  renameSync(caches, `${caches}-away`);
  expect(repo.entire('push', '--preview').stdout).toMatch(
    /^ {2}Redactions: {2}\d × REDACTED, in place of what was taken out \(each copy of a text counts\); by which rules is not known on this machine$/m,
  );
  renameSync(`${caches}-away`, caches);

  const refused = repo.tryEntire('push');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatchInlineSnapshot(`
    "Error: Pushing is not allowed: push_sessions is off.
    Hint: Look at \`entire push --preview\`; then \`entire push --yes\` for this once, or \`entire enable --push-sessions\`.
    "
  `);
  expect(repo.tryEntire('push', '--json').code).toBe(1);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([]);
  expect(repo.entire('push', '--log').stdout).toBe(
    'Entire has pushed nothing from this repository. What `git push --all` takes along is not listed here.\n',
  );

  expect(told(repo.entire('push', '--yes').stdout, repo)).toMatchInlineSnapshot(`
    "Pushed 1 checkpoint (1.0 KiB) to origin (file:///place/remote.git).
    "
  `);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([id]);
  expect(repo.entire('push').stdout).toBe('Everything up-to-date with origin.\n');
  expect(repo.entire('push', '--preview').stdout).toBe('Nothing to push: origin has every checkpoint.\n');
  expect(told(repo.entire('push', '--log').stdout, repo)).toMatchInlineSnapshot(`
    "2026-01-02T03:04:05Z  (none)..1234567  origin (file:///place/remote.git)  1 checkpoint, 1.0 KiB  pushed

    What \`git push --all\` takes along is not listed here.
    "
  `);
  expect(JSON.parse(repo.entire('push', '--log', '--json').stdout)).toEqual([
    {
      at: expect.any(String),
      remote: 'origin',
      url: `file://${bare}`,
      from: null,
      to: json.to,
      checkpoints: 1,
      bytes: json.bytes,
      result: 'pushed',
    },
  ]);
  expect(JSON.parse(repo.entire('push', '--json').stdout)).toMatchObject({
    result: 'up-to-date',
    failure: null,
  });
});

variation('push and fetch say what is missing', (repo) => {
  const outside = repo.tryEntire('push');
  expect(outside.code).toBe(1);
  expect(outside.stderr).toContain("Please run 'entire push' from within a git repository.");

  repo.ready();
  const error = (...args: string[]) => {
    const { code, stderr } = repo.tryEntire(...args);
    return { code, said: told(stderr, repo).trim().split('\n') };
  };
  expect(error('push')).toEqual({
    code: 1,
    said: [
      'Error: There is no remote to use.',
      'Hint: Add one with `git remote add`, or name one of several: `git remote -v` lists them.',
    ],
  });
  expect(error('fetch', 'nobody')).toEqual({
    code: 1,
    said: ['Error: There is no remote nobody.', 'Hint: `git remote -v` lists them.'],
  });
  expect(error('fetch', '--timeout', '0').code).toBe(2);
  expect(error('push', '--timeout', 'soon').code).toBe(2);
  expect(error('push', '--log', '--preview').code).toBe(2);
  expect(error('push', '--nonsense').code).toBe(2);

  repo.git('remote', 'add', 'origin', `file://${repo.scratch}/nowhere.git`);
  expect(error('fetch')).toEqual({
    code: 1,
    said: [
      expect.stringContaining(
        "Error: Failed to fetch checkpoints from origin: '/place/nowhere.git' does not appear",
      ),
      'Hint: Look at `git remote -v`.',
    ],
  });
  expect(error('push', '--yes').said[0]).toContain('Failed to push checkpoints to origin');
  repo.git('remote', 'set-url', 'origin', `file://${addBare(repo)}`);
  expect(repo.entire('fetch').stdout).toContain('has no checkpoints.');
  expect(repo.entire('push', '--yes').stdout).toBe('There are no checkpoints to push.\n');
  repo.write('.entire/settings.json', '{');
  expect(error('push').said[0]).toContain('Error: .entire/settings.json is not read: ');
});

variation('passwords in URLs are neither shown nor recorded', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  repo.git('remote', 'set-url', 'origin', 'https://me:hunter2@github.com/x/y?token=hunter3');
  repo.git('config', `url.file://${bare}.insteadOf`, 'https://me:hunter2@github.com/x/y?token=hunter3');
  noteShown(repo);
  repo.entire('push');
  repo.git('config', '--unset-all', `url.file://${bare}.insteadOf`);
  noteShown(repo);
  repo.git('config', 'http.proxy', 'http://127.0.0.1:9');
  addCheckpoint(repo);
  const shown = [repo.entire('push', '--preview'), repo.tryEntire('push'), repo.entire('push', '--log')];
  const text = shown.map(({ stdout, stderr }) => stdout + stderr).join('');
  const record = readFileSync(join(repo.commonDir, 'entire', 'pushes.jsonl'), 'utf8');
  expect(text + record + repo.logText()).not.toContain('hunter');
  expect(text).toContain('https://github.com/x/y');
});

variation('a push with nothing new costs two git processes and no connection', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  userPush(repo);
  addCommit(repo);

  const log = join(repo.scratch, 'calls');
  renameSync(bare, `${bare}-is-gone`);
  const env = withProgram(repo, 'git', `echo "$@" >>'${log}'`, `exec '${realGit(repo)}' "$@"`);
  expect(repo.run('entire', ['hooks', 'git', 'pre-push', 'origin'], { env })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const calls = readFileSync(log, 'utf8').trim().split('\n');
  expect(calls.map((call) => /\b(config|for-each-ref)\b/.exec(call)?.[1])).toEqual([
    'config',
    'for-each-ref',
  ]);

  const callsNow = (): number => {
    writeFileSync(log, '');
    repo.run('entire', ['hooks', 'git', 'pre-push', 'origin'], { env });
    return readFileSync(log, 'utf8').split('\n').length - 1;
  };
  setPush(repo, false);
  expect(callsNow()).toBe(1);
  repo.write('.entire/settings.json', '{"strategy_options": {"push_sessions": false}}');
  // What the user's own push takes along git's configuration tells.
  expect(callsNow()).toBe(1);
});

variation('from a linked worktree and a sub-directory', (repo) => {
  const bare = withOrigin(repo);
  repo.git('worktree', 'add', '--quiet', '-b', 'topic', '../tree');
  const main = repo.dir;
  repo.dir = join(repo.scratch, 'tree');
  addWork(repo, { 'sub/b.txt': 'b\n' });
  const id = repo.commit('Add b', 'sub/b.txt') as string;
  const pushed = repo.run('git', ['push', 'origin', 'topic'], { cwd: join(repo.dir, 'sub') });
  expect(pushed.stderr).toContain('[entire] Pushing session logs to origin...');
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([id]);
  repo.dir = main;
  expect(repo.entire('push', '--log').stdout).toContain('1 checkpoint');
});

variation('whoever is asked may think about it longer than a remote may take', (repo, skip) => {
  needsTerminal(skip);
  const bare = withOrigin(repo, 'undecided');
  const id = addCheckpoint(repo);
  const script = '(sleep 6; echo y) | script -qec "entire push --timeout 5" /dev/null';
  const { stdout } = repo.run('sh', ['-c', script], { env: { ACCESSIBLE: '1' } });
  expect(stdout).toContain('The settings do not let checkpoints leave this machine by themselves.');
  expect(stdout).toContain('Pushed 1 checkpoint');
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([id]);
});

variation('status says where session logs went, though they do not go along by themselves', (repo) => {
  const bare = withOrigin(repo, false);
  const logs = () => /Session logs: .*/.exec(repo.entire('status').stdout)?.[0];
  const no = '(no, by git config entire.pushSessions)';
  addCheckpoint(repo, 'a.txt');
  expect(logs()).toBe(`Session logs: stay on this machine ${no}`);
  renameSync(bare, `${bare}.away`);
  expect(repo.tryEntire('push', '--yes').code).toBe(1);
  expect(logs()).toBe(`Session logs: stay on this machine ${no}`);
  renameSync(`${bare}.away`, bare);
  repo.entire('push', '--yes');
  expect(logs()).toBe(
    `Session logs: pushed to origin (file://${bare}) just now; they do not go along with your pushes ${no}`,
  );
});
