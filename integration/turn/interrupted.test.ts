import { copyFileSync, existsSync, mkdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { commitWithoutPostCommit, owed } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A session with two new files, after its stop. */
function stopped(repo: TestRepo): AgentSession {
  repo.ready();
  const session = repo.session('session-1');
  session.prompt('create a.txt and b.txt');
  session.edit('a.txt', 'one\n');
  session.edit('b.txt', 'two\n');
  session.stop();
  return session;
}

const stateFile = (repo: TestRepo, { id }: AgentSession) =>
  join(repo.commonDir, 'entire-sessions', `${id}.json`);

/** The link is whole, and nothing of the session is left that would claim a later edit by hand. */
function expectSettled(repo: TestRepo, session: AgentSession, id: string): void {
  expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
    session_id: session.id,
    files_touched: ['a.txt', 'b.txt'],
    checkpoints_count: 1,
  });
  expect(repo.storedJson(id, 'metadata.json').sessions).toHaveLength(1);
  expect(repo.state(session.id)).toMatchObject({
    checkpoint_count: 0,
    base_commit: repo.git('rev-parse', 'HEAD'),
  });
  expect(repo.state(session.id).files_touched).toBeUndefined();
  expect(owed(repo)).toEqual([]);
  expect(repo.shadowBranches()).toEqual([]);
  repo.write('a.txt', 'by hand\n');
  expect(repo.commit('By hand', 'a.txt')).toBeUndefined();
  expect(repo.verdict()).toMatchObject({ reason: 'no-overlap' });
}

/** Names the space that process ids belong to; Linux has them. */
const PID_SPACE = '/proc/self/ns/pid';

describe('a commit whose hook was killed is completed by the next hook', () => {
  scenario('before it did anything: by the next prompt', (repo) => {
    const session = stopped(repo);
    const id = commitWithoutPostCommit(repo, 'a.txt', 'b.txt');
    expect(owed(repo)).toEqual([`${id}.json`]);
    session.prompt('go on');
    expect(repo.verdict()).toMatchObject({ reason: 'linked', checkpoint: id, sessions: [session.id] });
    session.stop();
    expectSettled(repo, session, id);
  });

  variation('before it did anything: by the next commit', (repo) => {
    const session = stopped(repo);
    const id = commitWithoutPostCommit(repo, 'a.txt', 'b.txt');
    repo.write('c.txt', 'by hand\n');
    expect(repo.commit('By hand', 'c.txt')).toBeUndefined();
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt', 'b.txt']);
    expect(owed(repo)).toEqual([]);
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('a part of the work: the rest stays pending, and gets a checkpoint of its own', (repo) => {
    const session = stopped(repo);
    const first = commitWithoutPostCommit(repo, 'a.txt');
    const second = repo.commit('Add b', 'b.txt') as string;
    expect(second).not.toBe(first);
    expect(repo.storedJson(first, '0/metadata.json').files_touched).toEqual(['a.txt']);
    expect(repo.storedJson(second, '0/metadata.json').files_touched).toEqual(['b.txt']);
    expect(repo.state(session.id).files_touched).toBeUndefined();
    expect(owed(repo)).toEqual([]);
  });

  variation('after the checkpoint, before the state', (repo) => {
    const session = stopped(repo);
    const [shadow = ''] = repo.shadowBranches();
    const tip = repo.git('rev-parse', shadow);
    copyFileSync(stateFile(repo, session), join(repo.scratch, 'state'));
    const head = repo.git('rev-parse', 'HEAD');
    const id = repo.commit('Add files', 'a.txt', 'b.txt') as string;
    copyFileSync(join(repo.scratch, 'state'), stateFile(repo, session));
    repo.git('update-ref', `refs/heads/${shadow}`, tip);
    leaveOwed(repo, id, head);
    const before = repo.git('rev-parse', 'entire/checkpoints/v1');
    session.prompt('go on');
    expect(repo.git('rev-parse', 'entire/checkpoints/v1')).toBe(before); // nothing is counted twice
    session.stop();
    expectSettled(repo, session, id);
  });

  variation('after the state, before the claim was released and the branch dropped', (repo) => {
    const session = stopped(repo);
    const [shadow = ''] = repo.shadowBranches();
    const tip = repo.git('rev-parse', shadow);
    const head = repo.git('rev-parse', 'HEAD');
    const id = repo.commit('Add files', 'a.txt', 'b.txt') as string;
    const claim = join(repo.commonDir, 'entire-sessions', `${session.id}.files.claim-0123456789ab`);
    writeFileSync(claim, 'a.txt\n');
    copyFileSync(stateFile(repo, session), join(repo.scratch, 'state'));
    writeFileSync(stateFile(repo, session), repo.read(join('..', 'state'))); // later than the claim
    repo.git('update-ref', `refs/heads/${shadow}`, tip);
    leaveOwed(repo, id, head);
    session.prompt('go on');
    expect(existsSync(claim)).toBe(false);
    session.stop();
    expectSettled(repo, session, id);
  });

  variation('another hook held the lock for too long', async (repo) => {
    const session = stopped(repo);
    const lock = join(repo.commonDir, 'entire-sessions', `${session.id}.lock`);
    const space = existsSync(PID_SPACE) ? `-${readlinkSync(PID_SPACE).replace(/\D/g, '')}` : '';
    mkdirSync(lock);
    writeFileSync(join(lock, `pid-${process.pid}${space}`), '');
    const id = repo.commit('Add files', 'a.txt', 'b.txt') as string;
    expect(repo.verdict()).toMatchObject({ reason: 'condense-failed', checkpoint: id });
    rmSync(lock, { recursive: true });
    session.prompt('go on');
    expect(repo.verdict()).toMatchObject({ reason: 'linked', checkpoint: id });
    session.stop();
    expectSettled(repo, session, id);
  });
});

function leaveOwed(repo: TestRepo, id: string, head: string): void {
  const record = { version: 1, worktree_id: '', head, at_ms: Date.now() - 60_000, attempts: 0 };
  writeFileSync(join(repo.commonDir, 'entire', 'owed', `${id}.json`), JSON.stringify(record));
}

describe('what is owed and what is not', () => {
  variation('a commit that was never made owes nothing', (repo) => {
    const session = stopped(repo);
    repo.git('add', '.');
    const aborted = repo.run('git', ['commit', '--quiet'], { env: { GIT_EDITOR: 'true' } });
    expect(aborted.code).not.toBe(0);
    expect(owed(repo)).toHaveLength(1); // the hook wrote a trailer, and cannot know what became of it
    session.prompt('go on');
    expect(owed(repo)).toHaveLength(1); // HEAD has not moved
    const id = repo.commit('Add files', 'a.txt', 'b.txt') as string;
    expect(owed(repo)).toEqual([]);
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt', 'b.txt']);
  });

  variation('a record that cannot be read, and one that failed five times, stop nobody', (repo) => {
    const session = stopped(repo);
    const id = commitWithoutPostCommit(repo, 'a.txt');
    const dir = join(repo.commonDir, 'entire', 'owed');
    writeFileSync(join(dir, '000000000000.json'), '{"version":');
    const record = { version: 1, worktree_id: '', head: '', at_ms: 0, attempts: 5 };
    writeFileSync(join(dir, `${id}.json`), JSON.stringify(record));
    session.prompt('go on');
    session.edit('c.txt', 'three\n');
    session.stop();
    expect(repo.commit('Add c', 'c.txt')).toMatch(/^[0-9a-f]{12}$/);
    expect(repo.verdict()).toMatchObject({ reason: 'linked' });
    expect(owed(repo).sort()).toEqual(['000000000000.json', `${id}.json`].sort());
  });
});
