/** What is far larger than usual: a transcript of hundreds of megabytes, and a turn of a hundred thousand files. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkCommit, checkEdit, checkPrompt, checkStop, trackedLines } from './checks.ts';
import { enter, installBuild } from './contestants.ts';
import { Meter } from './large-meter.ts';
import { fileWritten, promptSubmitted, stopped } from './payloads.ts';
import { openSession, type Play, pickFile, plainLoad, transcriptBytes } from './play.ts';
import { describeMachine } from './report.ts';
import { renderHistory, renderTurn } from './transcript.ts';
import { git, type World } from './world.ts';

export interface LargeOptions {
  /** Of the transcript. */
  readonly bytes: number;
  /** That one turn writes: half of them are new. */
  readonly files: number;
}

/** One string is no longer than this. */
const PIECE_BYTES = 10_000_000;
const TURN_BYTES = 200_000;
const PATIENCE_MS = 30 * 60_000;

export async function measureLarge(world: World, { bytes, files }: LargeOptions): Promise<string> {
  const command = installBuild(world);
  const transcript = await playTranscript(
    openSession(world, enter(world, 'long', command), 1, plainLoad(0, 0)),
    bytes,
  );
  const turn = playFiles(openSession(world, enter(world, 'wide', command), 2, plainLoad(0, 0)), files);
  const machine = describeMachine([`${world.files.length} tracked files before the turn`]);
  return [transcript, turn, machine].join('\n\n');
}

/** A session of which nobody saw the transcript until it was that long, and one more turn of it. */
async function playTranscript(play: Play, bytes: number): Promise<string> {
  const meter = new Meter(`${Math.round(bytes / 1e6)} MB of transcript`);
  const { context, world, session, who, scene } = play;
  writeFileSync(context.transcript, '');
  for (let size = 0; size < bytes; size = transcriptBytes(play))
    appendFileSync(
      context.transcript,
      renderHistory(session, world.files, Math.min(PIECE_BYTES, bytes - size), TURN_BYTES),
    );
  const unfinished = join(who.repo, '.git/entire/transcripts', context.sessionId, 'unfinished.json');
  for (const round of [1, 2]) {
    const file = pickFile(world, round);
    const lastMessage = playTurn(meter, play, file);
    git(world, who.repo, 'add', file);
    meter.git(play, 'commit', '-q', '-m', `Change ${file}`);
    const id = git(world, who.repo, 'log', '-1', '--format=%(trailers:key=Entire-Checkpoint,valueonly)');
    if (!id) throw new Error('the commit is linked to nothing');
    const isComplete = () => !existsSync(unfinished) && succeeds(() => checkCommit(scene, file, lastMessage));
    if (round === 1)
      await meter.background('the rest is taken in', 'long-transcript', isComplete, PATIENCE_MS);
    checkCommit(scene, file, lastMessage);
  }
  const expectIn = (what: string, printed: string): void => {
    if (!printed.includes(what)) throw new Error(`${what} is not in: ${printed.slice(0, 1000)}`);
  };
  const commit = git(world, who.repo, 'rev-parse', '--short', 'HEAD');
  expectIn(commit, meter.entire(play, 'explain', '--no-pager', '--commit', 'HEAD'));
  expectIn(context.sessionId.slice(0, 8), meter.entire(play, 'session', 'list', '--all-clis'));
  JSON.parse(meter.entire(play, 'rewind', '--list'));
  expectIn('enabled', meter.entire(play, 'status').toLowerCase());
  const stored = readFileSync(context.transcript).length;
  writeFileSync(context.transcript, '');
  meter.entire(play, 'resume', 'main', '--force');
  const restored = transcriptBytes(play);
  // What was redacted is shorter or longer; nothing else is.
  if (Math.abs(restored - stored) > stored / 100)
    throw new Error(`resume wrote ${restored} bytes of ${stored}`);
  return meter.render([]);
}

function succeeds(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

/** Prompt, edit and stop, as the agent and its user see them; returns the last words. */
function playTurn(meter: Meter, play: Play, file: string): string {
  const { random, context, session, scene, who } = play;
  const prompt = random.text(200);
  meter.hook(play, 'user-prompt-submit', promptSubmitted(context, prompt));
  checkPrompt(scene);
  const before = readFileSync(join(who.repo, file), 'utf8');
  const content = `${random.text(600)}\n`;
  writeFileSync(join(who.repo, file), content);
  const known = trackedLines(scene).length;
  meter.hook(play, 'post-file-edit', fileWritten(context, file, before, content));
  checkEdit(scene, known, file);
  const { lines, lastMessage } = renderTurn(session, { prompt, file, content, bytes: TURN_BYTES });
  appendFileSync(context.transcript, lines);
  meter.hook(play, 'stop', stopped(context, lastMessage));
  checkStop(scene, file);
  return lastMessage;
}

/** A shell command of the agent writes many files, half of which git knows; that is taken back and done again. */
function playFiles(play: Play, count: number): string {
  const meter = new Meter(`${count} files in a turn`);
  const { world, who } = play;
  const paths = Array.from({ length: count }, (_, at) => `made/d${Math.floor(at / 100)}/file-${at}.ts`);
  const write = (path: string, version: string): void => {
    mkdirSync(dirname(join(who.repo, path)), { recursive: true });
    writeFileSync(join(who.repo, path), textOf(path, version));
  };
  for (const path of paths.slice(0, count >> 1)) write(path, 'before');
  git(world, who.repo, 'add', '--all');
  git(world, who.repo, '-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'Half of them');
  const expectState = (step: string, version: 'before' | 'after'): void => {
    const changed = git(world, who.repo, 'status', '--porcelain', '-uall', '--', 'made').split('\n');
    const wanted = version === 'after' ? count : 0;
    if (changed.filter(Boolean).length !== wanted)
      throw new Error(`${step}: ${changed.length} changed files, expected ${wanted}`);
    const wrong = paths.filter((path, at) => {
      if (version === 'before' && at >= count >> 1) return existsSync(join(who.repo, path));
      return readFileSync(join(who.repo, path), 'utf8') !== textOf(path, version);
    });
    if (wrong.length > 0) throw new Error(`${step}: ${wrong.length} files are not as they were: ${wrong[0]}`);
  };
  playShellTurn(meter, play, () => {
    for (const path of paths) write(path, 'after');
  });
  expectState('stop', 'after');
  for (const [step, version] of [
    ['undo', 'before'],
    ['redo', 'after'],
    ['undo', 'before'],
  ] as const) {
    meter.entire(play, step);
    expectState(step, version);
  }
  meter.entire(play, 'gc');
  playShellTurn(meter, play, () => {});
  const slowest = Math.max(...meter.steps.filter(({ step }) => step === 'undo').map(({ ms }) => ms)) / 1000;
  const heaviest = Math.max(...meter.steps.filter(({ step }) => step === 'undo').map(({ mib }) => mib ?? 0));
  return meter.render([
    { what: 'undo', value: slowest, limit: Math.max(2, (60 * count) / 100_000), unit: ' s' },
    { what: 'undo, peak memory', value: heaviest, limit: 300, unit: ' MiB' },
  ]);
}

const textOf = (path: string, version: string): string =>
  `// ${path}, ${version}\n${'x'.repeat(path.length * 5)}\n`;

/** A turn in which a command of the shell did what it did, beside an edit that the transcript tells of. */
function playShellTurn(meter: Meter, play: Play, act: () => void): void {
  const { random, context, session, scene, world } = play;
  const prompt = random.text(200);
  meter.hook(play, 'user-prompt-submit', promptSubmitted(context, prompt));
  checkPrompt(scene);
  act();
  const file = pickFile(world, meter.steps.length);
  const content = `${random.text(600)}\n`;
  writeFileSync(join(play.who.repo, file), content);
  const { lines, lastMessage } = renderTurn(session, { prompt, file, content, bytes: TURN_BYTES });
  appendFileSync(context.transcript, lines);
  meter.hook(play, 'stop', stopped(context, lastMessage));
  checkStop(scene, file);
}
