import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { age, diagnose } from './support/doctor.ts';
import { variation } from './support/test-repo.ts';

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
