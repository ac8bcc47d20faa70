import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { expectStep } from '../support/repository/walk.ts';

const NAMES = [
  ' leading and trailing ',
  "it's",
  '"quoted"',
  'say "hi"',
  'tab\there',
  'back\\slash',
  'back\\nslash',
  '-rf',
  '--',
  '-',
  ':!x',
  ':(top)y',
  ':/z',
  '*',
  '[a-z]?',
  '#comment',
  '$(touch pwned)',
  '`id`',
  '%s%n',
  'HEAD',
  'bell\x07',
  '\x1b[31mred',
  '\u202egnp.exe',
  '日本語 🎉',
  '...',
  '..hidden',
  'a'.repeat(255),
  'ü'.repeat(127),
];
const NFC = 'caf\u00e9.txt';
const NFD = 'cafe\u0301.txt';

/** Commits from a file of names, so that no shell and no argument list stands in between. */
function commitPaths(
  repo: TestRepo,
  message: string,
  paths: readonly (string | Buffer)[],
): string | undefined {
  const list = join(repo.scratch, 'pathspecs');
  writeFileSync(
    list,
    Buffer.concat(paths.flatMap((path) => [Buffer.from(path as string), Buffer.from([0])])),
  );
  repo.gitWith(
    { env: { GIT_LITERAL_PATHSPECS: '1' } },
    'add',
    `--pathspec-from-file=${list}`,
    '--pathspec-file-nul',
  );
  repo.git('commit', '--quiet', '-m', message);
  return repo.checkpointOf('HEAD');
}

const bytes = (repo: TestRepo, ...parts: Array<string | number[]>): Buffer =>
  Buffer.concat([Buffer.from(`${repo.dir}/`), ...parts.map((part) => Buffer.from(part as string))]);

describe('paths', () => {
  variation('of every kind are recorded, saved, committed in two parts and linked', (repo) => {
    repo.ready();
    const names = [...NAMES, ...NAMES.map((name) => `${name}/file`.replace(/^/, 'in '))].filter((name) =>
      name.split('/').every((part) => Buffer.byteLength(part) <= 255),
    );
    const session = repo.session();
    session.prompt('write them all');
    for (const name of names) session.edit(name, `content of ${name}\n`);
    expect(repo.tracked(session.id)).toEqual(names);
    session.stop();
    const sorted = [...names].sort();
    expect(repo.state(session.id).files_touched).toEqual(sorted);

    const [even, odd] = [0, 1].map((rest) => sorted.filter((_, index) => index % 2 === rest)) as [
      string[],
      string[],
    ];
    const first = commitPaths(repo, 'Add half', even) as string;
    expect(repo.storedJson(first, '0/metadata.json').files_touched).toEqual(even);
    expect(repo.state(session.id).files_touched).toEqual(odd);
    const second = commitPaths(repo, 'Add the rest', odd) as string;
    expect(repo.storedJson(second, '0/metadata.json').files_touched).toEqual(odd);
    expect(repo.state(session.id).files_touched ?? []).toEqual([]);
    expect(repo.exists('pwned')).toBe(false);
  });

  variation('that are 4,000 bytes long', (repo) => {
    repo.ready();
    const room = 4_000 - Buffer.byteLength(repo.dir);
    const long = Array.from({ length: Math.floor(room / 201) }, (_, index) =>
      `${index}`.padEnd(200, 'x'),
    ).join('/');
    const session = repo.session();
    session.prompt('write deep down');
    session.edit(long, 'deep\n');
    session.edit('short.txt', 'short\n');
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual([long, 'short.txt']);
    const id = commitPaths(repo, 'Add both', [long, 'short.txt']) as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual([long, 'short.txt']);
  });

  for (const precompose of ['true', 'false']) {
    variation(
      `two that look alike (NFC and NFD) are two, core.precomposeUnicode=${precompose}`,
      (repo, skip) => {
        repo.ready().git('config', 'core.precomposeUnicode', precompose);
        writeFileSync(join(repo.scratch, NFC), '');
        writeFileSync(join(repo.scratch, NFD), '');
        if (!readdirSync(repo.scratch).includes(NFD)) skip('this file system takes both for one');
        const session = repo.session();
        session.prompt('write twins');
        session.edit(NFC, 'composed\n');
        session.edit(NFD, 'decomposed\n');
        session.stop();
        expect(repo.state(session.id).files_touched).toEqual([NFD, NFC]);
        expectStep(repo, NFC, NFD);
        const first = commitPaths(repo, 'Add one', [NFD]) as string;
        expect(repo.storedJson(first, '0/metadata.json').files_touched).toEqual([NFD]);
        const second = commitPaths(repo, 'Add the other', [NFC]) as string;
        expect(repo.storedJson(second, '0/metadata.json').files_touched).toEqual([NFC]);
      },
    );
  }

  variation('with a newline are left out with a reason, and keep no other out', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write');
    session.edit('two\nlines.txt', 'no\n');
    session.edit('carriage\rreturn.txt', 'no\n');
    session.edit('plain.txt', 'yes\n');
    session.shell(() => repo.write('in shell\n/x.txt', 'no\n'));
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['plain.txt']);
    const reasons = repo.logText().match(/not a path that can be tracked/g);
    expect(reasons?.length).toBeGreaterThanOrEqual(2);
    const id = commitPaths(repo, 'Add all', ['two\nlines.txt', 'in shell\n/x.txt', 'plain.txt']) as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['plain.txt']);
    session.prompt('write only such');
    session.shell(() => repo.write('again\n.txt', 'no\n'));
    session.stop();
    expect(commitPaths(repo, 'Add it', ['again\n.txt'])).toBeUndefined();
    expect(repo.verdict()).toMatchObject({ reason: 'no-overlap', detail: expect.stringContaining('again') });
  });

  variation('that are not UTF-8 are left out with a reason, and keep no other out', (repo) => {
    repo.ready();
    const latin = bytes(repo, 'caf', [0xe9], '.txt');
    const folder = bytes(repo, 'd', [0xff, 0xfe], 'r');
    const session = repo.session();
    writeFileSync(bytes(repo, 'before', [0xe9]), 'there before\n');
    session.prompt('write');
    session.edit('plain.txt', 'yes\n');
    session.shell(() => {
      writeFileSync(latin, 'latin\n');
      mkdirSync(folder);
      writeFileSync(Buffer.concat([folder, Buffer.from('/x.txt')]), 'x\n');
    });
    session.reportEdit('caf\ufffd.txt'); // as a client says it in JSON
    session.stop();
    expect(repo.state(session.id)).toMatchObject({ checkpoint_count: 1, files_touched: ['plain.txt'] });
    expect(repo.logText()).toContain('not UTF-8');
    const relative = (file: Buffer) => file.subarray(repo.dir.length + 1);
    const id = commitPaths(repo, 'Add both', ['plain.txt', relative(latin)]) as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['plain.txt']);

    session.prompt('write only such');
    session.shell(() => writeFileSync(bytes(repo, 'more', [0xe9]), 'more\n'));
    session.stop();
    expect(commitPaths(repo, 'Add it', [relative(bytes(repo, 'more', [0xe9]))])).toBeUndefined();
    expect(repo.verdict()).toMatchObject({ reason: 'no-overlap', detail: expect.stringContaining('more') });
  });
});
