/**
 * Plays the session of the demo and draws what was to be seen of it for the README: all of it to `docs/session.svg`, and how
 * its turn is taken back to `docs/undo.svg`. Ids and times are those of the run; all the rest is the same every time.
 * `--out FOLDER` writes somewhere else.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkEnd, checkStep, Promises } from './demo/promises.ts';
import { readTracked } from './demo/records.ts';
import { type Plot, playSession, type Step, type Typed, typeCommand } from './demo/session.ts';
import { type Frame, renderSvg } from './demo/svg.ts';
import { accent, dim, good, type Line, line, strong } from './demo/text.ts';
import { World } from './demo/world.ts';

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(checkout, 'docs') } },
});

/** Pauses before a line, as somebody who watches would want them. */
const AFTER_MS = { typed: 900, printed: 60, agent: 800, record: 250 };

let frames: Frame[] = [];
const show = (afterMs: number, text: Line = []): void => void frames.push({ line: text, afterMs });

record('session.svg', playAll, {
  title: 'one session, from enable to two linked commits',
  description:
    'A terminal: entire is enabled, a captured Claude Code session writes two files, each is committed on its own, and both commits carry a trailer that names their checkpoint.',
});
record('undo.svg', playUndo, {
  title: 'a turn taken back, and the line that the user added since kept',
  description:
    'A terminal: a captured Claude Code session writes one file and changes another, to which the user then adds a line. A dry run of entire undo names what would become of each file, entire undo does it and keeps the line, entire redo brings the turn back.',
});

/** Plays in a repository of its own, and draws what was shown. */
function record(
  name: string,
  play: (world: World) => void,
  { title, description }: { readonly title: string; readonly description: string },
): void {
  const world = new World();
  frames = [];
  try {
    play(world);
  } finally {
    world.remove();
  }
  const svg = renderSvg(frames, title, description);
  for (const path of [world.dir, homedir(), checkout])
    if (path.length > 1 && svg.includes(path)) throw new Error(`the picture shows ${path}`);
  mkdirSync(values.out, { recursive: true });
  const file = join(values.out, name);
  writeFileSync(file, svg);
  console.log(`${file.replace(`${checkout}/`, '')}: ${frames.length} lines`);
}

function playAll(world: World): void {
  const promises = new Promises();
  const { plot, steps } = playSession(world);
  for (const step of steps) {
    checkStep(promises, world, plot, step);
    for (const typed of step.typed) showTyped(world, typed);
    showAgent(world, plot, step);
  }
  checkEnd(promises, world, plot);
  show(0);
  showTyped(world, typeCommand(world, "git log -2 --format='%h  %(trailers:separator=)  %s'"));
  show(0);
  showTyped(world, typeCommand(world, 'entire status'));
}

function playUndo(world: World): void {
  const { plot, steps } = playSession(world);
  for (const step of steps) {
    if (step.name === 'firstCommit') throw new Error('the turn was committed before it was taken back');
    if (step.name !== 'enable') showAgent(world, plot, step);
    if (step.name === 'stop') break;
  }
  const before = world.read(plot.changed);
  for (const command of [
    `sed -i '1i A line of mine.' ${plot.changed}`,
    'entire undo --dry-run',
    'entire undo',
    `cat ${plot.changed}`,
    'entire redo',
  ]) {
    showTyped(world, typeCommand(world, command));
    show(0);
  }
  if (world.read(plot.changed) !== `A line of mine.\n${before}`)
    throw new Error('redo did not bring back the turn');
}

function showTyped(world: World, { command, output }: Typed): void {
  show(AFTER_MS.typed, line(accent('~/project '), good('$ '), strong(command)));
  for (const text of world.shown(output).split('\n').filter(Boolean))
    show(AFTER_MS.printed, line(text.startsWith('[entire]') || text.startsWith('✓') ? good(text) : text));
}

/** The agent's side of the session; `claude` itself is not there, its captured hook calls and transcript are. */
function showAgent(world: World, plot: Plot, { name, hooks }: Step): void {
  const ms = hooks.reduce((sum, hook) => sum + hook.ms, 0).toFixed(0);
  const tracked = (readTracked(world, plot.sessionId) ?? []).join(', ');
  switch (name) {
    case 'start':
      show(0);
      return show(AFTER_MS.typed, line(accent('~/project '), good('$ '), strong('claude')));
    case 'prompt':
      return show(AFTER_MS.agent, line(dim('> '), plot.prompt));
    case 'write':
    case 'edit':
      show(AFTER_MS.agent, line('● ', name === 'write' ? `Write(${plot.created})` : `Edit(${plot.changed})`));
      return show(AFTER_MS.record, line(dim(`  └ entire, ${ms} ms: on record are ${tracked}`)));
    case 'stop':
      show(AFTER_MS.agent, line('● ', plot.answer));
      show(AFTER_MS.record, line(dim(`  └ entire, ${ms} ms: the turn is on a shadow branch`)));
      return show(0);
    case 'firstCommit':
      return show(0);
  }
}
