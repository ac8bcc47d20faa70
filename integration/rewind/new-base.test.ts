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
    expect(stderr).toContain('To take this back: entire undo\n');
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

  scenario('and another session works there by then: each keeps its turns, in the order of time', (repo) => {
    repo.ready();
    repo.write('f.js', text('v0'));
    repo.commit('Base', 'f.js');
    const own = turns(repo, { 'f.js': text('v1') }, { 'f.js': text('v2') });
    unrelated(repo);
    const other = addWork(repo, { 'g.js': 'g\n' });
    repo.write('f.js', text('v2', '// mine\n'));
    addWork(repo, { 'f.js': text('v3', '// mine\n') }, own);
    const [a, b] = [own, other].map(({ id }) => id.slice(0, 4));
    expect(shown(repo)).toEqual([`${a} Write f.js`, `${b} Write g.js`, `${a} Turn 2`, `${a} Turn 1`]);
    expect(repo.entire('explain', '--no-pager').stdout).not.toContain('new base');
    const at = viewOf(repo.dir);
    const dry = goBack(repo, pointOf(repo, 'Write g.js'), '--dry-run');
    expect(dry.stdout).toBe('  Would restore: f.js\nDry run: nothing was changed.\n');
    expect(dry.stderr).toContain(`What session ${own.id} (Claude Code) did since then goes back along`);
    const { stderr } = goBack(repo, pointOf(repo, 'Turn 1'));
    expect(stderr).toContain(`What session ${other.id} (Claude Code) did since then goes back along`);
    expect([repo.read('f.js'), repo.exists('g.js')]).toEqual([text('v1', '// mine\n'), false]);
    expect(shown(repo)).toEqual([`${a} Turn 1`]);
    repo.entire('undo');
    expect(viewOf(repo.dir)).toEqual(at);
    const alone = goBack(repo, pointOf(repo, 'Turn 1'), '--session-only');
    expect(alone.stderr).toContain(
      'What you or others wrote into these files since that point goes, too. `entire undo` brings it back:\n  - f.js\n',
    );
    expect([repo.read('f.js'), repo.exists('g.js')]).toEqual([text('v1'), true]);
    expect(shown(repo)).toEqual([`${b} Write g.js`, `${a} Turn 1`]);
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
