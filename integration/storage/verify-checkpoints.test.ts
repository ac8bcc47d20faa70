import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { expectProblems, problems, withBroken } from '../support/command/verify.ts';
import { turn } from '../support/repository/leftovers.ts';
import { variation } from '../support/repository/scenario.ts';
import {
  checkpointFiles,
  folderOf,
  type StoredFiles,
  store,
} from '../support/repository/stored-checkpoints.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const METADATA = 'entire/checkpoints/v1';
const ID = 'a1b2c3d4e5f6';
const at = (path: string, id = ID): string => `${METADATA}:${folderOf(id)}/${path}`;

const TRANSCRIPT = '{"n":1}\n{"n":2}\n{"n":3}\n';
const sound = (): Record<string, string> =>
  checkpointFiles(
    ID,
    { session: 'one', prompts: ['hi'], transcript: TRANSCRIPT },
    { session: 'two', transcript: '{}\n' },
  );
/** Git looks at the beginning of an object, and sees no damage further in. */
const LONG = Array.from({ length: 3000 }, (_, n) => `{"n":${n * 7919}}\n`).join('');
const root = (change: (root: { sessions: Array<Record<string, string>> }) => void): string => {
  const value = JSON.parse(sound()['metadata.json'] as string);
  change(value);
  return JSON.stringify(value);
};
const digest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Stores the sound checkpoint with other files in it; `undefined` leaves one out. */
function storeOdd(repo: TestRepo, changes: Readonly<Record<string, string | Uint8Array | undefined>>): void {
  const files = Object.entries({ ...sound(), ...changes }).filter(([, content]) => content !== undefined);
  repo.git('update-ref', '-d', `refs/heads/${METADATA}`);
  store(repo, { [ID]: Object.fromEntries(files) as StoredFiles });
}

describe('a checkpoint that is not as it should be', () => {
  const cases: ReadonlyArray<
    readonly [string, Parameters<typeof storeOdd>[1], ReadonlyArray<readonly [string, string]>]
  > = [
    ['nothing is wrong', {}, []],
    ['no root metadata', { 'metadata.json': undefined }, [['metadata-missing', 'metadata.json']]],
    [
      'root metadata that is none',
      { 'metadata.json': Buffer.alloc(20) },
      [
        ['metadata-invalid', 'metadata.json'],
        ['session-unlisted', '0'],
        ['session-unlisted', '1'],
      ],
    ],
    ['no slot metadata', { '1/metadata.json': undefined }, [['metadata-missing', '1/metadata.json']]],
    ['slot metadata that is none', { '0/metadata.json': '[' }, [['metadata-invalid', '0/metadata.json']]],
    [
      'slot metadata of another checkpoint',
      { '0/metadata.json': sound()['0/metadata.json']?.replace(ID, '000000000000') },
      [['metadata-invalid', '0/metadata.json']],
    ],
    [
      'a session id that builds paths',
      { '0/metadata.json': sound()['0/metadata.json']?.replace('"one"', '"../../x"') },
      [['session-id-invalid', '0/metadata.json']],
    ],
    [
      'a session that is listed and not there',
      {
        'metadata.json': root(({ sessions }) =>
          sessions.push({
            metadata: `/${folderOf(ID)}/2/metadata.json`,
            prompt: `/${folderOf(ID)}/2/prompt.txt`,
          }),
        ),
      },
      [['session-missing', '2']],
    ],
    [
      'a session that is there and not listed',
      { 'metadata.json': root(({ sessions }) => sessions.pop()) },
      [['session-unlisted', '1']],
    ],
    ['a file that the root names', { '0/prompt.txt': undefined }, [['file-missing', '0/prompt.txt']]],
    ['a digest without a transcript', { '0/full.jsonl': undefined }, [['file-missing', '0/full.jsonl']]],
    [
      'a gap in the parts of a transcript',
      { '0/full.jsonl.002': '{}', '0/full.jsonl.003': '{}' },
      [['chunk-missing', '0/full.jsonl.001']],
    ],
    [
      'a session that a merge could not read',
      { 'unread-0123456789ab/x': '' },
      [['session-unread', 'unread-0123456789ab']],
    ],
    ['names of later versions', { 'later.json': '{', '0/later/x.bin': '\0' }, []],
  ];

  variation('is named: what, where, what it means and what to do', (repo) => {
    repo.ready();
    for (const [what, changes, expected] of cases) {
      storeOdd(repo, changes);
      expectProblems(
        repo,
        expected.map(([code, path]) => ({ code, where: at(path) })),
        what,
      );
    }
  });

  const deep: typeof cases = [
    ['nothing is wrong', {}, []],
    ['another transcript', { '0/full.jsonl': `${TRANSCRIPT}{}\n` }, [['hash-wrong', '0/content_hash.txt']]],
    ['a digest that is none', { '0/content_hash.txt': 'sha256:' }, [['hash-wrong', '0/content_hash.txt']]],
    [
      'parts in order, and one that changed',
      {
        '0/full.jsonl': '{"n":1}',
        '0/full.jsonl.001': '{"n":2}\n{"n":3}\n',
        '1/full.jsonl': '{"n":1}',
        '1/full.jsonl.001': '{"n":4}',
        '1/content_hash.txt': digest('{"n":1}\n{"n":5}'),
      },
      [['hash-wrong', '1/content_hash.txt']],
    ],
    [
      'parts of a release that lost the last newline',
      { '0/full.jsonl': '{"n":1}', '0/full.jsonl.001': '{"n":2}\n{"n":3}' },
      [],
    ],
    [
      'a line that is no JSON',
      { '0/full.jsonl': '{"n":1}\n{"n":', '0/content_hash.txt': digest('{"n":1}\n{"n":') },
      [['line-invalid', '0/full.jsonl']],
    ],
    ['no digest', { '0/content_hash.txt': undefined }, []],
    [
      "a task's files",
      { 'tasks/t1/checkpoint.json': '{', 'tasks/t1/agent-a.jsonl': 'x', 'tasks/t2/checkpoint.json': '{}' },
      [
        ['json-invalid', 'tasks/t1/checkpoint.json'],
        ['line-invalid', 'tasks/t1/agent-a.jsonl'],
      ],
    ],
  ];

  variation('--read-data reads every text', (repo) => {
    repo.ready();
    for (const [what, changes, expected] of deep) {
      storeOdd(repo, changes);
      expectProblems(
        repo,
        expected.map(([code, path]) => ({ code, where: at(path) })),
        what,
        '--read-data',
      );
      expectProblems(repo, [], what); // no transcript is read without it
    }
  });
});

describe('objects that git lacks or cannot read', () => {
  variation('are named, and everything else is looked at all the same', (repo) => {
    repo.ready();
    storeOdd(repo, { '0/prompt.txt': undefined });
    const others = {
      c1b2c3d4e5f6: checkpointFiles('c1b2c3d4e5f6', { session: 'x', transcript: LONG }),
    };
    store(repo, others);
    const always = { code: 'file-missing', where: at('0/prompt.txt') };
    for (const how of ['missing', 'damaged'] as const) {
      const code = `object-${how}`;
      withBroken(repo, at('metadata.json'), how, () =>
        expectProblems(repo, [{ code, where: at('metadata.json') }], how),
      );
      withBroken(repo, at('0/metadata.json'), how, () =>
        expectProblems(repo, [always, { code, where: at('0/metadata.json') }], how),
      );
      withBroken(repo, `${METADATA}:c1`, how, () =>
        expectProblems(repo, [always, { code, where: `${METADATA}:c1` }], how),
      );
      withBroken(repo, `${METADATA}:${folderOf(ID)}/1`, how, () =>
        expectProblems(
          repo,
          [always, { code: 'session-missing', where: at('1') }, { code, where: at('1').replace(/\/$/, '') }],
          how,
        ),
      );
      withBroken(repo, at('full.jsonl', 'c1b2c3d4e5f6').replace('/full', '/0/full'), how, () => {
        const where = at('0/full.jsonl', 'c1b2c3d4e5f6');
        expectProblems(repo, how === 'missing' ? [always, { code, where }] : [always], how);
        const found = problems(repo, '--read-data').filter(({ code: one }) => one !== 'history-incomplete');
        expect(found.map(({ code: one, where: place }) => [one, place])).toContainEqual([code, where]);
      });
      withBroken(repo, METADATA, how, () => expectProblems(repo, [{ code, where: METADATA }], how));
    }
    expectProblems(repo, [always]);
  });

  variation('an older commit that lacks something is told of with --read-data', (repo) => {
    repo.ready();
    storeOdd(repo, {});
    const old = repo.git('rev-parse', at('0/prompt.txt'));
    store(repo, { [ID]: { ...sound(), '0/prompt.txt': 'another' } });
    withBroken(repo, old, 'missing', () => {
      expect(problems(repo)).toEqual([]);
      expectProblems(repo, [{ code: 'history-incomplete', where: METADATA }], '', '--read-data');
    });
  });

  variation('refs whose files hold no id', (repo) => {
    repo.ready();
    const file = join(repo.commonDir, 'refs/heads', METADATA);
    const text = readFileSync(file, 'utf8');
    for (const broken of ['', '\0'.repeat(41), 'ref: nowhere else', `${'0'.repeat(40)}\n`]) {
      writeFileSync(file, broken);
      expect(problems(repo), JSON.stringify(broken)).toEqual([
        { code: 'ref-broken', where: `refs/heads/${METADATA}`, detail: null },
      ]);
    }
    writeFileSync(file, text);
    expect(problems(repo)).toEqual([]);
  });
});

describe('steps', () => {
  variation('that are none, that lack their metadata, or whose objects are gone', (repo) => {
    repo.ready();
    const session = turn(repo, 'a.txt');
    turn(repo, 'b.txt', session);
    const branch = repo.shadowBranches()[0] as string;
    expect(problems(repo, '--read-data')).toEqual([]);
    const folder = `.entire/metadata/${session.id}`;

    repo.git('branch', 'entire/abc1234-e3b0c4');
    expectProblems(repo, [{ code: 'step-unmarked', where: 'entire/abc1234-e3b0c4' }]);
    repo.git('branch', '-D', 'entire/abc1234-e3b0c4');

    const message = `x\n\nEntire-Metadata: .entire/metadata/none\nEntire-Session: ../x\n`;
    const odd = repo.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', message);
    repo.git('branch', 'entire/def1234', odd);
    expectProblems(repo, [
      { code: 'session-id-invalid', where: 'entire/def1234' },
      { code: 'step-metadata-missing', where: 'entire/def1234:.entire/metadata/none' },
    ]);
    repo.git('branch', '-D', 'entire/def1234');

    withBroken(repo, `${branch}~1`, 'missing', () =>
      expectProblems(repo, [{ code: 'object-missing', where: `${branch}~1` }]),
    );
    withBroken(repo, `${branch}:${folder}/prompt.txt`, 'missing', () =>
      expectProblems(repo, [{ code: 'object-missing', where: `${branch}:${folder}/prompt.txt` }]),
    );
    withBroken(repo, `${branch}:${folder}`, 'damaged', () =>
      expectProblems(repo, [{ code: 'step-metadata-missing', where: `${branch}:${folder}` }]),
    );
    withBroken(repo, `${branch}:${folder}/full.jsonl`, 'damaged', () => {
      const where = `${branch}:${folder}/full.jsonl`;
      expect(problems(repo)).toEqual([]);
      expectProblems(repo, [{ code: 'object-damaged', where }], '', '--read-data');
    });
    expect(problems(repo)).toEqual([]);
  });
});
