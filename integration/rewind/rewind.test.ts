import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { goBack, listPoints, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork, expectLinked } from '../support/command/work.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

describe('going back to a step', () => {
  onBothBuilds('files are what they were, later ones are gone; HEAD and the branch stay', (repo) => {
    repo.ready();
    const head = repo.git('rev-parse', 'HEAD');
    const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'b.txt': 'b\n' }, { 'c.txt': 'c\n' });
    const before = session.read();
    const [shadow] = repo.shadowBranches();
    const points = temporary(repo);
    expect(points.map(({ message }) => message)).toEqual(['Turn 3', 'Turn 2', 'Turn 1']);
    const target = stepOf(points, 'Turn 1');

    const { stdout, stderr } = goBack(repo, target.id);
    expect(repo.read('a.txt')).toBe('v1\n');
    expect([repo.exists('b.txt'), repo.exists('c.txt')]).toEqual([false, false]);
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
    expect(repo.shadowBranches()).toEqual([shadow]);
    expect(repo.git('rev-parse', shadow as string)).toBe(target.id);
    const short = target.id.slice(0, 7);
    expect(stdout).toBe(
      `\nRestored files from shadow commit ${short}\n\nRewound to ${short}. claude -r ${session.id}\n`,
    );
    expect(stderr).toContain(
      '\nWarning: The following untracked files will be DELETED:\n  - b.txt\n  - c.txt\n\n',
    );
    expect(stderr).toContain('  Deleted: b.txt\n  Deleted: c.txt\n');
    expect(stderr).toContain('  Restored: a.txt\n');
    expect(stderr).toContain(`[entire] Step branch ${shadow} is back at ${short}\n`);
    expect(stderr).toContain(`Writing transcript to: ${session.transcript}\n`);
    expect(before.startsWith(session.read())).toBe(true);
    expect(session.read()).toContain('turn 1');
    expect(session.read()).not.toContain('turn 2');
    expect(temporary(repo).map(({ message }) => message)).toEqual(['Turn 1']);
  });

  variation('where files are only deleted nothing is called restored', (repo) => {
    repo.ready();
    turns(repo, { 'a.txt': 'v1\n' }, { 'b.txt': 'b\n' });
    const { id } = stepOf(temporary(repo), 'Turn 1');
    const { stdout, stderr } = goBack(repo, id);
    expect(stderr).toContain('  Deleted: b.txt\n');
    expect(stdout).toMatch(
      `\nDeleted files that shadow commit ${id.slice(0, 7)} does not have\n\nRewound to ${id.slice(0, 7)}.`,
    );
  });

  variation('back twice in a row', (repo) => {
    repo.ready();
    turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' }, { 'a.txt': 'v3\n' });
    const points = temporary(repo);
    goBack(repo, stepOf(points, 'Turn 2').id);
    expect(repo.read('a.txt')).toBe('v2\n');
    goBack(repo, stepOf(points, 'Turn 1').id.slice(0, 7));
    expect(repo.read('a.txt')).toBe('v1\n');
  });

  variation('what was there before the session stays as it is, for a second session, too', (repo) => {
    repo.ready();
    const own = {
      'notes.txt': 'mine\n',
      '.env.local': 'A=1\n',
      'config.local.json': '{}\n',
      '.claude/commands/mine.md': 'mine\n',
    };
    for (const [path, text] of Object.entries(own)) repo.write(path, text);
    const settings = repo.read('.claude/settings.json');
    const first = turns(repo, { 'a.txt': 'v1\n' }, { 'b.txt': 'b\n' });
    repo.write('later.txt', 'also mine\n');
    const second = repo.session();
    for (const text of ['x1', 'x2']) {
      second.prompt(`write ${text}`);
      second.edit('x.txt', `${text}\n`);
      second.edit(`${text}.txt`, `${text}\n`);
      second.stop();
    }
    const points = temporary(repo);
    goBack(repo, stepOf(points, 'Write x1').id);
    expect([repo.read('x.txt'), repo.exists('x2.txt'), repo.read('b.txt')]).toEqual(['x1\n', false, 'b\n']);
    goBack(repo, stepOf(points, 'Turn 1').id);
    expect([repo.exists('b.txt'), repo.read('a.txt')]).toEqual([false, 'v1\n']);
    expect([repo.read('x.txt'), repo.read('x1.txt')]).toEqual(['x1\n', 'x1\n']); // another session's
    for (const [path, text] of Object.entries({ ...own, 'later.txt': 'also mine\n' }))
      expect(repo.read(path), path).toBe(text);
    expect(repo.read('.claude/settings.json')).toBe(settings);
    expect([first.id, second.id]).toContain(listPoints(repo)[0]?.session_id);
  });

  variation('all new files of one step have its contents', (repo) => {
    repo.ready();
    const files = { 'one.txt': '1\n', 'deep/two.txt': '2\n', 'deep/er/three.txt': '3\n' };
    const changed = { 'one.txt': 'x\n', 'deep/two.txt': 'y\n' };
    const session = turns(repo, files, changed);
    session.prompt('remove one');
    session.deleteFile('deep/er/three.txt');
    session.stop();
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    for (const [path, text] of Object.entries(files)) expect(repo.read(path), path).toBe(text);
  });

  variation('from a sub-directory the same files, in the same places', (repo) => {
    repo.ready();
    turns(repo, { 'src/a.txt': 'v1\n', 'top.txt': 't1\n' }, { 'src/a.txt': 'v2\n', 'top.txt': 't2\n' });
    mkdirSync(join(repo.dir, 'src/deep'));
    const { id } = stepOf(temporary(repo), 'Turn 1');
    const cwd = join(repo.dir, 'src/deep');
    expect(repo.run('entire', ['rewind', '--to', id], { cwd }).code).toBe(0);
    expect([repo.read('src/a.txt'), repo.read('top.txt')]).toEqual(['v1\n', 't1\n']);
    expect(repo.exists('src/deep/src')).toBe(false);
  });

  variation('in a linked worktree: that one alone', (repo) => {
    repo.ready();
    const main = turns(repo, { 'a.txt': 'main 1\n' }, { 'a.txt': 'main 2\n' });
    const dir = repo.dir;
    const side = join(repo.scratch, 'side');
    repo.git('worktree', 'add', '--quiet', side);
    repo.dir = side;
    turns(repo, { 'a.txt': 'side 1\n' }, { 'a.txt': 'side 2\n', 'b.txt': 'b\n' });
    expect(temporary(repo)).toHaveLength(2);
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect([repo.read('a.txt'), repo.exists('b.txt')]).toEqual(['side 1\n', false]);
    repo.dir = dir;
    expect([repo.read('a.txt'), repo.state(main.id).checkpoint_count]).toEqual(['main 2\n', 2]);
    const [point] = temporary(repo);
    repo.dir = side;
    expect(repo.tryEntire('rewind', '--to', point?.id as string).code).toBe(1);
    repo.entire('undo');
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['side 2\n', 'b\n']);
    repo.dir = dir;
  });

  variation('ignored files, and those of the user, are never deleted', (repo) => {
    repo.ready();
    repo.write('.gitignore', 'build/\n.env\n');
    repo.commit('Ignore', '.gitignore');
    const session = turns(repo, { 'a.txt': 'v1\n' });
    repo.write('mine.txt', 'mine\n').write('build/out.bin', 'output\n').write('.env', 'SECRET=1\n');
    session.prompt('turn 2');
    session.edit('build/agent.bin', 'by the agent\n');
    session.edit('b.txt', 'b\n');
    session.stop();
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(repo.exists('b.txt')).toBe(false);
    expect(repo.read('mine.txt')).toBe('mine\n');
    expect(repo.read('build/out.bin')).toBe('output\n');
    expect(repo.read('.env')).toBe('SECRET=1\n');
    expect(repo.read('build/agent.bin')).toBe('by the agent\n');
    expect(stderr).not.toContain('mine.txt');
    // Its content is stored nowhere: it waits for a commit that takes it, as before.
    expect(repo.tracked(session.id)).toEqual(['build/agent.bin']);
    expect(repo.state(session.id).files_touched).toEqual(['a.txt']);
  });

  variation('--dry-run says what would become of each path, and changes nothing', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'b.txt': 'b\n' });
    const state = repo.state(session.id);
    const objects = repo.git('count-objects');
    const { stdout, stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id, '--dry-run');
    expect(stdout).toBe('  Would restore: a.txt\n  Would delete: b.txt\nDry run: nothing was changed.\n');
    expect(stderr).toBe(
      `\nWarning: The following untracked files will be DELETED:\n  - b.txt\n\n  Cuts off 1 later turn of session ${session.id}: “turn 2”\n`,
    );
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['v2\n', 'b\n']);
    expect(repo.state(session.id)).toEqual(state);
    expect(repo.git('count-objects')).toBe(objects);
    expect(session.read()).toContain('turn 2');
  });

  variation('a file that git tracks and that was deleted at that point is deleted again', (repo) => {
    repo.ready();
    repo.write('old.txt', 'old\n');
    repo.commit('Add old', 'old.txt');
    const session = repo.session();
    session.prompt('turn 1');
    session.deleteFile('old.txt');
    session.stop();
    session.prompt('turn 2');
    session.edit('old.txt', 'again\n');
    session.stop();
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(stderr).toContain(
      'The following tracked files will be deleted, as they were at that point:\n  - old.txt\n',
    );
    expect(repo.exists('old.txt')).toBe(false);
    expect(repo.git('status', '--porcelain')).toBe(' D old.txt');
  });

  variation('after going back a commit has the work up to there, and nothing is carried forward', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'b.txt': 'b\n' });
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(repo.state(session.id)).toMatchObject({ checkpoint_count: 1, files_touched: ['a.txt'] });
    expect(repo.state(session.id).prompt_attributions).toHaveLength(1);
    expect(repo.state(session.id).pending_prompt_attribution).toBeUndefined();
    expect(repo.state(session.id).token_usage.api_call_count).toBe(2);
    const id = repo.commit('Only a', 'a.txt') as string;
    expectLinked(repo, session, 'a.txt');
    expect(repo.stored(id, '0/prompt.txt')).toBe('turn 1');
    expect(repo.stored(id, '0/context.md')).not.toContain('turn 2');
    expect(repo.storedJson(id, '0/metadata.json').checkpoints_count).toBe(1);
    expect(repo.shadowBranches()).toEqual([]);
    expect(repo.state(session.id).files_touched).toBeUndefined();
    expect(repo.state(session.id).checkpoint_count).toBe(0);
  });

  variation(
    'the session goes on from there: later checkpoints have the prompts up to it and the new ones',
    (repo) => {
      repo.ready();
      const session = turns(repo, { 'a.txt': 'v1\n' }, { 'b.txt': 'b\n' });
      goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
      addWork(repo, { 'c.txt': 'c\n' }, session);
      expect(temporary(repo).map(({ message }) => message)).toEqual(['Write c.txt', 'Turn 1']);
      expect(repo.state(session.id)).toMatchObject({
        checkpoint_count: 2,
        files_touched: ['a.txt', 'c.txt'],
      });
      const id = repo.commit('All', 'a.txt', 'c.txt') as string;
      expect(repo.stored(id, '0/prompt.txt')).toBe('turn 1\n\n---\n\nwrite c.txt');
      expectLinked(repo, session, 'a.txt', 'c.txt');
    },
  );

  variation('an edit that no step has yet is taken back, too; the tracking file is empty', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n' });
    session.prompt('turn 2');
    session.edit('a.txt', 'v2\n');
    session.edit('new.txt', 'new\n');
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(stderr).toContain('is in the middle of a turn');
    expect([repo.read('a.txt'), repo.exists('new.txt')]).toEqual(['v1\n', false]);
    expect(repo.tracked(session.id)).toEqual([]);
    repo.commit('Only a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
    expect(repo.shadowBranches()).toEqual([]);
  });
});
