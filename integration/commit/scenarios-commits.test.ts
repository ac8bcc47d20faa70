import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

describe('session state', () => {
  scenario('times and phase move with prompts; the transcript path is kept', (repo) => {
    repo.ready();
    const session = repo.session();
    const before = Date.now();
    session.prompt('create a.txt');
    const first = repo.state(session.id);
    expect(first).toMatchObject({ phase: 'active', transcript_path: session.transcript });
    expect(Date.parse(first.last_interaction_time)).toBeGreaterThanOrEqual(before);
    session.stop();
    session.prompt('more');
    const second = repo.state(session.id);
    expect(Date.parse(second.last_interaction_time)).toBeGreaterThan(Date.parse(first.last_interaction_time));
    expect(Date.parse(second.last_interaction_time)).toBeGreaterThan(Date.parse(second.started_at));
    expect(second.started_at).toBe(first.started_at);
    const silent = repo.session();
    silent.prompt('no transcript', { transcript_path: '' });
    expect(repo.state(silent.id).transcript_path).toBeUndefined();
  });

  variation('a state that is removed after a mid-turn commit leaves nothing to the next session', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create and commit a.txt');
    session.edit('a.txt', 'one\n');
    const id = repo.agentCommit('Add a', 'a.txt');
    expect(repo.state(session.id).turn_checkpoint_ids).toEqual([id]);
    rmSync(join(repo.commonDir, 'entire-sessions', `${session.id}.json`));
    const next = repo.session();
    next.prompt('hello');
    expect(repo.stateFiles()).toEqual([`${next.id}.json`]);
    expect(repo.state(next.id).turn_checkpoint_ids).toBeUndefined();
  });

  variation('a stop after the user committed everything makes no step', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    repo.commit('Add a', 'a.txt');
    const id = expectLinked(repo, session, 'a.txt');
    session.stop();
    expect(repo.shadowBranches()).toEqual([]);
    expect(repo.state(session.id)).toMatchObject({ phase: 'idle', last_checkpoint_id: id });
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });
});

describe('what counts as the session’s', () => {
  variation('a file that was deleted and made anew by hand is not the agent’s', (repo) => {
    const session = withWork(repo, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'one\ntwo\n' });
    repo.commit('Add a and b', 'a.txt', 'b.txt');
    expectLinked(repo, session, 'a.txt', 'b.txt');
    rmSync(join(repo.dir, 'c.txt'));
    repo.write('c.txt', 'something else\naltogether\n');
    repo.commit('My own c', 'c.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('nor is a new file that was overwritten before any commit', (repo) => {
    withWork(repo, { 'a.txt': 'one\ntwo\n' });
    const before = repo.git('rev-parse', 'entire/checkpoints/v1');
    repo.write('a.txt', 'something else\naltogether\n');
    repo.commit('My own a', 'a.txt');
    expectNotLinked(repo, 'no-overlap');
    expect(repo.git('rev-parse', 'entire/checkpoints/v1')).toBe(before);
  });

  variation('an existing file of which the user reverted a part counts', (repo) => {
    repo.ready();
    repo.write('app.txt', 'one\ntwo\nthree\n');
    repo.commit('App', 'app.txt');
    const session = addWork(repo, { 'app.txt': 'ONE\ntwo\nTHREE\n' });
    repo.write('app.txt', 'one\ntwo\nTHREE\n');
    repo.commit('Half of it', 'app.txt');
    expectLinked(repo, session, 'app.txt');
  });
});

describe('split commits and transcripts', () => {
  variation('a transcript that was cut back: the checkpoint knows the prompts up to there', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one\n' });
    const [transcript, content] = [session.read(), repo.read('a.txt')];
    addWork(repo, { 'a.txt': 'one\nabandoned\n', 'abandoned.txt': 'x\n' }, session);
    writeFileSync(session.transcript, transcript);
    repo.write('a.txt', content);
    rmSync(join(repo.dir, 'abandoned.txt'));
    repo.commit('Add a', 'a.txt');
    const id = expectLinked(repo, session, 'a.txt');
    for (const name of ['prompt.txt', 'context.md', 'full.jsonl'])
      expect(repo.stored(id, `0/${name}`)).not.toContain('abandoned');
    expect(repo.stored(id, '0/prompt.txt')).toBe('write a.txt');

    addWork(repo, { 'b.txt': 'two\n' }, session);
    repo.commit('Add b', 'b.txt');
    const next = expectLinked(repo, session, 'b.txt');
    expect(repo.stored(next, '0/prompt.txt')).toBe('write a.txt\n\n---\n\nwrite b.txt');
    expect(repo.storedJson(next, '0/metadata.json').token_usage.api_call_count).toBeGreaterThan(0);
  });

  variation('a partial commit while active: still active, and the rest has an id of its own', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a and b');
    session.edit('a.txt', 'one\n');
    session.edit('b.txt', 'two\n');
    repo.commit('Add a', 'a.txt');
    const first = expectLinked(repo, session, 'a.txt');
    expect(repo.state(session.id).phase).toBe('active');
    repo.commit('Add b', 'b.txt');
    expect(expectLinked(repo, session, 'b.txt')).not.toBe(first);
    expect(repo.state(session.id).phase).toBe('active');
  });

  variation('second split commit: both halves have metadata and the full transcript', (repo) => {
    const session = withWork(repo, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' });
    const all = session.read();
    repo.commit('Half', 'a.txt', 'b.txt');
    const first = expectLinked(repo, session, 'a.txt', 'b.txt');
    repo.commit('The other half', 'c.txt', 'd.txt');
    const second = expectLinked(repo, session, 'c.txt', 'd.txt');
    expect(second).not.toBe(first);
    for (const id of [first, second]) {
      expect(repo.stored(id, '0/full.jsonl')).toBe(all.trimEnd());
      expect(repo.storedJson(id, 'metadata.json').checkpoint_id).toBe(id);
    }
    expect(repo.shadowBranches()).toEqual([]);
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('one new file, cut down by hand, committed, written back, committed', (repo) => {
    const functions = ['a', 'b', 'c', 'd'].map((name) => `function ${name}() {\n  return '${name}';\n}\n`);
    const session = withWork(repo, { 'f.js': functions.join('\n') });
    const all = session.read().trimEnd();
    repo.write('f.js', functions.slice(0, 2).join('\n'));
    repo.commit('First half', 'f.js');
    const first = expectLinked(repo, session, 'f.js');
    repo.write('f.js', functions.join('\n'));
    repo.commit('Second half', 'f.js');
    const second = expectLinked(repo, session, 'f.js');
    expect(second).not.toBe(first);
    for (const id of [first, second]) expect(repo.stored(id, '0/full.jsonl')).toBe(all);
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('what is stashed stays with the session, and comes back with it', (repo) => {
    const session = withWork(repo, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    repo.commit('Add a', 'a.txt');
    repo.git('stash', 'push', '--quiet', '--include-untracked');
    addWork(repo, { 'd.txt': 'd\n', 'e.txt': 'e\n' }, session);
    repo.git('add', 'd.txt', 'e.txt');
    repo.git('commit', '--quiet', '-m', 'Add d and e');
    expectLinked(repo, session, 'd.txt', 'e.txt');
    expect(repo.state(session.id).files_touched).toEqual(['b.txt', 'c.txt']);
    repo.git('stash', 'pop', '--quiet');
    repo.commit('Add b and c', 'b.txt', 'c.txt');
    expectLinked(repo, session, 'b.txt', 'c.txt');
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('unstashed before the commit, one checkpoint lists all four', (repo) => {
    const session = withWork(repo, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    repo.commit('Add a', 'a.txt');
    repo.git('stash', 'push', '--quiet', '--include-untracked');
    addWork(repo, { 'd.txt': 'd\n', 'e.txt': 'e\n' }, session);
    repo.git('stash', 'pop', '--quiet');
    repo.commit('All of it', 'b.txt', 'c.txt', 'd.txt', 'e.txt');
    expectLinked(repo, session, 'b.txt', 'c.txt', 'd.txt', 'e.txt');
  });

  variation('stashed before any stop, it outlasts more than one commit', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('three files');
    session.edit('README.md', 'of the agent\n');
    repo.git('stash', 'push', '--quiet');
    session.edit('a.txt', 'a\n');
    session.edit('b.txt', 'b\n');
    repo.commit('Add a', 'a.txt');
    repo.commit('Add b', 'b.txt');
    expectLinked(repo, session, 'b.txt');
    repo.git('stash', 'pop', '--quiet');
    repo.commit('The README', 'README.md');
    expectLinked(repo, session, 'README.md');
  });

  variation('the end of the turn leaves the metadata of a mid-turn commit', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create and commit a.txt');
    session.edit('a.txt', 'one\n');
    const id = repo.agentCommit('Add a', 'a.txt') as string;
    const before = repo.storedPaths(id);
    session.stop();
    expect(repo.storedPaths(id)).toEqual(before);
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      checkpoint_id: id,
      session_id: session.id,
      files_touched: ['a.txt'],
    });
  });
});
