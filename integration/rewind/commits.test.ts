import { describe, expect } from 'vitest';
import { goBack, linkedCommits, listPoints, logsOnly, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Two commits with a checkpoint each, of one session. Returns their points, the newer one first. */
function twoCommits(repo: TestRepo) {
  repo.ready();
  const session = turns(repo, { 'a.txt': 'one\n' });
  repo.commit('First', 'a.txt');
  addWork(repo, { 'a.txt': 'two\n', 'b.txt': 'b\n' }, session);
  repo.commit('Second', 'a.txt', 'b.txt');
  const [second, first] = logsOnly(repo);
  if (!first || !second) throw new Error('two points expected');
  return { session, first, second };
}

const look = (repo: TestRepo) => ({
  head: repo.git('rev-parse', 'HEAD'),
  branch: repo.git('symbolic-ref', '--short', 'HEAD'),
  status: repo.git('status', '--porcelain', '--untracked-files=all'),
});

describe('going back to a commit', () => {
  scenario('the transcript is restored; files, HEAD and branch stay', (repo) => {
    const { session, first } = twoCommits(repo);
    const [before, whole] = [look(repo), session.read()];
    const { stdout, stderr } = goBack(repo, first.id);
    expect(look(repo)).toEqual(before);
    expect(repo.read('a.txt')).toBe('two\n');
    expect(session.read()).toContain('turn 1');
    expect(session.read()).toContain(repo.dir);
    expect(session.read()).not.toContain('write a.txt and b.txt');
    expect(whole.startsWith(session.read())).toBe(true); // byte for byte: what is stored is redacted
    expect(stdout).toBe(
      `claude -r ${session.id}  # turn 1\nNote: Working directory unchanged. Use interactive mode for full checkout.\n`,
    );
    expect(stderr).toContain(`Writing transcript to: ${session.transcript}\n`);
    const kept = /The transcript that was replaced is kept as: (.*)/.exec(stderr)?.[1] as string;
    expect(repo.run('cat', [kept]).stdout).toBe(whole);
    expect(goBack(repo, first.id).stderr).not.toContain('is kept as');
  });

  variation('--reset: the branch and the files are at the commit, the transcript too', (repo) => {
    const { session, first } = twoCommits(repo);
    const { head } = look(repo);
    const { stdout } = goBack(repo, first.id, '--reset');
    expect(look(repo)).toEqual({ head: first.id, branch: 'main', status: '' });
    expect([repo.read('a.txt'), repo.exists('b.txt')]).toEqual(['one\n', false]);
    expect(session.read()).not.toContain('write a.txt and b.txt');
    expect(stdout).toBe(
      `Reset branch to ${first.id.slice(0, 7)}.\nclaude -r ${session.id}  # turn 1\n\nTo undo this reset, in this order:\n  git reset --hard ${head.slice(0, 7)}\n  entire undo\n`,
    );
  });

  variation('--reset keeps what no commit has: changes, files in its way, and what is staged', (repo) => {
    const { first } = twoCommits(repo);
    repo.write('a.txt', 'mine\n').write('new.txt', 'staged\n').write('loose.txt', 'loose\n');
    repo.git('add', 'new.txt');
    repo.write('new.txt', 'and changed\n');
    const { stderr } = goBack(repo, first.id, '--reset');
    expect(stderr).toContain(
      'The following uncommitted changes will be reverted:\n  modified:  a.txt (+1/-1)\n',
    );
    expect(stderr).toContain('  added:     new.txt');
    expect(stderr).toContain('1 commit(s) after this point will be orphaned');
    expect([repo.read('a.txt'), repo.exists('new.txt'), repo.read('loose.txt')]).toEqual([
      'one\n',
      false,
      'loose\n',
    ]);
    const ref = /kept by (refs\/entire\/staged\/\w+)/.exec(stderr)?.[1] as string;
    expect(repo.git('show', `${ref}:new.txt`)).toBe('staged');
    repo.entire('undo', '--steps', '2'); // the conversation, and the files
    expect([repo.read('a.txt'), repo.read('new.txt')]).toEqual(['mine\n', 'and changed\n']);
  });

  variation('--reset says how all of it comes back, in an order that loses nothing', (repo) => {
    const { first } = twoCommits(repo);
    const { head } = look(repo);
    repo.write('a.txt', `${repo.read('a.txt')}mine\n`);
    const before = [repo.read('a.txt'), repo.git('status', '--short')];
    const { stdout, stderr } = goBack(repo, first.id, '--reset');
    expect(stderr).toContain('1 file with uncommitted changes kept\n');
    const commands = /in this order:\n((?: {2}.*\n)+)/.exec(stdout)?.[1]?.trim().split(/\n */) ?? [];
    expect(commands).toEqual([`git reset --hard ${head.slice(0, 7)}`, 'entire undo --steps 2']);
    for (const command of commands) expect(repo.run('sh', ['-c', command]).code).toBe(0);
    expect([repo.read('a.txt'), repo.git('status', '--short')]).toEqual(before);
    expect(look(repo).head).toBe(head);
  });

  variation('--reset keeps an untracked and an ignored file where the commit has one', (repo) => {
    repo.ready();
    turns(repo, { 'a.txt': 'one\n', 'gone.txt': 'of the commit\n', 'out.log': 'of the commit\n' });
    repo.commit('First', 'a.txt', 'gone.txt', 'out.log');
    const [point] = logsOnly(repo);
    repo.git('rm', '--quiet', 'gone.txt', 'out.log');
    repo.write('.gitignore', '*.log\n');
    repo.git('add', '.gitignore');
    repo.git('commit', '--quiet', '-m', 'Remove them');
    repo.write('gone.txt', 'untracked\n').write('out.log', 'ignored\n');
    const { stderr } = goBack(repo, point?.id as string, '--reset');
    expect(stderr).toContain(
      'The following untracked files are overwritten or deleted:\n  - gone.txt\n  - out.log\n',
    );
    expect([repo.read('gone.txt'), repo.read('out.log')]).toEqual(['of the commit\n', 'of the commit\n']);
    repo.entire('undo');
    expect([repo.read('gone.txt'), repo.read('out.log')]).toEqual(['untracked\n', 'ignored\n']);
  });

  for (const isTracked of [false, true])
    variation(
      `--reset keeps ${isTracked ? 'changes of a' : 'an untracked'} file where the commit has a folder`,
      (repo) => {
        repo.ready();
        turns(repo, { 'thing/x.txt': 'of the commit\n' });
        repo.commit('First', 'thing/x.txt');
        const [point] = logsOnly(repo);
        repo.git('rm', '--quiet', 'thing/x.txt');
        if (isTracked) repo.write('thing', 'committed\n').git('add', 'thing');
        repo.git('commit', '--quiet', '-m', 'Remove it');
        const head = repo.git('rev-parse', 'HEAD');
        repo.write('thing', 'mine\n');
        goBack(repo, point?.id as string, '--reset');
        expect(repo.read('thing/x.txt')).toBe('of the commit\n');
        repo.git('reset', '--quiet', '--hard', head);
        repo.entire('undo', '--force');
        expect(repo.read('thing')).toBe('mine\n');
      },
    );

  variation('--reset refuses in the middle of a merge, and where a folder is in its way', (repo) => {
    repo.ready();
    turns(repo, { thing: 'a file\n' });
    repo.commit('First', 'thing');
    const [point] = logsOnly(repo);
    repo.git('rm', '--quiet', 'thing');
    repo.git('commit', '--quiet', '-m', 'Remove it');
    repo.write('thing/mine.txt', 'mine\n');
    const head = repo.git('rev-parse', 'HEAD');
    const refused = repo.tryEntire('rewind', '--to', point?.id as string, '--reset');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      'Error: thing is a folder with files that git does not have, and a file there',
    );
    expect(repo.read('thing/mine.txt')).toBe('mine\n');
    repo.write('.git/MERGE_HEAD', `${head}\n`);
    expect(repo.tryEntire('rewind', '--to', point?.id as string, '--reset').stderr).toContain(
      'a merge is in progress',
    );
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    repo.run('rm', ['.git/MERGE_HEAD']);
  });

  variation(
    '--reset and --logs-only on a step: the first is refused, the second restores its transcript',
    (repo) => {
      repo.ready();
      const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
      const target = listPoints(repo)[1]?.id as string;
      const before = look(repo);
      const refused = repo.tryEntire('rewind', '--to', target, '--reset');
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Error: failed to restore logs: not a logs-only rewind point\n'),
      });
      expect(session.read()).toContain('turn 2');
      const { stdout } = goBack(repo, target, '--logs-only', '--force');
      expect(stdout).toContain(`claude -r ${session.id}`);
      expect(stdout).toContain('Note: Working directory unchanged.');
      expect(session.read()).not.toContain('turn 2');
      expect(look(repo)).toEqual(before);
      expect(repo.read('a.txt')).toBe('v2\n');
      expect(repo.state(session.id).checkpoint_count).toBe(2);
    },
  );

  variation('--dry-run says what the other ways would do', (repo) => {
    const { session, first } = twoCommits(repo);
    const [before, whole] = [look(repo), session.read()];
    expect(goBack(repo, first.id, '--dry-run').stdout).toBe(
      `  Would write: ${session.transcript}\n  Cuts off 1 later turn of session ${session.id}: “write a.txt and b.txt”\nDry run: nothing was changed.\n`,
    );
    repo.write('a.txt', 'mine\n');
    const dry = goBack(repo, first.id, '--reset', '--dry-run');
    expect(dry.stdout).toBe(
      `Would reset the branch to ${first.id.slice(0, 7)}.\n  Cuts off 1 later turn of session ${session.id}: “write a.txt and b.txt”\nDry run: nothing was changed.\n`,
    );
    expect(dry.stderr).toContain('  modified:  a.txt (+1/-1)');
    expect(look(repo)).toEqual({ ...before, status: ' M a.txt' });
    expect(session.read()).toBe(whole);
  });

  variation('a path in shared metadata does not say what is overwritten', (repo) => {
    const { session, first } = twoCommits(repo);
    repo.write('../home/.bashrc', 'mine\n');
    const id = first.condensation_id as string;
    const file = `${id.slice(0, 2)}/${id.slice(2)}/0/metadata.json`;
    const text = repo.git('show', `entire/checkpoints/v1:${file}`);
    const evil = text.replace(/"transcript_path": "[^"]*"/, '"transcript_path": "../home/.bashrc"');
    expect(evil).not.toBe(text);
    commitOnMetadata(repo, file, evil);
    repo.run('rm', [session.transcript]);
    repo.run('rm', [`${repo.commonDir}/entire-sessions/${session.id}.json`]);
    goBack(repo, first.id);
    expect(repo.run('cat', [`${repo.home}/.bashrc`]).stdout).toBe('mine\n');
    const dir = `${repo.home}/.claude/projects/${repo.dir.replace(/[^a-zA-Z0-9]/g, '-')}`;
    expect(repo.run('cat', [`${dir}/${session.id}.jsonl`]).stdout).toContain('turn 1');
  });

  variation('a point that does not exist, and one that is too short', (repo) => {
    const { first } = twoCommits(repo);
    for (const name of ['deadbeefdeadbeef', first.id.slice(0, 3), '', '--all', 'nothing', 'HEAD:a.txt']) {
      const { code, stderr } = repo.tryEntire('rewind', `--to=${name}`);
      expect({ name, code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`Error: rewind point not found: ${name}\n`),
      });
    }
    expect(repo.tryEntire('rewind', '--list', '--to', first.id).code).toBe(2);
    expect(repo.tryEntire('rewind', '--reset').stderr).toContain(
      '--reset requires a point: entire rewind --to <point> --reset\n',
    );
    expect(repo.tryEntire('rewind', '--to', first.id, '--logs-only', '--reset').code).toBe(2);
  });

  variation('--to finds a point beyond the twenty that are listed', (repo) => {
    const { first, second } = twoCommits(repo);
    linkedCommits(repo, 20, second.condensation_id as string);
    expect(listPoints(repo).map(({ id }) => id)).not.toContain(first.id);
    expect(goBack(repo, first.id.slice(0, 9)).stdout).toContain('# turn 1');
  });
});

function commitOnMetadata(repo: TestRepo, path: string, text: string): void {
  const env = { GIT_INDEX_FILE: `${repo.scratch}/index` };
  const blob = repo.gitWith({ input: `${text}\n` }, 'hash-object', '-w', '--stdin');
  repo.gitWith({ env }, 'read-tree', 'entire/checkpoints/v1');
  repo.gitWith({ env }, 'update-index', '--add', '--cacheinfo', `100644,${blob},${path}`);
  const tree = repo.gitWith({ env }, 'write-tree');
  const commit = repo.git('commit-tree', tree, '-p', 'entire/checkpoints/v1', '-m', 'Change it');
  repo.git('update-ref', 'refs/heads/entire/checkpoints/v1', commit);
}
