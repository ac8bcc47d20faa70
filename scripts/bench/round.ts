import { join } from 'node:path';
import type { Contestant, Programs } from './contestants.ts';
import { type Context, fileWritten, statusLine } from './payloads.ts';
import {
  closeSession,
  type Load,
  openPlain,
  openSession,
  type Play,
  pickFile,
  playIdleCommit,
  playPlainTurn,
  playTurn,
} from './play.ts';
import { createRandom } from './random.ts';
import { timed } from './timing.ts';
import { environment, type World } from './world.ts';

/** What is measured. `…First`: the session's first turn, in which its whole transcript is new to us. */
export type Measure =
  | 'edit'
  | 'statusline'
  | 'promptFirst'
  | 'prompt'
  | 'stopFirst'
  | 'stop'
  | 'commitFirst'
  | 'commit'
  | 'commitPlain'
  | 'commitIdle'
  | 'empty'
  | 'status'
  | 'nothing'
  | 'launcher';

export type Record = (measure: Measure, ms: number) => void;

/** The first turn meets a transcript nobody has seen; the later ones are what a session is made of. */
const TURNS = 3;

/** One session with some turns of one changed file each, every turn followed by the user's commit. */
export function* playRound(
  world: World,
  who: Contestant,
  round: number,
  load: Load,
  record: Record,
): Generator<void, void> {
  const play = openSession(world, who, round + 1, load); // the same texts for every contestant
  for (let turn = 0; turn < TURNS; turn++) {
    const suffix = turn === 0 ? 'First' : '';
    yield* playTurn(play, pickFile(world, round * TURNS + turn), (step, ms) =>
      record(step === 'edit' ? step : `${step}${suffix}`, ms),
    );
    if (!load.editOnly) recordStatusLine(play, who, record);
  }
  if (load.editOnly) return;
  closeSession(play);
  yield* playIdleCommit(play, [pickFile(world, round), pickFile(world, round + 1)], record);
}

/** Another executable with the same hooks may have no status line. */
function recordStatusLine(
  { context }: Play,
  { command, env, repo: cwd, label }: Contestant,
  record: Record,
): void {
  if (label === 'other') return;
  const { ms, stdout } = timed(command, ['statusline', '--stdin'], { cwd, env, input: statusLine(context) });
  if (!stdout.includes(context.sessionId.slice(0, 8))) throw new Error(`no status line: ${stdout}`);
  record('statusline', ms);
}

/** The baselines, in step with the contestants: the empty executable, the launcher alone, git without `entire`. */
export function* playBaseline(
  world: World,
  repo: string,
  programs: Programs,
  round: number,
  load: Load,
  record: Record,
): Generator<void, void> {
  const sessionId = createRandom(round + 1).uuid();
  const context: Context = { sessionId, transcript: join(world.home, 'none.jsonl'), repo };
  const options = { cwd: repo, env: { ...environment(world), CLAUDE_PROJECT_DIR: repo } };
  const args = ['hooks', 'claude-code', 'post-file-edit'];
  const runPrograms = (file: string, before: string, content: string): void => {
    const input = fileWritten(context, file, before, content);
    record('empty', timed(programs.empty, args, { ...options, input }).ms);
    record('launcher', timed(programs.launcher, args, options).ms);
    record('nothing', timed(programs.nothing, args, options).ms);
  };
  const plain = openPlain(world, repo, round + 1);
  for (let turn = 0; turn < TURNS; turn++) {
    yield* playPlainTurn(plain, pickFile(world, round * TURNS + turn), load, record, runPrograms);
  }
}
