import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** What may have become of a transcript between two hooks. */
const DAMAGES: Record<string, (session: AgentSession, repo: TestRepo) => void> = {
  'cut in the middle of a line': ({ transcript }) =>
    truncateSync(transcript, Math.floor(readFileSync(transcript).length / 2)),
  'cut to nothing': ({ transcript }) => truncateSync(transcript, 0),
  'replaced by that of another session': ({ transcript }, repo) => {
    const other = repo.session();
    other.say('somebody else');
    writeFileSync(transcript, other.read());
  },
  'full of NULs': ({ transcript }) => appendFileSync(transcript, Buffer.alloc(100_000)),
  'not UTF-8': ({ transcript }) =>
    appendFileSync(transcript, Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x28, 0x0a])),
  'of lines that are no objects': ({ transcript }) =>
    appendFileSync(transcript, 'null\n[]\n"x"\n17\n{"message":null}\n'),
  'a FIFO that nobody writes to': ({ transcript }, repo) => {
    rmSync(transcript);
    expect(repo.run('mkfifo', [transcript]).code).toBe(0);
  },
  'a folder': ({ transcript }) => {
    rmSync(transcript);
    mkdirSync(transcript);
  },
  'a link that leads nowhere': ({ transcript }, repo) => {
    rmSync(transcript);
    repo.run('ln', ['-s', '/nonexistent/transcript', transcript]);
  },
};

describe('a transcript', () => {
  for (const [what, damage] of Object.entries(DAMAGES)) {
    variation(`${what}: the turn ends, and its commits have their checkpoints`, (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('write a');
      session.edit('a.txt', 'one\n');
      session.stop();
      session.prompt('write b');
      session.edit('b.txt', 'two\n');
      damage(session, repo);
      expect(session.hook('stop', 'Stop')).toMatchObject({ code: 0, stdout: '' });
      expect(repo.state(session.id)).toMatchObject({ phase: 'idle', files_touched: ['a.txt', 'b.txt'] });
      for (const path of ['a.txt', 'b.txt']) {
        const id = repo.commit(`Add ${path}`, path) as string;
        expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
          session_id: session.id,
          files_touched: [path],
        });
      }
      rmSync(session.transcript, { recursive: true });
      session.prompt('go on');
      session.edit('c.txt', 'three\n');
      session.stop();
      expect(repo.commit('Add c', 'c.txt')).toMatch(/^[0-9a-f]{12}$/);
    });
  }
});

/** Writes a commit with a tree of our own making; entries are `<mode> <type> <oid>\t<path>`. */
function plantBranch(repo: TestRepo, ...entries: string[]): void {
  const input = entries.map((entry) => `${entry}\n`).join('');
  const tree = repo.gitWith({ input }, 'mktree', '--missing');
  const commit = repo.git('commit-tree', tree, '-m', 'planted');
  repo.git('update-ref', 'refs/heads/entire/checkpoints/v1', commit);
}

function withStep(repo: TestRepo): AgentSession {
  repo.ready();
  const session = repo.session();
  session.prompt('write a and b');
  session.edit('a.txt', 'one\n');
  session.edit('b.txt', 'two\n');
  session.stop();
  return session;
}

const blob = (repo: TestRepo, text: string) => repo.gitWith({ input: text }, 'hash-object', '-w', '--stdin');

describe('the metadata branch', () => {
  variation('deleted between two hooks comes back with the next checkpoint', (repo) => {
    withStep(repo);
    repo.git('update-ref', '-d', 'refs/heads/entire/checkpoints/v1');
    const first = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedPaths(first)).toContain('0/full.jsonl');
    repo.git('update-ref', '-d', 'refs/heads/entire/checkpoints/v1');
    const second = repo.commit('Add b', 'b.txt') as string;
    expect(repo.storedPaths(second)).toContain('0/full.jsonl');
    repo.git('update-ref', '-d', 'refs/heads/entire/checkpoints/v1');
    const session = repo.session();
    session.prompt('hello');
    expect(repo.branches()).toContain('entire/checkpoints/v1');
  });

  variation("diverged from origin's: ours goes on, theirs is left alone", (repo) => {
    withStep(repo);
    const theirs = repo.git('commit-tree', repo.git('mktree'), '-m', 'unrelated');
    repo.git('update-ref', 'refs/remotes/origin/entire/checkpoints/v1', theirs);
    const before = repo.git('rev-parse', 'entire/checkpoints/v1');
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedPaths(id)).toContain('0/full.jsonl');
    expect(repo.git('rev-parse', 'entire/checkpoints/v1~1')).toBe(before);
    expect(repo.git('rev-parse', 'refs/remotes/origin/entire/checkpoints/v1')).toBe(theirs);
  });

  variation('with blobs where folders should be, and folders where files should be', (repo) => {
    withStep(repo);
    const text = blob(repo, 'garbage');
    // Whatever id is drawn, its folder is a file.
    const all = Array.from(
      { length: 256 },
      (_, n) => `100644 blob ${text}\t${n.toString(16).padStart(2, '0')}`,
    );
    plantBranch(repo, ...all);
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedPaths(id)).toContain('0/full.jsonl');
    expect(repo.verdict().reason).toBe('linked');
  });

  variation(
    'with garbage in the metadata of the very checkpoint: the commit stands, the reason is told',
    (repo) => {
      const session = withStep(repo);
      session.prompt('commit it');
      const id = repo.agentCommit('Add a', 'a.txt') as string;
      const dir = `${id.slice(0, 2)}/${id.slice(2)}`;
      for (const garbage of [
        '',
        'null',
        '{"sessions": 7}',
        '{"sessions": [null, {"metadata": "/../../x"}]}',
        '\0\0',
      ]) {
        const oid = blob(repo, garbage);
        const index = { env: { GIT_INDEX_FILE: join(repo.scratch, 'planted') } };
        repo.gitWith(index, 'read-tree', 'entire/checkpoints/v1');
        for (const file of ['metadata.json', '0/metadata.json'])
          repo.gitWith(index, 'update-index', '--add', '--cacheinfo', `100644,${oid},${dir}/${file}`);
        const commit = repo.git('commit-tree', repo.gitWith(index, 'write-tree'), '-m', 'planted');
        repo.git('update-ref', 'refs/heads/entire/checkpoints/v1', commit);
        expect(session.stop().stdout, garbage).toBe('');
        expect(repo.state(session.id).phase).toBe('idle');
        repo.gitWith(
          { env: { ENTIRE_TEST_TTY: '1' } },
          'commit',
          '--quiet',
          '--amend',
          '--no-edit',
          '--allow-empty',
        );
        expect(repo.entire('status').code).toBe(0);
        session.prompt('again');
      }
      session.stop();
      expect(repo.commit('Add b', 'b.txt')).toMatch(/^[0-9a-f]{12}$/);
    },
  );

  variation('of names that lead out of the tree: nothing outside is written', (repo) => {
    withStep(repo);
    const text = blob(repo, '{"sessions":[{"metadata":"/../../../evil/metadata.json"}]}');
    const inner = repo.gitWith({ input: `100644 blob ${text}\tmetadata.json\n` }, 'mktree');
    // `git mktree` takes any name; `git fsck` is asked before them.
    repo.expectSound();
    plantBranch(repo, `040000 tree ${inner}\t..`, `100644 blob ${text}\t.git`, `040000 tree ${inner}\taa`);
    const result = repo.run('git', ['commit', '--quiet', '-m', 'x', '--allow-empty']);
    expect(result.code).toBe(0);
    repo.git('add', 'a.txt');
    expect(repo.run('git', ['commit', '--quiet', '-m', 'Add a']).code).toBe(0);
    expect(repo.run('find', [repo.scratch, '-name', '*evil*']).stdout).toBe('');
    expect(repo.session().prompt('hello').stdout).toBe('');
    repo.git('update-ref', '-d', 'refs/heads/entire/checkpoints/v1');
    repo.git('-c', 'gc.reflogExpire=now', 'reflog', 'expire', '--expire=now', '--all');
    repo.git('prune', '--expire=now');
  });
});
