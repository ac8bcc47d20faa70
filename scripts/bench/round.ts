import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkCommit, checkEdit, checkPrompt, checkStop, type Scene, trackedLines } from './checks.ts';
import { type Context, fileWritten, promptSubmitted, sessionEnd, sessionStart, stopped } from './payloads.ts';
import { createRandom, type Random } from './random.ts';
import { timed } from './timing.ts';
import { renderHistory, renderTurn, type Session } from './transcript.ts';
import { git, type World } from './world.ts';

/** One executable with its own copy of the repository. */
export interface Contestant {
  readonly label: string;
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  readonly repo: string;
  readonly hasEditHook: boolean;
}

export interface Load {
  readonly transcriptBytes: number;
  readonly payloadBytes: number;
  readonly editOnly: boolean;
}

/** What is measured. `…First`: the session's first turn, in which its whole transcript is new to us. */
export type Measure =
  | 'edit'
  | 'promptFirst'
  | 'prompt'
  | 'stopFirst'
  | 'stop'
  | 'commitFirst'
  | 'commit'
  | 'commitPlain'
  | 'empty'
  | 'status'
  | 'nothing'
  | 'launcher';

export type Record = (measure: Measure, ms: number) => void;

/** Edits in one turn, all to the same file: the edit hook is the shortest step, so it gets the most samples. */
const EDITS = 3;

/** What the steps of one round share. */
interface Play {
  readonly world: World;
  readonly who: Contestant;
  readonly load: Load;
  readonly record: Record;
  readonly random: Random;
  readonly session: Session;
  readonly context: Context;
  readonly scene: Scene;
}

/**
 * One session with two turns of one changed file each, every turn followed by the user's commit; at the end the
 * same commit once more with hooks off. Yields between steps, so that contestants take turns.
 */
export function* playRound(
  world: World,
  who: Contestant,
  round: number,
  load: Load,
  record: Record,
): Generator<void, void> {
  const play = open(world, who, round, load, record);
  if (!load.editOnly) {
    mkdirSync(dirname(play.context.transcript), { recursive: true });
    const history = renderHistory(play.session, world.files, load.transcriptBytes);
    writeFileSync(play.context.transcript, history);
    hook(play, 'session-start', sessionStart(play.context));
  }
  yield* playTurn(play, 'First', pickFile(world, round * 3));
  yield* playTurn(play, '', pickFile(world, round * 3 + 1));
  if (load.editOnly) return;
  const file = pickFile(world, round * 3 + 2);
  changeFile(who.repo, file, play.random, load);
  record('commitPlain', commit(world, who, file, false));
  hook(play, 'session-end', sessionEnd(play.context));
}

function open(world: World, who: Contestant, round: number, load: Load, record: Record): Play {
  const { repo, label } = who;
  const random = createRandom(round + 1); // the same texts for every contestant
  const sessionId = random.uuid();
  const folder = join(world.home, '.claude/projects', label.replace(/\W+/g, '-'));
  return {
    world,
    who,
    load,
    record,
    random,
    session: { id: sessionId, repo, random, parent: null, clock: 1_790_000_000_000 },
    context: { sessionId, transcript: join(folder, `${sessionId}.jsonl`), repo },
    scene: { world, label, repo, sessionId },
  };
}

function* playTurn(play: Play, turn: 'First' | '', file: string): Generator<void, void> {
  const { world, who, load, record, session, context, scene } = play;
  const prompt = play.random.text(200);
  if (!load.editOnly) {
    record(`prompt${turn}`, hook(play, 'user-prompt-submit', promptSubmitted(context, prompt)));
    checkPrompt(scene);
  }
  yield;
  let content = '';
  for (let edit = 0; edit < EDITS; edit++) {
    const before = readFileSync(join(who.repo, file), 'utf8');
    content = changeFile(who.repo, file, play.random, load);
    if (who.hasEditHook) {
      const known = trackedLines(scene).length;
      record('edit', hook(play, 'post-file-edit', fileWritten(context, file, before, content)));
      checkEdit(scene, known, file);
    }
    yield;
  }
  if (load.editOnly) return;
  const { lines, lastMessage } = renderTurn(session, prompt, file, content);
  appendFileSync(context.transcript, lines);
  record(`stop${turn}`, hook(play, 'stop', stopped(context, lastMessage)));
  checkStop(scene, file);
  yield;
  record(`commit${turn}`, commit(world, who, file, true));
  checkCommit(scene, file, lastMessage);
  yield;
}

/** Calls the agent hook as Claude Code does; returns its milliseconds. */
function hook({ who }: Play, verb: string, input: string): number {
  const env = { ...who.env, CLAUDE_PROJECT_DIR: who.repo };
  return timed(who.command, ['hooks', 'claude-code', verb], { cwd: who.repo, env, input }).ms;
}

/** Programs that do nothing: compiled with our flags, behind our launcher, and at all. */
export interface Baselines {
  readonly empty: string;
  readonly launcher: string;
  readonly nothing: string;
}

/** The baselines, in step with the contestants: the empty executable, the launcher alone, `git status`. */
export function* playBaseline(
  world: World,
  repo: string,
  programs: Baselines,
  round: number,
  load: Load,
  record: Record,
): Generator<void, void> {
  const random = createRandom(round + 1);
  const context: Context = { sessionId: random.uuid(), transcript: join(world.home, 'none.jsonl'), repo };
  const options = { cwd: repo, env: { ...environmentOf(world), CLAUDE_PROJECT_DIR: repo } };
  const status = (): void => record('status', timed('git', ['status'], options).ms);
  const args = ['hooks', 'claude-code', 'post-file-edit'];
  for (let turn = 0; turn < 2; turn++) {
    const file = pickFile(world, round * 3 + turn);
    if (!load.editOnly) status();
    yield;
    for (let edit = 0; edit < EDITS; edit++) {
      const before = readFileSync(join(repo, file), 'utf8');
      const input = fileWritten(context, file, before, changeFile(repo, file, random, load));
      record('empty', timed(programs.empty, args, { ...options, input }).ms);
      record('launcher', timed(programs.launcher, args, options).ms);
      record('nothing', timed(programs.nothing, args, options).ms);
      yield;
    }
    if (load.editOnly) continue;
    status();
    git(world, repo, 'add', file);
    git(world, repo, 'commit', '-q', '-m', `Change ${file}`);
    yield;
  }
}

const environmentOf = (world: World): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: world.home });

/** Spreads the changed files over the repository, never the same twice in a row. */
const pickFile = (world: World, at: number): string => world.files[(at * 7919) % world.files.length] ?? '';

/** Replaces part of the file; its size follows `--payload-kb`, as a Write payload holds the content three times. */
function changeFile(repo: string, file: string, random: Random, load: Load): string {
  const size = Math.max(600, Math.floor(load.payloadBytes / 3));
  const content = `${random.text(size)}\n`;
  writeFileSync(join(repo, file), content);
  return content;
}

/** Stages `file` and times `git commit` alone. */
function commit(world: World, who: Contestant, file: string, hooks: boolean): number {
  git(world, who.repo, 'add', file);
  const off = hooks ? [] : ['-c', 'core.hooksPath=/dev/null'];
  const args = [...off, 'commit', '-q', '-m', `Change ${file}`];
  return timed('git', args, { cwd: who.repo, env: who.env }).ms;
}
