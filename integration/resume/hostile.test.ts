import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { line, replacedLogs, withFeature } from '../support/command/resume.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import { BRANCH, checkpointFiles, folderOf, store } from '../support/repository/stored-checkpoints.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ID = 'a1b2c3d4e5f6';
const TEXT = line('evil', '2098-01-02T03:04:05.000Z');
const projects = (repo: TestRepo) => join(repo.home, '.claude', 'projects');
const project = (repo: TestRepo) => join(projects(repo), repo.dir.replace(/[^a-zA-Z0-9]/g, '-'));

/** A commit whose checkpoint somebody else wrote, with this metadata. */
function fetched(
  repo: TestRepo,
  session: string,
  metadata: Record<string, unknown> = {},
  transcript = TEXT,
): void {
  store(repo, { [ID]: checkpointFiles(ID, { session, transcript, metadata }) });
}

/** Every file below a folder, with what is in it. */
function snapshot(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => lstatSync(join(dir, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(dir, name), 'utf8')]));
}

describe('metadata that somebody else wrote', () => {
  scenario('no path in it leads out of the agent’s folder for this worktree', (repo) => {
    repo.ready();
    writeFileSync(join(repo.home, '.bashrc'), 'mine\n');
    writeFileSync(join(repo.home, 's-1.jsonl'), 'mine\n');
    mkdirSync(join(projects(repo), '-other'), { recursive: true });
    writeFileSync(join(projects(repo), '-other', 's-1.jsonl'), 'mine\n');
    const before = snapshot(repo.home);
    for (const path of [
      '.bashrc',
      's-1.jsonl',
      '../home/.bashrc',
      join(repo.home, '.bashrc'),
      '.claude/projects/../../.bashrc',
      '.claude/projects/-other/s-1.jsonl',
      '.claude/projects/s-1.jsonl',
      '.claude/settings.json',
      '.ssh/authorized_keys',
    ]) {
      fetched(repo, 's-1', { transcript_path: path });
      repo.entire('resume', ID);
      expect(readFileSync(join(project(repo), 's-1.jsonl'), 'utf8'), path).toBe(TEXT);
      rmSync(project(repo), { recursive: true });
      expect(snapshot(repo.home), path).toEqual(before);
    }
  });

  variation('no session id leads out of it', (repo) => {
    repo.ready();
    const before = snapshot(repo.home);
    for (const session of [
      '../../../.bashrc',
      '..',
      '.',
      'a/b',
      '-rf',
      'a\nb',
      'x'.repeat(200),
      '$(touch x)',
    ]) {
      fetched(repo, session);
      const { code, stderr } = repo.tryEntire('resume', ID);
      expect([code, snapshot(repo.home)], session).toEqual([1, before]);
      expect(stderr).toContain('has no session ID that a file can be named after, skipping\n');
      expect(stderr).toContain(`Error: no session of checkpoint ${ID} could be restored\n`);
    }
  });

  variation('no link is followed out of it', (repo) => {
    repo.ready();
    fetched(repo, 's-1');
    const outside = join(repo.home, 'outside');
    mkdirSync(outside);
    const file = join(project(repo), 's-1.jsonl');
    writeFileSync(join(outside, 's-1.jsonl'), 'mine\n');

    mkdirSync(projects(repo), { recursive: true });
    symlinkSync(outside, project(repo));
    expect(repo.tryEntire('resume', ID)).toMatchObject({ code: 1 });
    expect(snapshot(outside)).toEqual({ 's-1.jsonl': 'mine\n' });

    rmSync(project(repo));
    mkdirSync(project(repo));
    for (const target of [join(outside, 's-1.jsonl'), join(outside, 'missing.jsonl')]) {
      symlinkSync(target, file);
      const { code, stderr } = repo.tryEntire('resume', ID);
      expect(code).toBe(1);
      expect(stderr).toContain('a link that leads elsewhere');
      expect(lstatSync(file).isSymbolicLink()).toBe(true);
      rmSync(file);
    }
    expect(snapshot(outside)).toEqual({ 's-1.jsonl': 'mine\n' });

    mkdirSync(file);
    expect(repo.tryEntire('resume', ID)).toMatchObject({ code: 1 });
    expect(readdirSync(file)).toEqual([]);
  });

  variation('a whole agent folder behind a link of the user’s own is used', (repo) => {
    repo.ready();
    fetched(repo, 's-1');
    const dotfiles = join(repo.home, 'dotfiles');
    mkdirSync(dotfiles);
    symlinkSync(dotfiles, join(repo.home, '.claude'));
    repo.entire('resume', ID);
    expect(readFileSync(join(project(repo), 's-1.jsonl'), 'utf8')).toBe(TEXT);
    expect(repo.entire('resume', ID).stderr).toContain('Already up to date');
  });

  variation('a session of the user’s own that somebody else claims to have gone on with is kept', (repo) => {
    const { session } = withFeature(repo);
    const own = session.read();
    fetched(repo, session.id);
    const refused = repo.tryEntire('resume', ID);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('lacks messages that they have. Somebody else may have written it:');
    expect(refused.stderr).toContain(
      'local session logs have entries that the checkpoint lacks; nothing was written',
    );
    expect(session.read()).toBe(own);
    const { stderr } = repo.entire('resume', ID, '--force');
    expect(stderr).toContain('The transcript that was replaced is kept as: ');
    expect(replacedLogs(repo, session.id)).toEqual([own]);
  });

  variation('no text of it reaches the terminal as it is', (repo) => {
    repo.ready();
    const prompts = ['\x1b]0;title\x07Hi\x1b[2J\u202e\nrm -rf ~'];
    const files = checkpointFiles(ID, { session: 's-1', transcript: TEXT, prompts });
    store(repo, { [ID]: files });
    const { stderr } = repo.entire('resume', ID);
    expect(stderr).not.toMatch(/[\x1b\x07\u202e]/);
    expect(stderr).toContain('  claude -r s-1  # Hi rm -rf ~\n');
    rmSync(project(repo), { recursive: true });
    expect(repo.entire('resume', ID, '--json').stdout).not.toMatch(/[\x1b\x07\u202e]/);
  });
});

describe('damage', () => {
  variation('a checkpoint that cannot be read is an error, and nothing is written', (repo) => {
    repo.ready();
    fetched(repo, 's-1');
    const blob = repo.git('rev-parse', `${BRANCH}:${folderOf(ID)}/0/full.jsonl`);
    const tree = repo.git('rev-parse', `${BRANCH}:${folderOf(ID)}`);
    const lose = (oid: string) =>
      rmSync(join(repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2)), { force: true });
    const before = snapshot(repo.home);
    const restore = [blob, tree].map((oid) => {
      const file = join(repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2));
      const bytes = readFileSync(file);
      return () => writeFileSync(file, bytes);
    });
    lose(blob);
    const lostText = repo.tryEntire('resume', ID);
    expect(lostText.code).toBe(1);
    expect(lostText.stderr).toContain(
      '  Warning: failed to read session 0 (s-1), skipping: full.jsonl cannot be read: its object is damaged or missing\n',
    );
    lose(tree);
    const lost = repo.tryEntire('resume', ID);
    expect(lost.code).toBe(1);
    expect(lost.stderr).toContain(`Error: checkpoint ${ID} cannot be read: `);
    expect(snapshot(repo.home)).toEqual(before);
    for (const put of restore) put();
  });

  variation('a transcript that is not the one its digest was made of is restored with a warning', (repo) => {
    repo.ready();
    const files = checkpointFiles(ID, { session: 's-1', transcript: TEXT });
    store(repo, { [ID]: { ...files, '0/content_hash.txt': 'sha256:0000' } });
    const { stderr } = repo.entire('resume', ID);
    expect(stderr).toContain('Warning: the transcript is not the one that content_hash.txt was made of\n');
    expect(stderr).toContain('Session: s-1\n');
  });
});
