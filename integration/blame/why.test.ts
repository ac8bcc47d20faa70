import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { commitWithout, why } from '../support/command/why.ts';
import { addWork, editor, withWork } from '../support/command/work.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { expectGolden } from '../support/runner/golden.ts';

const REMAKE = ['reset --quiet --soft HEAD~1', 'commit --quiet --reuse-message=ORIG_HEAD'];
const remake = (repo: TestRepo) => {
  for (const command of REMAKE) repo.git(...command.split(' '));
};

describe('why: linked', () => {
  onBothBuilds('names checkpoint, sessions, prompts and the files of each in the commit', (repo) => {
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

  variation('the prompts that led to it, not those that led to the commits before it', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one\n' });
    repo.commit('Add a', 'a.txt');
    addWork(repo, { 'b.txt': 'two\n' }, session);
    addWork(repo, { 'c.txt': 'three\n' }, session);
    repo.commit('Add b and c', 'b.txt', 'c.txt');
    const { sessions } = why(repo);
    expect(sessions).toMatchObject([{ first_prompt: 'write b.txt', last_prompt: 'write c.txt' }]);
    expect(repo.entire('why').stdout).not.toContain('write a.txt');
    expect(repo.entire('why', 'HEAD~1').stdout).toContain('  Prompt: "write a.txt"\n');
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
      advice: [`It was replayed from ${original.slice(0, 7)}: \`entire why ${original.slice(0, 7)}\`.`],
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
    expect(why(repo)).toMatchObject({ status: 'not-linked', reason: 'foreign-checkpoint', sessions: [] });
    const told = 'none of the files in that checkpoint are in this commit';
    expect(repo.entire('why').stdout).toContain(told);
    const blamed = JSON.parse(repo.entire('blame', 'other.txt', '--json').stdout).lines;
    expect(blamed).toMatchObject([{ class: 'unknown', reason: 'foreign-checkpoint' }]);
    for (const args of [
      ['explain', '--commit', 'HEAD'],
      ['explain', '-c', id as string],
    ])
      expect(repo.entire(...args).stdout).toContain(`it does not fit: ${told}`);
    expect(JSON.parse(repo.entire('explain', '--json').stdout).checkpoints[0].problems.join()).toContain(
      told,
    );
    expect(repo.entire('rewind', '--to', repo.git('rev-parse', 'HEAD'), '--logs-only').stderr).toContain(
      told,
    );
    expect(repo.entire('resume', 'HEAD').stderr).toContain(told);
    const points = JSON.parse(repo.entire('rewind', '--list').stdout);
    expect(points.map((point: { misfit?: string }) => point.misfit)).toEqual([told, undefined]);
  });

  variation(
    'the trailer of another commit in a message that is used again: status says that it does not fit',
    (repo) => {
      withWork(repo);
      const id = repo.commit('Add a', 'a.txt') as string;
      repo.write('other.txt', 'other\n');
      repo.git('add', 'other.txt');
      repo.git('commit', '--quiet', '-C', 'HEAD');
      expect(repo.checkpointOf('HEAD')).toBe(id);
      expect(repo.verdict()).toMatchObject({ reason: 'kept' });
      const [told, linked] =
        repo.entire('status', '--detailed').stdout.split('Last commits:\n')[1]?.split('\n') ?? [];
      expect(told).toMatch(
        /^ {2}[0-9a-f]{7} {2}not linked: the message names the checkpoint of another commit: none of the files/,
      );
      expect(linked).toContain('linked (');
      expect(JSON.parse(repo.entire('status', '--json').stdout).verdicts).toMatchObject([
        { reason: 'foreign-checkpoint', checkpoint: id, sessions: [] },
        { reason: 'linked', checkpoint: id },
        { reason: 'no-session' },
      ]);
    },
  );
});

describe('why: not linked', () => {
  variation('no session, and a session that touched nothing of it', (repo) => {
    repo.ready();
    expect(why(repo)).toMatchObject({ status: 'not-linked', reason: 'no-session', checkpoint: null });
    expectGolden(repo, 'why-no-session.txt', repo.entire('why').stdout);
    addWork(repo, { 'a.txt': 'one\n' });
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine', 'mine.txt');
    expect(why(repo)).toMatchObject({ status: 'not-linked', reason: 'no-overlap', advice: [] });
  });

  variation('a commit that is older than the records', (repo) => {
    repo.init().write('a.txt', 'one\n').git('add', '.');
    const env = { GIT_COMMITTER_DATE: '2020-01-02T03:04:05Z' };
    repo.gitWith({ env }, 'commit', '--quiet', '-m', 'Add a');
    repo.entire('enable', '--agent', 'claude-code');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Enable entire');
    expect(why(repo, 'HEAD~1')).toMatchObject({ reason: 'before-records', verdict: null, advice: [] });
  });

  variation('the trailer was removed: the command it names repairs that', (repo) => {
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

  variation('made without hooks: no record, and the same command repairs it', (repo) => {
    const session = withWork(repo);
    commitWithout(repo, 'Add a', 'a.txt');
    expect(why(repo)).toMatchObject({ reason: 'no-record', verdict: null, waiting_sessions: [session.id] });
    repo.write('mine.txt', 'mine\n');
    commitWithout(repo, 'Mine', 'mine.txt');
    expect(why(repo, 'HEAD~1').advice).toEqual([
      'The next prompt of an agent in this worktree links it, by a git note.',
    ]);
    // There is no checkpoint that it could be held against.
    expect(why(repo).advice).toEqual([]);
    repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    remake(repo);
    expect(why(repo)).toMatchObject({ status: 'linked' });
  });

  variation('not set up, disabled, hooks missing', (repo) => {
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

  variation('merges and squashes: what they were made of is named', (repo) => {
    repo.ready();
    repo.git('checkout', '--quiet', '-b', 'topic');
    const first = addWork(repo, { 'a.txt': 'one\n' });
    const a = repo.commit('Add a', 'a.txt');
    const second = addWork(repo, { 'b.txt': 'two\n' });
    const b = repo.commit('Add b', 'b.txt');
    repo.git('checkout', '--quiet', 'main');
    repo.git('merge', '--quiet', '--no-ff', '--no-edit', 'topic');
    const merge = why(repo);
    expect(merge).toMatchObject({ status: 'not-linked', reason: 'merge', checkpoint: null });
    expect(merge.advice[0]).toContain(`\`entire why ${merge.commit.slice(0, 7)}^2\``);
    repo.git('checkout', '--quiet', '-b', 'other', 'HEAD~1');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.git('commit', '--quiet', '--no-edit');
    expect(why(repo)).toMatchObject({
      status: 'linked',
      reason: 'made-of',
      checkpoint: null,
      mentioned: [
        { checkpoint: b, place: 'message', stored: true, misfit: null },
        { checkpoint: a, place: 'message', stored: true, misfit: null },
      ],
    });
    const named = { a: a as string, b: b as string, first: first.id, second: second.id };
    expectGolden(repo, 'why-squash.txt', repo.entire('why').stdout, named);
  });

  variation('a forged trailer elsewhere in the message links nothing', (repo) => {
    withWork(repo);
    const id = repo.commit('Add a', 'a.txt');
    repo.write('mine.txt', 'mine\n');
    commitWithout(repo, `Mine\n\nEntire-Checkpoint: ${id}\n\nand more words of a body`, 'mine.txt');
    expect(why(repo)).toMatchObject({
      status: 'not-linked',
      checkpoint: null,
      mentioned: [
        { checkpoint: id, stored: true, misfit: 'none of the files in that checkpoint are in this commit' },
      ],
    });
  });
});

describe('why: incomplete', () => {
  variation('a trailer whose checkpoint is not in this clone', (repo) => {
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
