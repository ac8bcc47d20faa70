import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import * as z from 'zod';
import { expectGolden } from './support/golden.ts';
import { scenario, type TestRepo, variation } from './support/test-repo.ts';
import { addWork, editor, withWork } from './support/work.ts';

/** As docs/json.md has it: nothing else, and nothing missing. */
const WHY = z.strictObject({
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  subject: z.string(),
  author: z.string(),
  authored_at: z.iso.datetime({ offset: true }),
  status: z.enum(['linked', 'incomplete', 'not-linked']),
  reason: z.string(),
  explanation: z.string(),
  checkpoint: z.nullable(z.string().regex(/^[0-9a-f]{12}$/)),
  verdict: z.nullable(
    z.strictObject({ reason: z.string(), at: z.iso.datetime(), detail: z.nullable(z.string()) }),
  ),
  sessions: z.array(
    z.strictObject({
      session_id: z.string(),
      agent: z.string(),
      created_at: z.string(),
      first_prompt: z.nullable(z.string()),
      last_prompt: z.nullable(z.string()),
      files_in_commit: z.array(z.string()),
      files_touched: z.number().int(),
      initial_attribution: z.nullable(z.record(z.string(), z.unknown())),
    }),
  ),
  mentioned: z.array(z.strictObject({ checkpoint: z.string(), stored: z.boolean() })),
  replayed_from: z.nullable(z.string()),
  waiting_sessions: z.array(z.string()),
  owed: z.boolean(),
  problems: z.array(z.string()),
  advice: z.array(z.string()),
});

const why = (repo: TestRepo, ...args: string[]) =>
  WHY.parse(JSON.parse(repo.entire('why', ...args, '--json').stdout));

const commitWithout = (repo: TestRepo, message: string, ...paths: string[]) => {
  repo.git('add', '--', ...paths);
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', message);
};
const REMAKE = ['reset --quiet --soft HEAD~1', 'commit --quiet --reuse-message=ORIG_HEAD'];
const remake = (repo: TestRepo) => {
  for (const command of REMAKE) repo.git(...command.split(' '));
};

describe('why: linked', () => {
  scenario('names checkpoint, sessions, prompts and the files of each in the commit', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
    addWork(repo, { 'c.txt': 'three\n' }, session);
    repo.write('mine.txt', 'mine\n');
    const id = repo.commit('Add a and c', 'a.txt', 'c.txt', 'mine.txt');
    expect(why(repo)).toMatchObject({
      commit: repo.git('rev-parse', 'HEAD'),
      status: 'linked',
      reason: 'linked',
      checkpoint: id,
      sessions: [
        {
          session_id: session.id,
          agent: 'Claude Code',
          first_prompt: 'write a.txt and b.txt',
          last_prompt: 'write c.txt',
          files_in_commit: ['a.txt', 'c.txt'],
        },
      ],
      advice: [],
    });
    expectGolden(repo, 'why-linked.txt', repo.entire('why').stdout, {
      session: session.id,
      id: id as string,
    });
    // From a folder, by any name of the commit.
    mkdirSync(join(repo.dir, 'sub'));
    expect(repo.run('entire', ['why', 'main'], { cwd: join(repo.dir, 'sub') }).stdout).toBe(
      repo.entire('why').stdout,
    );
  });

  variation('two sessions in one commit', (repo) => {
    const first = withWork(repo, { 'a.txt': 'one\n' });
    const second = addWork(repo, { 'b.txt': 'two\n' });
    repo.commit('Add both', 'a.txt', 'b.txt');
    const { sessions } = why(repo);
    expect(new Map(sessions.map((s) => [s.session_id, s.files_in_commit]))).toEqual(
      new Map([
        [first.id, ['a.txt']],
        [second.id, ['b.txt']],
      ]),
    );
  });

  variation('amended, cherry-picked and rebased commits keep their links, and say so', (repo) => {
    withWork(repo);
    const id = repo.commit('Add a', 'a.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'Add the letter a');
    expect(why(repo)).toMatchObject({ status: 'linked', reason: 'kept', checkpoint: id });
    const original = repo.git('rev-parse', 'HEAD');
    repo.git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
    repo.write('side.txt', 'side\n');
    repo.commit('Side', 'side.txt');
    repo.git('cherry-pick', '-x', original);
    expect(why(repo)).toMatchObject({
      status: 'linked',
      reason: 'sequence',
      checkpoint: id,
      replayed_from: original,
      advice: [`It was made of ${original}: \`entire why ${original}\`.`],
    });
    // A rebase runs no hook after most commits: the trailer and the metadata branch say it.
    repo.git('checkout', '--quiet', '-b', 'topic', original);
    repo.git('rebase', '--quiet', 'side~1');
    expect(why(repo)).toMatchObject({ status: 'linked', checkpoint: id });
  });

  variation('a commit made with --no-verify is linked like any other', (repo) => {
    withWork(repo);
    repo.git('add', 'a.txt');
    repo.git('commit', '--quiet', '--no-verify', '-m', 'Add a');
    expect(why(repo)).toMatchObject({ status: 'linked', reason: 'linked' });
  });

  variation('a trailer that was copied leads to a checkpoint of other files, and why says so', (repo) => {
    withWork(repo);
    const id = repo.commit('Add a', 'a.txt');
    repo.write('other.txt', 'other\n');
    commitWithout(repo, `Other\n\nEntire-Checkpoint: ${id}`, 'other.txt');
    expect(repo.entire('why').stdout).toContain('the trailer may have been copied from another one');
  });
});

describe('why: not linked', () => {
  scenario('no session, and a session that touched nothing of it', (repo) => {
    repo.ready();
    expect(why(repo)).toMatchObject({ status: 'not-linked', reason: 'no-session', checkpoint: null });
    expectGolden(repo, 'why-no-session.txt', repo.entire('why').stdout);
    addWork(repo, { 'a.txt': 'one\n' });
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine', 'mine.txt');
    expect(why(repo)).toMatchObject({ status: 'not-linked', reason: 'no-overlap', advice: [] });
    expect(why(repo, 'HEAD~2')).toMatchObject({ reason: 'before-records', verdict: null });
  });

  scenario('the trailer was removed: the command it names repairs that', (repo) => {
    const session = withWork(repo);
    repo.git('add', 'a.txt');
    const env = { GIT_EDITOR: editor(repo, 'sed -i.bak /Entire-Checkpoint/d "$1"') };
    repo.gitWith({ env }, 'commit', '--quiet', '-e', '-m', 'Add a');
    const report = why(repo);
    expect(report).toMatchObject({
      status: 'not-linked',
      reason: 'trailer-missing',
      waiting_sessions: [session.id],
    });
    expect(report.advice.join()).toContain(`git ${REMAKE[0]?.replace('--quiet ', '')}`);
    expectGolden(repo, 'why-trailer-missing.txt', repo.entire('why').stdout, { session: session.id });
    remake(repo);
    expect(why(repo)).toMatchObject({ status: 'linked', reason: 'linked', subject: 'Add a' });
  });

  scenario('made without hooks: no record, and the same command repairs it', (repo) => {
    const session = withWork(repo);
    commitWithout(repo, 'Add a', 'a.txt');
    expect(why(repo)).toMatchObject({ reason: 'no-record', verdict: null, waiting_sessions: [session.id] });
    repo.write('mine.txt', 'mine\n');
    commitWithout(repo, 'Mine', 'mine.txt');
    expect(why(repo, 'HEAD~1').advice[0]).toContain('Later commits stand on it');
    expect(why(repo).advice).toEqual([]);
    repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    remake(repo);
    expect(why(repo)).toMatchObject({ status: 'linked' });
  });

  scenario('not set up, disabled, hooks missing', (repo) => {
    repo.init().write('a.txt', 'one\n');
    commitWithout(repo, 'Add a', 'a.txt');
    expect(why(repo)).toMatchObject({ reason: 'not-set-up' });
    expectGolden(repo, 'why-not-set-up.txt', repo.entire('why').stdout);
    repo.entire('enable', '--agent', 'claude-code');
    repo.entire('disable');
    expect(why(repo)).toMatchObject({ reason: 'disabled' });
    repo.entire('enable');
    rmSync(join(repo.dir, '.git', 'hooks', 'post-commit'));
    expect(why(repo)).toMatchObject({ reason: 'hooks-missing' });
    repo.entire('enable', '--force');
    expect(why(repo)).toMatchObject({ reason: 'no-record' });
  });

  scenario('merges and squashes: what they were made of is named', (repo) => {
    repo.ready();
    repo.git('checkout', '--quiet', '-b', 'topic');
    addWork(repo, { 'a.txt': 'one\n' });
    const a = repo.commit('Add a', 'a.txt');
    addWork(repo, { 'b.txt': 'two\n' });
    const b = repo.commit('Add b', 'b.txt');
    repo.git('checkout', '--quiet', 'main');
    repo.git('merge', '--quiet', '--no-ff', '--no-edit', 'topic');
    const merge = why(repo);
    expect(merge).toMatchObject({ status: 'not-linked', reason: 'merge', checkpoint: null });
    expect(merge.advice[0]).toContain(`\`entire why ${merge.commit.slice(0, 12)}^2\``);
    repo.git('checkout', '--quiet', '-b', 'other', 'HEAD~1');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.git('commit', '--quiet', '--no-edit');
    expect(why(repo)).toMatchObject({
      reason: 'merge',
      checkpoint: null,
      mentioned: [
        { checkpoint: b, stored: true },
        { checkpoint: a, stored: true },
      ],
    });
    expectGolden(repo, 'why-squash.txt', repo.entire('why').stdout, { a: a as string, b: b as string });
  });

  variation('P22: a forged trailer elsewhere in the message links nothing', (repo) => {
    withWork(repo);
    const id = repo.commit('Add a', 'a.txt');
    repo.write('mine.txt', 'mine\n');
    commitWithout(repo, `Mine\n\nEntire-Checkpoint: ${id}\n\nand more words of a body`, 'mine.txt');
    expect(why(repo)).toMatchObject({
      status: 'not-linked',
      checkpoint: null,
      mentioned: [{ checkpoint: id, stored: true }],
    });
  });
});

describe('why: incomplete', () => {
  scenario('a trailer whose checkpoint is not in this clone', (repo) => {
    withWork(repo);
    const id = repo.commit('Add a', 'a.txt');
    repo.git('branch', '--quiet', '-D', 'entire/checkpoints/v1');
    expect(why(repo)).toMatchObject({ status: 'incomplete', reason: 'metadata-missing', checkpoint: id });
    expectGolden(repo, 'why-metadata-missing.txt', repo.entire('why').stdout, { id: id as string });
  });

  variation('an id that nobody here knows', (repo) => {
    withWork(repo);
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine\n\nEntire-Checkpoint: 0123456789ab', 'mine.txt');
    expect(why(repo)).toMatchObject({ status: 'incomplete', reason: 'unknown-checkpoint' });
  });

  variation('a checkpoint that could not be stored: what went wrong, and that it is tried again', (repo) => {
    withWork(repo);
    // The metadata branch is held by another process.
    const lock = join(repo.dir, '.git', 'refs', 'heads', 'entire', 'checkpoints', 'v1.lock');
    mkdirSync(join(lock, '..'), { recursive: true });
    writeFileSync(lock, '');
    const id = repo.commit('Add a', 'a.txt');
    const report = { status: 'incomplete', reason: 'condense-failed', checkpoint: id, owed: true };
    expect(why(repo)).toMatchObject(report);
    expect(repo.entire('why').stdout).toContain('The next hook in this worktree tries again');
    rmSync(lock);
    const made = repo.git('rev-parse', 'HEAD');
    addWork(repo, { 'b.txt': 'two\n' });
    expect(why(repo, made)).toMatchObject({ status: 'linked', checkpoint: id, owed: false });
  });
});

describe('why: bad input', () => {
  scenario('what is no commit, and where there is no repository', (repo) => {
    expect(repo.tryEntire('why').stderr).toContain("Please run 'entire why' from within a git repository.");
    repo.init();
    for (const name of ['HEAD', 'no-such-thing', '--all', '', 'HEAD:README.md', 'a..b', '-x'])
      expect(repo.tryEntire('why', '--', name), name).toEqual({
        code: 1,
        stdout: '',
        stderr: `Error: commit not found: ${name}\n`,
      });
    repo.write('a.txt', 'one\n');
    commitWithout(repo, 'Add a', 'a.txt');
    expect(repo.tryEntire('why', 'HEAD:a.txt').code).toBe(1);
    expect(repo.tryEntire('why', 'HEAD^{tree}').code).toBe(1);
    expect(repo.tryEntire('why', 'HEAD', 'extra').code).toBe(2);
  });

  scenario('text from subjects, prompts, file names and details cannot steer the terminal', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('make \u001b[2Jit \u001b]0;owned\u0007red');
    session.edit('a\u001b[31m.txt', 'one\n');
    session.stop();
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Add \u001b[31mred', '--author', 'E\u001b[2Jve <eve@example.com>');
    const { stdout } = repo.entire('why');
    expect(stdout).toContain('Linked');
    expect(stdout).not.toMatch(/\u001b|\u0007/);
    expect(why(repo).subject).toBe('Add \u001b[31mred');
  });

  variation('a broken verdicts file, and a reason of a later version', (repo) => {
    withWork(repo);
    repo.commit('Add a', 'a.txt');
    const file = join(repo.commonDir, 'entire', 'verdicts.jsonl');
    writeFileSync(file, '{"torn\nnull\n');
    expect(why(repo)).toMatchObject({ status: 'linked', reason: 'trailer' });
    repo.write('mine.txt', 'mine\n');
    commitWithout(repo, 'Mine', 'mine.txt');
    const commit = repo.git('rev-parse', 'HEAD');
    writeFileSync(
      file,
      `${JSON.stringify({ commit, at: '2026-02-01T00:00:00Z', reason: 'later\u001b[2J' })}\n`,
    );
    expect(repo.entire('why').stdout).toContain('Not linked: later.');
  });

  variation('never writes: a read-only repository', (repo, skip) => {
    if (process.getuid?.() === 0) skip('root can write anyway');
    withWork(repo);
    repo.commit('Add a', 'a.txt');
    for (const name of readdirSync(join(repo.dir, '.git'))) chmodSync(join(repo.dir, '.git', name), 0o500);
    expect(why(repo)).toMatchObject({ status: 'linked' });
    for (const name of readdirSync(join(repo.dir, '.git'))) chmodSync(join(repo.dir, '.git', name), 0o700);
  });
});
