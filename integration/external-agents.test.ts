import { describe, expect } from 'vitest';
import { addPlugin, allowExternal, DemoSession } from './support/external.ts';
import { type TestRepo, variation } from './support/test-repo.ts';

/** A repository in which the example's agent is set up. */
function withDemo(repo: TestRepo): DemoSession {
  addPlugin(allowExternal(repo.ready()), 'demo');
  repo.entire('agent', 'add', 'demo');
  return new DemoSession(repo);
}

describe('a session of an agent that is not built in', () => {
  variation('is recorded, linked and stored as any other', (repo) => {
    const session = withDemo(repo);
    session.hook('session-start');
    session.prompt('write two files');
    session.edit('one.txt', 'one\n');
    repo.write('two.txt', 'two\n'); // by its shell: no hook tells
    session.stop('Both are written.');
    expect(repo.entire('status').stdout).toContain('Demo');

    const id = repo.commit('Add both', 'one.txt', 'two.txt') ?? '';
    const metadata = repo.storedJson(id, '0/metadata.json');
    expect(metadata).toMatchObject({
      agent: 'Demo',
      session_id: 'demo-1',
      files_touched: ['one.txt', 'two.txt'],
    });
    expect(repo.stored(id, '0/prompt.txt')).toBe('write two files');
    expect(repo.stored(id, '0/full.jsonl')).toContain('Both are written.');
  });
});
