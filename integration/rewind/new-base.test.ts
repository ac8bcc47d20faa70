import { describe, expect } from 'vitest';
import { goBack, temporary, turns } from '../support/command/rewind.ts';
import { addWork, expectLinked } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { viewOf } from '../support/undo/view.ts';

const text = (value: string, top = '') => `${top}one\ntwo ${value}\n${'-\n'.repeat(10)}end\n`;

/** A commit that has nothing to do with any session. */
function unrelated(repo: TestRepo, name = 'x.txt'): void {
  repo.write(name, `${name}\n`);
  repo.commit(`Unrelated ${name}`, name);
}

const shown = (repo: TestRepo): string[] =>
  temporary(repo).map(({ message, session_id: id }) => `${id?.slice(0, 4)} ${message}`);

const pointOf = (repo: TestRepo, message: string): string =>
  temporary(repo).find((point) => point.message === message)?.id ?? `no point ${message}`;

describe('a commit that has nothing of a session moves HEAD between its turns', () => {
  scenario('its turns are still there to go back to, before its next prompt and after', (repo) => {
    repo.ready();
    repo.write('f.js', text('v0'));
    repo.commit('Base', 'f.js');
    const own = turns(repo, { 'f.js': text('v1') }, { 'f.js': text('v2') });
    const before = temporary(repo);
    unrelated(repo);
    expect(temporary(repo)).toEqual(before);
    repo.write('f.js', text('v2', '// mine\n'));
    const at = viewOf(repo.dir);
    const { stderr } = goBack(repo, pointOf(repo, 'Turn 1'));
    expect(stderr).toContain('To reverse this: entire undo\n');
    expect(repo.read('f.js')).toBe(text('v1', '// mine\n'));
    expect(shown(repo)).toEqual([`${own.id.slice(0, 4)} Turn 1`]);
    repo.entire('undo');
    expect(viewOf(repo.dir)).toEqual(at);
    expect(temporary(repo)).toEqual(before);
    addWork(repo, { 'h.js': 'h\n' }, own);
    expect(shown(repo)).toEqual(
      ['Write h.js', 'Turn 2', 'Turn 1'].map((it) => `${own.id.slice(0, 4)} ${it}`),
    );
    expect(repo.run('entire', ['verify']).code).toBe(0);
    repo.commit('Own', 'f.js', 'h.js');
    expectLinked(repo, own, 'f.js', 'h.js');
  });

  scenario('and another session works there by then: each keeps its turns', (repo) => {
    repo.ready();
    repo.write('f.js', text('v0'));
    repo.commit('Base', 'f.js');
    const own = turns(repo, { 'f.js': text('v1') }, { 'f.js': text('v2') });
    unrelated(repo);
    const other = addWork(repo, { 'g.js': 'g\n' });
    repo.write('f.js', text('v2', '// mine\n'));
    addWork(repo, { 'f.js': text('v3', '// mine\n') }, own);
    const [a, b] = [own, other].map(({ id }) => id.slice(0, 4));
    expect(shown(repo).toSorted()).toEqual(
      [`${a} Write f.js`, `${b} Write g.js`, `${a} Turn 2`, `${a} Turn 1`].toSorted(),
    );
    expect(repo.entire('explain', '--no-pager').stdout).not.toContain('new base');
    const at = viewOf(repo.dir);
    const dry = goBack(repo, pointOf(repo, 'Write g.js'), '--dry-run');
    expect(dry.stdout).toBe('  Would restore: f.js\nDry run: nothing was changed.\n');
    expect(dry.stderr).toContain(`What session ${own.id} (Claude Code) did since then goes back, too`);
    const { stderr } = goBack(repo, pointOf(repo, 'Turn 1'));
    expect(stderr).toContain(`What session ${other.id} (Claude Code) did since then goes back, too`);
    expect([repo.read('f.js'), repo.exists('g.js')]).toEqual([text('v1', '// mine\n'), false]);
    // Its step lies below, on the branch that it had first: what went back along can be had again by it.
    expect(shown(repo).toSorted()).toEqual([`${a} Turn 1`, `${b} Write g.js`].toSorted());
    repo.entire('undo');
    expect(viewOf(repo.dir)).toEqual(at);
    const alone = goBack(repo, pointOf(repo, 'Turn 1'), '--session-only');
    expect(alone.stderr).toContain(
      'What you or others wrote into these files since that point goes, too. `entire undo` brings it back:\n  - f.js\n',
    );
    expect([repo.read('f.js'), repo.exists('g.js')]).toEqual([text('v1'), true]);
    expect(shown(repo).toSorted()).toEqual([`${a} Turn 1`, `${b} Write g.js`].toSorted());
    repo.entire('undo');
    expect(viewOf(repo.dir)).toEqual(at);
    expect(repo.run('entire', ['verify']).code).toBe(0);
    repo.commit('Both', 'f.js', 'g.js');
    const checkpoint = repo.checkpointOf('HEAD') as string;
    const files = [0, 1].map((slot) => repo.storedJson(checkpoint, `${slot}/metadata.json`));
    expect(new Map(files.map((one) => [one.session_id, one.files_touched]))).toEqual(
      new Map([
        [own.id, ['f.js']],
        [other.id, ['g.js']],
      ]),
    );
  });

  variation('its own turns alone move, and those of one that stays on the old commit do not', (repo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'a1\n' });
    const stays = addWork(repo, { 's.txt': 's\n' });
    addWork(repo, { 'a.txt': 'a2\n' }, own);
    unrelated(repo);
    const other = addWork(repo, { 'g.js': 'g\n' });
    addWork(repo, { 'b.txt': 'b\n' }, own);
    const [a, s, b] = [own, stays, other].map(({ id }) => id.slice(0, 4));
    expect(shown(repo).toSorted()).toEqual(
      [
        `${a} Turn 1`,
        `${a} Write a.txt`,
        `${a} Write b.txt`,
        `${b} Write g.js`,
        `${s} Write s.txt`,
      ].toSorted(),
    );
    goBack(repo, pointOf(repo, 'Turn 1'), '--session-only');
    expect([repo.read('a.txt'), repo.exists('b.txt'), repo.read('s.txt')]).toEqual(['a1\n', false, 's\n']);
    repo.entire('undo');
    addWork(repo, { 's.txt': 's2\n' }, stays);
    expect(shown(repo).filter((one) => one.startsWith(s as string))).toEqual([
      `${s} Write s.txt`,
      `${s} Write s.txt`,
    ]);
    expect(shown(repo)).toHaveLength(6);
    expect(repo.run('entire', ['verify']).code).toBe(0);
  });

  variation('two that share a branch follow one after the other: each step is there once', (repo) => {
    repo.ready();
    const a = turns(repo, { 'a.txt': 'a1\n' });
    const s = addWork(repo, { 's.txt': 's1\n' });
    unrelated(repo);
    addWork(repo, { 'a.txt': 'a2\n' }, a);
    addWork(repo, { 's.txt': 's2\n', 't.txt': 't\n' }, s);
    expect(repo.logText()).not.toContain('shadow branch not moved');
    expect([repo.state(a.id).checkpoint_count, repo.state(s.id).checkpoint_count]).toEqual([2, 2]);
    const [one, two] = [a, s].map(({ id }) => id.slice(0, 4));
    expect(shown(repo).toSorted()).toEqual(
      [
        `${one} Turn 1`,
        `${one} Write a.txt`,
        `${two} Write s.txt`,
        `${two} Write s.txt and t.txt`,
      ].toSorted(),
    );
    goBack(repo, pointOf(repo, 'Write s.txt'));
    expect([repo.read('s.txt'), repo.exists('t.txt')]).toEqual(['s1\n', false]);
    repo.entire('undo');
    repo.commit('Both', 'a.txt', 's.txt', 't.txt');
    const checkpoint = repo.checkpointOf('HEAD') as string;
    for (const slot of [0, 1])
      expect(repo.storedJson(checkpoint, `${slot}/metadata.json`).checkpoints_count).toBe(2);
  });

  variation('there and back again: no step is there twice', (repo) => {
    repo.ready();
    const a = turns(repo, { 'a.txt': 'a1\n' }, { 'a.txt': 'a2\n', 'c.txt': 'c\n' });
    addWork(repo, { 's.txt': 's1\n' });
    repo.git('checkout', '--quiet', '-b', 'feature');
    unrelated(repo);
    addWork(repo, { 'b.txt': 'b1\n' });
    addWork(repo, { 'a.txt': 'a3\n' }, a);
    repo.git('checkout', '--quiet', 'main');
    addWork(repo, { 'a.txt': 'a4\n' }, a);
    const own = shown(repo).filter((one) => one.startsWith(a.id.slice(0, 4)));
    expect(own.map((one) => one.slice(5)).toSorted()).toEqual([
      'Turn 1',
      'Turn 2',
      'Write a.txt',
      'Write a.txt',
    ]);
    expect(repo.state(a.id).checkpoint_count).toBe(4);
    goBack(repo, pointOf(repo, 'Turn 2'), '--session-only');
    expect([repo.read('a.txt'), repo.state(a.id).checkpoint_count]).toEqual(['a2\n', 2]);
  });

  variation('a rewind of the one whose branch is joined is undone and redone as before', (repo) => {
    repo.ready();
    const a = turns(repo, { 'a.txt': 'a1\n' });
    unrelated(repo);
    const b = turns(repo, { 'b.txt': 'b1\n' }, { 'b.txt': 'b2\n' });
    const ownSteps = () => shown(repo).filter((one) => one.startsWith(b.id.slice(0, 4)));
    const both = ownSteps();
    goBack(
      repo,
      temporary(repo).find((one) => one.session_id === b.id && one.message === 'Turn 1')?.id ?? '',
    );
    addWork(repo, { 'a.txt': 'a2\n' }, a);
    const { stderr } = repo.entire('undo', '--session', b.id);
    expect(stderr).not.toContain('went on since');
    expect([repo.read('b.txt'), repo.state(b.id).checkpoint_count]).toEqual(['b2\n', 2]);
    expect(ownSteps().toSorted()).toEqual(both.toSorted());
    repo.entire('redo', '--session', b.id);
    expect([repo.read('b.txt'), repo.state(b.id).checkpoint_count]).toEqual(['b1\n', 1]);
    expect(ownSteps()).toHaveLength(1);
  });

  variation('what another session wrote into its file on the old commit stays in its newest step', (repo) => {
    repo.ready();
    addWork(repo, { 'c.txt': 'c\n' });
    repo.git('checkout', '--quiet', '-b', 'feature');
    unrelated(repo);
    const a = addWork(repo, { 'f.txt': 'one\n' });
    addWork(repo, { 'f.txt': 'one\ntwo\nthree\n' });
    repo.git('checkout', '--quiet', 'main');
    addWork(repo, { 'z.txt': 'z\n' }, a);
    const dry = goBack(repo, pointOf(repo, 'Write z.txt'), '--session-only', '--dry-run');
    expect(dry.stdout).toContain('No file differs');
  });

  for (const isKept of [true, false])
    variation(
      `a file of its first turn that a later one deleted comes back (contents kept: ${isKept})`,
      (repo) => {
        repo.ready();
        if (!isKept)
          repo.write('.entire/settings.local.json', '{"strategy_options":{"snapshots":{"enabled":false}}}');
        const a = turns(repo, { 'p.txt': 'p1\n', 'q.txt': 'q1\n' });
        a.prompt('two');
        a.deleteFile('p.txt');
        a.edit('q.txt', 'q2\n');
        a.stop();
        unrelated(repo);
        addWork(repo, { 'b.txt': 'b\n' });
        addWork(repo, { 'q.txt': 'q3\n' }, a);
        goBack(repo, pointOf(repo, 'Turn 1'), '--session-only');
        expect([repo.read('p.txt'), repo.read('q.txt')]).toEqual(['p1\n', 'q1\n']);
      },
    );

  variation('what a commit left to it without a step of its own goes along', (repo) => {
    repo.ready();
    turns(repo, { 'f.txt': 'f1\n', 'a.txt': 'a\n' });
    const b = addWork(repo, { 'f.txt': 'f1\nf2\n', 'b.txt': 'b\n' });
    repo.commit('Most', 'a.txt', 'b.txt');
    repo.git('stash', '--include-untracked', '--quiet');
    unrelated(repo);
    addWork(repo, { 'c.txt': 'c\n' });
    addWork(repo, { 'd.txt': 'd\n' }, b);
    repo.git('stash', 'pop', '--quiet');
    repo.commit('F', 'f.txt');
    const checkpoint = repo.checkpointOf('HEAD') as string;
    const sessions = repo.git(
      'ls-tree',
      '--name-only',
      'entire/checkpoints/v1',
      `${checkpoint.slice(0, 2)}/${checkpoint.slice(2)}/`,
    );
    expect(sessions).toContain('/1');
    expect(repo.state(b.id).files_touched).toEqual(['d.txt']);
  });

  variation('commits that take HEAD elsewhere do not offer what was done there', (repo) => {
    repo.ready();
    repo.git('checkout', '--quiet', '-b', 'feature');
    unrelated(repo, 'on-feature.txt');
    turns(repo, { 'f.js': 'f\n' });
    repo.git('checkout', '--quiet', 'main');
    expect(temporary(repo)).toEqual([]);
    repo.git('checkout', '--quiet', 'feature');
    expect(temporary(repo)).toHaveLength(1);
  });
});
