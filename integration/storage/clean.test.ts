import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { aged, editState, hoursAgo, silentState, stateFile, turn } from '../support/repository/leftovers.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const NOTHING = 'Nothing to clean up.\n';
const METADATA = 'entire/checkpoints/v1';

const preview = (repo: TestRepo): string => repo.entire('clean').stdout;
// biome-ignore lint/suspicious/noExplicitAny: the document as it is
const report = (repo: TestRepo, ...args: string[]): any =>
  JSON.parse(repo.entire('clean', '--json', ...args).stdout);
const found = (repo: TestRepo): string[] => report(repo).found.map(({ id }: { id: string }) => id);

describe('what is left over', () => {
  onBothBuilds('is listed without --force and deleted with it; a deleted branch comes back', (repo) => {
    repo.ready();
    expect(repo.entire('clean')).toEqual({ code: 0, stdout: NOTHING, stderr: '' });
    const head = repo.git('rev-parse', 'HEAD');
    repo.git('branch', 'entire/abc1234-e3b0c4');
    repo.git('branch', 'entire/def5678');
    repo.git('branch', 'entire/notes'); // no name of ours
    silentState(repo, 'gone-session', { base_commit: '1'.repeat(40) });
    const branches = repo.branches();

    const listed = `Left behind by sessions, 3 items:

Step branches (2):
  entire/abc1234-e3b0c4
  entire/def5678

Session states (1):
  gone-session

Run with --force to delete these items.
`;
    mkdirSync(join(repo.dir, 'sub'));
    expect(repo.run('entire', ['clean'], { cwd: join(repo.dir, 'sub') }).stdout).toBe(listed);
    expect(preview(repo)).toBe(listed);
    expect(repo.branches()).toEqual(branches);

    const { stdout } = repo.entire('clean', '--force');
    expect(stdout).toBe(`Deleted 3 items:

  Step branches (2):
    entire/abc1234-e3b0c4
    entire/def5678

  Session states (1):
    gone-session

To bring them back, until \`git gc\` removes what no branch has:
  git branch entire/abc1234-e3b0c4 ${head}
  git branch entire/def5678 ${head}
`);
    expect(repo.shadowBranches()).toEqual(['entire/notes']);
    expect(repo.stateFiles()).toEqual([]);
    expect(repo.branches()).toContain(METADATA);
    expect(repo.logText()).toContain('"msg":"orphan deleted"');
    expect(repo.logText()).toContain('"id":"entire/def5678"');
    expect(repo.entire('clean', '-f').stdout).toBe(NOTHING);
  });

  variation('nothing of a session that is alive is listed, let alone deleted', (repo) => {
    repo.ready();
    const waiting = turn(repo, 'a.txt'); // idle, with a step
    editState(repo, waiting.id, { started_at: hoursAgo(30), last_interaction_time: hoursAgo(20) });
    const active = repo.session();
    active.prompt('a long turn');
    editState(repo, active.id, { started_at: hoursAgo(30), last_interaction_time: hoursAgo(20) });
    const carried = repo.session();
    silentState(repo, carried.id, { files_touched: ['b.txt'], base_commit: '2'.repeat(40) });
    repo.git('branch', 'entire/2222222-e3b0c4');
    const tracking = repo.session();
    silentState(repo, tracking.id, { base_commit: '3'.repeat(40) });
    writeFileSync(join(repo.commonDir, 'entire-sessions', `${tracking.id}.files`), 'c.txt\n');
    repo.git('branch', 'entire/3333333-e3b0c4');
    const recent = repo.session();
    silentState(repo, recent.id, { base_commit: '4'.repeat(40), last_interaction_time: hoursAgo(0.1) });
    const before = repo.git('for-each-ref');

    expect(report(repo)).toMatchObject({ forced: false, found: [] });
    const { kept } = report(repo);
    const reasonOf = (id: string) => kept.find((one: { id: string }) => one.id === id)?.reason;
    expect(reasonOf(waiting.id)).toBe('pending');
    expect(reasonOf(active.id)).toBe('active');
    expect(reasonOf(carried.id)).toBe('pending');
    expect(reasonOf('entire/2222222-e3b0c4')).toBe('pending');
    expect(reasonOf(tracking.id)).toBe('tracked');
    expect(reasonOf(recent.id)).toBe('recent');
    expect(repo.entire('clean', '--force').stdout).toBe(NOTHING);
    expect(repo.git('for-each-ref')).toBe(before);
    expect(repo.stateFiles()).toHaveLength(5);
    expect(repo.storedJson(repo.commit('Add a', 'a.txt') as string, '0/metadata.json').session_id).toBe(
      waiting.id,
    );
  });

  variation('a session that a checkpoint holds keeps its state, in whichever slot it is', (repo) => {
    repo.ready();
    const [one, two] = [turn(repo, 'a.txt'), turn(repo, 'b.txt')];
    const id = repo.commit('Add both', 'a.txt', 'b.txt') as string;
    expect(repo.storedPaths(id)).toContain('1/metadata.json');
    for (const { id: session } of [one, two])
      editState(repo, session, { started_at: hoursAgo(3), last_interaction_time: hoursAgo(2) });
    expect(found(repo)).toEqual([]);
    // Without the branch nothing would lead to them.
    repo.git('branch', '-D', METADATA);
    expect(found(repo).sort()).toEqual([one.id, two.id].sort());
  });

  variation('running tasks, owed checkpoints and other worktrees keep what they need', (repo) => {
    repo.ready();
    const own = join(repo.commonDir, 'entire');
    silentState(repo, 'with-task', { base_commit: '5'.repeat(40) });
    mkdirSync(join(own, 'tasks'), { recursive: true });
    const task = { tool_use_id: 't1', subagent_type: '', description: '', started_at_ms: 1 };
    const running = [{ ...task, transcript_bytes: 0, increments: 0, paths: {} }];
    writeFileSync(
      join(own, 'tasks', 'with-task.json'),
      JSON.stringify({ version: 1, running, redacted: [] }),
    );
    repo.git('worktree', 'add', '--quiet', join(repo.scratch, 'side'), '-b', 'side');
    silentState(repo, 'owing', { base_commit: '6'.repeat(40), worktree_id: 'side' });
    const session = repo.session();
    const cwd = join(repo.scratch, 'side');
    session.hook('user-prompt-submit', 'UserPromptSubmit', { prompt: 'x', cwd }, { cwd });
    session.edit(join(cwd, 'w.txt'), 'w\n', { cwd });
    session.hook('stop', 'Stop', { last_assistant_message: 'Done.', cwd }, { cwd });
    editState(repo, session.id, { started_at: hoursAgo(30), last_interaction_time: hoursAgo(20) });
    mkdirSync(join(own, 'owed'), { recursive: true });
    const owed = { version: 1, worktree_id: 'side', head: '', at_ms: 1, attempts: 0 };
    writeFileSync(join(own, 'owed', 'aaaaaaaaaaaa.json'), JSON.stringify(owed));
    expect(repo.shadowBranches()).toHaveLength(1);
    expect(found(repo)).toEqual([]);
    const { kept } = report(repo);
    expect(kept).toContainEqual(expect.objectContaining({ id: 'with-task', reason: 'task' }));
    expect(kept).toContainEqual(expect.objectContaining({ id: 'owing', reason: 'owed' }));
    expect(repo.entire('clean', '--force').stdout).toBe(NOTHING);
    expect(repo.shadowBranches()).toHaveLength(1);
  });

  variation('a state that cannot be read keeps the branch that its session has steps on', (repo) => {
    repo.ready();
    const [one, two] = [turn(repo, 'a.txt'), turn(repo, 'b.txt')];
    writeFileSync(stateFile(repo, one.id), '{"session_id":');
    silentState(repo, two.id, { checkpoint_count: 0, files_touched: [], base_commit: '7'.repeat(40) });
    const { stdout, stderr } = repo.entire('clean', '--force');
    expect(stdout).toContain(two.id);
    expect(stdout).not.toContain('Step branches');
    expect(stderr).toContain('stays: a session whose state cannot be read may need it');
    expect(repo.shadowBranches()).toHaveLength(1);
    expect(existsSync(stateFile(repo, one.id))).toBe(true);
  });

  variation('what is checked out in a worktree stays, and is named', (repo) => {
    repo.ready();
    const side = join(repo.scratch, 'side');
    repo.git('worktree', 'add', '--quiet', side, '-b', 'entire/abc1234-e3b0c4');
    const { stdout, stderr } = repo.entire('clean', '--force');
    expect(stdout).toBe(NOTHING);
    expect(stderr).toBe(`Warning: entire/abc1234-e3b0c4 is checked out in ${side} and stays\n`);
    expect(repo.shadowBranches()).toEqual(['entire/abc1234-e3b0c4']);
  });
});

describe('litter of our own', () => {
  variation('goes when it is old enough, and nothing beside it does', (repo) => {
    repo.ready();
    const [sessions, own] = [join(repo.commonDir, 'entire-sessions'), join(repo.commonDir, 'entire')];
    const session = turn(repo, 'a.txt');
    const files = () => readdirSync(repo.commonDir, { recursive: true, encoding: 'utf8' }).sort();
    const kept = [
      aged(join(sessions, 'fresh.json.123-0123456789ab.tmp'), 0, 'x'),
      aged(join(repo.dir, 'notes.12-0123456789ab.tmp'), 50, 'of the user'),
      aged(join(own, 'turns', `${session.id}.json`), 50),
      aged(join(own, 'turns', 'fresh-session.json'), 2, '{}'),
      aged(join(repo.dir, '.entire/metadata/lost-session/full.jsonl'), 50, '{}\n'),
      aged(join(repo.dir, '.entire/tmp/ses_lost.jsonl'), 50, '{}\n'),
    ];
    aged(join(repo.dir, '.entire/metadata/lost-session'), 50);
    const gone = [
      aged(join(sessions, 'old.json.123-0123456789ab.tmp'), 1, 'x'),
      aged(join(sessions, 'other-version.json.tmp'), 1, 'x'),
      aged(join(repo.dir, '.claude/settings.json.7-0123456789ab.tmp'), 1, 'x'),
      aged(join(repo.dir, '.git/hooks/post-commit.7-0123456789ab.tmp'), 1, 'x'),
      aged(join(repo.dir, '.entire/tmp/pre-prompt-dead-session.json'), 50, '{}'),
      aged(join(own, 'introductions', 'dead-session.json'), 50, '{}'),
      aged(join(own, 'user-lines', 'dead-session.json'), 50, '{}'),
    ];
    aged(join(own, 'transcripts/dead-session/index.json'), 50, '{}');
    gone.push(aged(join(own, 'transcripts/dead-session'), 50));
    mkdirSync(join(sessions, 'dead-session.lock'));
    gone.push(aged(join(sessions, 'dead-session.lock'), 1));
    gone.push(aged(join(repo.commonDir, 'refs/heads/entire/abc1234-e3b0c4.lock'), 1, ''));
    repo.git('update-ref', 'refs/entire/auto/bbbbbbbbbbbb/commit', 'HEAD');
    aged(join(repo.commonDir, 'refs/entire/auto/bbbbbbbbbbbb/commit'), 1);
    repo.git('update-ref', 'refs/entire/scrub/cccccccccccc', 'HEAD');
    aged(join(repo.commonDir, 'refs/entire/scrub/cccccccccccc'), 1);
    repo.git('update-ref', 'refs/entire/scrub/dddddddddddd', 'HEAD'); // one at work
    repo.git('update-ref', 'refs/entire/remotes/eeeeeeeeeeee', 'HEAD');

    const text = preview(repo);
    expect(text).toContain('Records of sessions that are gone (1):\n  dead-session\n');
    expect(text).toContain('Temporary files (4):\n');
    expect(text).toContain('Stale locks (2):\n');
    expect(text).toContain('Unfinished refs (2):\n  refs/entire/auto/bbbbbbbbbbbb/commit\n');
    const before = files();
    expect(preview(repo)).toBe(text);
    expect(files()).toEqual(before);

    const { stderr } = repo.entire('clean', '--force');
    expect(stderr).toContain('Note: .entire/tmp/ses_lost.jsonl stays: no checkpoint holds the session');
    expect(stderr).toContain('Note: .entire/metadata/lost-session stays: no checkpoint holds the session');
    expect(gone.filter(existsSync)).toEqual([]);
    expect(kept.filter((file) => !existsSync(file))).toEqual([]);
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/entire').split('\n')).toEqual([
      'refs/entire/remotes/eeeeeeeeeeee',
      'refs/entire/scrub/dddddddddddd',
    ]);
    expect(repo.state(session.id).checkpoint_count).toBe(1);
    expect(repo.entire('clean').stdout).toBe(NOTHING);
    rmSync(kept[0] as string); // what expects a sound repository knows no age
  });
});
