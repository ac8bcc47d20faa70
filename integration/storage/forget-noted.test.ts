import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { RESTORE_LOCK } from '../../src/restore/putting-back.ts';
import { withSessionLock } from '../../src/session/lock.ts';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork, expectLinked } from '../support/command/work.ts';
import { placesOf } from '../support/repository/marker.ts';
import { variation } from '../support/repository/scenario.ts';

const WORD = 'FORGETWORD';
const OWN = ['refs/heads/main'];

describe('forgetting, and what other sessions noted when they went back', () => {
  variation(
    'what the rewind of another session, with which it went back, noted of it goes as well',
    (repo) => {
      repo.ready();
      const own = turns(repo, { 'a.txt': 'v1\n' });
      const gone = repo.session();
      gone.prompt(WORD);
      gone.edit('theirs.txt', 'theirs\n');
      gone.stop(WORD);
      gone.end();
      addWork(repo, { 'a.txt': 'v2\n' }, own);
      goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
      expect(repo.exists('theirs.txt')).toBe(false);
      repo.entire('forget', gone.id, '--yes');
      expect(placesOf(repo, WORD, OWN)).toEqual([]);
      repo.entire('undo');
      repo.entire('redo');
      repo.entire('undo');
      expect(repo.read('a.txt')).toBe('v2\n');
      expect(placesOf(repo, WORD, OWN)).toEqual([]);
      expect(repo.entire('verify').code).toBe(0);
    },
  );

  variation('of a turn, a rewind of another session brings the other turns back as they were', (repo) => {
    repo.ready();
    const gone = repo.session();
    gone.prompt(`plan the ${WORD}`);
    gone.edit('secret.txt', 'secret\n');
    gone.stop(WORD);
    const own = turns(repo, { 'a.txt': 'v1\n' });
    addWork(repo, { 'theirs.txt': 'theirs\n' }, gone);
    gone.end();
    addWork(repo, { 'a.txt': 'v2\n' }, own);
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(repo.exists('theirs.txt')).toBe(false);
    repo.entire('forget', `${gone.id.slice(0, 8)}:1`, '--yes');
    expect(placesOf(repo, WORD, OWN)).toEqual([]);
    repo.entire('undo');
    expect([repo.read('a.txt'), repo.read('theirs.txt')]).toEqual(['v2\n', 'theirs\n']);
    expect(placesOf(repo, WORD, OWN)).toEqual([]);
    expect(repo.tracked(gone.id)).toEqual(['theirs.txt']);
    repo.commit('Theirs', 'theirs.txt');
    expectLinked(repo, gone, 'theirs.txt');
    expect(repo.entire('verify').code).toBe(0);
  });

  variation('while files are put back it waits, and begins nothing', async (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'a\n' });
    await withSessionLock(join(repo.commonDir, 'entire'), RESTORE_LOCK, () => {
      expect(repo.tryEntire('forget', session.id, '--yes').code).toBe(1);
    });
    expect(readdirSync(join(repo.commonDir, 'entire'))).not.toContain('forgotten');
    expect(repo.state(session.id).files_touched).toEqual(['a.txt']);
    expect(repo.entire('forget', session.id, '--yes').code).toBe(0);
  });
});
