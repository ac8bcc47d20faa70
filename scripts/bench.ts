/**
 * Measures the installed command line on a made-up repository and prints a Markdown table. Speed is shown, never
 * asserted; a hook that fails or records nothing makes the benchmark fail.
 *
 *   npm run bench -- [--files 20000] [--mb 1] [--sessions 0] [--rounds 15] [--payload-kb 0]
 *                    [--node] [--vs BINARY] [--edit-only] [--keep]
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installsEditHook } from './bench/checks.ts';
import { peakMemory } from './bench/memory.ts';
import { fileWritten } from './bench/payloads.ts';
import { type Contestant, type Load, type Measure, playBaseline, playRound } from './bench/round.ts';
import { writeOldSessions } from './bench/sessions.ts';
import { type Column, renderTable, type Samples } from './bench/table.ts';
import { timed } from './bench/timing.ts';
import {
  binDirFor,
  copyRepo,
  createWorld,
  environment,
  git,
  installLauncherAlone,
  installLikeNpm,
  removeWorld,
  toolVersion,
  type World,
} from './bench/world.ts';

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const WARM_UP_ROUNDS = 1;

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '20000' },
    mb: { type: 'string', default: '1' },
    sessions: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '15' },
    'payload-kb': { type: 'string', default: '0' },
    node: { type: 'boolean', default: false },
    vs: { type: 'string' },
    'edit-only': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const files = parseCount('files', values.files, 1);
const sessions = parseCount('sessions', values.sessions, 0);
const rounds = parseCount('rounds', values.rounds, 1);
const load: Load = {
  transcriptBytes: Number(values.mb) * 1_000_000,
  payloadBytes: parseCount('payload-kb', values['payload-kb'], 0) * 1000,
  editOnly: values['edit-only'],
};

const world = createWorld(files);
try {
  await run(world);
} finally {
  if (values.keep) console.error(`kept: ${world.dir}`);
  else removeWorld(world);
}

async function run(world: World): Promise<void> {
  const contestants = setUpContestants(world);
  const programs = { ...setUpLauncher(world), empty: compileEmpty() };
  const baselineRepo = copyRepo(world, 'repo-baseline');
  const samples = new Map<string, Samples>();
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
    const recordFor = (label: string) => (measure: Measure, ms: number) => {
      if (round >= WARM_UP_ROUNDS) addSample(samples, label, measure, ms);
    };
    const players = [
      ...contestants.map((who) => playRound(world, who, round, load, recordFor(who.label))),
      playBaseline(world, baselineRepo, programs, round, load, recordFor('')),
    ];
    // Nobody is always first.
    const order = [...players.slice(round % players.length), ...players.slice(0, round % players.length)];
    for (let open = order; open.length > 0; ) open = open.filter((player) => !player.next().done);
    if (process.stderr.isTTY) process.stderr.write(`\rround ${round + 1} of ${WARM_UP_ROUNDS + rounds} `);
  }
  const columns: Column[] = [];
  for (const who of contestants) {
    const peak = who.hasEditHook ? await measureMemory(world, who) : 'no edit hook';
    columns.push({ label: who.label, samples: samples.get(who.label) ?? new Map(), peakMemory: peak });
  }
  console.log(`\n${renderTable(columns, samples.get('') ?? new Map())}\n\n${describeMachine()}`);
}

function setUpContestants(world: World): Contestant[] {
  if (!existsSync(join(checkout, 'dist/entire'))) throw new Error('there is no dist/entire: npm run build');
  const list = [enter(world, 'entire', installLikeNpm(world, 'prefix', checkout, true))];
  if (values.node)
    list.push(enter(world, 'Node build', installLikeNpm(world, 'prefix-node', checkout, false)));
  if (values.vs !== undefined) list.push(enter(world, 'other', resolve(values.vs)));
  return list;
}

/** Gives an executable its repository and lets it set itself up there. */
function enter(world: World, label: string, command: string): Contestant {
  const repo = copyRepo(world, `repo-${label.replace(/\W+/g, '-')}`);
  const env = environment(world, binDirFor(world, command));
  timed(command, ['enable', '--agent', 'claude-code'], { cwd: repo, env });
  git(world, repo, 'add', '--all');
  git(world, repo, '-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', 'Set up');
  writeOldSessions(world, repo, sessions);
  return { label, command, env, repo, hasEditHook: installsEditHook(repo) };
}

function setUpLauncher(world: World): { launcher: string; nothing: string } {
  const { link, nothing } = installLauncherAlone(world, checkout);
  return { launcher: link, nothing };
}

function compileEmpty(): string {
  const out = join(checkout, 'dist/test/empty');
  mkdirSync(dirname(out), { recursive: true });
  const entry = fileURLToPath(new URL('./bench/empty.ts', import.meta.url));
  const build = ['scripts/build.ts', '--entry', entry, '--out', out];
  execFileSync(process.execPath, ['--import', 'tsx', ...build], { cwd: checkout, stdio: 'pipe' });
  return out;
}

function addSample(all: Map<string, Samples>, label: string, measure: Measure, ms: number): void {
  const samples = all.get(label) ?? new Map<Measure, number[]>();
  all.set(label, samples.set(measure, [...(samples.get(measure) ?? []), ms]));
}

/** The largest of a few runs. */
async function measureMemory(world: World, who: Contestant): Promise<number | string> {
  const context = { sessionId: 'memory', transcript: join(world.home, 'none.jsonl'), repo: who.repo };
  const file = world.files[0] ?? '';
  const text = 'x'.repeat(Math.max(600, load.payloadBytes / 3));
  const input = fileWritten(context, file, text, text);
  const inputFile = join(world.dir, 'payload.json');
  writeFileSync(inputFile, input);
  let peak = 0;
  for (let run = 0; run < 5; run++) {
    const args = ['hooks', 'claude-code', 'post-file-edit'];
    const env = { ...who.env, CLAUDE_PROJECT_DIR: who.repo };
    const found = await peakMemory(who.command, args, { cwd: who.repo, env, input, inputFile });
    if (typeof found === 'string') return found;
    peak = Math.max(peak, found);
  }
  const recorded = readdirSync(join(who.repo, '.git/entire-sessions')).includes('memory.files');
  if (!recorded)
    throw new Error(`${who.label}: the edit hook recorded nothing while its memory was measured`);
  return peak;
}

function describeMachine(): string {
  const cores = availableParallelism();
  const gitVersion = toolVersion('git', '--version').replace('version ', '');
  const setting = [
    `${files} files`,
    `${values.mb} MB transcript`,
    `${sessions} older sessions`,
    `${rounds} rounds`,
    ...(load.payloadBytes > 0 ? [`${values['payload-kb']} KB payload`] : []),
  ];
  const machine = [
    `${cores} cores`,
    `${process.platform}-${process.arch}`,
    gitVersion,
    `Node ${process.version}`,
  ];
  return `Machine: ${machine.join(', ')}. Repository: ${setting.join(', ')}.`;
}

function parseCount(name: string, text: string, least: number): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < least) throw new Error(`--${name} must be a number from ${least}`);
  return count;
}
