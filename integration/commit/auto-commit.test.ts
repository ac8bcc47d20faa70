import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { autoReady, changesOf, count, expectAutoCommit } from '../support/command/auto.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

describe('auto-commit', () => {
  onBothBuilds('a prompt with changes makes a commit with trailer, one without makes none', (repo) => {
    autoReady(repo);
    const session = repo.session('s61');
    session.prompt('Please create a.txt?');
    expect(session.edit('a.txt', 'one\n').stdout).toBe('');
    const { stdout, stderr } = session.stop();
    expect(stdout).toBe('');
    expect(repo.message('HEAD')).toMatch(/^Create a\.txt\n\nEntire-Checkpoint: [0-9a-f]{12}$/);
    const id = expectAutoCommit(repo, session, 'A\ta.txt');
    const head = repo.git('rev-parse', 'HEAD');
    expect(stderr).toContain(
      `Staging 1 new files created during session:\n  Staged new file: a.txt\nCommitted code changes to active branch (${head.slice(0, 7)})\nCommitted session metadata to entire/checkpoints/v1 (${id})\n`,
    );
    expect(stderr).toMatch(/Updated session state: transcript position=\d+, checkpoint=1\n$/);
    expect(repo.git('log', '-1', '--format=%an <%ae> %cn <%ce>')).toBe(
      'Ada <ada@example.com> Ada <ada@example.com>',
    );
    expect(repo.git('reflog', '-1', '--format=%gs')).toBe('commit: Create a.txt');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.shadowBranches()).toEqual([]);

    session.prompt('what is in a.txt?');
    expect(session.stop('One.').stderr).toContain('No files were modified during this session');
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);

    session.prompt('change it');
    session.edit('a.txt', 'two\n');
    session.stop();
    expectAutoCommit(repo, session, 'M\ta.txt');
    expect(repo.git('rev-parse', 'HEAD~')).toBe(head);
  });

  variation('the prompts of a checkpoint are its own, the transcript is whole', (repo) => {
    autoReady(repo);
    const session = repo.session();
    session.prompt('create the first file');
    session.edit('a.txt', 'one\n');
    session.stop('First done.');
    const first = expectAutoCommit(repo, session, 'A\ta.txt');
    session.prompt('create the second file');
    session.edit('b.txt', 'two\n');
    session.stop('Second done.');
    const second = expectAutoCommit(repo, session, 'A\tb.txt');
    expect(second).not.toBe(first);
    expect(repo.stored(first, '0/prompt.txt')).toBe('create the first file');
    expect(repo.stored(second, '0/prompt.txt')).toBe('create the second file');
    expect(repo.stored(second, '0/context.md')).not.toContain('first');
    expect(repo.stored(second, '0/summary.txt')).toBe('Second done.');
    expect(repo.stored(second, '0/full.jsonl')).toContain('create the first file');
    const slot = repo.storedJson(second, '0/metadata.json');
    expect(slot).toMatchObject({ branch: 'main', turn_id: repo.state(session.id).turn_id });
    expect(slot.checkpoint_transcript_start).toBeGreaterThan(0);
    expect(slot.transcript_path).toBe(`.claude/projects/-repo/${session.id}.jsonl`);
    expect(slot.token_usage.api_call_count).toBe(2);
    expect(repo.message('entire/checkpoints/v1')).toBe(
      `Checkpoint: ${second}\n\nEntire-Session: ${session.id}\nEntire-Strategy: auto-commit\nEntire-Agent: Claude Code`,
    );
  });

  variation('the state has the phase, the position in the transcript and the count', (repo) => {
    autoReady(repo);
    const session = repo.session();
    session.prompt('create a.txt');
    const first = repo.state(session.id);
    expect(first).toMatchObject({
      phase: 'active',
      checkpoint_count: 0,
      transcript_path: session.transcript,
      first_prompt: 'create a.txt',
    });
    expect(first.checkpoint_transcript_start).toBeUndefined();
    session.edit('a.txt', 'one\n');
    session.stop();
    const idle = repo.state(session.id);
    const items = session.read().trimEnd().split('\n').length;
    expect(idle).toMatchObject({
      phase: 'idle',
      checkpoint_count: 1,
      checkpoint_transcript_start: items,
      base_commit: repo.git('rev-parse', 'HEAD'),
      last_checkpoint_id: repo.checkpointOf('HEAD'),
    });
    expect(idle.files_touched).toBeUndefined();
    expect(Date.parse(idle.last_interaction_time)).toBeGreaterThan(Date.parse(first.last_interaction_time));

    session.prompt('again');
    const active = repo.state(session.id);
    expect(active).toMatchObject({ phase: 'active', checkpoint_count: 1 });
    expect(active.turn_id).not.toBe(first.turn_id);
    expect(Date.parse(active.last_interaction_time)).toBeGreaterThan(Date.parse(active.started_at));
    session.edit('a.txt', 'two\n');
    session.stop();
    expect(repo.state(session.id)).toMatchObject({ phase: 'idle', checkpoint_count: 2 });
    session.end();
    expect(repo.state(session.id).phase).toBe('ended');
  });

  for (const branch of ['main', 'master', 'feature/x'])
    variation(`a stop makes one point on ${branch}`, (repo) => {
      autoReady(repo);
      if (branch !== 'main') repo.git('switch', '--quiet', '-c', branch);
      const before = count(repo);
      const session = repo.session();
      session.prompt('create a.txt');
      session.edit('a.txt', 'one\n');
      session.stop();
      const id = expectAutoCommit(repo, session, 'A\ta.txt');
      expect(count(repo)).toBe(before + 1);
      expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe(branch);
      expect(repo.storedJson(id, '0/metadata.json').branch).toBe(branch);
    });

  variation('files that were committed before the stop make no further commit', (repo) => {
    autoReady(repo);
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    expect(repo.commit('By hand', 'a.txt')).toBeUndefined();
    const refs = repo.git('for-each-ref');
    const { stderr } = session.stop();
    expect(stderr).toContain('No changes to commit (files already committed)');
    expect(stderr).toContain('Skipped checkpoint (no changes since last commit)');
    expect(repo.git('for-each-ref')).toBe(refs);
    expect(repo.state(session.id).phase).toBe('idle');

    repo.write('a.txt', 'by hand again\n');
    session.prompt('say hello');
    session.stop('Hello.');
    expect(repo.git('for-each-ref')).toBe(refs);
    expect(repo.git('status', '--porcelain')).toBe(' M a.txt');
  });

  variation('in a linked worktree the commit is really on its branch', (repo) => {
    autoReady(repo);
    const main = repo.dir;
    const before = repo.git('rev-parse', 'main');
    repo.git('worktree', 'add', '--quiet', '-b', 'side', join(repo.scratch, 'side'));
    repo.dir = join(repo.scratch, 'side');
    const session = repo.session();
    session.prompt('create a.txt and change README.md');
    session.edit('a.txt', 'one\n');
    session.edit('README.md', 'changed\n');
    session.stop();
    expectAutoCommit(repo, session, 'M\tREADME.md', 'A\ta.txt');
    expect(repo.git('log', '-1', '--format=%s', 'side')).toBe('Create a.txt and change README.md');
    expect(repo.git('rev-parse', 'HEAD')).toBe(repo.git('rev-parse', 'side'));
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.state(session.id).worktree_id).toBe('side');
    repo.dir = main;
    expect(repo.git('rev-parse', 'main')).toBe(before);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  variation('the transcript is stored in chunks, with its hash', (repo) => {
    autoReady(repo);
    const session = repo.session();
    session.prompt('talk much');
    for (let part = 0; part < 8; part++) session.say(`${part} ${'long words '.repeat(6_000)}`);
    session.edit('a.txt', 'one\n');
    session.stop();
    const id = expectAutoCommit(repo, session, 'A\ta.txt');
    const chunks = repo.storedPaths(id).filter((path) => path.startsWith('0/full.jsonl'));
    expect(chunks.length).toBeGreaterThan(2);
    const text = chunks.map((path) => repo.stored(id, path)).join('\n');
    expect(`${text}\n`).toBe(session.read());
    const digest = createHash('sha256').update(`${text}\n`).digest('hex');
    expect(repo.stored(id, '0/content_hash.txt')).toBe(`sha256:${digest}`);
    const dir = `/${id.slice(0, 2)}/${id.slice(2)}/0`;
    expect(repo.storedJson(id, 'metadata.json').sessions).toEqual([
      {
        metadata: `${dir}/metadata.json`,
        transcript: `${dir}/full.jsonl`,
        context: `${dir}/context.md`,
        content_hash: `${dir}/content_hash.txt`,
        prompt: `${dir}/prompt.txt`,
      },
    ]);
  });

  variation('nothing unredacted reaches a message, a prompt or a transcript', (repo) => {
    autoReady(repo);
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const session = repo.session();
    session.prompt(`use ${secret} to log in`);
    session.edit('a.txt', 'one\n');
    session.stop(`I used ${secret}.`);
    const id = expectAutoCommit(repo, session, 'A\ta.txt');
    expect(repo.message('HEAD')).toContain('Use REDACTED to log in');
    for (const path of repo.storedPaths(id)) expect(repo.stored(id, path), path).not.toContain(secret);
    expect(repo.stored(id, '0/summary.txt')).toBe('I used REDACTED.');
  });

  variation('the user commits as ever, and git hooks stay out of it', (repo) => {
    autoReady(repo);
    const session = repo.session();
    session.prompt('create a.txt and b.txt');
    session.edit('a.txt', 'one\n');
    session.edit('b.txt', 'two\n');
    expect(repo.agentCommit('By the agent', 'a.txt')).toBeUndefined();
    expect(repo.message('HEAD')).toBe('By the agent');
    session.stop();
    expectAutoCommit(repo, session, 'A\tb.txt');
    expect(changesOf(repo, 'HEAD~')).toEqual(['A\ta.txt']);
    repo.git('commit', '--quiet', '--amend', '-m', 'Reword');
    expect(repo.message('HEAD')).toBe('Reword');
  });

  variation('before the first commit nothing is made', (repo) => {
    repo.init().entire('enable', '--strategy', 'auto-commit');
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    expect(session.stop().stderr).toContain('Will activate after first commit.');
    expect(repo.tryGit('rev-parse', '--verify', 'HEAD').code).not.toBe(0);
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'first');
    session.prompt('change a.txt');
    session.edit('a.txt', 'two\n');
    session.stop();
    expectAutoCommit(repo, session, 'M\ta.txt');
  });
});
