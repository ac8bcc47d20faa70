// @module-tag long
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSessionId, type SessionId } from '../../src/base/ids.ts';
import { withSessionLock } from '../../src/session/lock.ts';
import { claimFilesTouched } from '../../src/session/tracking-file.ts';
import { BUILDS, type Build, root } from '../support/process/builds.ts';
import { TestRepo } from '../support/repository/test-repo.ts';

/**
 * Many processes record edits of one session while commits condense it and a claimer takes the tracking file over
 * and over. Every path that a hook acknowledged must end up in the state, in a checkpoint, or with the claimer.
 */

const [native, node] = BUILDS as [Build, Build];
const LANES = 16;
/** What `npm test` has time for; the lane's share of a long run is 500. */
const EDITS = Number(process.env.ENTIRE_TEST_EDITS ?? 50);

interface Load {
  readonly editsPerLane: number;
  readonly command?: string;
  readonly env?: Record<string, string>;
  readonly commits: boolean;
}

async function hammer(repo: TestRepo, load: Load): Promise<{ expected: Set<string>; found: string[] }> {
  repo.ready();
  const id = parseSessionId('hammered-session') as SessionId;
  const session = repo.session(id);
  session.prompt('edit a lot');

  const sessions = join(repo.commonDir, 'entire-sessions');
  const found: string[] = [];
  const lanes = Array.from({ length: LANES }, (_, lane) => runLane(repo, id, lane, load));
  let running = true;
  const done = Promise.all(lanes).finally(() => {
    running = false;
  });
  const claiming = (async () => {
    while (running) {
      await withSessionLock(sessions, id, () => {
        const claim = claimFilesTouched(sessions, id);
        found.push(...claim.paths);
        claim.release();
      });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const committing = (async () => {
    for (let n = 0; running && load.commits; n++) {
      repo.write(`committed/${n}.txt`, `${n}\n`);
      await commitInBackground(repo, `committed/${n}.txt`);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  })();
  await Promise.all([done, claiming, committing]);

  const claim = claimFilesTouched(sessions, id);
  found.push(...claim.paths, ...(repo.state(id).files_touched ?? []), ...checkpointFiles(repo));
  const expected = new Set<string>();
  for (let lane = 0; lane < LANES; lane++) {
    for (let n = 0; n < load.editsPerLane; n++) expected.add(`lane-${lane}/file ${n}.txt`);
  }
  return { expected, found };
}

/** One lane is one shell that runs the hook again and again; it fails when a hook does. */
function runLane(repo: TestRepo, id: string, lane: number, load: Load): Promise<void> {
  const command = load.command ?? 'entire';
  const file = `${repo.dir}/lane-${lane}/file $n.txt`;
  const payload = `{"session_id":"${id}","cwd":"${repo.dir}","tool_name":"Write","tool_input":{"file_path":"${file}"}}`;
  const script = `n=0; while [ $n -lt ${load.editsPerLane} ]; do
    "${command}" hooks claude-code post-file-edit <<EOF || exit 1
${payload}
EOF
    n=$((n+1)); done`;
  return exitOf(
    spawn('sh', ['-c', script], { cwd: repo.dir, env: { ...repo.env, ...load.env }, stdio: 'ignore' }),
  );
}

function commitInBackground(repo: TestRepo, path: string): Promise<void> {
  const script = `git add -- "${path}" && git commit --quiet -m "Add ${path}"`;
  const env = { ...repo.env, ENTIRE_TEST_TTY: '0' };
  return exitOf(spawn('sh', ['-c', script], { cwd: repo.dir, env, stdio: 'ignore' }));
}

function exitOf(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit status ${code}`))));
  });
}

function checkpointFiles(repo: TestRepo): string[] {
  const paths = repo.git('ls-tree', '-r', '--name-only', 'entire/checkpoints/v1').split('\n');
  const slots = paths.filter((path) => /\/\d+\/metadata\.json$/.test(path));
  return slots.flatMap(
    (path) => JSON.parse(repo.git('show', `entire/checkpoints/v1:${path}`)).files_touched as string[],
  );
}

/** Paths that are lost, and lines that are no path anybody recorded. */
function compare({ expected, found }: { expected: Set<string>; found: string[] }): {
  lost: string[];
  torn: string[];
} {
  const seen = new Set(found);
  return {
    lost: [...expected].filter((path) => !seen.has(path)),
    torn: [...seen].filter((path) => !expected.has(path) && !path.startsWith('committed/')),
  };
}

async function inRepo(build: Build, body: (repo: TestRepo) => Promise<void>): Promise<void> {
  const repo = new TestRepo(build);
  try {
    await body(repo);
    repo.expectSound();
  } finally {
    repo.remove();
  }
}

const paused = join(root, 'dist', 'test', 'entire-paused');

describe('16 processes record edits of one session while it is condensed', () => {
  test(`native build: ${LANES} × ${EDITS} edits, none lost, none torn`, { timeout: 600_000 }, () =>
    inRepo(native, async (repo) => {
      expect(compare(await hammer(repo, { editsPerLane: EDITS, commits: true }))).toEqual({
        lost: [],
        torn: [],
      });
    }),
  );

  test('Node build: 16 × 8 edits, none lost, none torn', { timeout: 600_000 }, () =>
    inRepo(node, async (repo) => {
      expect(compare(await hammer(repo, { editsPerLane: 8, commits: true }))).toEqual({
        lost: [],
        torn: [],
      });
    }),
  );

  const pauses = { ENTIRE_TEST_PAUSE_SHARE: '0.02', ENTIRE_TEST_PAUSE_MS: '3' };

  test(
    'native build with pauses of 3 ms between open and write: none lost, none torn',
    { timeout: 600_000 },
    () =>
      inRepo(native, async (repo) => {
        compilePaused();
        const load = { editsPerLane: EDITS / 2, commits: true, command: paused, env: pauses };
        expect(compare(await hammer(repo, load))).toEqual({ lost: [], torn: [] });
      }),
  );

  test('the look back is what saves them: switched off, lines are lost', { timeout: 600_000 }, () =>
    inRepo(native, async (repo) => {
      compilePaused();
      const env = { ...pauses, ENTIRE_TEST_PAUSE_SHARE: '0.2', ENTIRE_TEST_NO_LOOK_BACK: '1' };
      const { lost } = compare(
        await hammer(repo, { editsPerLane: 60, commits: false, command: paused, env }),
      );
      expect(lost.length).toBeGreaterThan(0);
    }),
  );
});

let compiled = false;

function compilePaused(): void {
  if (compiled) return;
  const entry = join(root, 'integration', 'support', 'process', 'entire-paused.ts');
  execFileSync('npx', ['tsx', 'scripts/build.ts', '--entry', entry, '--out', paused], { cwd: root });
  compiled = true;
}
