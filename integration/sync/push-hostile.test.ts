import { expect } from 'vitest';
import {
  addCheckpoint,
  checkpointsOn,
  METADATA,
  userPush,
  withOrigin,
} from '../support/repository/clones.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Adds entries to the tree of the branch in a bare repository, as somebody with another program would. */
function plant(repo: TestRepo, bare: string, entries: readonly string[], parent = true): string {
  const git = (input: string, ...args: string[]) =>
    repo
      .run('git', ['-C', bare, '-c', 'user.name=Eve', '-c', 'user.email=eve@x', ...args], { input })
      .stdout.trim();
  const blob = git('a text\n', 'hash-object', '-w', '--stdin');
  const folder = git(`100644 blob ${blob}\tmetadata.json\n`, 'mktree');
  const before = parent ? git('', 'ls-tree', METADATA) : '';
  const commit = git('', 'rev-parse', 'main');
  const named = entries.map((entry) =>
    entry.replace('BLOB', blob).replace('TREE', folder).replace('COMMIT', commit),
  );
  const tree = git(`${[before, ...named].filter(Boolean).join('\n')}\n`, 'mktree', '--missing');
  const parents = parent ? ['-p', METADATA] : [];
  const oid = git('', 'commit-tree', '-m', 'Eve was here', ...parents, tree);
  git('', 'update-ref', METADATA, oid);
  return oid;
}

variation('what others put on the branch is kept, and none of it gets into the worktree', (repo) => {
  const bare = withOrigin(repo);
  const first = addCheckpoint(repo);
  userPush(repo);
  const second = addCheckpoint(repo);
  // Where a folder of checkpoints could be, and none is.
  const [file = '', folder = ''] = ['00', '11', '22', '33'].filter(
    (name) => !first.startsWith(name) && !second.startsWith(name),
  );
  plant(repo, bare, [
    '100644 blob BLOB\tversion-9.json',
    '120000 blob BLOB\tlink',
    '160000 commit COMMIT\tmodule',
    '100755 blob BLOB\trun me\x1b[31m.sh',
    `100644 blob BLOB\t${file}`,
    `040000 tree TREE\t${folder}`,
    '040000 tree TREE\tREADME.md',
  ]);
  const { said } = userPush(repo);
  expect(said).toEqual([
    '[entire] Pushing session logs to origin...',
    '[entire] Syncing with remote session logs...',
  ]);

  const names = repo.git('-c', 'core.quotepath=false', 'ls-tree', '--name-only', METADATA).split('\n');
  for (const name of ['version-9.json', 'link', 'module', file, folder, 'README.md'])
    expect(names).toContain(name);
  expect(repo.git('ls-tree', METADATA, 'link', 'module')).toMatch(/^120000 blob .*\n160000 commit /);
  expect(repo.git('-C', bare, 'rev-parse', METADATA)).toBe(repo.git('rev-parse', METADATA));
  expect(checkpointsOn(repo)).toEqual([first, second].sort());
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(repo.read('README.md')).toContain('# demo');
  expect(repo.entire('fetch').stdout).toContain('Already up to date');
});

variation('objects that git itself would not write are refused when they are fetched', (repo) => {
  const bare = withOrigin(repo);
  const id = addCheckpoint(repo);
  userPush(repo);
  plant(repo, bare, ['040000 tree TREE\t.git']);
  const tip = repo.git('rev-parse', METADATA);
  const { code, stderr } = repo.tryEntire('fetch');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: Failed to fetch checkpoints from origin: .*hasDotgit/);
  expect(repo.git('rev-parse', METADATA)).toBe(tip);
  addCheckpoint(repo);
  const { said } = userPush(repo);
  expect(said.at(-1)).toMatch(/^\[entire\] Warning: couldn't sync sessions: fetch failed: .*hasDotgit/);
  expect(checkpointsOn(repo)).toContain(id);
  repo.git('gc', '--quiet', '--prune=now'); // git leaves the pack that it refused under a temporary name
});

variation('histories that never met are united, also when one of them is damaged', (repo) => {
  const bare = withOrigin(repo);
  const id = addCheckpoint(repo);
  plant(repo, bare, ['040000 tree TREE\tab'], false);
  repo.git('config', 'remote.origin.fetch', '+refs/heads/main:refs/remotes/origin/main');
  expect(repo.entire('fetch').stdout).toContain('merged with those made here');
  expect(checkpointsOn(repo)).toEqual([id]);
  expect(repo.git('rev-list', '--count', '--max-parents=0', METADATA)).toBe('2');
  // A checkpoint of which both sides have a version, and theirs cannot be read.
  const [shard, name] = [id.slice(0, 2), id.slice(2)];
  const json = repo.stored(id, '0/metadata.json');
  plant(repo, bare, [`040000 tree ${tornCheckpoint(repo, bare, name)}\t${shard}`], false);
  expect(repo.entire('fetch').code).toBe(0);
  expect(repo.stored(id, '0/metadata.json')).toBe(json);
  expect(repo.storedJson(id, 'metadata.json').sessions).toHaveLength(1);
});

/** A shard with one checkpoint whose JSON is torn. */
function tornCheckpoint(repo: TestRepo, bare: string, name: string): string {
  const git = (input: string, ...args: string[]) =>
    repo.run('git', ['-C', bare, ...args], { input }).stdout.trim();
  const blob = git('{ "sessions": [', 'hash-object', '-w', '--stdin');
  const slot = git(`100644 blob ${blob}\tmetadata.json\n`, 'mktree');
  const folder = git(`100644 blob ${blob}\tmetadata.json\n040000 tree ${slot}\t0\n`, 'mktree');
  return git(`040000 tree ${folder}\t${name}\n`, 'mktree');
}

variation(
  'a finished checkpoint is not replaced by its provisional form, and two sessions stay two',
  (repo) => {
    const bare = withOrigin(repo);
    const session = repo.session();
    session.prompt('write');
    session.edit('a.txt', 'one\n');
    const id = repo.agentCommit('Add a', 'a.txt') as string;
    userPush(repo);
    session.stop('Only here.');
    // Another clone finds a session of its own in the same commit: also number 0.
    const dir = `${id.slice(0, 2)}/${id.slice(2)}`;
    const other = repo.stored(id, '0/metadata.json').replaceAll(session.id, 'another-session');
    const blob = repo
      .run('git', ['-C', bare, 'hash-object', '-w', '--stdin'], { input: other })
      .stdout.trim();
    const index = { GIT_INDEX_FILE: `${bare}/private-index` };
    const git = (...args: string[]) => repo.gitWith({ env: index }, '-C', bare, ...args);
    git('read-tree', METADATA);
    git('update-index', '--add', '--cacheinfo', `100644,${blob},${dir}/0/metadata.json`);
    const identity = ['-c', 'user.name=Bob', '-c', 'user.email=bob@x'];
    const commit = git(...identity, 'commit-tree', '-m', 'x', '-p', METADATA, git('write-tree'));
    git('update-ref', METADATA, commit);

    expect(repo.entire('fetch').stdout).toContain('merged with those made here');
    const slots = [0, 1].map((n) => repo.storedJson(id, `${n}/metadata.json`).session_id);
    expect(slots.sort()).toEqual([session.id, 'another-session'].sort());
    const root = repo.storedJson(id, 'metadata.json');
    expect(root.sessions.map(({ metadata }: { metadata: string }) => metadata)).toEqual([
      `/${dir}/0/metadata.json`,
      `/${dir}/1/metadata.json`,
    ]);
    const ours = [0, 1].find((n) => repo.storedJson(id, `${n}/metadata.json`).session_id === session.id);
    expect(repo.stored(id, `${ours}/full.jsonl`)).toContain('Only here.');
  },
);
