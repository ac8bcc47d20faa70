import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect } from 'vitest';
import { goOn, inTerminal, line, PAST, replacedLogs, turn, withFeature } from '../support/command/resume.ts';
import { needsTerminal } from '../support/process/terminal.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

const branchOf = (repo: { git(...args: string[]): string }) => repo.git('branch', '--show-current');

/** Nothing tells that the stored log has it not. */
const WITHOUT_ID = line('older', PAST).replace(/"uuid":"[^"]*",?/, '');

describe('resume', () => {
  onBothBuilds('from another branch it checks out the branch and restores the transcript', (repo) => {
    const { session } = withFeature(repo);
    const text = session.read();
    rmSync(dirname(session.transcript), { recursive: true });
    const { stdout, stderr } = repo.entire('resume', 'feature');
    expect(stdout).toBe('');
    expect(stderr).toBe(`Switched to branch 'feature'
Writing transcript to: ${session.transcript}
Session: ${session.id}

To continue this session, run:
  claude -r ${session.id}  # Add a.txt
`);
    expect(branchOf(repo)).toBe('feature');
    expect(session.read()).toBe(text);
    expect(statSync(session.transcript).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(session.transcript)).mode & 0o777).toBe(0o750);

    rmSync(session.transcript);
    const again = repo.entire('resume', 'feature');
    expect(again.stderr).not.toContain('Switched');
    expect(again.stderr).toContain(`claude -r ${session.id}`);
    expect(session.read()).toBe(text);
  });

  variation(
    'without checkpoints it stays on the branch; what is no branch, or not clean, is a failure',
    (repo) => {
      withFeature(repo);
      repo.git('switch', '--quiet', '-c', 'plain');
      repo.git('switch', '--quiet', 'main');
      expect(repo.entire('resume', 'plain').stderr).toBe(
        "Switched to branch 'plain'\nNo Entire checkpoint found on branch 'plain'\n",
      );
      expect(branchOf(repo)).toBe('plain');

      const missing = repo.tryEntire('resume', 'no-such-branch');
      expect(missing).toMatchObject({ code: 1, stdout: '' });
      expect(missing.stderr).toContain(
        'Error: no such branch, commit, checkpoint or session here or on origin: no-such-branch',
      );

      for (const stage of [false, true]) {
        repo.write('README.md', '# changed\n');
        if (stage) repo.git('add', 'README.md');
        const dirty = repo.tryEntire('resume', 'feature');
        expect(dirty).toMatchObject({ code: 1, stdout: '' });
        expect(dirty.stderr).toContain('you have uncommitted changes. Please commit or stash them first');
        expect([branchOf(repo), repo.read('README.md')]).toEqual(['plain', '# changed\n']);
      }
    },
  );

  variation('a local log without newer entries gives way without a question, and is kept', (repo) => {
    const { session } = withFeature(repo);
    const text = session.read();
    const [first = ''] = text.split('\n');
    for (const local of ['{"type":"user"}\n', WITHOUT_ID, `${first}\n`, 'no transcript at all', '']) {
      writeFileSync(session.transcript, local, { mode: 0o644 });
      const { stderr } = repo.entire('resume', 'feature');
      expect(session.read(), local).toBe(text);
      expect(statSync(session.transcript).mode & 0o777).toBe(0o600);
      expect(replacedLogs(repo, session.id)).toContain(local);
      expect(stderr).toContain(
        `The transcript that was replaced is kept as: ${repo.commonDir}/entire/replaced-logs/`,
      );
    }
  });

  variation('a local log that holds the same, unredacted, or more without a time is left alone', (repo) => {
    repo.ready();
    repo.git('switch', '--quiet', '-c', 'feature');
    const session = repo.session();
    const secret = ['gh', 'p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    turn(repo, session, 'a.txt', `Use ${secret} for it`);
    appendFileSync(session.transcript, '{"type":"last-prompt"}\n');
    const text = session.read();
    const { stderr } = repo.entire('resume', 'feature');
    expect(stderr).toContain(`Already up to date: ${session.transcript}`);
    expect(stderr).toContain(`claude -r ${session.id}`);
    expect(session.read()).toBe(text);
    expect(text).toContain(secret);
    expect(replacedLogs(repo, session.id)).toEqual([]);
  });

  variation('a newer local log is never overwritten unasked', (repo) => {
    const { session } = withFeature(repo);
    const stored = session.read();
    goOn(session);
    const newer = session.read();
    const refused = repo.tryEntire('resume', 'feature');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /\nWarning: Local session log\(s\) have newer entries than the checkpoint:\n {2}"Add a\.txt"\n {4}Local last entry: {6}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n {4}Checkpoint last entry: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n\nOverwriting will lose the newer local entries\.\n\nError: .*nothing was written\nHint: To go on with what is here: claude -r /,
    );
    expect(session.read()).toBe(newer);
    expect(replacedLogs(repo, session.id)).toEqual([]);

    const { stderr } = repo.entire('resume', 'feature', '--force');
    expect(session.read()).toBe(stored);
    expect(replacedLogs(repo, session.id)).toEqual([newer]);
    expect(stderr).not.toContain('Warning');
  });

  variation('asked in a terminal: once', (repo, skip) => {
    needsTerminal(skip);
    const { session } = withFeature(repo);
    const stored = session.read();
    goOn(session);
    const newer = session.read();
    for (const keys of ['n\n', '\n', '\x04']) {
      const { code, stdout } = inTerminal(repo, 'resume feature', keys);
      expect(code, stdout).toBe(0);
      expect(stdout.match(/Overwrite local session logs with checkpoint versions\?/g)).toHaveLength(1);
      expect(stdout).toContain('Resume cancelled. Local session logs preserved.');
      expect(stdout).not.toContain('claude -r');
      expect(session.read()).toBe(newer);
    }
    const { stdout } = inTerminal(repo, 'resume feature', 'y\n');
    expect(stdout).toContain(`claude -r ${session.id}`);
    expect(session.read()).toBe(stored);
    expect(replacedLogs(repo, session.id)).toEqual([newer]);
  });

  variation('of two sessions one is newer here: --force replaces both', (repo) => {
    repo.ready();
    repo.git('switch', '--quiet', '-c', 'feature');
    const [first, second] = [repo.session(), repo.session()];
    for (const [session, path] of [
      [first, 'a.txt'],
      [second, 'b.txt'],
    ] as const) {
      session.prompt(`Add ${path}`);
      session.edit(path, `${path}\n`);
      session.stop();
    }
    const id = repo.commit('Add both', 'a.txt', 'b.txt') as string;
    const order = [0, 1].map((slot) => repo.storedJson(id, `${slot}/metadata.json`).session_id);
    const [older, latest] = order[0] === first.id ? [first, second] : [second, first];
    const [olderText, latestText] = [older.read(), latest.read()];
    goOn(older);
    writeFileSync(latest.transcript, WITHOUT_ID);
    const before = [older.read(), latest.read()];

    const refused = repo.tryEntire('resume', 'feature');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`These other session(s) will also be restored:
  "${latest === second ? 'Add b.txt' : 'Add a.txt'}" (checkpoint is newer)
`);
    expect([older.read(), latest.read()]).toEqual(before);

    const { stderr } = repo.entire('resume', 'feature', '-f');
    expect([older.read(), latest.read()]).toEqual([olderText, latestText]);
    const prompts = [older, latest].map((session) => (session === first ? 'Add a.txt' : 'Add b.txt'));
    expect(stderr.split('\n').filter((row) => !row.startsWith('The transcript'))).toEqual([
      'Restoring 2 sessions from checkpoint:',
      `  Session 1: ${prompts[0]}`,
      `    Writing to: ${older.transcript}`,
      `  Session 2 (latest): ${prompts[1]}`,
      `    Writing to: ${latest.transcript}`,
      '',
      'Restored 2 sessions. To continue, run:',
      `  claude -r ${older.id}  # ${prompts[0]}`,
      `  claude -r ${latest.id}  # ${prompts[1]} (most recent)`,
      '',
    ]);
  });

  variation('a trailer without metadata anywhere: the checkout happens, and nothing is restored', (repo) => {
    repo.ready();
    repo.git('switch', '--quiet', '-c', 'feature');
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'Work\n\nEntire-Checkpoint: a1b2c3d4e5f6');
    repo.git('switch', '--quiet', 'main');
    const { stderr } = repo.entire('resume', 'feature');
    expect(branchOf(repo)).toBe('feature');
    expect(stderr).toContain(
      "Checkpoint 'a1b2c3d4e5f6' found in commit but session metadata not available\n",
    );
    expect(stderr).not.toContain('Session:');
    repo.git('update-ref', '-d', 'refs/heads/entire/checkpoints/v1');
    expect(repo.entire('resume', 'feature').stderr).toContain(
      'The entire/checkpoints/v1 branch may not exist locally or on the remote.\n',
    );
  });

  variation('of several checkpoints the latest is used; a merge of main is no work', (repo) => {
    const { session } = withFeature(repo);
    repo.git('switch', '--quiet', 'feature');
    const latest = repo.session();
    turn(repo, latest, 'b.txt');
    repo.git('switch', '--quiet', 'main');
    repo.write('main.txt', 'main\n');
    repo.commit('Work on main', 'main.txt');
    expect(repo.entire('resume', 'feature').stderr).toContain(`Session: ${latest.id}\n`);

    repo.git('merge', '--quiet', '--no-edit', 'main');
    const { stderr } = repo.entire('resume', 'feature');
    expect(stderr).toContain(`Session: ${latest.id}\n`);
    expect(stderr).not.toContain('older commit');
    expect(stderr).not.toContain(session.id);
  });
});
