/** What it costs to tell whose the lines of a long file are, against git. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Contestant, enter, installBuild } from './contestants.ts';
import { fileWritten, promptSubmitted, sessionEnd, sessionStart, stopped } from './payloads.ts';
import { showProgress } from './play.ts';
import { createRandom, type Random } from './random.ts';
import { describeMachine, renderMarkdown, renderTargets } from './report.ts';
import { sample } from './sample.ts';
import { fillWithCheckpoints } from './stored.ts';
import { median, spread, timed } from './timing.ts';
import { renderTurn, type Session } from './transcript.ts';
import { git, type World } from './world.ts';

export interface BlameOptions {
  readonly commits: number;
  readonly checkpoints: number;
  readonly rounds: number;
}

const LINES = 5_000;
const AGENT_LINES = 16;
const PERSON_LINES = 4;
/** Turns of a session. */
const TURNS = 10;
const FILE = 'history/long-file.ts';
const FACTOR = 3;

/** The blame of a long file, in a repository that has nothing else than what it is filled with. */
export function measureBlameAlone(
  world: World,
  { commits, checkpoints, rounds }: BlameOptions,
  changeOf: (at: number) => string,
): string {
  const who = enter(world, 'blame', installBuild(world));
  showProgress('a history');
  fillWithCheckpoints(world, who.repo, { checkpoints, commits }, changeOf);
  const machine = describeMachine([`${commits} commits`, `${checkpoints} checkpoints`, `${rounds} rounds`]);
  return [measureBlame(world, who, rounds), machine].join('\n\n');
}

/** Has agents and a person write a long file, a commit for each turn, and asks whose its lines are. */
export function measureBlame(world: World, who: Contestant, rounds: number): string {
  const { repo: cwd, env, command } = who;
  const truth = writeLongFile(world, who);
  const calls = {
    'entire blame': () => timed(command, ['blame', FILE], { cwd, env }).ms,
    'git blame -w -C': () => timed('git', ['blame', '-w', '-C', FILE], { cwd, env }).ms,
  };
  demandRight(timed(command, ['blame', '--json', FILE], { cwd, env }).stdout, truth);
  const samples = sample(calls, rounds);
  const of = (label: string): number => median(samples.get(label) ?? []);
  const ratio = of('entire blame') / of('git blame -w -C');
  const rows = Object.keys(calls).map((label) => [
    label,
    `${of(label).toFixed(0)} ± ${spread(samples.get(label) ?? []).toFixed(0)}`,
  ]);
  return [
    renderMarkdown(['ms, median ± deviation', `${LINES} lines`], rows),
    renderTargets([{ what: 'blame ÷ git blame -w -C', value: ratio, limit: FACTOR, unit: '×' }]),
  ].join('\n\n');
}

/** Who wrote a line, by its text; lines that many functions have are not in it. */
type Truth = ReadonlyMap<string, 'agent' | 'human'>;

function writeLongFile(world: World, who: Contestant): Truth {
  const { repo } = who;
  const random = createRandom(11);
  const truth = new Map<string, 'agent' | 'human'>();
  const texts: string[] = [];
  mkdirSync(dirname(join(repo, FILE)), { recursive: true });
  const textOf = (): string => texts.map((text) => `${text}\n`).join('');
  const insert = (added: readonly string[], kind: 'agent' | 'human'): Change => {
    const before = textOf();
    const ends = texts.flatMap((text, at) => (text === '' ? [at + 1] : []));
    const at = ends[random.int(Math.max(1, ends.length))] ?? 0;
    texts.splice(at, 0, ...added);
    for (const line of added) if (/\d/.test(line)) truth.set(line, kind);
    const after = textOf();
    writeFileSync(join(repo, FILE), after);
    return { added, above: texts[at - 1] ?? '', before, after };
  };
  const count = LINES / (AGENT_LINES + PERSON_LINES);
  let play: Turns | undefined;
  for (let turn = 0; turn < count; turn++) {
    showProgress(`commit ${turn + 1} of ${count} of a long file`);
    play = turn % TURNS === 0 ? openTurns(world, who, turn) : play;
    play?.play(() => insert(functionOf(random, AGENT_LINES), 'agent'));
    insert(functionOf(random, PERSON_LINES), 'human');
    git(world, repo, 'add', FILE);
    timed('git', ['commit', '-q', '-m', `Part ${turn}`], { cwd: repo, env: who.env });
    if ((turn + 1) % TURNS === 0) play?.close();
  }
  return truth;
}

/** Some lines like no others, and those that each function has. */
function functionOf(random: Random, lines: number): string[] {
  const name = random.int(1e9);
  const body = Array.from(
    { length: lines - 4 },
    () => `  const value${random.int(1e9)} = compute(${random.int(1e9)});`,
  );
  const rest = body.length === 0 ? [`  return make${name}();`] : [...body, '  return undefined;'];
  return [`export function made${name}() {`, ...rest, '}', ''];
}

/** Lines that came into the file below another one, and the whole of it. */
interface Change {
  readonly added: readonly string[];
  readonly above: string;
  readonly before: string;
  readonly after: string;
}

/** Turns of one session, as its hooks tell of them. */
interface Turns {
  play(change: () => Change): void;
  close(): void;
}

function openTurns(world: World, { repo, env, command }: Contestant, seed: number): Turns {
  const random = createRandom(1_000 + seed);
  const folder = join(world.home, '.claude/projects/long-file');
  const session: Session = { id: random.uuid(), repo, random, parent: null, clock: Date.now() };
  const context = { sessionId: session.id, transcript: join(folder, `${session.id}.jsonl`), repo };
  mkdirSync(folder, { recursive: true });
  appendFileSync(context.transcript, '');
  const hook = (verb: string, input: string): void => {
    const told = { ...env, CLAUDE_PROJECT_DIR: repo };
    timed(command, ['hooks', 'claude-code', verb], { cwd: repo, env: told, input });
  };
  hook('session-start', sessionStart(context));
  return {
    play(change) {
      const prompt = random.text(120);
      hook('user-prompt-submit', promptSubmitted(context, prompt));
      const { added, above, before, after } = change();
      hook('post-file-edit', fileWritten(context, FILE, before, after));
      const turn = { prompt, file: FILE, content: above, added, bytes: 0 };
      const { lines, lastMessage } = renderTurn(session, turn);
      appendFileSync(context.transcript, lines);
      hook('stop', stopped(context, lastMessage));
    },
    close: () => hook('session-end', sessionEnd(context)),
  };
}

/** A fast answer counts when it is the right one. */
function demandRight(json: string, truth: Truth): void {
  const { lines } = JSON.parse(json) as { lines: readonly { text: string; class: string }[] };
  const told = lines.filter(({ text }) => truth.has(text));
  const wrong = told.filter((line) => truth.get(line.text) !== line.class);
  if (told.length < LINES / 2 || wrong.length > 0)
    throw new Error(
      `blame is wrong about ${wrong.length} of ${told.length} lines, such as:\n${JSON.stringify(wrong[0])}`,
    );
}
