import { describe, expect } from 'vitest';
import { blame } from '../support/command/blame.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const CONFIG = 'version: 1\nname: demo\nretries: 5\ntimeout: 30\n';
const CODE = 'function area(r) {\n  const pi = 3\n  let sum = 0\n  sum += pi\n  return sum\n}\n';

/** A session that makes a file, of which its client says that it was new. */
function make(repo: TestRepo, path: string, content: string): string {
  const session = repo.session();
  const file = `${repo.dir}/${path}`;
  session.prompt(`make ${path}`);
  repo.write(path, content);
  const answer = { type: 'create', filePath: file, content, structuredPatch: [], originalFile: null };
  session.tool('Write', { file_path: file, content }, { answer });
  session.reportEdit(path);
  session.stop();
  return session.id;
}

/** A session puts a line below another one. */
function putBelow(
  repo: TestRepo,
  session: ReturnType<TestRepo['session']>,
  above: string,
  line: string,
): void {
  const file = `${repo.dir}/a.js`;
  session.seesBefore('a.js');
  repo.write('a.js', repo.read('a.js').replace(above, `${above}\n${line}`));
  session.tool('Edit', { file_path: file, old_string: above, new_string: `${above}\n${line}` });
  session.reportEdit('a.js');
}

const owners = (repo: TestRepo, path: string): string[] =>
  blame(repo, path).lines.map(({ class: kind, session_id }) => session_id ?? kind);

const all = (of: string, count: number): string[] => Array.from({ length: count }, () => of);

describe('blame: lines that are short each, and together like no others', () => {
  variation('of a person, in a commit that is rebased, and in one that is picked', (repo) => {
    repo.ready().git('switch', '--quiet', '--create', 'topic');
    repo.write('c.yml', CONFIG).commit('By hand', 'c.yml');
    repo.git('switch', '--quiet', 'main');
    repo.write('other.txt', 'main goes on\n').commit('Other', 'other.txt');
    repo.git('cherry-pick', 'topic');
    expect(owners(repo, 'c.yml')).toEqual(all('human', 4));
    repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    repo.git('switch', '--quiet', 'topic');
    repo.git('rebase', '--quiet', 'main');
    expect(owners(repo, 'c.yml')).toEqual(all('human', 4));
  });

  variation('of a session, in a file that is reverted, and brought back', (repo) => {
    repo.ready();
    const id = make(repo, 'c.yml', CONFIG);
    repo.commit('Config', 'c.yml');
    for (let times = 0; times < 2; times++) repo.git('revert', '--no-edit', 'HEAD');
    expect(owners(repo, 'c.yml')).toEqual(all(id, 4));
    repo.git('rm', '--quiet', 'c.yml');
    repo.git('commit', '--quiet', '-m', 'Gone');
    repo.git('checkout', '--quiet', 'HEAD~1', '--', 'c.yml');
    repo.git('commit', '--quiet', '-m', 'Back');
    expect(owners(repo, 'c.yml')).toEqual(all(id, 4));
  });

  variation('of a session, that a formatter ends otherwise in a commit of its own', (repo) => {
    repo.ready();
    const id = make(repo, 'a.js', CODE);
    repo.commit('Area', 'a.js');
    repo.write('a.js', CODE.replace(/([^{}])\n/g, '$1;\n')).commit('Format', 'a.js');
    expect(owners(repo, 'a.js').slice(0, 5)).toEqual(all(id, 5));
  });

  variation('of a session, that a formatter indents in a commit of its own, below empty lines', (repo) => {
    const text = 'if (isOne) {\n  goOn();\n}\n\nif (isTwo) {\n  return makeSomethingOfIt(12345678);\n}\n';
    repo.ready();
    const id = make(repo, 'a.js', text);
    repo.commit('Add a', 'a.js');
    repo.write('a.js', text.replace(/^(?=.)/gm, '\t'));
    repo.commit('Indent', 'a.js');
    expect(owners(repo, 'a.js')).toEqual(all(id, 7));
  });

  variation('below a line like no other they are no block: many functions end so', (repo) => {
    repo.ready().git('switch', '--quiet', '--create', 'topic');
    const end = '  if (it)\n    return null;\n  return false;\n}\n';
    make(repo, 'a.js', `function theirsIsSomething(it) {\n${end}`);
    repo.commit('Theirs', 'a.js');
    repo.git('switch', '--quiet', 'main');
    repo.write('a.js', `function mineIsSomethingElse(it) {\n${end}`).commit('Mine', 'a.js');
    expect(owners(repo, 'a.js')).toEqual(all('human', 5));
  });

  variation('one of them, that a person writes elsewhere, is the person’s', (repo) => {
    repo.ready();
    make(repo, 'c.yml', CONFIG);
    repo.commit('Config', 'c.yml');
    repo.write('d.yml', 'retries: 5\n').commit('Mine', 'd.yml');
    expect(owners(repo, 'd.yml')).toEqual(['human']);
    repo.write('c.yml', `${CONFIG}host: local\nretries: 5\n`).commit('More', 'c.yml');
    expect(owners(repo, 'c.yml').slice(4)).toEqual(['human', 'human']);
  });

  variation(
    'one of them, that a person puts above a line of the session like no other, is no block',
    (repo) => {
      const lines = [1, 2, 3, 4].map((n) => `const computedByHand${n} = compute(${n});`);
      const [, second = '', , fourth = ''] = lines;
      repo
        .ready()
        .write('a.js', `${lines.join('\n')}\n`)
        .commit('Base', 'a.js');
      repo.git('switch', '--quiet', '--create', 'topic');
      const session = repo.session();
      session.prompt('two lines more');
      putBelow(repo, session, second, 'y += 1;');
      putBelow(repo, session, fourth, 'const writtenByTheSession = compute(813);');
      session.stop();
      repo.commit('Theirs', 'a.js');
      const text = repo.read('a.js').replace('y += 1;\n', '').replace(fourth, `${fourth}\ny += 1;`);
      repo.write('a.js', text).commit('Mine', 'a.js');
      repo.git('switch', '--quiet', 'main');
      const noHooks = ['-c', 'core.hooksPath=/dev/null'];
      repo.git(...noHooks, 'merge', '--quiet', '--squash', 'topic');
      repo.git(...noHooks, 'commit', '--quiet', '-m', 'All');
      expect(owners(repo, 'a.js')).toEqual([...all('human', 4), 'unknown', session.id]);
    },
  );

  variation(
    'together with a line like no other that the session wrote below them they are a block',
    (repo) => {
      repo.ready().write('a.js', 'const computedByHand = compute(1);\n').commit('Base', 'a.js');
      repo.git('switch', '--quiet', '--create', 'topic');
      const session = repo.session();
      session.prompt('two lines more');
      const two = 'y += 1;\nconst writtenByTheSession = compute(813);';
      putBelow(repo, session, 'const computedByHand = compute(1);', two);
      session.stop();
      repo.commit('Theirs', 'a.js');
      repo.git('switch', '--quiet', 'main');
      const noHooks = ['-c', 'core.hooksPath=/dev/null'];
      repo.git(...noHooks, 'merge', '--quiet', '--squash', 'topic');
      repo.git(...noHooks, 'commit', '--quiet', '-m', 'All');
      expect(owners(repo, 'a.js')).toEqual(['human', session.id, session.id]);
      expect(blame(repo, 'a.js').sessions).toHaveLength(1);
    },
  );
});

describe('a brace that stays where a person changes the line above it', () => {
  variation('stays the session’s, also where both were committed in one second, as a rebase does', (repo) => {
    repo.ready();
    const text = 'function doIt(a, b) {\n  if (isReady(a)) {\n    return computeFrom(a, b);\n  }\n}\n';
    const id = make(repo, 'a.js', text);
    repo.commit('Theirs', 'a.js');
    repo.write('a.js', text.replace('computeFrom(a, b)', 'somethingElse(b)')).commit('Mine', 'a.js');
    const dates = repo.git('log', '-2', '--format=%cI', '--', 'a.js').split('\n');
    expect(new Set(dates).size).toBe(1);
    expect(owners(repo, 'a.js')).toEqual([id, id, 'human', id, id]);
    repo.git('commit', '--quiet', '--amend', '--no-edit', '--date=2026-02-03T04:05:06Z');
    repo.write('a.js', repo.read('a.js').replace('isReady(a)', 'isReady(b)')).commit('Mine, too', 'a.js');
    expect(owners(repo, 'a.js')).toEqual([id, 'human', 'human', id, id]);
  });
});
