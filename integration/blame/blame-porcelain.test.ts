import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { bytesOf, expectAsGit, readPorcelain } from '../support/command/git-porcelain.ts';
import { addWork, withWork } from '../support/command/work.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import { expectGolden } from '../support/runner/golden.ts';

describe('blame for programs that read git’s', () => {
  onBothBuilds('prints what git does, and whose each line is', (repo) => {
    repo.ready().write('poem.txt', 'mine before\n');
    repo.commit('Begin', 'poem.txt');
    const session = repo.session('aaaaaaaa-1111-2222-3333-444444444444');
    session.prompt('write a poem\nof two lines');
    session.edit('poem.txt', 'mine before\nroses are red\nviolets are blue\n');
    session.stop();
    repo.write('poem.txt', 'mine before\nroses are red\nsaid I\nviolets are blue\n');
    repo.commit('Poem', 'poem.txt');
    repo.write('poem.txt', `${repo.read('poem.txt')}not yet\n`);
    const text = bytesOf(repo, 'entire', 'blame', 'poem.txt', '--porcelain').toString();
    expectGolden(repo, 'blame-porcelain.txt', text.replaceAll(/(-time|-checkpoint) \w+/g, '$1 <it>'));
    const told = readPorcelain(Buffer.from(text), 'porcelain');
    expect([...told.values()].map(({ facts, content }) => `${facts['entire-class']} ${content}`)).toEqual([
      'human mine before',
      'agent roses are red',
      'human said I',
      'agent violets are blue',
      'human not yet',
    ]);
    expect(told.get(2)?.facts).toMatchObject({
      'entire-session': session.id,
      'entire-prompt': 'write a poem',
    });
    expect(told.get(3)?.facts).toEqual({ 'entire-class': 'human', 'entire-reason': 'not-written' });
  });

  variation('in every form, with what is committed and what is not, and of some lines', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one thing\n{\n}\nanother thing\n' });
    repo.commit('Add a', 'a.txt');
    repo.write('a.txt', 'one thing\n{\nmine\n}\nanother thing\n');
    repo.commit('Mine', 'a.txt');
    addWork(repo, { 'a.txt': 'one thing\n{\nmine\n}\nanother thing\na third\n' }, session);
    repo.write('a.txt', `top\n${repo.read('a.txt')}`);
    expectAsGit(repo, 'a.txt');
    expectAsGit(repo, 'a.txt', ['-L', '2,4']);
    expectAsGit(repo, 'a.txt', ['-L', '/another/,+1']);
    expectAsGit(repo, 'a.txt', [], 'HEAD');
    expectAsGit(repo, 'a.txt', ['-L', '2,3'], 'HEAD~1');
  });

  variation('with renames, merges, copies and lines of several files', (repo) => {
    withWork(repo, { 'a.txt': 'first line of it\nsecond line of it\nthird line of it\n' });
    repo.commit('Add a', 'a.txt');
    repo.git('checkout', '--quiet', '-b', 'side');
    repo.write('a.txt', `${repo.read('a.txt')}fourth line, from the side\n`);
    repo.commit('Side', 'a.txt');
    repo.git('checkout', '--quiet', '-');
    repo.write('a.txt', `a line before all others\n${repo.read('a.txt')}`);
    repo.commit('Before', 'a.txt');
    repo.git('merge', '--quiet', '--no-edit', 'side');
    repo.git('mv', 'a.txt', 'b.txt');
    repo.git('commit', '--quiet', '-m', 'Rename');
    repo.write('b.txt', `${repo.read('b.txt')}\tand one more of mine, which is long enough to be found\n`);
    repo.commit('More', 'b.txt');
    expectAsGit(repo, 'b.txt');
    const lines = repo.read('b.txt').split('\n');
    repo.write('c.txt', [...lines.slice(3), ...lines.slice(0, 3), ''].join('\n'));
    repo.write('b.txt', repo.read('b.txt').replace('\tand', '    and'));
    repo.commit('Copy', 'b.txt', 'c.txt');
    for (const options of [[], ['-w'], ['-M'], ['-C'], ['-w', '-M', '-C']]) {
      expectAsGit(repo, 'b.txt', options);
      expectAsGit(repo, 'c.txt', options);
    }
    const copied = readPorcelain(bytesOf(repo, 'entire', 'blame', 'c.txt', '-C', '--porcelain'), 'porcelain');
    expect(new Set([...copied.values()].map(({ filename }) => filename)).size).toBeGreaterThan(1);
  });

  variation('every byte of the text: other encodings, line ends, none at the end', (repo) => {
    withWork(repo, { 'a.txt': 'one\r\ntwo\r\nthree' });
    repo.commit('Add a', 'a.txt');
    const odd = Buffer.from('plain\nna\xefve \xff\xfe\r\n\0zero\n\tfilename x\nlast \x85', 'latin1');
    writeFileSync(join(repo.dir, 'odd.bin'), odd);
    repo.commit('Odd', 'odd.bin');
    repo.write('empty.txt', '').commit('Empty', 'empty.txt');
    repo.write('a.txt', 'one\r\ntwo\nthree\r\nfour');
    for (const path of ['a.txt', 'odd.bin', 'empty.txt']) expectAsGit(repo, path);
    const read = readPorcelain(bytesOf(repo, 'entire', 'blame', 'odd.bin', '--porcelain'), 'porcelain');
    expect([...read.values()].map(({ content }) => content).join('\n')).toBe(odd.toString('latin1'));
  });

  variation('names as core.quotePath has them, and what is in blame.*', (repo) => {
    const name = 'tä "b"\\ x.txt';
    withWork(repo, { [name]: 'one\ntwo\nthree\n', 'a.txt': 'one\ntwo\nthree\n' });
    repo.commit('Add', name, 'a.txt');
    repo.write('a.txt', 'ONE\ntwo\nthree\n');
    repo.commit('Formatted', 'a.txt');
    expectAsGit(repo, name);
    for (const value of ['false', 'true']) {
      repo.git('config', 'core.quotePath', value);
      expectAsGit(repo, name);
    }
    repo.write('.git-blame-ignore-revs', `${repo.git('rev-parse', 'HEAD')}\n`);
    repo.git('config', 'blame.ignoreRevsFile', '.git-blame-ignore-revs');
    repo.git('config', 'blame.markIgnoredLines', 'true');
    repo.git('config', 'blame.showRoot', 'true');
    expectAsGit(repo, 'a.txt');
    repo.git('config', 'blame.showRoot', 'false');
    repo.git('config', 'i18n.logOutputEncoding', 'ISO-8859-1');
    repo.git('commit', '--quiet', '--amend', '-m', 'Förmätted', '--author', 'Ädä <a@example.com>');
    repo.git('config', '--unset', 'blame.ignoreRevsFile');
    expectAsGit(repo, 'a.txt');
  });

  variation('a repository with SHA-256 ids, a shallow clone, and a file that git does not track', (repo) => {
    repo.init('--object-format=sha256').write('a.txt', 'one\n');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'One');
    repo.write('a.txt', 'one\ntwo\n');
    repo.git('commit', '--quiet', '-a', '-m', 'Two');
    expectAsGit(repo, 'a.txt');
    writeFileSync(join(repo.commonDir, 'shallow'), `${repo.git('rev-parse', 'HEAD')}\n`);
    expectAsGit(repo, 'a.txt');
    rmSync(join(repo.commonDir, 'shallow'));
    repo.write('new.txt', 'mine\n');
    const read = readPorcelain(bytesOf(repo, 'entire', 'blame', 'new.txt', '--porcelain'), 'porcelain');
    expect(read.get(1)).toMatchObject({ commit: '0'.repeat(64), filename: 'filename new.txt' });
    repo.git('checkout', '--quiet', '--orphan', 'empty');
    const fresh = readPorcelain(
      bytesOf(repo, 'entire', 'blame', 'new.txt', '--line-porcelain'),
      'line-porcelain',
    );
    expect(fresh.get(1)).toMatchObject({ filename: 'filename new.txt', content: 'mine' });
  });

  variation('two forms at once, and bad input', (repo) => {
    withWork(repo);
    repo.commit('Add a', 'a.txt');
    for (const [one, other] of [
      ['--porcelain', '--json'],
      ['-p', '--incremental'],
      ['--line-porcelain', '--json'],
    ] as const) {
      const { code, stdout, stderr } = repo.tryEntire('blame', 'a.txt', one, other);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^Error: cannot specify both --[\w-]+ and --[\w-]+\n/);
    }
    const { code, stdout } = repo.tryEntire('blame', 'nothing.txt', '--porcelain');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  variation('a prompt cannot break a header, nor steer a terminal', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('\n\u001b[2Jmake\u0007 it\r\nauthor Eve\n\tfilename x');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.commit('Add a', 'a.txt');
    const bytes = bytesOf(repo, 'entire', 'blame', 'a.txt', '--porcelain');
    expect(bytes.toString()).not.toContain('\u001b');
    expect(readPorcelain(bytes, 'porcelain').get(1)?.facts['entire-prompt']).toBe('make it');
  });
});
