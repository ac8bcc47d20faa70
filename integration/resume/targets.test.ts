import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { goOn, line, replacedLogs, turn, withFeature } from '../support/command/resume.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import { checkpointFiles, store } from '../support/repository/stored-checkpoints.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const TEXT = line('hello', '2026-01-02T03:04:05.000Z');
const projectOf = (repo: TestRepo, dir = repo.dir, config = join(repo.home, '.claude')) =>
  join(config, 'projects', dir.replace(/[^a-zA-Z0-9]/g, '-'));

describe('the newest session of the repository', () => {
  scenario('without an argument it is told, with its log left as it lies here', (repo) => {
    const { session } = withFeature(repo);
    const newest = repo.session();
    newest.prompt('Newest of all');
    const text = newest.read();
    const { stdout, stderr } = repo.entire('resume');
    expect(stdout).toBe('');
    expect(stderr).toBe(`Already up to date: ${newest.transcript}
Session: ${newest.id}

To continue this session, run:
  claude -r ${newest.id}  # Newest of all
`);
    expect(newest.read()).toBe(text);

    session.prompt('And again');
    expect(repo.entire('resume').stderr).toContain(`Session: ${session.id}\n`);
    expect(repo.git('branch', '--show-current')).toBe('main');
  });

  variation('a log that went on behind its last checkpoint stays, whatever is forced', (repo) => {
    const { session } = withFeature(repo);
    goOn(session);
    const text = session.read();
    for (const args of [[], ['--force'], [session.id], [session.id, '--force']]) {
      expect(repo.entire('resume', ...args).stderr).toContain('Already up to date');
      expect(session.read()).toBe(text);
    }
    expect(replacedLogs(repo, session.id)).toEqual([]);
  });

  variation('a log that is gone comes from its newest checkpoint', (repo) => {
    const { session } = withFeature(repo);
    const text = session.read();
    rmSync(session.transcript);
    expect(repo.entire('resume').stderr).toContain(`Writing transcript to: ${session.transcript}\n`);
    expect(session.read()).toBe(text);
  });

  variation('a log that is gone and in no commit comes from its newest step', (repo) => {
    repo.ready();
    const session = repo.session();
    for (const path of ['a.txt', 'b.txt']) {
      session.prompt(`Add ${path}`);
      session.edit(path, 'x\n');
      session.stop();
    }
    const text = session.read();
    rmSync(session.transcript);
    expect(repo.entire('resume').stderr).toContain(`claude -r ${session.id}  # Add a.txt\n`);
    expect(session.read()).toBe(text);
  });

  variation('what was archived, or lives in another worktree, counts as well', (repo) => {
    const { session } = withFeature(repo);
    const sessions = join(repo.commonDir, 'entire-sessions');
    const archive = join(repo.commonDir, 'entire', 'archive');
    mkdirSync(archive, { recursive: true });
    renameSync(join(sessions, `${session.id}.json`), join(archive, `${session.id}.json`));
    expect(repo.entire('resume').stderr).toContain(`Session: ${session.id}\n`);

    const other = join(repo.scratch, 'other');
    repo.git('worktree', 'add', '--quiet', '-b', 'elsewhere', other);
    const away = repo.session();
    away.hook('user-prompt-submit', 'UserPromptSubmit', { prompt: 'Over there' }, { cwd: other });
    away.write({ type: 'user', cwd: other, message: { role: 'user', content: 'Over there' } });
    expect(repo.entire('resume').stderr).toContain(`Session: ${away.id}\n`);
  });

  variation('one that only a checkpoint of somebody else tells of is the newest, if it is', (repo) => {
    withFeature(repo);
    const created = { created_at: '2098-01-01T00:00:00Z' };
    const id = 'a1b2c3d4e5f6';
    store(repo, { [id]: checkpointFiles(id, { session: 'of-bob', transcript: TEXT, metadata: created }) });
    // The branch has commits that name their checkpoints, and one that does not.
    repo.git('update-ref', 'refs/heads/kept', 'refs/heads/entire/checkpoints/v1');
    const tree = repo.git('rev-parse', 'kept^{tree}');
    const commit = repo.git(
      'commit-tree',
      tree,
      '-p',
      'kept',
      '-m',
      `Checkpoint: ${id}\n\nEntire-Session: of-bob`,
    );
    repo.git('update-ref', 'refs/heads/entire/checkpoints/v1', commit);
    expect(repo.entire('resume').stderr).toContain('Session: of-bob\n');
    expect(readFileSync(join(projectOf(repo), 'of-bob.jsonl'), 'utf8')).toBe(TEXT);
  });

  variation('an unreadable state is passed over', (repo) => {
    const { session } = withFeature(repo);
    writeFileSync(join(repo.commonDir, 'entire-sessions', 'broken.json'), '{');
    expect(repo.entire('resume').stderr).toContain(`Session: ${session.id}\n`);
  });

  variation('nothing is left of a session: that is a failure', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('Hi');
    rmSync(session.transcript);
    const { code, stderr } = repo.tryEntire('resume');
    expect(code).toBe(1);
    expect(stderr).toContain(`nothing is left of session ${session.id}`);
  });
});

describe('what a word stands for', () => {
  variation(
    'a checkpoint, a session or a commit, by the beginning of its id; no branch is switched',
    (repo) => {
      const { session, id } = withFeature(repo);
      const text = session.read();
      const commit = repo.git('rev-parse', 'feature');
      for (const word of [
        id,
        id.slice(0, 6),
        session.id,
        session.id.slice(0, 8),
        commit,
        commit.slice(0, 9),
        'feature~0',
      ]) {
        rmSync(session.transcript, { force: true });
        expect(repo.entire('resume', word).stderr, word).toContain(`Session: ${session.id}\n`);
        expect(session.read(), word).toBe(text);
      }
      expect(repo.git('branch', '--show-current')).toBe('main');
      expect(repo.entire('resume', 'HEAD').stderr).toBe(
        `No Entire checkpoint found in commit ${repo.git('rev-parse', '--short=7', 'HEAD')}\n`,
      );
    },
  );

  variation('the newer log of a checkpoint or commit that was named is not overwritten unasked', (repo) => {
    const { session, id } = withFeature(repo);
    const stored = session.read();
    goOn(session);
    const newer = session.read();
    for (const word of [id, 'feature~0']) {
      const refused = repo.tryEntire('resume', word);
      expect([refused.code, session.read()]).toEqual([1, newer]);
      expect(refused.stderr).toContain(
        `Hint: To go on with what is here: claude -r ${session.id}. With --force it is replaced`,
      );
    }
    repo.entire('resume', id, '--force');
    expect(session.read()).toBe(stored);
    expect(replacedLogs(repo, session.id)).toEqual([newer]);
  });

  variation('a branch comes first, then a checkpoint, then a session, then a commit', (repo) => {
    const { session, id } = withFeature(repo);
    store(repo, { abcd00000001: checkpointFiles('abcd00000001', { session: 'cafe-1', transcript: TEXT }) });
    store(repo, { cafe00000001: checkpointFiles('cafe00000001', { session: 'abcd-1', transcript: TEXT }) });
    expect(repo.entire('resume', 'abcd').stderr).toContain('Session: cafe-1\n');
    repo.git('branch', id, 'main');
    expect(repo.entire('resume', id).stderr).toContain(`No Entire checkpoint found on branch '${id}'`);
    repo.git('branch', session.id, 'feature');
    expect(repo.entire('resume', session.id).stderr).toContain(`Switched to branch '${session.id}'`);
  });

  variation('what several ids begin with is an error that names them', (repo) => {
    repo.ready();
    const ids = ['abcd00000001', 'abcd00000002'];
    for (const id of ids)
      store(repo, { [id]: checkpointFiles(id, { session: `s-${id}`, transcript: TEXT }) });
    const checkpoints = repo.tryEntire('resume', 'abcd');
    expect(checkpoints.code).toBe(1);
    expect(checkpoints.stderr).toBe(
      `Error: abcd could be several things:\n${ids.map((id) => `  checkpoint  ${id}  2026-01-02\n`).join('')}Hint: Use more characters of the id.\n`,
    );
    const named = ['same-1', 'same-2'].map((name) => repo.session(name));
    for (const session of named) session.prompt('Hi');
    const sessions = repo.tryEntire('resume', 'same');
    expect(sessions.code).toBe(1);
    expect(sessions.stderr).toMatch(
      /^Error: same could be several things:\n {2}session {2}same-1 .*\n {2}session {2}same-2 /,
    );
    expect(repo.entire('resume', 'same-2').stderr).toContain('Session: same-2\n');
  });

  variation('a word that is nothing at all is an error, whatever characters are in it', (repo) => {
    withFeature(repo);
    for (const word of ['nope', 'a..b', 'x y', '@{-1', '*', 'ab', '\x1b[31mred', ':/Add', 'HEAD:a.txt']) {
      const { code, stdout, stderr } = repo.tryEntire('resume', word);
      if (word === ':/Add') continue; // git finds a commit by its message
      expect({ code, stdout }, word).toEqual({ code: 1, stdout: '' });
      expect(stderr, word).toMatch(
        /^Error: (no such branch, commit, checkpoint or session here or on origin: [^\x1b]*|ab is too short.*)\nHint: /,
      );
    }
  });
});

describe('where logs go', () => {
  variation('CLAUDE_CONFIG_DIR is where the agent keeps its sessions', (repo) => {
    const { session, id } = withFeature(repo);
    const text = session.read();
    const config = join(repo.scratch, 'config');
    repo.variables = { CLAUDE_CONFIG_DIR: config };
    const file = join(projectOf(repo, repo.dir, config), `${session.id}.jsonl`);
    rmSync(session.transcript);
    expect(repo.entire('resume', id).stderr).toContain(`Writing transcript to: ${file}\n`);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(existsSync(session.transcript)).toBe(false);
  });

  variation('on another machine, logs go where the agent looks from there', (repo) => {
    const { session, id } = withFeature(repo);
    const text = session.read();
    rmSync(join(repo.commonDir, 'entire-sessions'), { recursive: true });
    repo.variables = { HOME: join(repo.scratch, 'other-home') };
    repo.entire('resume', id);
    const file = join(
      repo.scratch,
      'other-home',
      '.claude',
      'projects',
      repo.dir.replace(/\W/g, '-'),
      `${session.id}.jsonl`,
    );
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  variation('from a folder in which the agent would not find it, it says where to go', (repo) => {
    const { session, id } = withFeature(repo);
    rmSync(join(repo.commonDir, 'entire-sessions'), { recursive: true });
    rmSync(dirname(session.transcript), { recursive: true });
    expect(repo.entire('resume', id).stderr).not.toContain('In the folder');
    repo.write('sub/x.txt', 'x\n');
    const { stderr } = repo.run('entire', ['resume', id], { cwd: join(repo.dir, 'sub') });
    expect(stderr).toContain(`In the folder it belongs to: ${repo.dir}\n`);
  });

  variation('a linked worktree has a folder of its own', (repo) => {
    const { id } = withFeature(repo);
    const other = join(repo.scratch, 'other');
    repo.git('worktree', 'add', '--quiet', '--detach', other);
    rmSync(join(repo.commonDir, 'entire-sessions'), { recursive: true });
    const { stderr } = repo.run('entire', ['resume', id], { cwd: other });
    expect(stderr).toContain(`Writing transcript to: ${projectOf(repo, other)}/`);
  });

  variation('a session of a worktree that is gone goes on here, unredacted as it was', (repo) => {
    repo.ready();
    const other = join(repo.scratch, 'other');
    repo.git('worktree', 'add', '--quiet', '-b', 'there', other);
    const session = repo.session();
    const main = repo.dir;
    repo.dir = other;
    const secret = ['gh', 'p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    const id = turn(repo, session, 'a.txt', `Use ${secret}`);
    repo.dir = main;
    expect(repo.stored(id, '0/full.jsonl')).not.toContain(secret);
    expect(repo.entire('resume', id).stderr).toContain(`Already up to date: ${session.transcript}`);
    repo.git('worktree', 'remove', '--force', other);
    const here = `${projectOf(repo)}/${session.id}.jsonl`;
    expect(repo.entire('resume', id).stderr).toContain(`Writing transcript to: ${here}`);
    expect(readFileSync(here, 'utf8')).toBe(session.read());
    expect(session.read()).toContain(secret);
  });
});
