import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { withOrigin } from '../support/repository/clones.ts';
import { placesOf } from '../support/repository/marker.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

const WORD = 'FORGETWORD';
const OWN = ['refs/heads/main'];

describe('forgetting what was recorded', () => {
  scenario('a forgotten session is in no file, and in no object that a ref leads to', (repo) => {
    repo.ready();
    const [gone, kept] = [repo.session(), repo.session()];
    gone.prompt(`please ${WORD} now`);
    gone.edit('a.txt', `${WORD} one\n`);
    gone.stop(`${WORD} done`);
    kept.prompt('something else');
    kept.edit('k.txt', 'kept\n');
    kept.stop('Kept.');
    const id = repo.commit('Both', 'a.txt', 'k.txt') as string;
    gone.prompt(`more ${WORD}`);
    gone.edit('b.txt', `${WORD} two\n`);
    gone.stop(`${WORD} again`);
    // What hooks and commands leave at times.
    const places = {
      'replaced-logs': join(repo.commonDir, 'entire', 'replaced-logs', gone.id, 'before.jsonl'),
      told: join(repo.dir, '.entire', 'tmp', `${gone.id}.jsonl`),
      prompt: join(repo.dir, '.entire', 'tmp', `pre-prompt-${gone.id}.json`),
      broken: join(repo.commonDir, 'entire-sessions', `${gone.id}.json.corrupt-1`),
      index: join(repo.commonDir, 'entire', 'sessions.json'), // names of files, among other things
    };
    for (const file of Object.values(places)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${WORD}\n`);
    }
    expect(placesOf(repo, WORD, OWN)).toEqual(expect.arrayContaining(Object.values(places)));
    expect(repo.logText()).toContain(gone.id);

    const plan = repo.entire('forget', gone.id.slice(0, 8), '--dry-run').stdout;
    expect(plan).toContain(`To be forgotten: session ${gone.id}`);
    expect(plan).toContain(gone.transcript);
    expect(placesOf(repo, WORD, OWN)).not.toEqual([]);
    expect(repo.tryEntire('forget', gone.id)).toMatchObject({ code: 1 });
    // What too few characters of an id would erase is not to be had back.
    expect(repo.tryEntire('forget', gone.id.slice(0, 3), '--yes').stderr).toContain('is too short for an id');

    repo.entire('forget', gone.id, '--yes');
    expect(placesOf(repo, WORD, OWN)).toEqual([]);
    expect(repo.read('b.txt')).toContain(WORD);
    expect(repo.logText()).not.toContain(gone.id);
    expect(repo.storedJson(id, 'metadata.json').sessions).toHaveLength(1);
    expect(repo.storedJson(id, '0/metadata.json').session_id).toBe(kept.id);
    expect(repo.stored(id, '0/full.jsonl')).toContain('Kept.');
    expect(repo.entire('why').stdout).toContain(`Session ${gone.id} was forgotten on `);
    expect(repo.entire('verify').code).toBe(0);
    expect(repo.read('.git/entire/forgotten/'.concat(gone.id, '.json'))).not.toContain(WORD);

    // It goes on, and what it says from here on is recorded.
    gone.prompt('a new beginning');
    gone.edit('c.txt', 'three\n');
    gone.stop('New words.');
    expect(placesOf(repo, WORD, OWN)).toEqual([]);
    const later = repo.commit('Later', 'c.txt') as string;
    expect(repo.stored(later, '0/full.jsonl')).toContain('New words.');
    expect(placesOf(repo, WORD, OWN)).toEqual([]);
    expect(repo.tryEntire('undo', '--session', kept.id).code).toBe(0);
  });

  variation('what was pushed already is said, with the remote and the day', (repo) => {
    withOrigin(repo);
    const session = repo.session();
    session.prompt(WORD);
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.commit('Add a', 'a.txt');
    expect(repo.entire('forget', session.id, '--dry-run').stdout).not.toContain('origin');
    repo.entire('push', '--yes');
    const plan = repo.entire('forget', session.id, '--dry-run').stdout;
    expect(plan).toMatch(/pushed on \d{4}-\d\d-\d\d to origin/);
    expect(repo.entire('forget', session.id, '--yes').stdout).toContain('origin');
  });

  variation('what one that was killed has left in reflogs goes with the next one', (repo) => {
    repo.ready();
    const [gone, kept] = [repo.session(), repo.session()];
    gone.prompt(WORD);
    gone.edit('a.txt', `${WORD}\n`);
    gone.stop(WORD);
    kept.prompt('something else');
    kept.edit('k.txt', 'kept\n');
    kept.stop();
    repo.commit('Both', 'a.txt', 'k.txt');
    for (const each of [gone, kept]) {
      each.prompt(each === gone ? WORD : 'more');
      each.edit(`${each.id}.txt`, each === gone ? WORD : 'more');
      each.stop();
    }
    const refs = () => repo.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/entire/');
    const before = refs().split('\n');
    expect(before).toHaveLength(2);
    repo.entire('forget', gone.id, '--yes');
    const after = new Map(
      refs()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    );
    // It had moved the branches, and nothing more.
    for (const line of before) {
      const [ref = '', old = ''] = line.split(' ');
      for (const oid of [old, after.get(ref) as string]) repo.git('update-ref', '-m', 'moved', ref, oid);
    }
    expect(placesOf(repo, WORD, OWN)).not.toEqual([]);
    repo.entire('forget', gone.id, '--yes');
    expect(placesOf(repo, WORD, OWN)).toEqual([]);
  });

  variation(
    'the note of a commit that was linked afterwards stays: it names an id, as a message does',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt(WORD);
      session.edit('a.txt', 'one\n');
      session.stop(WORD);
      repo.git('add', 'a.txt');
      repo.git('-c', 'core.hooksPath=/nowhere', 'commit', '--quiet', '-m', 'Unseen');
      repo.session().start();
      session.prompt('next');
      session.stop();
      const note = repo.git('notes', '--ref=entire', 'show', 'HEAD');
      expect(note).toMatch(/^Entire-Checkpoint: [0-9a-f]{12}$/);
      repo.entire('forget', session.id, '--yes');
      expect(placesOf(repo, WORD, OWN)).toEqual([]);
      expect(repo.git('notes', '--ref=entire', 'show', 'HEAD')).toBe(note);
      expect(JSON.parse(repo.entire('why', '--json').stdout).reason).toBe('forgotten');
    },
  );

  variation('what earlier prompts of other sessions kept of its files goes as well', (repo) => {
    repo.ready();
    const [gone, kept] = [repo.session(), repo.session()];
    gone.prompt('write');
    gone.edit('a.txt', `${WORD}\n`);
    gone.stop();
    for (const path of ['k.txt', 'l.txt']) {
      kept.prompt('something else');
      kept.edit(path, 'kept\n');
      kept.stop();
      repo.commit(path, 'a.txt', path);
    }
    repo.entire('forget', gone.id, '--yes');
    expect(placesOf(repo, WORD, OWN)).toEqual([]);
    expect(repo.tryEntire('undo', '--session', kept.id).code).toBe(0);
  });

  variation('a checkpoint that had nothing else is gone, and its commit says since when', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt(WORD);
    session.edit('a.txt', 'one\n');
    session.stop(WORD);
    const id = repo.commit('Alone', 'a.txt') as string;
    const report = JSON.parse(repo.entire('forget', session.id, '--yes', '--json').stdout);
    expect(report).toMatchObject({ dry_run: false, session_id: session.id, turn: null, checkpoints: 1 });
    expect(placesOf(repo, WORD, OWN)).toEqual([]);
    const why = JSON.parse(repo.entire('why', '--json').stdout);
    expect(why).toMatchObject({ reason: 'forgotten', checkpoint: id, sessions: [] });
    expect(why.forgotten).toMatchObject([{ session_id: session.id, whole: true }]);
    expect(repo.tryEntire('explain', '--commit', 'HEAD').stderr).toContain(
      `checkpoint ${id} was forgotten on `,
    );
  });

  variation('one turn is taken out of all that was made of its session', (repo) => {
    repo.ready();
    const session = repo.session();
    const begun = Date.now();
    session.prompt('the first');
    session.edit('a.txt', 'one\n');
    session.stop('First done.');
    session.write({ type: 'cost-state', timestamp: undefined, uuid: undefined, startTime: begun });
    session.prompt(`the second, ${WORD}`);
    session.edit('b.txt', `${WORD}\n`);
    session.edit('b.txt', `${WORD} more\n`);
    session.stop(`${WORD} done.`);
    session.write({ type: 'cost-state', timestamp: undefined, uuid: undefined, startTime: begun });
    session.prompt('the third');
    session.edit('c.txt', 'three\n');
    session.stop('Third done.');
    const id = repo.commit('A and c', 'a.txt', 'c.txt') as string;
    session.prompt('the fourth');
    session.edit('d.txt', 'four\n');
    session.stop('Fourth done.');
    const { undo: steps } = JSON.parse(repo.entire('undo', '--list', '--json').stdout);
    const turn = steps.find(({ subject }: { subject: string }) => subject.includes('second'));
    expect(placesOf(repo, WORD, OWN)).not.toEqual([]);

    repo.entire('forget', turn.id, '--yes');
    expect(placesOf(repo, WORD, OWN)).toEqual([]);
    const stored = repo.stored(id, '0/full.jsonl');
    for (const said of ['the first', 'First done.', 'the third', 'Third done.'])
      expect(stored).toContain(said);
    expect(repo.stored(id, '0/prompt.txt')).toBe('the first\n\n---\n\nthe third');
    expect(repo.entire('verify').code).toBe(0);
    const left = JSON.parse(repo.entire('undo', '--list', '--json').stdout).undo;
    expect(left).toHaveLength(steps.length - 1);
    session.prompt('the fifth');
    session.edit('e.txt', 'five\n');
    session.stop('Fifth done.');
    repo.commit('The rest', 'd.txt', 'e.txt');
    expect(placesOf(repo, WORD, OWN)).toEqual([]);
    expect(repo.tryEntire('forget', turn.id, '--yes')).toMatchObject({ code: 1 });
  });

  variation('a turn is called by its number, and only checkpoints that had something of it count', (repo) => {
    repo.ready();
    const session = repo.session();
    for (const name of ['a', 'b', 'c']) {
      session.prompt(`write ${name}`);
      session.edit(`${name}.txt`, `${name}\n`);
      session.stop();
      repo.commit(name, `${name}.txt`);
    }
    const named = `${session.id.slice(0, 8)}:2`;
    expect(repo.entire('forget', named, '--dry-run').stdout).toContain(`To be forgotten: turn ${named}\n`);
    const { stdout } = repo.entire('forget', named, '--yes');
    expect(stdout).toContain(`Forgotten: turn ${named}\n  2 checkpoints, `);
    const other = repo.session();
    other.prompt('just tell me');
    other.stop();
    expect(repo.entire('forget', other.id, '--dry-run').stdout).not.toContain('written again');
  });

  variation(
    'only what was pushed is said to be elsewhere, and what is forgotten is missed by nobody',
    (repo) => {
      withOrigin(repo, false);
      const [shared, own] = [repo.session(), repo.session()];
      const work = (session: typeof own, path: string): void => {
        session.prompt('write');
        session.edit(path, `${path}\n`);
        session.stop();
        repo.commit(path, path);
      };
      work(shared, 'a.txt');
      repo.entire('push', '--yes');
      work(own, 'b.txt');
      expect(repo.entire('forget', own.id, '--dry-run').stdout).not.toContain('origin');
      work(own, 'c.txt');
      repo.entire('push', '--yes');
      const pushes = (id: string) =>
        JSON.parse(repo.entire('forget', id, '--dry-run', '--json').stdout).pushed.length;
      expect([pushes(shared.id), pushes(own.id)]).toEqual([1, 1]);
      const last = repo.session();
      work(last, 'd.txt');
      const { stdout } = repo.entire('forget', last.id, '--yes');
      expect(stdout).not.toContain('origin');
      const { findings } = JSON.parse(repo.tryEntire('doctor', '--json').stdout);
      expect(JSON.stringify(findings)).not.toMatch(
        /trailer-dangling|checkpoint-not-merged|checkpoint-elsewhere/,
      );
      const [verdict] = JSON.parse(repo.entire('status', '--json').stdout).verdicts;
      expect(verdict).toMatchObject({ reason: 'forgotten', sessions: [] });
      expect(repo.entire('status').stdout).toContain('not linked: what it was linked to was forgotten here');
    },
  );
});
