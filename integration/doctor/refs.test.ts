import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { age, diagnose } from '../support/command/doctor.ts';
import { expectLinked, withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';

describe('doctor --fix: several things at once', () => {
  variation('a ref that is locked hides nothing of one that was removed, nor how to have it back', (repo) => {
    repo.ready();
    const head = repo.git('rev-parse', 'HEAD');
    const [held, free] = ['refs/entire/scrub/0123456789aa', 'refs/entire/scrub/0123456789ab'];
    for (const ref of [held, free]) {
      repo.git('update-ref', ref, head);
      age(join(repo.commonDir, ref), 11);
    }
    const lock = join(repo.commonDir, `${held}.lock`);
    writeFileSync(lock, '');
    expect(diagnose(repo, '--fix').get('scrub-left')?.repair).toMatchObject({
      done: false,
      failed: true,
      deeds: [
        { item: held, outcome: 'failed' },
        { item: free, outcome: 'done', text: `removed; \`git update-ref ${free} ${head}\` brings it back` },
      ],
    });
    rmSync(lock);
    expect(diagnose(repo, '--fix').get('scrub-left')?.repair).toMatchObject({ done: true });
  });

  variation(
    'nor does a session whose lock is held keep the state of another from being set aside',
    (repo) => {
      repo.ready();
      const dir = join(repo.commonDir, 'entire-sessions');
      mkdirSync(dir, { recursive: true });
      for (const id of ['one', 'two']) writeFileSync(join(dir, `${id}.json`), '');
      const lock = join(dir, 'one.lock');
      mkdirSync(lock);
      writeFileSync(join(lock, `pid-${process.pid}-of-a-container`), '');
      const { repair } = diagnose(repo, '--fix').get('state-unreadable') ?? {};
      expect(repair).toMatchObject({
        failed: true,
        deeds: [
          { item: join(dir, 'one.json'), outcome: 'failed' },
          { item: join(dir, 'two.json'), outcome: 'done' },
        ],
      });
      rmSync(lock, { recursive: true });
      expect(readdirSync(dir).filter((name) => name.endsWith('.json'))).toEqual(['one.json']);
      rmSync(join(dir, 'one.json'));
    },
  );
});

describe('doctor: branches whose files hold nothing, as after a power cut', () => {
  const METADATA = 'refs/heads/entire/checkpoints/v1';

  variation('the branch for checkpoints, and one with steps, are set to where their reflogs say', (repo) => {
    const session = withWork(repo);
    repo.commit('Add a', 'a.txt');
    session.prompt('more');
    session.edit('b.txt', 'two\n');
    session.stop();
    const refs = [METADATA, `refs/heads/${repo.shadowBranches()[0]}`];
    const tips = refs.map((ref) => repo.git('rev-parse', ref));
    for (const empty of ['', '\0'.repeat(41), 'ref: nowhere else\n']) {
      for (const ref of refs) writeFileSync(join(repo.commonDir, ref), empty);
      const found = diagnose(repo);
      expect([...found.keys()]).toEqual(['ref-broken', 'trailer-dangling']);
      expect(found.get('ref-broken')).toMatchObject({ severity: 'error', fixable: true });
      expect([...(found.get('ref-broken')?.items ?? [])].sort()).toEqual([...refs].sort());
      const fixed = diagnose(repo, '--fix');
      expect([...fixed.keys()]).toEqual(['ref-broken']); // the trailers lead somewhere again
      expect(fixed.get('ref-broken')?.repair).toMatchObject({ done: true });
      expect(diagnose(repo).size).toBe(0);
      expect(refs.map((ref) => repo.git('rev-parse', ref))).toEqual(tips);
    }
    repo.commit('Add b', 'b.txt');
    expectLinked(repo, session, 'b.txt');
    expect(repo.git('rev-parse', `${METADATA}~1`)).toBe(tips[0]);
    const stood = repo.git('reflog', '--format=%H', METADATA).split('\n');
    expect(stood[1]).toBe(tips[0]);
  });

  variation(
    'one without a reflog, or whose commit is gone, is left, and no empty one is put in its place',
    (repo) => {
      withWork(repo);
      repo.commit('Add a', 'a.txt');
      const file = join(repo.commonDir, METADATA);
      const log = join(repo.commonDir, 'logs', METADATA);
      const [text, lines] = [readFileSync(file, 'utf8'), readFileSync(log, 'utf8')];
      writeFileSync(file, '');
      const gone = lines.trimEnd().replace(/ [0-9a-f]{40}( [^\n]*)$/, ` ${'1'.repeat(40)}$1`);
      for (const damaged of ['', `${gone}\n`, `${lines}1234567`]) {
        writeFileSync(log, damaged);
        const found = diagnose(repo, '--fix');
        expect([...found.keys()], damaged).toEqual(['ref-broken', 'trailer-dangling']);
        expect(found.get('ref-broken')).toMatchObject({ fixable: false, repair: null });
        expect(readFileSync(file, 'utf8')).toBe('');
      }
      writeFileSync(log, lines);
      writeFileSync(`${file}.lock`, ''); // somebody writes to it
      expect(diagnose(repo, '--fix').get('ref-broken')?.repair).toMatchObject({ done: false, failed: true });
      expect(existsSync(`${file}.lock`)).toBe(true);
      rmSync(`${file}.lock`);
      expect(diagnose(repo, '--fix').get('ref-broken')?.repair).toMatchObject({ done: true });
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );
});
