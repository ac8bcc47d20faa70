import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { addWork, expectLinked, withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';

const PUT_AWAY = ['stash', 'push', '--quiet', '--include-untracked', '--'];

describe('what a commit leaves with a session', () => {
  for (const stops of [false, true]) {
    variation(`a file written anew, then stashed: its newest version stays, stop ${stops}`, (repo) => {
      const session = withWork(repo, { 'new.txt': 'old 1\nold 2\nold 3\n', 'a.txt': 'a\n' });
      session.prompt('two');
      session.edit('new.txt', 'fresh 1\nfresh 2\nfresh 3\nfresh 4\n');
      repo.git(...PUT_AWAY, 'new.txt');
      repo.commit('Add a', 'a.txt');
      expectLinked(repo, session, 'a.txt');
      if (stops) session.stop();
      repo.git('stash', 'pop', '--quiet');
      repo.commit('Add new', 'new.txt');
      expectLinked(repo, session, 'new.txt');
    });
  }

  variation('a file edited, deleted and stashed before any stop comes back as the session’s', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('clean up');
    session.edit('a.txt', 'a\n');
    session.edit('README.md', 'outdated\n');
    session.deleteFile('README.md');
    repo.git(...PUT_AWAY, 'README.md');
    repo.commit('Add a', 'a.txt');
    repo.git('stash', 'pop', '--quiet');
    repo.git('rm', '--quiet', 'README.md');
    repo.commit('Remove the README');
    expectLinked(repo, session, 'README.md');
  });

  variation('part of a new file is committed, the rest in a stash: it stays', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('one');
    session.edit('new.txt', 'n1\nn2\nn3\n');
    repo.write('new.txt', 'n1\nn2\n');
    repo.git('add', 'new.txt');
    repo.write('new.txt', 'n1\nn2\nn3\n');
    repo.git('stash', 'push', '--quiet', '--keep-index');
    repo.commit('Part');
    expectLinked(repo, session, 'new.txt');
    repo.tryGit('stash', 'pop', '--quiet');
    repo.write('new.txt', 'n1\nn2\nn3\n');
    repo.commit('Rest', 'new.txt');
    expectLinked(repo, session, 'new.txt');
  });

  variation('a file in a stash, which a commit of somebody else moves meanwhile: it stays', (repo) => {
    const before = 'const one = compute(1000);\nconst two = compute(2000);\nconst three = compute(3000);\n';
    repo.ready().write('a.ts', before).commit('Begin', 'a.ts');
    const session = addWork(repo, { 'a.ts': `${before}const four = compute(4000);\n` });
    repo.git('stash', 'push', '--quiet');
    repo.git('mv', 'a.ts', 'b.ts');
    repo.commit('Move');
    repo.git('stash', 'pop', '--quiet');
    repo.commit('Rest', 'b.ts');
    expectLinked(repo, session, 'b.ts');
  });

  variation('two halves of a file that existed: both are linked', (repo) => {
    repo.ready();
    repo.write('r.txt', 'l1\nl2\nl3\nl4\n').commit('r', 'r.txt');
    const session = repo.session();
    session.prompt('one');
    session.edit('r.txt', 'A\nl1\nl2\nl3\nl4\nB\n');
    session.stop();
    repo.write('r.txt', 'A\nl1\nl2\nl3\nl4\n');
    repo.git('add', 'r.txt');
    repo.write('r.txt', 'A\nl1\nl2\nl3\nl4\nB\n');
    repo.commit('Part');
    expectLinked(repo, session, 'r.txt');
    repo.commit('Rest', 'r.txt');
    expectLinked(repo, session, 'r.txt');
  });

  variation('what the agent cut from a file is no remainder of its work', (repo) => {
    repo.ready();
    repo.write('r.txt', 'l1\nl2\nl3\nl4\n').commit('r', 'r.txt');
    const session = repo.session();
    session.prompt('one');
    session.edit('x.txt', 'x\n');
    session.stop();
    session.prompt('two');
    session.edit('r.txt', 'l1\nl3\n');
    repo.commit('Cut', 'r.txt');
    expectLinked(repo, session, 'r.txt');
    expect(repo.state(session.id).files_touched).toEqual(['x.txt']);
    repo.write('r.txt', 'by hand\n');
    expect(repo.commit('By hand', 'r.txt')).toBeUndefined();
  });

  variation('a file that a commit without hooks took is not the session’s any more', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('one');
    for (const name of ['a.txt', 'b.txt', 'c.txt']) session.edit(name, `${name}\n`);
    session.edit('README.md', 'of the agent\n');
    repo.git('-c', 'core.hooksPath=/nonexistent', 'commit', '--quiet', '-m', 'No hooks', '--', 'README.md');
    repo.commit('Add a', 'a.txt');
    repo.commit('Add b', 'b.txt');
    repo.write('README.md', 'by hand, all of it\n');
    expect(repo.commit('By hand', 'README.md')).toBeUndefined();
  });

  variation('an edit that the user put back in mid-turn is forgotten at the next commit', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('one');
    session.edit('README.md', 'of the agent\n');
    session.edit('a.txt', 'a\n');
    repo.git('checkout', '--quiet', '--', 'README.md');
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
    session.end();
    repo.write('README.md', 'by hand, all of it\n');
    expect(repo.commit('By hand', 'README.md')).toBeUndefined();
  });

  variation('what a commit in mid-turn left, and the user put back before the stop, is forgotten', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('one');
    const subAgent = new SubAgent(session);
    subAgent.start();
    subAgent.edit('made.txt', 'by the sub-agent\n');
    subAgent.finish();
    session.edit('README.md', 'of the agent\n');
    session.edit('a.txt', 'a\n');
    repo.commit('Add a', 'a.txt');
    repo.git('checkout', '--quiet', '--', 'README.md');
    rmSync(join(repo.dir, 'made.txt'));
    session.stop();
    expect(repo.state(session.id).files_touched).toBeUndefined();
    repo.write('README.md', 'by hand\n');
    expect(repo.commit('By hand', 'README.md')).toBeUndefined();
  });

  variation('a change in a stash, where a commit changes the same lines meanwhile: it stays', (repo) => {
    const [one, two] = ['const one = compute(1000);\n', 'const two = compute(2000);\n'];
    repo.ready().write('a.ts', `${one}${two}`).commit('Begin', 'a.ts');
    const session = addWork(repo, { 'a.ts': `const agent = compute(3000);\n${two}` });
    repo.git('stash', 'push', '--quiet');
    repo.write('a.ts', `const mine = compute(4000);\n${two}`).commit('Mine', 'a.ts');
    expect(repo.tryGit('stash', 'pop', '--quiet').code).not.toBe(0);
    repo.write('a.ts', `const mine = compute(4000);\nconst agent = compute(3000);\n${two}`);
    repo.commit('Rest', 'a.ts');
    expectLinked(repo, session, 'a.ts');
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('a stash that was applied and kept is no remainder of what the user made of the file', (repo) => {
    repo.ready();
    repo.write('r.txt', 'one\ntwo\n').commit('Add r', 'r.txt');
    const session = repo.session();
    addWork(repo, { 'r.txt': 'one\ntwo\nagent\n' }, session);
    repo.git('stash', 'push', '--quiet');
    repo.git('stash', 'apply', '--quiet');
    repo.write('r.txt', 'first\ntwo\nagent\nuser\n').commit('Add the work', 'r.txt');
    expectLinked(repo, session, 'r.txt');
    repo.write('r.txt', 'first\ntwo\nagent\nuser\nmore\n');
    expect(repo.commit('More', 'r.txt')).toBeUndefined();
  });

  variation("the user's stash of before is no remainder of what the agent cut", (repo) => {
    repo.ready();
    repo.write('r.txt', 'l1\nl2\nl3\nl4\n').commit('r', 'r.txt');
    const session = repo.session();
    session.prompt('one');
    repo.write('r.txt', 'l1\nl2\nl3\nl4\nmine\n').git('stash', 'push', '--quiet');
    session.edit('r.txt', 'l1\nl4\n');
    repo.commit('Cut', 'r.txt');
    expectLinked(repo, session, 'r.txt');
    session.stop();
    expect(repo.state(session.id).files_touched).toBeUndefined();
    repo.write('r.txt', 'l1\nl4\nmine\n');
    expect(repo.commit('By hand', 'r.txt')).toBeUndefined();
  });

  variation('a stash that was applied and kept is no remainder of a shorter version', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('one');
    session.edit('n.txt', 'n1\nn2\nn3\n');
    repo.git('add', 'n.txt');
    repo.git('stash', 'push', '--quiet');
    repo.git('stash', 'apply', '--quiet', '--index');
    repo.commit('Add n');
    session.edit('n.txt', 'n1\n');
    repo.commit('Shorten n', 'n.txt');
    expectLinked(repo, session, 'n.txt');
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('half of a changed file is committed, the rest in a stash: it stays', (repo) => {
    repo.ready();
    repo.write('r.txt', 'l1\nl2\nl3\nl4\n').commit('r', 'r.txt');
    const session = repo.session();
    session.prompt('one');
    session.edit('r.txt', 'A\nl1\nl2\nl4\nB\n');
    repo.write('r.txt', 'A\nl1\nl2\nl4\n').git('add', 'r.txt');
    repo.write('r.txt', 'A\nl1\nl2\nl4\nB\n').git('stash', 'push', '--quiet', '--keep-index');
    repo.commit('Part');
    expectLinked(repo, session, 'r.txt');
    repo.tryGit('stash', 'pop', '--quiet');
    repo.write('r.txt', 'A\nl1\nl2\nl4\nB\n');
    repo.commit('Rest', 'r.txt');
    expectLinked(repo, session, 'r.txt');
  });

  variation("the user's stash of a folder is not the work of a session that had a file there", (repo) => {
    repo.ready();
    repo.write('d/x.txt', 'x\n').commit('d', 'd/x.txt');
    const session = repo.session();
    session.prompt('one');
    session.shell(() => rmSync(join(repo.dir, 'd'), { recursive: true }));
    session.edit('d', 'a file\n');
    session.edit('a.txt', 'a\n');
    rmSync(join(repo.dir, 'd'));
    repo.git('checkout', '--quiet', '--', 'd');
    repo.write('d/x.txt', 'by hand\n').git('stash', 'push', '--quiet');
    repo.commit('Add a', 'a.txt');
    repo.git('stash', 'pop', '--quiet');
    session.end();
    expect(repo.commit('By hand', 'd/x.txt')).toBeUndefined();
  });

  for (const symlinks of ['true', 'false']) {
    variation(`a mode that the agent changed comes back from a stash, core.symlinks=${symlinks}`, (repo) => {
      repo.ready();
      repo.git('config', 'core.symlinks', symlinks);
      const session = repo.session();
      session.prompt('one');
      session.shell(() => chmodSync(join(repo.dir, 'README.md'), 0o755));
      session.stop();
      repo.git('stash', 'push', '--quiet', '--', 'README.md');
      addWork(repo, { 'a.txt': 'a\n' }, session);
      repo.commit('Add a', 'a.txt');
      repo.git('stash', 'pop', '--quiet');
      repo.commit('Run the README', 'README.md');
      expectLinked(repo, session, 'README.md');
    });
  }

  variation('a mode that the file system made up is no remainder', (repo) => {
    repo.ready();
    repo.git('config', 'core.filemode', 'false');
    chmodSync(join(repo.dir, 'README.md'), 0o755);
    const session = addWork(repo, { 'README.md': 'of the agent\n', 'a.txt': 'a\n' });
    repo.git('add', 'README.md');
    repo.gitWith({ env: { ENTIRE: '0' } }, 'commit', '--quiet', '-m', 'Elsewhere');
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
    repo.write('README.md', 'by hand\n');
    expect(repo.commit('By hand', 'README.md')).toBeUndefined();
  });

  variation('a stash that is damaged does not keep a commit from being linked', (repo) => {
    const session = withWork(repo, { 'README.md': 'of the agent\n', 'a.txt': 'a\n' });
    repo.git('stash', 'push', '--quiet', '--', 'README.md');
    const oid = repo.git('rev-parse', 'refs/stash');
    const object = join(repo.dir, '.git/objects', oid.slice(0, 2), oid.slice(2));
    rmSync(object);
    writeFileSync(object, '');
    session.prompt('go on');
    session.edit('b.txt', 'b\n');
    repo.commit('Add both', 'a.txt', 'b.txt');
    expectLinked(repo, session, 'a.txt', 'b.txt');
    rmSync(join(repo.dir, '.git/refs/stash'));
    rmSync(join(repo.dir, '.git/logs/refs/stash'));
    rmSync(object);
  });

  variation('an edit in a stash below many others comes back as the session’s', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('one');
    session.edit('a.txt', 'a\n');
    session.edit('README.md', 'of the agent\n');
    repo.git('stash', 'push', '--quiet', '--', 'README.md');
    for (let n = 0; n < 12; n++) repo.write('mine.txt', `${n}\n`).git(...PUT_AWAY, 'mine.txt');
    repo.commit('Add a', 'a.txt');
    repo.git('stash', 'pop', '--quiet', 'stash@{12}');
    repo.commit('Change the README', 'README.md');
    expectLinked(repo, session, 'README.md');
  });
});
