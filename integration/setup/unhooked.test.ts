import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { why } from '../support/command/why.ts';
import { addWork } from '../support/command/work.ts';
import { editState } from '../support/repository/leftovers.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Commits as a shell does for which git hooks are switched off. */
const commitUnhooked = (repo: TestRepo, message: string, ...paths: string[]): string => {
  repo.git('add', '--', ...paths);
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', message);
  return repo.git('rev-parse', 'HEAD');
};

const noteOf = (repo: TestRepo, commit = 'HEAD'): string | undefined =>
  /^Entire-Checkpoint: ([0-9a-f]{12})$/m.exec(
    repo.git('log', '-1', '--notes=refs/notes/entire', '--format=%N', commit),
  )?.[1];

/** A client that says when a shell command of it is done. */
function gemini(repo: TestRepo) {
  repo.ready().entire('agent', 'add', 'gemini');
  const payload = (name: string): string => {
    const file = join(import.meta.dirname, '../fixtures/gemini', `${name}.json`);
    return readFileSync(file, 'utf8').replaceAll('"/repo', `"${repo.dir}`);
  };
  const run = (verb: string, name: string): void => {
    const input = payload(name);
    expect(repo.run('entire', ['hooks', 'gemini', verb], { input })).toMatchObject({ code: 0, stdout: '' });
  };
  return { payload, run };
}

describe('a commit in whose shell no git hook ran is linked afterwards, by a note', () => {
  variation('of the agent, in mid-turn; the commit is as it was, and the next one takes the rest', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('commit it');
    session.edit('a.txt', 'a\n');
    const made = commitUnhooked(repo, 'Add a', 'a.txt');
    session.edit('b.txt', 'b\n');
    session.stop('Both are done.');
    const id = noteOf(repo) as string;
    expect([repo.git('rev-parse', 'HEAD'), repo.message('HEAD').trim()]).toEqual([made, 'Add a']);
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      files_touched: ['a.txt'],
      session_id: session.id,
    });
    expect(repo.stored(id, '0/full.jsonl')).toContain('Both are done.');
    expect(why(repo)).toMatchObject({ status: 'linked', checkpoint: id });
    expect(repo.entire('explain', '--commit', 'HEAD', '--no-pager').stdout).toContain(id);
    const next = repo.commit('b', 'b.txt') as string;
    expect(repo.storedJson(next, '0/metadata.json').files_touched).toEqual(['b.txt']);
    repo.write('README.md', 'by hand\n');
    expect(repo.commit('By hand', 'README.md')).toBeUndefined();
  });

  variation('also where git knows nobody’s name but in the shell that made it', (repo) => {
    repo.ready();
    for (const key of ['user.name', 'user.email']) repo.git('config', '--unset', key);
    const session = repo.session();
    session.prompt('commit it');
    session.edit('a.txt', 'a\n');
    repo.git('add', 'a.txt');
    const who = { name: 'Ada', email: 'ada@example.com' };
    const env = Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((role) => [
        [`GIT_${role}_NAME`, who.name],
        [`GIT_${role}_EMAIL`, who.email],
      ]),
    );
    repo.gitWith({ env }, '-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'Add a');
    session.stop();
    expect(noteOf(repo)).toBeDefined();
  });

  variation('two of them in one turn, each with its own files', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('commit them');
    session.edit('a.txt', 'a\n');
    const first = commitUnhooked(repo, 'Add a', 'a.txt');
    session.edit('b.txt', 'b\n');
    const second = commitUnhooked(repo, 'Add b', 'b.txt');
    session.stop();
    const files = [first, second].map(
      (commit) => repo.storedJson(noteOf(repo, commit) as string, '0/metadata.json').files_touched,
    );
    expect(files).toEqual([['a.txt'], ['b.txt']]);
  });

  variation('with what only a shell wrote, where the client says that its shell is done', (repo) => {
    const { run } = gemini(repo);
    run('before-agent', 'BeforeAgent');
    repo.write('b.txt', 'by a shell\n');
    commitUnhooked(repo, 'Add b', 'b.txt');
    run('post-shell', 'AfterTool-run_shell_command');
    const id = noteOf(repo) as string;
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      agent: 'Gemini CLI',
      files_touched: ['b.txt'],
    });
  });

  variation('once, where several of its shells are done at the same time', async (repo) => {
    const { run, payload } = gemini(repo);
    run('before-agent', 'BeforeAgent');
    repo.write('b.txt', 'by a shell\n');
    commitUnhooked(repo, 'Add b', 'b.txt');
    const input = payload('AfterTool-run_shell_command');
    const end = () => repo.inBackground('entire', ['hooks', 'gemini', 'post-shell'], { input });
    await Promise.all([end(), end(), end()]);
    const ids = [...repo.logText().matchAll(/hooks did not run is linked.*"checkpoint":"([0-9a-f]{12})"/g)];
    expect(ids.map(([, id]) => id)).toEqual([noteOf(repo)]);
    expect(why(repo)).toMatchObject({ status: 'linked', checkpoint: noteOf(repo) });
  });

  variation('on a branch that the same command has left again', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('commit it on a branch');
    session.edit('a.txt', 'a\n');
    repo.git('switch', '--quiet', '--create', 'feature');
    const made = commitUnhooked(repo, 'Add a', 'a.txt');
    repo.git('switch', '--quiet', 'main');
    session.stop();
    const id = noteOf(repo, made) as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt']);
    expect(why(repo, made)).toMatchObject({ status: 'linked', checkpoint: id });
    session.prompt('go on');
    session.edit('b.txt', 'b\n');
    const next = repo.commit('Add b', 'b.txt') as string;
    expect(repo.storedJson(next, '0/metadata.json').files_touched).toEqual(['b.txt']);
  });

  variation("of the user, with the session's work in it, at the next prompt", (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'a\n' });
    commitUnhooked(repo, 'Add a', 'a.txt');
    expect(noteOf(repo)).toBeUndefined();
    session.prompt('go on');
    expect(noteOf(repo)).toMatch(/^[0-9a-f]{12}$/);
    session.stop();
    expect(repo.state(session.id).files_touched ?? []).toEqual([]);
  });

  variation('but not one that was made with ENTIRE=0', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write it');
    session.edit('a.txt', 'a\n');
    repo.git('add', 'a.txt');
    repo.gitWith({ env: { ENTIRE: '0' } }, 'commit', '--quiet', '-m', 'Mine alone');
    session.stop();
    expect(noteOf(repo)).toBeUndefined();
    expect(why(repo)).toMatchObject({ status: 'not-linked', reason: 'switched-off' });
  });

  variation('and has a trailer, of the same checkpoint, once it is amended', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('commit it');
    session.edit('a.txt', 'a\n');
    commitUnhooked(repo, 'Add a', 'a.txt');
    session.stop();
    const id = noteOf(repo);
    repo.git('commit', '--quiet', '--amend', '-m', 'Add a, in other words');
    expect(repo.checkpointOf('HEAD')).toBe(id);
  });
});

describe('a commit that is amended in a shell without git hooks keeps its checkpoint', () => {
  const amendUnhooked = (repo: TestRepo, ...args: string[]) =>
    repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--amend', ...args);

  variation('that a note names, twice reworded', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'a\n' });
    commitUnhooked(repo, 'Add a', 'a.txt');
    session.prompt('say it better');
    const id = noteOf(repo);
    amendUnhooked(repo, '-m', 'Add a, in other words');
    amendUnhooked(repo, '-m', 'Add a, in other words than those');
    session.stop();
    expect(noteOf(repo)).toBe(id);
    expect(repo.verdict()).toMatchObject({ reason: 'kept', checkpoint: id });
  });

  variation('that its trailer names, and the checkpoint has what was added', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'a\n' });
    const id = repo.commit('Add a', 'a.txt') as string;
    session.prompt('add b to it');
    session.edit('b.txt', 'b\n');
    repo.git('add', 'b.txt');
    amendUnhooked(repo, '--no-edit');
    session.stop('b is in it.');
    expect(repo.verdict()).toMatchObject({
      reason: 'linked',
      checkpoint: id,
      commit: repo.git('rev-parse', 'HEAD'),
    });
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toContain('b.txt');
    expect(repo.stored(id, '0/full.jsonl')).toContain('b is in it.');
    expect(noteOf(repo)).toBeUndefined();
  });
});

describe('a copy of a commit that a note names has a trailer', () => {
  const noted = (repo: TestRepo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('commit it');
    session.edit('a.txt', 'a\n');
    const made = commitUnhooked(repo, 'Add a', 'a.txt');
    session.stop();
    const id = noteOf(repo) as string;
    repo.git('switch', '--quiet', '--create', 'other', 'HEAD~1');
    return { made, id };
  };

  variation('after a rebase, and after another one', (repo) => {
    const { id } = noted(repo);
    repo.write('o.txt', 'o\n').commit('Other', 'o.txt');
    repo.git('switch', '--quiet', 'main');
    repo.git('rebase', '--quiet', 'other');
    expect(repo.checkpointOf('HEAD')).toBe(id);
    expect(why(repo)).toMatchObject({ status: 'linked', checkpoint: id });
    repo.git('rebase', '--quiet', '--force-rebase', 'other');
    expect(repo.git('log', '-1', '--format=%B').match(/Entire-Checkpoint/g)).toHaveLength(1);
  });

  variation('after a cherry-pick, also of one with conflicts', (repo) => {
    const { made, id } = noted(repo);
    repo.git('cherry-pick', made);
    expect(repo.checkpointOf('HEAD')).toBe(id);
    repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    repo.write('a.txt', 'mine\n').commit('Mine', 'a.txt');
    expect(repo.tryGit('cherry-pick', made).code).toBe(1);
    repo.write('a.txt', 'a and mine\n');
    repo.git('add', 'a.txt');
    repo.git('commit', '--quiet', '--no-edit');
    expect(repo.checkpointOf('HEAD')).toBe(id);
  });
});

describe('a commit in whose shell no git hook ran is not linked', () => {
  variation('that holds nothing of a session; it has a verdict', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'a\n' });
    repo.write('mine.txt', 'mine\n');
    const commit = commitUnhooked(repo, 'Mine', 'mine.txt');
    session.prompt('go on');
    expect(noteOf(repo)).toBeUndefined();
    expect(repo.verdict()).toMatchObject({ commit, reason: 'no-overlap' });
    expect(why(repo)).toMatchObject({ status: 'not-linked' });
  });

  variation('nor a base that is not here any more; the turn begins all the same', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'a\n' });
    editState(repo, session.id, { base_commit: '9'.repeat(40), attribution_base_commit: '9'.repeat(40) });
    repo.write('mine.txt', 'mine\n');
    commitUnhooked(repo, 'Mine', 'mine.txt');
    session.prompt('go on');
    expect(repo.state(session.id).phase).toBe('active');
    expect(repo.logText()).not.toContain('"hook failed"');
  });

  variation('that was amended since; shadow branches do not hold on to it', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('commit it');
    session.edit('a.txt', 'a\n');
    const first = commitUnhooked(repo, 'Add a', 'a.txt');
    repo.git('branch', 'entire/1234567-abcdef', first);
    repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--amend', '-m', 'Add a, again');
    session.stop();
    expect([noteOf(repo, first), noteOf(repo)]).toEqual([undefined, expect.stringMatching(/^[0-9a-f]{12}$/)]);
    repo.git('branch', '--quiet', '-D', 'entire/1234567-abcdef');
  });

  variation('from before the session', (repo) => {
    repo.ready().write('mine.txt', 'mine\n');
    commitUnhooked(repo, 'Mine', 'mine.txt');
    addWork(repo, { 'a.txt': 'a\n' });
    expect(noteOf(repo)).toBeUndefined();
  });
});
