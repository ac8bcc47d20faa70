import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { age } from '../support/command/doctor.ts';
import { changeState, leaveStuck, minutesAgo, silence } from '../support/command/stuck.ts';
import { withoutProgress } from '../support/process/progress.ts';
import { needsTerminal } from '../support/process/terminal.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const shownTime = (repo: TestRepo, id: string): string => repo.state(id).last_interaction_time;

/** Checkpoints on the metadata branch, by id. */
const checkpoints = (repo: TestRepo): string[] =>
  repo
    .git('ls-tree', '-r', '--name-only', 'entire/checkpoints/v1')
    .split('\n')
    .filter((path) => /^..\/.{10}\/metadata\.json$/.test(path))
    .map((path) => path.replace('/', '').slice(0, 12));

/** A session that wrote a file and is over. */
function endOne(repo: TestRepo) {
  const session = repo.session();
  session.prompt('write a.txt');
  session.edit('a.txt', 'one\n');
  session.stop();
  session.end();
  return session;
}

const entire = (repo: TestRepo, ...args: string[]) => repo.tryEntire('doctor', ...args).stdout;

describe('doctor: stuck sessions', () => {
  variation('a turn without an end is listed, and --force condenses it', (repo) => {
    repo.ready();
    const session = leaveStuck(repo);
    const [branch] = repo.shadowBranches();
    const listed = [
      'Found 1 stuck session(s):',
      '',
      `  Session: ${session.id}`,
      '  Phase:   active',
      '  Reason:  active, last interaction 2h5m0s ago',
      '  Agent:   Claude Code',
      `  Last interaction: ${shownTime(repo, session.id)}`,
      `  Step branch: exists (${branch})`,
      '  Checkpoints: 1, Files touched: 1',
      '',
    ].join('\n');
    const looked = repo.tryEntire('doctor');
    expect(looked.stdout).toMatch(new RegExp(`^${exactly(listed)}`));
    expect({ ...looked, stderr: withoutProgress(looked.stderr) }).toMatchObject({ code: 0, stderr: '' });
    expect(repo.shadowBranches()).toEqual([branch]); // a look changes nothing

    const { stdout, code } = repo.tryEntire('doctor', '--force');
    expect(stdout).toMatch(new RegExp(`^${exactly(`${listed}  -> Stored session ${session.id}\n`)}`));
    expect(code).toBe(0);
    const [id = ''] = checkpoints(repo);
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      session_id: session.id,
      files_touched: ['a.txt'],
      checkpoints_count: 1,
    });
    expect(repo.stored(id, '0/full.jsonl')).toBe(session.read().trimEnd());
    expect(repo.shadowBranches()).toEqual([]);
    expect(repo.state(session.id)).toMatchObject({
      phase: 'idle',
      checkpoint_count: 0,
      last_checkpoint_id: id,
      attribution_base_commit: repo.git('rev-parse', 'HEAD'),
    });
    expect(entire(repo)).toMatch(/^No stuck sessions found\.\n/);
    expect(repo.commit('By hand', 'a.txt')).toBeUndefined(); // it waits for no commit any more
  });

  scenario('a session that is over stays so, and what it touched is forgotten', (repo) => {
    repo.ready();
    const session = endOne(repo);
    rmSync(join(repo.dir, 'a.txt'));
    silence(repo, session, 61);
    expect(entire(repo)).toContain('  Reason:  ended with uncommitted work\n');
    expect(entire(repo)).toMatch(/^1 stuck session/m);
    expect(entire(repo)).not.toContain('No problems found');
    const fixed = entire(repo, '--fix'); // there is no turn to end
    expect(fixed).toContain('  Checkpoints: 1, Files touched: 1\n\nTo decide for each of them run');
    expect(fixed).not.toContain('Left as it is');
    const { ended_at } = repo.state(session.id);
    expect(entire(repo, '-f')).toContain(`  -> Stored session ${session.id}\n`);
    const state = repo.state(session.id);
    expect(state).toMatchObject({ phase: 'ended', ended_at, checkpoint_count: 0 });
    expect(state.files_touched).toBeUndefined();
    expect(state.prompt_attributions).toBeUndefined();
  });

  variation('a session that is over, and whose work waits for a commit, is not stuck', (repo) => {
    repo.ready();
    const session = endOne(repo);
    const healthy = /^No stuck sessions found\.\n[^✕!]*✓ No problems found/;
    expect(entire(repo)).toMatch(healthy);
    silence(repo, session, 100 * 60);
    expect(entire(repo)).toMatch(healthy);
    // Undone, it waits for nothing, and is left alone while that may be done again.
    changeState(repo, session, { last_interaction_time: minutesAgo(1) });
    repo.entire('undo');
    expect(entire(repo)).toMatch(/^No stuck sessions found\.\n/);
  });

  variation('without steps there is nothing to condense: --force discards', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write a.txt');
    session.edit('a.txt', 'one\n');
    changeState(repo, session, { last_interaction_time: undefined });
    age(session.transcript, 61);
    expect(entire(repo)).toContain('  Reason:  active, no recorded interaction time\n');
    expect(entire(repo)).not.toContain('Last interaction:');
    expect(entire(repo)).toContain('  Step branch: not found\n');
    expect(entire(repo, '--force')).toContain(`  -> Discarded session ${session.id}\n`);
    expect(repo.stateFiles()).toEqual([]);
    expect(repo.tracked(session.id)).toEqual([]);
    expect(existsSync(join(repo.commonDir, 'entire', 'turns', `${session.id}.json`))).toBe(false);
    expect(repo.read('a.txt')).toBe('one\n');
    expect(checkpoints(repo)).toEqual([]);
  });

  variation('steps of another session keep the branch', (repo) => {
    repo.ready();
    const other = repo.session();
    other.prompt('write b.txt');
    other.edit('b.txt', 'two\n');
    other.stop();
    const session = leaveStuck(repo);
    const [branch] = repo.shadowBranches();
    expect(entire(repo, '--force')).toContain(`  -> Stored session ${session.id}\n`);
    expect(repo.shadowBranches()).toEqual([branch]);
    expect(repo.commit('Add b', 'b.txt')).toBeDefined();
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('killed between the checkpoint and the state: done once all the same', (repo) => {
    repo.ready();
    const session = leaveStuck(repo);
    const [branch = ''] = repo.shadowBranches();
    const tip = repo.git('rev-parse', branch);
    const state = repo.state(session.id);
    repo.entire('doctor', '--force');
    const stored = repo.git('rev-parse', 'entire/checkpoints/v1');
    changeState(repo, session, state);
    repo.git('update-ref', `refs/heads/${branch}`, tip);
    expect(entire(repo, '--force')).toContain(`  -> Stored session ${session.id}\n`);
    expect(repo.git('rev-parse', 'entire/checkpoints/v1')).toBe(stored);
    expect(repo.state(session.id)).toMatchObject({ phase: 'idle', checkpoint_count: 0 });
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('what was edited since the last step stays tracked', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    session.prompt('write b.txt');
    session.edit('b.txt', 'two\n');
    silence(repo, session, 61);
    expect(entire(repo, '--force')).toContain('-> Stored');
    expect(repo.tracked(session.id)).toEqual(['b.txt']);
    const id = repo.commit('Add b', 'b.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['b.txt']);
  });

  variation(
    'one that cannot be condensed is kept, the next is treated, and the exit status says so',
    (repo) => {
      repo.ready();
      const session = leaveStuck(repo);
      const other = repo.session();
      other.prompt('nothing');
      silence(repo, other, 61);
      repo.write('.git/refs/heads/entire/checkpoints/v1.lock', '');
      const { code, stdout, stderr } = repo.tryEntire('doctor', '--force');
      expect(stderr).toMatch(new RegExp(`^Warning: failed to store session ${session.id}: .+`, 'm'));
      expect(stdout).toContain(`  -> Discarded session ${other.id}\n`);
      expect(code).toBe(1);
      expect(repo.shadowBranches()).toHaveLength(1);
      expect(repo.state(session.id)).toMatchObject({ phase: 'active', checkpoint_count: 1 });
      repo.run('rm', ['.git/refs/heads/entire/checkpoints/v1.lock']);
    },
  );

  variation(
    'an hour exactly, and a session between turns, are healthy; a foreign state harms nobody',
    (repo) => {
      repo.ready();
      const session = leaveStuck(repo);
      changeState(repo, session, { phase: 'idle' });
      writeFileSync(join(repo.commonDir, 'entire-sessions', 'odd.json'), '{"session_id": "other"}');
      expect(entire(repo)).toMatch(/^No stuck sessions found\.\n/);
    },
  );

  variation('whoever waits for a hook of the session is told so', (repo) => {
    repo.ready();
    const { id } = leaveStuck(repo);
    const lock = join(repo.commonDir, 'entire-sessions', `${id}.lock`);
    mkdirSync(lock);
    writeFileSync(join(lock, `pid-${process.pid}-of-a-container`), '');
    const command = `(sleep 2.5; rm -r '${lock}') & exec entire doctor --force`;
    const { stdout, stderr } = repo.run('sh', ['-c', command]);
    expect(stderr).toBe(`Storing session ${id} …\n`);
    expect(stdout).toContain(`  -> Stored session ${id}\n`);
  });

  variation('a session in another worktree is condensed from here', (repo) => {
    repo.ready();
    const main = repo.dir;
    repo.git('worktree', 'add', '--quiet', join(repo.scratch, 'linked'));
    repo.dir = join(repo.scratch, 'linked');
    const session = leaveStuck(repo);
    repo.dir = main;
    expect(entire(repo, '--force')).toContain(`  -> Stored session ${session.id}\n`);
    expect(repo.shadowBranches()).toEqual([]);
    expect(repo.storedJson(checkpoints(repo)[0] ?? '', '0/metadata.json').files_touched).toEqual(['a.txt']);
  });

  variation('a person is asked what to do', (repo, skip) => {
    needsTerminal(skip);
    repo.ready();
    const [first, second] = [leaveStuck(repo, repo.session('session-1')), repo.session('session-2')];
    second.prompt('nothing');
    silence(repo, second, 61);
    const asked = (keys: string) =>
      repo.run('script', ['--quiet', '--return', '--command', 'sleep 0.3; exec entire doctor', '/dev/null'], {
        input: keys,
        env: { ACCESSIBLE: '1' },
      });
    const skipped = asked('9\n3\n2\n');
    expect(skipped.stdout).toContain(`Fix session ${first.id}?`);
    expect(skipped.stdout).toContain('Store as a checkpoint');
    expect(skipped.stdout.match(/ {2}-> Skipped/g), skipped.stdout).toHaveLength(2);
    expect(skipped.code).toBe(0);
    expect(asked('\x04').code).toBe(0); // the end of input decides nothing
    expect(repo.stateFiles()).toHaveLength(2);
    expect(asked('1\n1\n').stdout).toContain(`  -> Stored session ${first.id}`);
    expect(repo.stateFiles()).toEqual([`${first.id}.json`]);
  });

  variation('--json says the same, and asks nothing', (repo) => {
    repo.ready();
    const session = leaveStuck(repo);
    const { stdout, code } = repo.tryEntire('doctor', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).stuck_sessions).toEqual([
      {
        session_id: session.id,
        phase: 'active',
        reason: 'silent',
        explanation: expect.stringMatching(/^active, last interaction 2h5m\d+s ago$/),
        agent: 'Claude Code',
        last_interaction_time: shownTime(repo, session.id),
        worktree_path: repo.dir,
        shadow_branch: repo.shadowBranches()[0],
        checkpoint_count: 1,
        files_touched: ['a.txt'],
        can_condense: true,
        action: 'none',
      },
    ]);
    const forced = JSON.parse(repo.entire('doctor', '--json', '--force').stdout);
    expect(forced.stuck_sessions[0].action).toBe('condensed');
  });

  variation('outside of a repository it fails', (repo) => {
    expect(repo.tryEntire('doctor')).toMatchObject({ code: 1, stdout: '' });
  });
});

/** The text as a pattern; seconds go by while we look. */
const exactly = (text: string): string =>
  text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('2h5m0s', '2h5m\\d+s');
