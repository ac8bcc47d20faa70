import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

describe('condensation', () => {
  onBothBuilds('layout, JSON, hash and commit message of a checkpoint', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    const shadow = repo.shadowBranches()[0];
    const id = repo.commit('Add a', 'a.txt') as string;

    expect(repo.storedPaths(id)).toEqual([
      '0/content_hash.txt',
      '0/context.md',
      '0/evidence.json',
      '0/full.jsonl',
      '0/metadata.json',
      '0/prompt.txt',
      'metadata.json',
    ]);
    const transcript = repo.run('git', [
      'cat-file',
      'blob',
      `entire/checkpoints/v1:${id.slice(0, 2)}/${id.slice(2)}/0/full.jsonl`,
    ]).stdout;
    for (const line of transcript.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
    expect(repo.stored(id, '0/content_hash.txt')).toBe(
      `sha256:${createHash('sha256').update(transcript).digest('hex')}`,
    );
    expect(repo.stored(id, '0/prompt.txt')).toBe('create a.txt');
    expect(repo.stored(id, '0/context.md')).toBe(
      '# Session Context\n\n## User Prompts\n\n### Prompt 1\n\ncreate a.txt',
    );

    const slot = repo.storedJson(id, '0/metadata.json');
    expect(slot).toMatchObject({
      checkpoint_id: id,
      session_id: session.id,
      strategy: 'manual-commit',
      branch: 'main',
      checkpoints_count: 1,
      files_touched: ['a.txt'],
      agent: 'Claude Code',
      token_usage: {
        input_tokens: 200,
        cache_creation_tokens: 10,
        cache_read_tokens: 14,
        output_tokens: 40,
        api_call_count: 2,
      },
      transcript_path: `.claude/projects/-repo/${session.id}.jsonl`,
    });
    expect(slot.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(slot.turn_id).toMatch(/^[0-9a-f]{12}$/);
    expect(Object.keys(slot)).toEqual([
      'cli_version',
      'checkpoint_id',
      'session_id',
      'strategy',
      'created_at',
      'branch',
      'checkpoints_count',
      'files_touched',
      'agent',
      'turn_id',
      'token_usage',
      'initial_attribution',
      'transcript_path',
    ]);

    const dir = `/${id.slice(0, 2)}/${id.slice(2)}/0`;
    expect(repo.storedJson(id, 'metadata.json')).toEqual({
      cli_version: slot.cli_version,
      checkpoint_id: id,
      strategy: 'manual-commit',
      branch: 'main',
      checkpoints_count: 1,
      files_touched: ['a.txt'],
      sessions: [
        {
          metadata: `${dir}/metadata.json`,
          transcript: `${dir}/full.jsonl`,
          context: `${dir}/context.md`,
          content_hash: `${dir}/content_hash.txt`,
          prompt: `${dir}/prompt.txt`,
        },
      ],
      token_usage: slot.token_usage,
    });
    expect(repo.message('entire/checkpoints/v1').trimEnd()).toBe(
      `Checkpoint: ${id}\n\nEntire-Session: ${session.id}\nEntire-Strategy: manual-commit\nEntire-Agent: Claude Code\nEphemeral-branch: ${shadow}`,
    );
  });

  variation('every later checkpoint has the full transcript and all prompts', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write function A');
    session.edit('f.txt', 'A\n');
    session.stop('A is done.');
    session.prompt('write function B');
    session.edit('f.txt', 'A\nB\n');
    session.stop('B is done.');
    const first = repo.commit('A and B', 'f.txt') as string;
    session.prompt('write function C');
    session.edit('f.txt', 'A\nB\nC\n');
    session.stop('C is done.');
    const second = repo.commit('C', 'f.txt') as string;
    expect(repo.storedJson(first, '0/metadata.json').checkpoints_count).toBe(2);
    expect(repo.stored(second, '0/prompt.txt').split('\n\n---\n\n')).toEqual([
      'write function A',
      'write function B',
      'write function C',
    ]);
    for (const name of ['A', 'B', 'C'])
      expect(repo.stored(second, '0/context.md')).toContain(`write function ${name}`);
    expect(repo.stored(second, '0/full.jsonl')).toContain('A is done.');
    expect(repo.storedJson(second, '0/metadata.json').checkpoint_transcript_start).toBeGreaterThan(0);
  });

  variation(
    "an agent's commit in mid-turn has the transcript so far, and the whole of it after the stop",
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('create and commit a.txt');
      session.edit('a.txt', 'one\n');
      const id = repo.agentCommit('Add a', 'a.txt') as string;
      expect(repo.state(session.id)).toMatchObject({ phase: 'active', turn_checkpoint_ids: [id] });
      const provisional = repo.stored(id, '0/full.jsonl');
      expect(provisional).not.toContain('All committed.');

      session.tool('Bash', { command: 'git log' });
      session.stop('All committed.');
      const final = repo.stored(id, '0/full.jsonl');
      expect(final.length).toBeGreaterThan(provisional.length);
      expect(final).toContain('All committed.');
      expect(final).toContain('git log');
      expect(repo.stored(id, '0/content_hash.txt')).not.toBe('');
      expect(repo.state(session.id).phase).toBe('idle');
      expect(repo.state(session.id).turn_checkpoint_ids).toBeUndefined();
      expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt']);
      expect(repo.message('entire/checkpoints/v1')).toContain(`Finalize transcript for Checkpoint: ${id}`);
    },
  );

  variation('three commits in one turn: three ids, all completed', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('three commits');
    const ids = ['a', 'b', 'c'].map((name) => {
      session.edit(`${name}.txt`, `${name}\n`);
      return repo.agentCommit(`Add ${name}`, `${name}.txt`) as string;
    });
    expect(new Set(ids).size).toBe(3);
    expect(repo.state(session.id).turn_checkpoint_ids).toEqual(ids);
    session.stop('Three commits made.');
    for (const [index, id] of ids.entries()) {
      expect(repo.stored(id, '0/full.jsonl')).toContain('Three commits made.');
      expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual([`${'abc'[index]}.txt`]);
    }
  });

  variation('two sessions pending on one commit: one id, two slots, sums at the root', (repo) => {
    repo.ready();
    const [first, second] = [repo.session('aaaaaaaa-1'), repo.session('bbbbbbbb-2')];
    first.prompt('create a.txt');
    second.prompt('create b.txt');
    first.edit('a.txt', 'one\n');
    second.edit('b.txt', 'two\n');
    first.stop();
    second.stop();
    expect(repo.shadowBranches()).toHaveLength(1);
    const id = repo.commit('Both', 'a.txt', 'b.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      session_id: first.id,
      files_touched: ['a.txt'],
    });
    expect(repo.storedJson(id, '1/metadata.json')).toMatchObject({
      session_id: second.id,
      files_touched: ['b.txt'],
    });
    const root = repo.storedJson(id, 'metadata.json');
    expect(root).toMatchObject({ checkpoints_count: 2, files_touched: ['a.txt', 'b.txt'] });
    expect(root.sessions).toHaveLength(2);
    expect(root.token_usage.api_call_count).toBe(4);
    expect(repo.shadowBranches()).toEqual([]);
    expect(repo.verdict().sessions).toEqual([first.id, second.id]);
  });

  variation('one of two sessions is committed: the other keeps its branch and its work', (repo) => {
    repo.ready();
    const [first, second] = [repo.session('aaaaaaaa-1'), repo.session('bbbbbbbb-2')];
    first.prompt('create a.txt');
    second.prompt('create b.txt');
    first.edit('a.txt', 'one\n');
    second.edit('b.txt', 'two\n');
    first.stop();
    second.stop();
    const firstId = repo.commit('Only a', 'a.txt') as string;
    expect(repo.storedJson(firstId, 'metadata.json').sessions).toHaveLength(1);
    const secondId = repo.commit('Only b', 'b.txt') as string;
    expect(repo.storedJson(secondId, '0/metadata.json')).toMatchObject({
      session_id: second.id,
      files_touched: ['b.txt'],
      checkpoints_count: 1,
    });
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('a commit before the first stop counts no steps and has no attribution', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create and commit a.txt');
    session.edit('a.txt', 'one\n');
    const id = repo.agentCommit('Add a', 'a.txt') as string;
    const slot = repo.storedJson(id, '0/metadata.json');
    expect(slot.checkpoints_count).toBe(0);
    expect(slot).not.toHaveProperty('initial_attribution');
  });

  variation('files tracked live are consumed by condensation and by carry-forward', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('two files');
    session.edit('a.txt', 'one\n');
    session.edit('b.txt', 'two\n');
    expect(repo.tracked(session.id)).toEqual(['a.txt', 'b.txt']);
    repo.agentCommit('Add a', 'a.txt');
    expect(repo.tracked(session.id)).toEqual([]);
    expect(repo.state(session.id)).toMatchObject({ files_touched: ['b.txt'], checkpoint_count: 1 });
    const id = repo.agentCommit('Add b', 'b.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['b.txt']);
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });
});
