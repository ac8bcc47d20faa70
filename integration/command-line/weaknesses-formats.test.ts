import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** What a session's chunks on a branch are when they are joined. */
function joined(repo: TestRepo, branch: string, dir: string): string {
  const names = repo.git('ls-tree', '--name-only', branch, `${dir}/`).split('\n');
  const chunks = names.filter((name) => name.startsWith(`${dir}/full.jsonl`));
  expect(chunks.length).toBeGreaterThan(1);
  return chunks.map((name) => repo.git('show', `${branch}:${name}`)).join('\n');
}

// Each is a weakness that v0.4.4 has.
describe('layouts', () => {
  variation('worktree ids: a submodule is a repository of its own, with sessions and links', (repo) => {
    repo.ready();
    const outer = repo.dir;
    const other = join(repo.scratch, 'other');
    repo.git('clone', '--quiet', outer, other);
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'sub');
    repo.dir = join(outer, 'sub');
    repo.git('config', 'user.name', 'Ada');
    repo.git('config', 'user.email', 'ada@example.com');
    repo.entire('enable', '--agent', 'claude-code');
    const session = addWork(repo, { 'a.txt': 'one\n' });
    expect(repo.state(session.id)).not.toHaveProperty('worktree_id');
    expect(repo.shadowBranches()).toEqual([`entire/${repo.git('rev-parse', 'HEAD').slice(0, 7)}-e3b0c4`]);
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });

  variation('worktree ids: worktrees beside a bare repository', (repo) => {
    repo.ready();
    const bare = join(repo.scratch, 'bare.git');
    repo.git('clone', '--quiet', '--bare', repo.dir, bare);
    repo.gitWith({ cwd: bare }, 'worktree', 'add', '--quiet', '-b', 'side', join(repo.scratch, 'side'));
    repo.dir = join(repo.scratch, 'side');
    repo.git('config', 'user.name', 'Ada');
    repo.git('config', 'user.email', 'ada@example.com');
    repo.entire('enable', '--agent', 'claude-code');
    const session = addWork(repo, { 'a.txt': 'one\n' });
    expect(repo.state(session.id).worktree_id).toBe('side');
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });
});

describe('what is written', () => {
  variation('byte truncation: a long prompt is not cut within a character', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt(`x${'日本語'.repeat(200)}`);
    session.edit('a.txt', 'one\n');
    session.stop();
    expect(repo.git('log', '-1', '--format=%s', repo.shadowBranches()[0] as string)).toMatch(
      /^X(日本語)+日?本?$/,
    );
    expect(repo.state(session.id).first_prompt).toMatch(/^x(日本語)+日?本?\.\.\.$/);
    repo.commit('Add a', 'a.txt');
    const context = repo.stored(expectLinked(repo, session), '0/context.md');
    expect(context).toMatch(/x(日本語)+日?本?\.\.\.$/);
    expect(context).not.toContain('\ufffd');
  });

  variation('oversized untracked list: no tracked files, ignored folders by their name', (repo) => {
    repo.ready();
    repo.write('.gitignore', 'node_modules/\n');
    repo.commit('Ignore', '.gitignore');
    for (let n = 0; n < 20; n++) repo.write(`node_modules/p${n}/index.js`, 'x\n');
    repo.write('mine.txt', 'mine\n').write('d/new.txt', 'mine\n');
    const session = repo.session();
    session.prompt('hello');
    expect(repo.state(session.id).untracked_files_at_start).toEqual([
      'd/new.txt',
      'mine.txt',
      'node_modules/',
    ]);
  });

  variation('chunks in shadow trees: all are read and counted when the transcript is gone', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('a long talk');
    for (let n = 0; n < 12; n++) session.say(`${n} ${'word '.repeat(12_000)}`);
    session.edit('a.txt', 'one\n');
    session.stop();
    const text = session.read();
    const lines = text.trimEnd().split('\n').length;
    const [branch = ''] = repo.shadowBranches();
    expect(joined(repo, branch, `.entire/metadata/${session.id}`)).toBe(text.trimEnd());
    rmSync(session.transcript);
    repo.commit('Add a', 'a.txt');
    const id = expectLinked(repo, session, 'a.txt');
    const dir = `${id.slice(0, 2)}/${id.slice(2)}/0`;
    expect(joined(repo, 'entire/checkpoints/v1', dir)).toBe(text.trimEnd());
    expect(repo.state(session.id).checkpoint_transcript_start).toBe(lines);
  });

  variation('item counts: a last line that is not ended counts once', (repo) => {
    const session = withWork(repo);
    const half = JSON.stringify({ type: 'user', message: { role: 'user', content: 'a later prompt' } });
    appendFileSync(session.transcript, half);
    const lines = session.read().split('\n').length;
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
    expect(repo.state(session.id).checkpoint_transcript_start).toBe(lines);
    appendFileSync(session.transcript, '\n');
    addWork(repo, { 'b.txt': 'two\n' }, session);
    repo.commit('Add b', 'b.txt');
    const id = expectLinked(repo, session, 'b.txt');
    expect(repo.storedJson(id, '0/metadata.json').checkpoint_transcript_start).toBe(lines);
    expect(repo.stored(id, '0/prompt.txt').split('\n\n---\n\n')).toEqual([
      'write a.txt',
      'a later prompt',
      'write b.txt',
    ]);
  });

  variation(
    'item counts: what was said after a commit in a turn without a stop belongs to it alone',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('commit a.txt');
      session.edit('a.txt', 'one\n');
      const first = repo.agentCommit('Add a', 'a.txt') as string;
      session.say('Committed.');
      const lines = session.read().trimEnd().split('\n').length;
      addWork(repo, { 'b.txt': 'two\n' }, session); // after Esc
      expect(repo.stored(first, '0/full.jsonl')).toContain('Committed.');
      repo.commit('Add b', 'b.txt');
      const id = expectLinked(repo, session, 'b.txt');
      expect(repo.storedJson(id, '0/metadata.json').checkpoint_transcript_start).toBe(lines);
    },
  );

  variation('empty identity: carried-forward work is written under a name', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
    const [branch = ''] = repo.shadowBranches();
    expect(repo.git('log', '-1', '--format=%s|%an <%ae>|%cn <%ce>', branch)).toBe(
      'carry forward: uncommitted session files|Ada <ada@example.com>|Ada <ada@example.com>',
    );
    repo.commit('Add b', 'b.txt'); // the empty metadata trailer names nothing to read
    expectLinked(repo, session, 'b.txt');
  });
});

describe('usage', () => {
  variation('slicing: a checkpoint counts what came after the last, whatever lines are broken', (repo) => {
    const session = withWork(repo);
    repo.commit('Add a', 'a.txt');
    const first = repo.storedJson(expectLinked(repo, session), '0/metadata.json');
    expect(first.token_usage).toMatchObject({ api_call_count: 2, output_tokens: 40 });
    const [head, ...rest] = session.read().split('\n');
    const broken = ['{"half a li', '', 'no json', ...rest.slice(3)]; // as many lines as before
    writeFileSync(session.transcript, [head, ...broken].join('\n'));
    addWork(repo, { 'b.txt': 'two\n' }, session);
    repo.commit('Add b', 'b.txt');
    const second = repo.storedJson(expectLinked(repo, session), '0/metadata.json');
    expect(second.token_usage).toMatchObject({ api_call_count: 2, output_tokens: 40 });
  });

  variation('slicing: an offset beyond the end counts nothing twice', (repo) => {
    const session = withWork(repo);
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session);
    session.prompt('change a');
    session.edit('a.txt', 'two\n');
    const lines = session.read().trimEnd().split('\n');
    writeFileSync(session.transcript, `${lines.slice(0, 2).join('\n')}\n`); // cut back below the offset
    repo.commit('Change a', 'a.txt');
    const id = expectLinked(repo, session, 'a.txt');
    expect(repo.storedJson(id, '0/metadata.json').token_usage).toMatchObject({ api_call_count: 0 });
  });
});

describe('trailers in older places', () => {
  variation('a trailer right under the subject is read, not doubled', (repo) => {
    const session = withWork(repo);
    repo.git('add', 'a.txt');
    repo.git('commit', '--quiet', '-m', 'fix: a\nEntire-Checkpoint: 0123456789ab');
    expect(repo.message('HEAD')).toBe('fix: a\nEntire-Checkpoint: 0123456789ab');
    expect(repo.verdict()).toMatchObject({
      reason: 'linked',
      checkpoint: '0123456789ab',
      sessions: [session.id],
    });
    expect(repo.storedJson('0123456789ab', '0/metadata.json').files_touched).toEqual(['a.txt']);
  });

  variation('conventional subjects, alone and with a body and trailers', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
    repo.commit('feat(a)!: add a', 'a.txt');
    const first = expectLinked(repo, session);
    expect(repo.message('HEAD')).toBe(`feat(a)!: add a\n\nEntire-Checkpoint: ${first}`);
    repo.commit('fix: b\n\nNote: this is text\nand more of it\n\nSigned-off-by: A <a@b>', 'b.txt');
    const second = expectLinked(repo, session);
    expect(repo.message('HEAD')).toMatch(
      new RegExp(`\n\nSigned-off-by: A <a@b>\nEntire-Checkpoint: ${second}$`),
    );
    mkdirSync(join(repo.dir, 'd'));
    repo.write('d/mine.txt', 'mine\n');
    repo.commit('docs: mine', 'd/mine.txt');
    expectNotLinked(repo, 'no-overlap');
  });
});
