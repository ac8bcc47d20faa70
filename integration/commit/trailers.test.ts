import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, expectLinked, withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** The last paragraph of HEAD's message, without the id. */
function lastParagraph(repo: TestRepo): string {
  const text = repo.message('HEAD').split(/\n\n/).at(-1) ?? '';
  return text.replace(/[0-9a-f]{12}$/, '<id>');
}

describe('beside other trailers', () => {
  variation('-s and --trailer come first', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
    repo.git('add', 'a.txt');
    repo.git(
      'commit',
      '--quiet',
      '-s',
      '--trailer',
      'Reviewed-by: Eve <e@x>',
      '-m',
      'Add a',
      '-m',
      'Body: yes',
    );
    expectLinked(repo, session, 'a.txt');
    expect(lastParagraph(repo)).toBe(
      'Body: yes\nSigned-off-by: Ada <ada@example.com>\nReviewed-by: Eve <e@x>\nEntire-Checkpoint: <id>',
    );
    repo.git('add', 'b.txt');
    repo.git('commit', '--quiet', '-s', '-m', 'Add b');
    expectLinked(repo, session, 'b.txt');
    expect(lastParagraph(repo)).toBe('Signed-off-by: Ada <ada@example.com>\nEntire-Checkpoint: <id>');
    repo.git('commit', '--quiet', '--amend', '--no-edit', '--trailer', 'Tested-by: Eve <e@x>');
    expect(repo.verdict()).toMatchObject({ reason: 'kept', checkpoint: repo.checkpointOf('HEAD') });
    expect(lastParagraph(repo)).toContain('Tested-by: Eve <e@x>');
  });

  for (const [name, text] of [
    ['CRLF', 'Add a\r\n\r\nBody of it\r\n\r\nSigned-off-by: A <a@b>\r\n'],
    ['CRLF, subject alone', 'Add a\r\n'],
    ['CRLF, a conventional subject', 'fix: add a\r\n'],
    ['a divider', 'Add a\n\n---\n\nBelow: the line\n'],
    ['a folded trailer', 'Add a\n\nReviewed-by: Eve\n  <e@x>\n'],
    ['blank lines around', '\n\n  Add a  \n\n\n\nBody\n\n\n'],
    ['no line end', 'Add a\n\nBody'],
    ['an unfinished trailer', 'Add a\n\nWhy:\n'],
    ['our word in the text', 'Add a\n\nThe line Entire-Checkpoint: 0123456789ab was quoted here.\n'],
    ['our trailer quoted above the last paragraph', 'Add a\n\nEntire-Checkpoint: 0123456789ab\n\nBody\n'],
    ['our trailer with an id that is none', 'Add a\n\nEntire-Checkpoint: none\n'],
  ] as const) {
    variation(`a message with ${name}`, (repo) => {
      const session = withWork(repo);
      writeFileSync(join(repo.scratch, 'message'), text);
      repo.git('add', 'a.txt');
      repo.git('commit', '--quiet', '-F', '../message');
      const trailers = repo
        .git('log', '-1', '--format=%(trailers:key=Entire-Checkpoint,valueonly)')
        .split('\n');
      const id = trailers.filter(Boolean).at(-1) as string;
      expect(repo.verdict(), repo.message('HEAD')).toMatchObject({
        reason: 'linked',
        checkpoint: id,
        sessions: [session.id],
      });
      expect(id).not.toBe('0123456789ab');
      for (const line of text.trim().split(/\r?\n/)) expect(repo.message('HEAD')).toContain(line.trim());
    });
  }
});

describe('what is left out', () => {
  variation('commit -p: the rest waits, also through an amend that only rewords', (repo) => {
    repo.ready();
    repo.write('long.txt', 'a\nb\nc\nd\ne\nf\ng\nh\n');
    repo.commit('Long', 'long.txt');
    const session = addWork(repo, { 'long.txt': 'A\nb\nc\nd\ne\nf\ng\nH\n' });
    repo.gitWith({ input: 's\ny\nn\n' }, 'commit', '--quiet', '-p', '-m', 'First end');
    const first = expectLinked(repo, session, 'long.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'The first end');
    expect(repo.checkpointOf('HEAD')).toBe(first);
    expect(repo.verdict()).toMatchObject({ reason: 'kept', checkpoint: first });
    expect(repo.state(session.id).files_touched).toEqual(['long.txt']);
    expect(repo.storedJson(first, '0/metadata.json').checkpoints_count).toBe(1);
    repo.git('commit', '--quiet', '-am', 'Other end');
    expect(expectLinked(repo, session, 'long.txt')).not.toBe(first);
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('an agent that rewords a commit of another session is not in it', (repo) => {
    const session = withWork(repo);
    const id = repo.commit('Add a', 'a.txt') as string;
    const other = repo.session();
    other.prompt('reword it');
    const env = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: other.id };
    repo.gitWith({ env }, 'commit', '--quiet', '--amend', '-m', 'Add the letter a');
    expect(repo.verdict()).toMatchObject({ reason: 'kept', checkpoint: id, sessions: [session.id] });
    expect(repo.storedJson(id, 'metadata.json').sessions).toHaveLength(1);
  });

  variation('amend -a takes the rest into the same checkpoint', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one\n', 'README.md': '# changed\n' });
    const id = repo.commit('Add a', 'a.txt');
    repo.git('commit', '--quiet', '--amend', '-a', '--no-edit');
    expect(expectLinked(repo, session, 'README.md', 'a.txt')).toBe(id);
    expect(repo.state(session.id).files_touched).toBeUndefined();
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('an aborted commit leaves nothing behind, and the next one has an id', (repo) => {
    const session = withWork(repo);
    const before = [repo.state(session.id), repo.git('for-each-ref')];
    repo.git('add', 'a.txt');
    expect(
      repo.run('git', ['commit', '-m', 'x', '-S'], { env: { GNUPGHOME: '/nonexistent' } }).code,
    ).not.toBe(0);
    expect([repo.state(session.id), repo.git('for-each-ref')]).toEqual(before);
    repo.git('commit', '--quiet', '-m', 'Add a');
    expectLinked(repo, session, 'a.txt');
  });
});
