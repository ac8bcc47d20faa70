/** The steps of one session in one repository, as an agent and its user take them. Every mode plays these. */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { checkCommit, checkEdit, checkPrompt, checkStop, type Scene, trackedLines } from './checks.ts';
import type { Contestant } from './contestants.ts';
import { type Context, fileWritten, promptSubmitted, sessionEnd, sessionStart, stopped } from './payloads.ts';
import { createRandom, type Random } from './random.ts';
import { timed } from './timing.ts';
import { renderHistory, renderTurn, type Session } from './transcript.ts';
import { environment, git, type World } from './world.ts';

export interface Load {
  /** What the transcript holds before the first measured turn. */
  readonly historyBytes: number;
  /** What a turn adds to it. */
  readonly turnBytes: number;
  readonly payloadBytes: number;
  /** Edits in a turn, all to the same file. */
  readonly edits: number;
  readonly editOnly: boolean;
}

/** A plain session: one edit in a turn, nothing but transcript and repository to make it slow. */
export const plainLoad = (historyBytes: number, turnBytes: number): Load => ({
  historyBytes,
  turnBytes,
  payloadBytes: 0,
  edits: 1,
  editOnly: false,
});

export type Step = 'prompt' | 'edit' | 'stop' | 'commit';
export type RecordStep = (step: Step, ms: number) => void;

/** What the steps of one session share. */
export interface Play {
  readonly world: World;
  readonly who: Contestant;
  readonly load: Load;
  readonly random: Random;
  /** What is written to files: the same for all who play with this seed. */
  readonly contents: Random;
  readonly session: Session;
  readonly context: Context;
  readonly scene: Scene;
}

/** Starts a session over a transcript of `load.historyBytes`; its texts follow `seed`. */
export function openSession(world: World, who: Contestant, seed: number, load: Load): Play {
  const { repo, label } = who;
  const random = createRandom(seed);
  const sessionId = random.uuid();
  const folder = join(world.home, '.claude/projects', label.replace(/\W+/g, '-'));
  const play: Play = {
    world,
    who,
    load,
    random,
    contents: createRandom(-seed),
    session: { id: sessionId, repo, random, parent: null, clock: 1_790_000_000_000 },
    context: { sessionId, transcript: join(folder, `${sessionId}.jsonl`), repo },
    scene: { world, label, repo, sessionId },
  };
  if (load.editOnly) return play;
  mkdirSync(folder, { recursive: true });
  const history = renderHistory(play.session, world.files, load.historyBytes, load.turnBytes);
  writeFileSync(play.context.transcript, history);
  hook(play, 'session-start', sessionStart(play.context));
  return play;
}

export function closeSession(play: Play): void {
  hook(play, 'session-end', sessionEnd(play.context));
}

/** One turn that changes `file`, and the user's commit of it. Yields between steps, so that others take theirs. */
export function* playTurn(play: Play, file: string, record: RecordStep): Generator<void, void> {
  const { world, who, load, scene } = play;
  const prompt = yield* playPrompt(play, record);
  const content = yield* playEdits(play, file, record);
  if (load.editOnly) return;
  const lastMessage = playStop(play, { prompt, file, content }, record);
  yield;
  record('commit', commit(world, who.repo, who.env, file));
  checkCommit(scene, file, lastMessage);
  yield;
}

/** Two commits by hand, as a minute after everybody was done: the first one learns that nobody is at work, the second is what comes then. */
export function* playIdleCommit(
  { world, who: { repo, env } }: Play,
  [first, second]: readonly [string, string],
  record: (step: 'commitIdle', ms: number) => void,
): Generator<void, void> {
  const before = Date.now() / 1000 - 60;
  const settings = readdirSync(join(repo, '.entire')).map((name) => join('.entire', name));
  for (const path of ['.git/entire-sessions', '.entire', ...settings])
    utimesSync(join(repo, path), before, before);
  for (const file of [first, second]) appendFileSync(join(repo, file), 'by hand\n');
  commit(world, repo, env, first);
  yield;
  record('commitIdle', commit(world, repo, env, second));
  yield;
}

/** A turn whose work nobody commits. */
export function playUncommitted(play: Play, file: string): void {
  const ignore = (): void => undefined;
  const prompt = drain(playPrompt(play, ignore));
  const content = drain(playEdits(play, file, ignore));
  playStop(play, { prompt, file, content }, ignore);
}

function* playPrompt(play: Play, record: RecordStep): Generator<void, string> {
  const prompt = play.random.text(200);
  if (!play.load.editOnly) {
    record('prompt', hook(play, 'user-prompt-submit', promptSubmitted(play.context, prompt)));
    checkPrompt(play.scene);
  }
  yield;
  return prompt;
}

function* playEdits(play: Play, file: string, record: RecordStep): Generator<void, string> {
  const { who, load, context, scene, contents } = play;
  let content = '';
  for (let edit = 0; edit < load.edits; edit++) {
    const before = readFileSync(join(who.repo, file), 'utf8');
    content = changeFile(who.repo, file, contents, load);
    if (who.hasEditHook) {
      const known = trackedLines(scene).length;
      record('edit', hook(play, 'post-file-edit', fileWritten(context, file, before, content)));
      checkEdit(scene, known, file);
    }
    yield;
  }
  return content;
}

function playStop(
  play: Play,
  turn: { prompt: string; file: string; content: string },
  record: RecordStep,
): string {
  const { context, scene, load } = play;
  const { lines, lastMessage } = renderTurn(play.session, { ...turn, bytes: load.turnBytes });
  appendFileSync(context.transcript, lines);
  record('stop', hook(play, 'stop', stopped(context, lastMessage)));
  checkStop(scene, turn.file);
  return lastMessage;
}

export const transcriptBytes = (play: Play): number => statSync(play.context.transcript).size;

/** Calls the agent hook as Claude Code does; returns its milliseconds. */
function hook({ who }: Play, verb: string, input: string): number {
  const env = { ...who.env, CLAUDE_PROJECT_DIR: who.repo };
  return timed(who.command, ['hooks', 'claude-code', verb], { cwd: who.repo, env, input }).ms;
}

/** The same repository without `entire`, and what is written to its files. */
export interface Plain {
  readonly world: World;
  readonly repo: string;
  readonly contents: Random;
}

export const openPlain = (world: World, repo: string, seed: number): Plain => ({
  world,
  repo,
  contents: createRandom(-seed),
});

/** The turn of {@link playTurn} as git alone sees it: the same change, the same commit. */
export function* playPlainTurn(
  { world, repo, contents }: Plain,
  file: string,
  load: Load,
  record: (step: 'status' | 'commitPlain', ms: number) => void,
  betweenEdits: (file: string, before: string, content: string) => void = () => undefined,
): Generator<void, void> {
  const env = environment(world);
  const status = (): void => {
    if (!load.editOnly) record('status', timed('git', ['status'], { cwd: repo, env }).ms);
  };
  status();
  yield;
  for (let edit = 0; edit < load.edits; edit++) {
    const before = readFileSync(join(repo, file), 'utf8');
    betweenEdits(file, before, changeFile(repo, file, contents, load));
    yield;
  }
  if (load.editOnly) return;
  status();
  yield;
  record('commitPlain', commit(world, repo, env, file));
  yield;
}

/** Replaces the file; its size follows the payload's, as a Write payload holds the content three times. */
function changeFile(repo: string, file: string, contents: Random, load: Load): string {
  const size = Math.max(600, Math.floor(load.payloadBytes / 3));
  const content = `${contents.text(size)}\n`;
  writeFileSync(join(repo, file), content);
  return content;
}

/** A change that is nobody's turn. */
export function editByHand({ repo }: Contestant, file: string, seed: number): void {
  changeFile(repo, file, createRandom(seed), plainLoad(0, 0));
}

/** Stages `file` and times `git commit` alone. */
function commit(world: World, repo: string, env: NodeJS.ProcessEnv, file: string): number {
  git(world, repo, 'add', file);
  return timed('git', ['commit', '-q', '-m', `Change ${file}`], { cwd: repo, env }).ms;
}

/** Spreads the changed files over the repository, never the same twice in a row. */
export const pickFile = (world: World, at: number): string =>
  world.files[(at * 7919) % world.files.length] ?? '';

/** Lets everybody take one step after the other until all are done; nobody is always first. */
export function interleave(players: readonly Generator<void, void>[], round: number): void {
  const first = round % players.length;
  const order = [...players.slice(first), ...players.slice(0, first)];
  for (let open = order; open.length > 0; ) open = open.filter((player) => !player.next().done);
}

function drain<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as T;
  }
}

/** Says on a terminal how far the benchmark is. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(60)}`);
}
