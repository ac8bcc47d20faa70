import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect } from 'vitest';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const CAPTURED = readFileSync(
  resolve(import.meta.dirname, '../fixtures/claude-code/transcripts/tools.jsonl'),
  'utf8',
);
const [, ID = ''] = /"sessionId":"([^"]+)"/.exec(CAPTURED) ?? [];

/** Claude Code's own session in its own place. */
function keepOwn(repo: TestRepo, text = CAPTURED): void {
  const folder = join(repo.home, '.claude', 'projects', '-repo');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${ID}.jsonl`), text);
}

const piped = (repo: TestRepo, line: string) =>
  spawnSync('sh', ['-c', line], {
    ...{ cwd: repo.dir, encoding: 'utf8' },
    env: { ...repo.env, PATH: `${repo.build.bin}:${repo.env.PATH}` },
  });

/** The home of somebody else, on another machine. */
const elsewhere = (repo: TestRepo) => {
  const home = join(repo.scratch, 'elsewhere');
  mkdirSync(home, { recursive: true });
  return { env: { HOME: home } };
};

describe('entire session export and import', () => {
  onBothBuilds('an agent’s own session goes to another machine and back as the same bytes', (repo) => {
    keepOwn(repo);
    const first = repo.entire('session', 'export', ID);
    expect(repo.entire('session', 'export', ID.slice(0, 8)).stdout === first.stdout).toBe(true);
    const envelope = JSON.parse(first.stdout);
    expect(envelope).toMatchObject({ format: 'entire-session', version: 1, cli_origin: 'claude-code' });
    expect(envelope.transcripts[0].text).toBe(CAPTURED);
    expect(first.stderr).toContain('It holds prompts, answers, contents of files and what commands printed.');

    const file = join(repo.scratch, 'it.json');
    writeFileSync(file, first.stdout);
    const there = elsewhere(repo);
    const imported = repo.run('entire', ['session', 'import', file], there);
    expect(imported.stdout).toBe(`Imported ${ID}.\nTo continue: entire session chat --resume ${ID}\n`);
    expect(repo.run('entire', ['session', 'export', ID], there).stdout === first.stdout).toBe(true);
    const again = repo.run('entire', ['session', 'import'], { ...there, input: first.stdout });
    expect(again.stdout).toBe(`${ID} is there already: nothing was changed.\n`);

    const page = repo.run('entire', ['session', 'export', ID, '--format', 'html'], there).stdout;
    expect(page).toContain('<!doctype html>');
    expect(page).toContain('<span class="name">NotebookEdit</span>');
    expect(page).toMatch(/script-src 'sha256-[^']+'/);
    expect(repo.run('entire', ['session', 'export', ID, '--format', 'md'], there).stdout).toContain(
      '\n```diff\n-two\n+TWO\n```\n',
    );

    expect(repo.run('entire', ['session', 'delete', ID], there).code).toBe(0);
    expect(repo.run('entire', ['session', 'export', ID], there).code).toBe(1);
  });

  variation(
    'what is imported where its agent keeps it is one session, by any beginning of its id',
    (repo) => {
      keepOwn(repo);
      const { stdout } = repo.entire('session', 'export', ID);
      repo.run('entire', ['session', 'import'], { input: stdout });
      for (const word of [ID, ID.slice(0, 8), ID.slice(0, 4)])
        expect(repo.entire('session', 'show', word, '--no-commits').stdout).toMatch(`Session: ${ID}\n`);
      expect(repo.entire('session', 'export', ID.slice(0, 8)).stdout === stdout).toBe(true);
      const listed = JSON.parse(repo.entire('session', 'list', '--all-clis', '--json').stdout);
      expect(listed).toMatchObject([{ session_id: ID, kind: 'stored', cli_origin: 'claude-code' }]);
      repo.entire('session', 'fork', ID.slice(0, 8));
      expect(repo.entire('session', 'delete', ID.slice(0, 8)).stdout).toBe(`Deleted ${ID}.\n`);
    },
  );

  variation('secrets are replaced where people are to read, and where it is asked for', (repo) => {
    const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    keepOwn(repo, CAPTURED.replaceAll('ALL-TOOLS go', `use ${secret} please`));
    const output = (...flags: string[]): string => repo.entire('session', 'export', ID, ...flags).stdout;
    expect(output()).toContain(secret);
    for (const flags of [['--redact'], ['--format', 'md'], ['--format', 'html']]) {
      const text = output(...flags);
      expect(text).not.toContain(secret);
      expect(text).toContain('REDACTED');
    }
    expect(output('--format', 'md', '--no-redact')).toContain(secret);
    writeFileSync(join(repo.scratch, 'redacted.json'), output('--redact'));
    const { code, stderr } = repo.run(
      'entire',
      ['session', 'import', join(repo.scratch, 'redacted.json')],
      elsewhere(repo),
    );
    expect([code, stderr]).toEqual([0, '']);
  });

  variation(
    'a file is not replaced unasked, is for nobody else to read, and its ending says what it is',
    (repo) => {
      keepOwn(repo);
      const out = join(repo.scratch, 'it.html');
      writeFileSync(out, 'mine');
      const refused = repo.tryEntire('session', 'export', ID, '--out', out);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        `Error: ${out} is there already.\nHint: \`--force\` replaces it.\n`,
      ]);
      expect(readFileSync(out, 'utf8')).toBe('mine');
      repo.entire('session', 'export', ID, '--out', out, '--force');
      expect(readFileSync(out, 'utf8')).toContain('<!doctype html>');
      repo.entire('session', 'export', ID, '--out', join(repo.scratch, 'it.md'));
      expect(statSync(join(repo.scratch, 'it.md')).mode & 0o777).toBe(0o600);
    },
  );

  variation('what did not leave whole is not said to have left', (repo, skip) => {
    keepOwn(repo);
    const small = join(repo.scratch, 'small');
    mkdirSync(small);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small]);
    if (mounted.status !== 0) skip(`no disk can be mounted here: ${mounted.stderr}`);
    try {
      const file = openSync(join(small, 'it.json'), 'w');
      const { status, stderr } = spawnSync(join(repo.build.bin, 'entire'), ['session', 'export', ID], {
        ...{ cwd: repo.dir, env: repo.env, encoding: 'utf8' },
        stdio: ['ignore', file, 'pipe'],
      });
      closeSync(file);
      expect([status, stderr]).toEqual([
        1,
        'Error: a file could not be written: the disk is full (ENOSPC)\nHint: Make room on the disk. Then run the command again.\n',
      ]);
      expect(repo.tryEntire('session', 'export', ID, '--out', join(small, 'b.json')).code).toBe(1);
      expect(readdirSync(small)).toEqual(['it.json']);
    } finally {
      spawnSync('umount', ['--lazy', small]);
    }
    const early = piped(repo, `entire session export ${ID} | head -c 1`);
    expect([early.stdout, early.status]).toEqual(['{', 0]);
  });

  variation('pipes and devices are written to, and folders are told', (repo) => {
    keepOwn(repo);
    const text = repo.entire('session', 'export', ID).stdout;
    const through = piped(repo, `entire session export ${ID} --out /dev/stdout | cat`);
    expect(through.stdout === text).toBe(true);
    repo.entire('session', 'export', ID, '--force', '--out', '/dev/null');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    const folder = repo.tryEntire('session', 'export', ID, '--force', '--out', repo.scratch);
    expect([folder.code, folder.stderr]).toEqual([
      1,
      `Error: ${repo.scratch} is a folder.\nHint: Name a file in it.\n`,
    ]);
    expect(repo.tryEntire('session', 'export', ID, '--out', '').code).toBe(2);
  });

  variation(
    'what cannot be imported, and what is no session, is said in words, and nothing is written',
    (repo) => {
      keepOwn(repo);
      const file = join(repo.scratch, 'it.json');
      const text = repo.entire('session', 'export', ID).stdout;
      writeFileSync(file, text.slice(0, 5_000));
      const cut = repo.tryEntire('session', 'import', file);
      expect(cut.code).toBe(1);
      expect(cut.stderr).toContain('it does not end as JSON does: part of it is missing');
      truncateSync(file, 2 * 1024 ** 3);
      expect(repo.tryEntire('session', 'import', file).stderr).toContain(
        'it has 2 GiB or more.\nHint: An export has at most 256 MiB.',
      );
      writeFileSync(file, text.replace('"version": 1', '"version": 9'));
      expect(repo.tryEntire('session', 'import', file).stderr).toContain(
        'it has version 9, and this entire knows 1',
      );
      expect(repo.tryEntire('session', 'import', join(repo.scratch, 'no.json')).stderr).toContain(
        'there is no file',
      );
      expect(repo.tryEntire('session', 'export', 'nobody').stderr).toContain(
        'no session is kept under nobody',
      );
      expect(repo.tryEntire('session', 'export', '../x').stderr).toContain('no session is kept under ../x');
      expect(repo.tryEntire('session', 'export', ID, '--redact', '--no-redact').code).toBe(2);
      expect(repo.tryEntire('session', 'export').code).toBe(2);
      expect(repo.tryEntire('session', 'delete', ID).code).toBe(1); // nothing was kept of it
    },
  );
});
