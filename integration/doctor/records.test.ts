import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { age, diagnose, expectFixed } from '../support/command/doctor.ts';
import { changeState, leaveStuck } from '../support/command/stuck.ts';
import { commitWithoutPostCommit, expectLinked, owed, withWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const sessions = (repo: TestRepo, ...names: string[]) => join(repo.commonDir, 'entire-sessions', ...names);
const own = (repo: TestRepo, ...names: string[]) => join(repo.commonDir, 'entire', ...names);

describe('doctor: what is left over', () => {
  scenario('a state that is none, and one of no bytes, are set aside; the others stay', (repo) => {
    const session = withWork(repo);
    writeFileSync(sessions(repo, 'empty.json'), '');
    writeFileSync(sessions(repo, 'torn.json'), '{"session_id": "to');
    expect(expectFixed(repo, 'state-unreadable', ['set-aside']).items).toEqual([
      sessions(repo, 'empty.json'),
      sessions(repo, 'torn.json'),
    ]);
    expect(diagnose(repo).get('set-aside')?.items).toHaveLength(2);
    const torn = readdirSync(sessions(repo)).find((name) => name.startsWith('torn.json.corrupt-')) ?? '';
    expect(readFileSync(sessions(repo, torn), 'utf8')).toBe('{"session_id": "to');
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });

  variation('records that are no JSON are set aside', (repo) => {
    withWork(repo);
    mkdirSync(own(repo, 'owed'), { recursive: true });
    writeFileSync(own(repo, 'owed', '000000000000.json'), '{"version":');
    writeFileSync(own(repo, 'sessions.json'), '');
    expect(expectFixed(repo, 'record-unreadable', ['set-aside']).items).toHaveLength(2);
  });

  variation('claims that a dead hook holds go back into the tracking file', (repo) => {
    const session = withWork(repo);
    session.prompt('more');
    session.edit('b.txt', 'two\n');
    const files = sessions(repo, `${session.id}.files`);
    const claim = `${files}.claim-0123456789ab`;
    repo.run('mv', [files, claim]);
    expect(diagnose(repo).size).toBe(0); // its hook may be at work
    age(claim, 11);
    expectFixed(repo, 'claims-left');
    expect(existsSync(claim)).toBe(false);
    expect(repo.tracked(session.id)).toEqual(['b.txt']);
    session.stop();
    repo.commit('Add both', 'a.txt', 'b.txt');
    expectLinked(repo, session, 'a.txt', 'b.txt');
  });

  variation('claims for another worktree go back to where they were', (repo) => {
    repo.ready();
    const claim = sessions(repo, 's1@linked.files.claim-0123456789ab');
    mkdirSync(sessions(repo), { recursive: true });
    writeFileSync(claim, 'x.txt\n');
    age(claim, 11);
    expectFixed(repo, 'claims-left');
    expect(readFileSync(sessions(repo, 's1@linked.files'), 'utf8')).toBe('x.txt\n');
  });

  variation('locks and temporary files of processes that died', (repo) => {
    withWork(repo);
    const lock = sessions(repo, 's1.lock');
    mkdirSync(lock);
    age(lock, 2);
    const temporary = own(repo, 'owed', 'x.json.1234-0123456789ab.tmp');
    mkdirSync(own(repo, 'owed'), { recursive: true });
    writeFileSync(temporary, '');
    writeFileSync(own(repo, 'mine.tmp'), '');
    expect([...diagnose(repo).keys()]).toEqual(['lock-left']);
    age(temporary, 11);
    age(own(repo, 'mine.tmp'), 11); // no name that we give
    const found = diagnose(repo, '--fix');
    expect([...found.keys()]).toEqual(['lock-left', 'temporary-left']);
    expect([...found.values()].every(({ repair }) => repair?.done)).toBe(true);
    expect([existsSync(lock), existsSync(temporary)]).toEqual([false, false]);
    rmSync(own(repo, 'mine.tmp'));
  });

  variation('a crash report of fast-import goes when it speaks of our branches alone', (repo) => {
    repo.ready();
    const reports = [1, 2, 3].map((n) => join(repo.commonDir, `fast_import_crash_${n}`));
    writeFileSync(
      reports[0] ?? '',
      'commit refs/heads/entire/checkpoints/v1\n  refs/heads/entire/1234567-e3b0c4:\n',
    );
    writeFileSync(reports[1] ?? '', 'commit refs/heads/entire/checkpoints/v1\n  refs/heads/main:\n');
    writeFileSync(reports[2] ?? '', 'fatal: something\n');
    for (const report of reports) age(report, 11);
    const { repair } = diagnose(repo, '--fix').get('crash-report') ?? {};
    expect(repair).toMatchObject({
      done: false,
      failed: false,
      deeds: [{ outcome: 'done' }, { outcome: 'left' }, {}],
    });
    expect(reports.map((report) => existsSync(report))).toEqual([false, true, true]);
    for (const report of reports) rmSync(report, { force: true });
  });

  variation('an undo that was interrupted is told of', (repo) => {
    const session = withWork(repo);
    const journal = own(repo, 'snapshots', session.id, 'journal.json');
    mkdirSync(join(journal, '..'), { recursive: true });
    writeFileSync(journal, '{}');
    expect(diagnose(repo, '--fix').get('undo-unfinished')).toMatchObject({ items: [journal], repair: null });
  });

  variation('a lock of git itself is told of, and not touched', (repo) => {
    repo.ready();
    const lock = join(repo.dir, '.git', 'index.lock');
    writeFileSync(lock, '');
    expect(diagnose(repo).size).toBe(0);
    age(lock, 11);
    expect(diagnose(repo, '--fix').get('git-lock')).toMatchObject({ severity: 'warning', repair: null });
    expect(existsSync(lock)).toBe(true);
    rmSync(lock);
  });

  variation('a checkpoint that five hooks gave up is completed once nothing stands in the way', (repo) => {
    const session = withWork(repo);
    const id = commitWithoutPostCommit(repo, 'a.txt');
    expect(diagnose(repo).get('checkpoint-owed')).toMatchObject({ items: [id], severity: 'info' });
    const file = own(repo, 'owed', `${id}.json`);
    const record = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...record, attempts: 5 }));
    const found = diagnose(repo).get('checkpoint-given-up');
    expect(found).toMatchObject({ items: [id], severity: 'error', fixable: true });
    expect(diagnose(repo, '--fix').get('checkpoint-given-up')?.repair).toMatchObject({ done: true });
    expect(owed(repo)).toEqual([]);
    expect(repo.storedJson(id, '0/metadata.json').session_id).toBe(session.id);
    expect(diagnose(repo).size).toBe(0);
  });

  variation(
    'one whose session went on meanwhile has nothing to store, and is not called completed',
    (repo) => {
      const session = withWork(repo);
      const id = commitWithoutPostCommit(repo, 'a.txt');
      const file = own(repo, 'owed', `${id}.json`);
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), attempts: 5 }));
      session.prompt('go on'); // its steps follow HEAD
      expect(diagnose(repo, '--fix').get('checkpoint-given-up')?.repair).toMatchObject({
        done: false,
        deeds: [{ outcome: 'left', text: 'no session has its work any more: there is nothing to store' }],
      });
    },
  );

  variation('one that still cannot be completed stays owed, and the exit status says so', (repo) => {
    withWork(repo);
    const id = commitWithoutPostCommit(repo, 'a.txt');
    const lock = join(repo.commonDir, 'refs', 'heads', 'entire', 'checkpoints', 'v1.lock');
    writeFileSync(lock, '');
    const { stdout, code } = repo.tryEntire('doctor', '--fix');
    expect(stdout).toContain(`failed: ${id}: it is still owed`);
    expect(code).toBe(1);
    rmSync(lock);
    expect(diagnose(repo, '--fix').get('checkpoint-owed')?.repair).toMatchObject({ done: true });
  });

  variation('checkpoints that a worktree owed which is gone', (repo) => {
    withWork(repo);
    const record = { version: 1, worktree_id: 'gone', head: '', at_ms: 0, attempts: 0 };
    mkdirSync(own(repo, 'owed'), { recursive: true });
    writeFileSync(own(repo, 'owed', '0123456789ab.json'), JSON.stringify(record));
    expect(diagnose(repo, '--fix').get('checkpoint-owed-elsewhere')).toMatchObject({
      items: ['0123456789ab'],
      repair: null,
    });
  });

  variation('locks at our branches, and the metadata branch', (repo) => {
    repo.ready();
    const lock = join(repo.commonDir, 'refs', 'heads', 'entire', 'checkpoints', 'v1.lock');
    writeFileSync(lock, '');
    age(lock, 11);
    expect(expectFixed(repo, 'ref-lock').items).toEqual([lock]);
    repo.git('branch', '-D', 'entire/checkpoints/v1');
    expectFixed(repo, 'metadata-branch-missing');
    expect(repo.branches()).toContain('entire/checkpoints/v1');
    repo.git('branch', '-D', 'entire/checkpoints/v1');
    repo.git('branch', 'entire');
    expect(diagnose(repo, '--fix').get('branch-name-taken')).toMatchObject({
      severity: 'error',
      repair: null,
    });
  });

  variation('refs that killed processes left: what no branch holds is kept', (repo) => {
    withWork(repo);
    const head = repo.git('rev-parse', 'HEAD');
    const tree = repo.git('rev-parse', 'HEAD^{tree}');
    const lonely = repo.git('commit-tree', '-m', 'Nowhere else', tree);
    const refs = ['auto/0123456789ab/commit', 'scrub/0123456789ad', 'rewind/0123456789ae'];
    for (const ref of refs) repo.git('update-ref', `refs/entire/${ref}`, head);
    const unheld = 'auto/0123456789ac/commit';
    repo.git('update-ref', `refs/entire/${unheld}`, lonely);
    repo.git('update-ref', 'refs/heads/entire/1234567-e3b0c4', head);
    expect([...diagnose(repo).keys()]).toEqual(['shadow-branch-unowned']); // they may be at work
    for (const ref of [...refs, unheld]) age(join(repo.commonDir, 'refs/entire', ref), 11);
    const found = diagnose(repo, '--fix');
    expect(found.get('auto-commit-left')?.repair).toMatchObject({
      done: false,
      deeds: [
        {
          outcome: 'done',
          text: `removed; \`git update-ref refs/entire/auto/0123456789ab/commit ${head}\` brings it back`,
        },
        { outcome: 'left', text: expect.stringMatching(/^no branch holds it; `entire clean` removes it/) },
      ],
    });
    expect(found.get('scrub-left')?.repair?.done).toBe(true);
    expect(found.get('rewind-left')?.repair?.done).toBe(true);
    expect(diagnose(repo, '--fix').get('shadow-branch-unowned')).toMatchObject({
      items: ['entire/1234567-e3b0c4'],
      repair: null,
    });
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/entire/')).toBe(
      'refs/entire/auto/0123456789ac/commit',
    );
    expect(repo.shadowBranches()).toHaveLength(2);
  });

  variation('trailers that lead nowhere: lost here, made elsewhere, fetched and not merged', (repo) => {
    withWork(repo);
    const id = repo.commit('Add a', 'a.txt');
    const head = repo.git('rev-parse', 'HEAD').slice(0, 12);
    expect(diagnose(repo).size).toBe(0);
    const tip = repo.git('rev-parse', 'entire/checkpoints/v1');
    repo.git('update-ref', 'refs/heads/entire/checkpoints/v1', 'entire/checkpoints/v1~1');
    expect(diagnose(repo).get('trailer-dangling')).toMatchObject({
      items: [`${head} ${id}`],
      severity: 'warning',
    });
    repo.git('update-ref', 'refs/remotes/origin/entire/checkpoints/v1', tip);
    expect(diagnose(repo).get('checkpoint-not-merged')?.items).toEqual([`${head} ${id}`]);
    repo.git('update-ref', '-d', 'refs/remotes/origin/entire/checkpoints/v1');
    rmSync(own(repo, 'verdicts.jsonl'));
    expect(diagnose(repo).get('checkpoint-elsewhere')).toMatchObject({ severity: 'info' });
  });

  variation('a push whose end nobody noted', (repo) => {
    repo.ready();
    const push = {
      id: 'a',
      at: '2026-01-01T00:00:00Z',
      state: 'started',
      remote: 'origin',
      url: 'x',
      to: 'abc',
    };
    mkdirSync(own(repo), { recursive: true });
    writeFileSync(own(repo, 'pushes.jsonl'), `\n${JSON.stringify(push)}\n`);
    expect(diagnose(repo).get('push-unknown')?.items).toEqual(['2026-01-01T00:00:00Z origin abc']);
  });

  variation('hooks that failed are told of once, with their reason', (repo) => {
    repo.ready();
    const session = repo.session();
    for (let count = 0; count < 3; count++) session.hook('stop', 'Stop', { session_id: '../x' });
    const found = diagnose(repo).get('hook-failures');
    expect(found?.severity).toBe('warning');
    expect(found?.items).toHaveLength(1);
    expect(found?.items[0]).toMatch(
      /^2\S+Z hook skipped: stop: the session_id holds characters .* \(3 times\)$/,
    );
  });

  variation('--fix ends the turn of a session whose agent died, and condenses nothing', (repo) => {
    repo.ready();
    const session = leaveStuck(repo);
    age(session.transcript, 0);
    const fresh = repo.tryEntire('doctor', '--fix');
    expect(fresh.stdout).not.toContain('Ended the turn'); // its transcript is being written
    age(session.transcript, 61);
    expect(repo.tryEntire('doctor', '--fix')).toMatchObject({ code: 0 });
    expect(repo.state(session.id)).toMatchObject({ phase: 'idle', checkpoint_count: 1 });
    expect(repo.tryEntire('doctor').stdout).toMatch(/^No stuck sessions found\./);
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
    changeState(repo, session, { phase: 'idle' });
  });
});
