import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { findAll, indexBytes, namesIn, promptLines, putSession } from '../support/command/search.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ID = 'f947edb3-1e50-4344-8bf1-34bcf22d5471';
/** In parts, so that no file holds anything that looks like a live key. */
const KEY = ['AKI', 'AYRWQG5EJLPZLBYNP'].join('');
const PASSWORD = 'correct-battery-77-horse';

const index = (repo: TestRepo): string => join(repo.commonDir, 'entire', 'search.db');

describe('the index of entire search', () => {
  scenario(
    'holds nothing that redaction takes out, whoever gave it away, and is for its owner alone',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt(`the key is ${KEY}, keep it`);
      session.edit('a.txt', `password = "${PASSWORD}"\n`);
      session.stop('Kept it.');
      repo.commit('Add a', 'a.txt');
      session.prompt(`and ${KEY} once more`);
      session.edit('b.txt', 'b\n');
      session.stop('Again.');
      // The first line says nothing of what it holds; a later one does.
      const file = putSession(repo, ID, promptLines(ID, repo.dir, `harbour ${PASSWORD} bridge`));
      expect(findAll(repo, 'harbour', '--all')).toHaveLength(1);
      appendFileSync(file, promptLines(ID, repo.dir, `export DB_PASSWORD=${PASSWORD}`));
      expect(findAll(repo, 'harbour', '--all')[0].text).toBe('harbour REDACTED bridge');
      expect(findAll(repo, 'key', 'keep')[0].text).toBe('the key is REDACTED, keep it');
      expect(findAll(repo, PASSWORD)).toEqual([]);
      const bytes = indexBytes(repo);
      expect(bytes).toContain('harbour');
      expect([bytes.includes(KEY), bytes.includes(KEY.toLowerCase())]).toEqual([false, false]);
      for (const word of [PASSWORD, 'battery']) expect(bytes.includes(word), word).toBe(false);
      expect(statSync(index(repo)).mode & 0o777).toBe(0o600);
      expect(statSync(join(repo.home, '.entire', 'search.db')).mode & 0o777).toBe(0o600);
    },
  );

  variation('rules that change make it anew', (repo) => {
    repo.ready();
    putSession(repo, ID, promptLines(ID, repo.dir, 'the project Bluebird begins'));
    expect(findAll(repo, 'bluebird')).toHaveLength(1);
    const rules = { redaction: { custom_redactions: { project: 'Bluebird' } } };
    writeFileSync(join(repo.dir, '.entire', 'settings.local.json'), JSON.stringify(rules));
    expect(findAll(repo, 'bluebird')).toEqual([]);
    expect(findAll(repo, 'begins')[0].text).toBe('the project REDACTED begins');
    expect(indexBytes(repo)).not.toMatch(/bluebird/i);
  });

  variation('what is forgotten, reset or scrubbed is out of it', (repo) => {
    repo.ready();
    const [gone, kept] = [repo.session(), repo.session()];
    for (const [session, word] of [
      [gone, 'marmalade'],
      [kept, 'porridge'],
    ] as const) {
      session.prompt(`make ${word}`);
      session.edit(`${word}.txt`, 'x\n');
      session.stop(`There is ${word}.`);
    }
    repo.commit('One', 'marmalade.txt');
    expect(findAll(repo, 'marmalade').length).toBeGreaterThan(0);
    repo.entire('forget', gone.id, '--yes');
    expect(indexBytes(repo)).not.toContain('marmalade');
    expect(findAll(repo, 'marmalade')).toEqual([]);
    expect(findAll(repo, 'porridge').length).toBeGreaterThan(0);
    expect(indexBytes(repo)).not.toContain('marmalade');
    repo.entire('scrub');
    expect(indexBytes(repo)).toBe('');
    expect(findAll(repo, 'porridge').length).toBeGreaterThan(0);
    repo.entire('reset', '--session', kept.id, '--force');
    expect(indexBytes(repo)).toBe('');
  });

  variation('that of all folders is told by du, and by an uninstallation, which leaves it', (repo) => {
    repo.ready();
    const file = join(repo.home, '.entire', 'search.db');
    expect(repo.entire('du').stdout).not.toContain('search.db');
    expect(JSON.parse(repo.entire('du', '--json').stdout)).toMatchObject({ search_index_of_user: null });
    findAll(repo, 'anything', '--all');
    const { search_index_of_user: told } = JSON.parse(repo.entire('du', '--json').stdout);
    const sizes = namesIn(join(repo.home, '.entire')).map((name) => statSync(join(dirname(file), name)).size);
    expect(told).toEqual({ path: file, bytes: sizes.reduce((sum, size) => sum + size, 0) });
    expect(repo.entire('du').stdout).toMatch(
      /\nOutside of this repository: ~\/\.entire\/search\.db, \d.* [KM]iB, the index of `entire search --all`\.\n/,
    );
    const { stdout } = repo.entire('disable', '--uninstall', '--force');
    expect(stdout).toContain(
      '  Kept ~/.entire/search.db, the index of `entire search --all`. To remove it: rm ~/.entire/search.db*\n',
    );
    expect(existsSync(file)).toBe(true);
    expect(existsSync(index(repo))).toBe(false);
  });

  variation('what was said in a private stretch is not in it', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('plan the aqueduct');
    session.edit('a.txt', 'a\n');
    session.stop();
    repo.entire('pause');
    session.prompt('hush about the cistern');
    session.stop();
    expect(findAll(repo, 'cistern')).toEqual([]);
    repo.entire('pause', '--end');
    session.prompt('on with the aqueduct');
    session.stop();
    expect(findAll(repo, 'aqueduct').length).toBeGreaterThan(0);
    expect(findAll(repo, 'cistern')).toEqual([]);
    expect(indexBytes(repo)).not.toContain('cistern');
  });

  variation(
    'grows by what a transcript got since, and follows one that was written anew, or is gone',
    (repo) => {
      repo.init();
      const file = putSession(repo, ID, promptLines(ID, repo.dir, 'one', 'two'));
      const texts = () => findAll(repo, '--session', ID, 'word').map(({ text }) => text);
      appendFileSync(file, promptLines(ID, repo.dir, 'word three'));
      expect(texts()).toEqual(['word three']);
      const half = promptLines(ID, repo.dir, 'word four');
      appendFileSync(file, half.slice(0, 40));
      expect(texts()).toEqual(['word three']);
      appendFileSync(file, half.slice(40));
      expect(texts().sort()).toEqual(['word four', 'word three']);
      appendFileSync(file, promptLines(ID, repo.dir, 'word last').trimEnd());
      expect(texts()).toHaveLength(3);
      appendFileSync(file, `\n${promptLines(ID, repo.dir, 'word after')}`);
      expect(texts()).toHaveLength(4);
      writeFileSync(file, promptLines(ID, repo.dir, 'word anew'));
      expect(texts()).toEqual(['word anew']);
      rmSync(file);
      expect(texts()).toEqual([]);
    },
  );

  variation('is made again where it is damaged, whatever stands in its place', (repo) => {
    repo.ready();
    putSession(repo, ID, promptLines(ID, repo.dir, 'find the lighthouse'));
    const found = () => findAll(repo, 'lighthouse').map(({ text }) => text);
    expect(found()).toEqual(['find the lighthouse']);
    const target = join(repo.scratch, 'target');
    const damages: Record<string, () => void> = {
      'no database': () =>
        writeFileSync(index(repo), 'no database at all, but long enough for a header'.repeat(50)),
      'half of it': () => writeFileSync(index(repo), readFileSync(index(repo)).subarray(0, 9000)),
      'a page of zeros': () => {
        const bytes = readFileSync(index(repo));
        writeFileSync(index(repo), bytes.fill(0, 4096, 4096 * 6));
      },
      nothing: () => writeFileSync(index(repo), ''),
      'a link': () => {
        rmSync(index(repo));
        writeFileSync(target, 'mine');
        symlinkSync(target, index(repo));
      },
      'a folder': () => {
        rmSync(index(repo));
        mkdirSync(join(index(repo), 'in'), { recursive: true });
      },
    };
    for (const [name, damage] of Object.entries(damages)) {
      damage();
      expect(found(), name).toEqual(['find the lighthouse']);
    }
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect(repo.entire('search', 'lighthouse').stderr).toContain('could not be kept for the next search');
    expect(repo.tryEntire('verify').stdout).toContain('search.db');
    rmSync(index(repo), { recursive: true });
    found();
    expect(repo.entire('verify').code).toBe(0);
    expect(repo.entire('du').stdout).toMatch(/Index of entire search +\d/);
  });

  variation('a transcript that is none any more keeps nobody from searching the others', (repo) => {
    repo.init();
    putSession(repo, ID, promptLines(ID, repo.dir, 'find the lighthouse'));
    const odd = `1${ID.slice(1)}`;
    const file = putSession(repo, odd, promptLines(odd, repo.dir, 'another lighthouse'));
    writeFileSync(file, '\0'.repeat(3000));
    expect(findAll(repo, 'lighthouse').map(({ text }) => text)).toEqual(['find the lighthouse']);
  });

  variation('two searches at once, and one that is killed, leave a whole one', async (repo) => {
    repo.init();
    const words = Array.from({ length: 400 }, (_, at) => `lantern number${at} ${'filler '.repeat(200)}`);
    for (let at = 0; at < 8; at++) {
      const id = `${at}947edb3-1e50-4344-8bf1-34bcf22d5471`;
      putSession(repo, id, promptLines(id, repo.dir, ...words));
    }
    const entire = join(repo.build.bin, 'entire');
    repo.run('timeout', ['-s', 'KILL', '0.3', entire, 'search', 'lantern']);
    const search = () => repo.inBackground(entire, ['search', 'lantern']);
    await Promise.all([search(), search(), search()]);
    const { stdout } = repo.entire('search', 'lantern', '--json');
    expect(JSON.parse(stdout).total).toBe(8 * words.length);
    expect(findAll(repo, 'number399', '--limit', '50')).toHaveLength(8);
  });

  variation('where it cannot be kept, what was asked is found all the same', (repo, skip) => {
    if (process.getuid?.() === 0) skip('root may write anywhere');
    repo.ready();
    putSession(repo, ID, promptLines(ID, repo.dir, 'find the lighthouse'));
    chmodSync(join(repo.commonDir, 'entire'), 0o500);
    repo.onRemove(() => chmodSync(join(repo.commonDir, 'entire'), 0o700));
    const { stdout, stderr } = repo.entire('search', 'lighthouse');
    expect(stdout).toContain('find the lighthouse');
    expect(stderr).toContain('could not be kept for the next search');
  });
});
