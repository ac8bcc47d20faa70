import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { now } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { log, openLog } from '../../base/log.ts';
import { startDetached } from '../../base/process/program.ts';
import { locateRepo, type Repo } from '../../git/locate.ts';
import { readActivation } from '../../settings/enabled.ts';
import { snapshotsDir } from '../../snapshot/store/blobs.ts';
import { failOpenAsync } from '../fail-open.ts';
import { runningProgram } from '../git/install.ts';

/** How often what is kept for undo is looked through. */
const INTERVAL_MS = 24 * 60 * 60 * 1000;

/** Its time says when that was begun last. */
const lastFile = (commonDir: string): string => join(commonDir, 'entire', 'last-gc');

/**
 * Once a day: starts a process of its own that keeps what is stored for undo within its budget. Nobody waits for it. A
 * failure is logged.
 */
export function startSnapshotGc(repo: Repo): void {
  try {
    start(repo);
  } catch (error) {
    log('warn', 'kept for undo: not looked through', { error: describeError(error) });
  }
}

function start(repo: Repo): void {
  const file = lastFile(repo.commonDir);
  const last = disk.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (last !== undefined && now().getTime() - last < INTERVAL_MS) return;
  if (!disk.existsSync(snapshotsDir(repo.commonDir))) return;
  writeFileAtomic(file, '');
  if (last === undefined) return; // what there is was made in this very turn
  const [program = '', ...args] = runningProgram();
  startDetached({
    program,
    args: [...args, 'hooks', 'gc', repo.worktreeRoot],
    cwd: tmpdir(),
    env: process.env,
  });
}

/** What that process does: `entire hooks gc <worktree>`. What it took away stands in the log. */
export async function runSnapshotGc(root: string | undefined): Promise<void> {
  await failOpenAsync('gc', async () => {
    const repo = root === undefined ? undefined : locateRepo(root);
    const activation = repo && readActivation(repo);
    if (!repo || activation?.kind !== 'enabled') return;
    openLog(activation.root, activation.logLevel, { component: 'gc' });
    const { readSnapshotBudget } = await import('../../settings/snapshots.ts');
    const { collectGarbage } = await import('../../snapshot/store/collect.ts');
    const budgetBytes = readSnapshotBudget(activation.root);
    const { unnamed, evicted, skipped } = await collectGarbage(repo.commonDir, {
      budgetBytes,
      isDryRun: false,
    });
    log('info', 'kept for undo: looked through', {
      removed_bytes: unnamed.bytes,
      evicted: evicted.map(
        ({ session, steps, until }) => `${session}: ${steps} steps up to ${until}, beyond the budget`,
      ),
      skipped: skipped.map(({ session, why }) => `${session}: ${why}`),
    });
  });
}
