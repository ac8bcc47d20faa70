import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { problems } from '../support/command/verify.ts';
import { aged, silentState, turn } from '../support/repository/leftovers.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Runs a command over and over until `body` is through; every run must exit 0. */
async function whileRunning(
  repo: TestRepo,
  args: readonly string[],
  body: () => void | Promise<void>,
): Promise<number> {
  let isOver = false;
  const loop = (async () => {
    let runs = 0;
    for (; !isOver; runs++) await repo.inBackground('entire', [...args]);
    return runs;
  })();
  loop.catch(() => {}); // told when the body is through
  try {
    await body();
  } finally {
    isOver = true;
  }
  return loop;
}

/** Lets other processes have the event loop: hooks of the test run synchronously. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('beside agents at work', () => {
  variation(
    'cleaning all the time takes nothing from sessions that begin, step, commit and end',
    async (repo) => {
      repo.ready();
      const linked: string[] = [];
      const runs = await whileRunning(repo, ['clean', '--force'], async () => {
        for (let n = 0; n < 6; n++) {
          const session = repo.session();
          session.start();
          await pause();
          session.prompt(`write ${n}`);
          await pause();
          session.edit(`${n}.txt`, `${n}\n`);
          await pause();
          session.stop();
          await pause();
          session.edit(`${n}.txt`, `${n} again\n`);
          await pause();
          session.stop();
          await pause();
          if (n % 2 === 0) session.end();
          await pause();
          linked.push(repo.commit(`Add ${n}`, `${n}.txt`) as string);
          expect(repo.storedJson(linked[n] as string, '0/metadata.json')).toMatchObject({
            session_id: session.id,
            checkpoints_count: 2,
            files_touched: [`${n}.txt`],
          });
        }
      });
      expect(runs).toBeGreaterThan(2);
      expect(new Set(linked).size).toBe(6);
      expect(repo.shadowBranches()).toEqual([]);
      expect(repo.stateFiles()).toHaveLength(6);
      expect(problems(repo, '--read-data')).toEqual([]);
    },
  );

  variation('verify, du and clean see a whole repository at every moment', async (repo) => {
    repo.ready();
    for (const args of [['verify', '--read-data'], ['du'], ['clean']]) {
      const session = repo.session();
      const runs = await whileRunning(repo, args, async () => {
        for (let n = 0; n < 5; n++) {
          turn(repo, `${args[0]}-${n}.txt`, session);
          await pause();
          repo.commit(`Add ${n}`, `${args[0]}-${n}.txt`);
          await pause();
        }
      });
      expect(runs).toBeGreaterThan(1);
    }
  });

  variation('a reset of one session leaves the one beside it whole', async (repo) => {
    repo.ready();
    const kept = turn(repo, 'kept.txt');
    const others = Array.from({ length: 6 }, (_, n) => turn(repo, `other-${n}.txt`));
    await Promise.all(
      others.map(({ id }) => repo.inBackground('entire', ['reset', '--force', '--session', id])),
    );
    expect(repo.stateFiles()).toEqual([`${kept.id}.json`]);
    const id = repo.commit('Add', 'kept.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').session_id).toBe(kept.id);
  });

  variation('killed at any moment: what is left is sound, and the next run ends it', async (repo) => {
    repo.ready();
    const kept = turn(repo, 'kept.txt');
    for (let n = 0; n < 12; n++) {
      repo.git('branch', `entire/${n.toString(16).padStart(7, 'b')}-e3b0c4`);
      silentState(repo, `gone-${n}`, { base_commit: 'f'.repeat(40) });
      const child = spawn(join(repo.build.bin, 'entire'), ['clean', '--force'], {
        cwd: repo.dir,
        env: repo.env,
        stdio: 'ignore',
      });
      const over = new Promise((resolve) => child.on('exit', resolve));
      await new Promise((resolve) => setTimeout(resolve, 10 + n * 8));
      child.kill('SIGKILL');
      await over;
      expect(repo.tryGit('fsck', '--strict', '--no-dangling').code).toBe(0);
      expect(repo.state(kept.id).checkpoint_count).toBe(1);
    }
    repo.entire('clean', '--force');
    expect(repo.stateFiles()).toEqual([`${kept.id}.json`]);
    expect(repo.shadowBranches()).toHaveLength(1);
  });
});

variation('nothing behind a link is listed, let alone deleted', (repo) => {
  repo.ready();
  const elsewhere = join(repo.scratch, 'elsewhere');
  aged(join(elsewhere, 'tmp/pre-prompt-x.json'), 50, '{}');
  aged(join(elsewhere, 'tmp/a.json.1-0123456789ab.tmp'), 50, '');
  aged(join(elsewhere, 'turns/x.json'), 50, '{}');
  const before = readdirSync(elsewhere, { recursive: true });
  repo.run('rm', ['-rf', join(repo.dir, '.entire'), join(repo.commonDir, 'entire')]);
  symlinkSync(elsewhere, join(repo.dir, '.entire'));
  symlinkSync(elsewhere, join(repo.commonDir, 'entire'));
  mkdirSync(join(elsewhere, 'logs'));
  expect(repo.entire('clean').stdout).toBe('Nothing to clean up.\n');
  repo.entire('clean', '--force');
  expect(readdirSync(elsewhere, { recursive: true }).sort()).toEqual([...before, 'logs'].sort());
  rmSync(join(repo.commonDir, 'entire'));
});

describe('layouts', () => {
  const layouts: Record<string, (repo: TestRepo) => void> = {
    'a repository with SHA-256': (repo) => {
      repo.init('--object-format=sha256').write('README.md', 'x\n');
      repo.git('add', '.');
      repo.git('commit', '--quiet', '-m', 'init');
    },
    'a linked worktree': (repo) => {
      repo.init().write('README.md', 'x\n');
      repo.git('add', '.');
      repo.git('commit', '--quiet', '-m', 'init');
      repo.git('worktree', 'add', '--quiet', join(repo.scratch, 'side'), '-b', 'side');
      repo.dir = join(repo.scratch, 'side');
    },
    'packed refs and objects': (repo) => {
      repo.init().write('README.md', 'x\n');
      repo.git('add', '.');
      repo.git('commit', '--quiet', '-m', 'init');
    },
  };
  for (const [name, make] of Object.entries(layouts)) {
    variation(`${name}: verify, du, clean, reset`, (repo) => {
      make(repo);
      repo.entire('enable', '--agent', 'claude-code');
      const session = turn(repo, 'a.txt');
      repo.commit('Add a', 'a.txt');
      turn(repo, 'b.txt', session);
      repo.git('branch', 'entire/abc1234-e3b0c4', repo.shadowBranches()[0] as string);
      if (name.startsWith('packed')) repo.git('gc', '--quiet');
      expect(problems(repo, '--read-data')).toEqual([]);
      const { kinds } = JSON.parse(repo.entire('du', '--json').stdout);
      const [checkpoints, steps] = ['checkpoints', 'steps'].map((wanted) =>
        kinds.find(({ kind }: { kind: string }) => kind === wanted),
      );
      expect([checkpoints, steps]).toMatchObject([{ count: 1 }, { count: 2 }]);
      expect(steps.bytes).toBeGreaterThan(0);
      expect(repo.entire('clean', '--force').stdout).toContain('    entire/abc1234-e3b0c4\n');
      expect(repo.shadowBranches()).toHaveLength(1);
      expect(repo.entire('reset', '--force').stderr).toContain(`Cleared session state for ${session.id}\n`);
      expect(repo.shadowBranches()).toEqual([]);
      expect(problems(repo)).toEqual([]);
    });
  }
});
