/**
 * Measures the installed command line on a made-up repository and prints a Markdown table. Speed is shown, never
 * asserted; a hook that fails or records nothing makes the benchmark fail.
 *
 *   npm run bench -- [--files 20000] [--mb 1] [--sessions 0] [--rounds 15] [--payload-kb 0]
 *                    [--node] [--vs BINARY] [--edit-only] [--keep]
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installsEditHook } from './bench/checks.ts';
import { measurePeak, type Peak } from './bench/memory.ts';
import { fileWritten } from './bench/payloads.ts';
import {
  type Baselines,
  type Contestant,
  type Load,
  type Measure,
  playBaseline,
  playRound,
} from './bench/round.ts';
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
/** Ratios to `git status` say little where that takes next to nothing. */
const TARGET_FILES = 20_000;

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: String(TARGET_FILES) },
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
  run(world);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  if (values.keep) console.error(`kept: ${world.dir}`);
  else removeWorld(world);
}

function run(world: World): void {
  const contestants = setUpContestants(world);
  const programs = setUpPrograms(world);
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
    const peak = who.hasEditHook ? { peak: measureMemory(world, who, programs) } : {};
    columns.push({ label: who.label, samples: samples.get(who.label) ?? new Map(), ...peak });
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

/** What the contestants are measured against and with. */
interface Programs extends Baselines {
  readonly peak: string;
}

function setUpPrograms(world: World): Programs {
  const { link, nothing } = installLauncherAlone(world, checkout);
  return {
    launcher: link,
    nothing,
    empty: compile(new URL('./bench/empty.ts', import.meta.url)),
    peak: compile(new URL('./bench/peak.ts', import.meta.url)),
  };
}

/** Compiles another entry with the flags of the real build. */
function compile(source: URL): string {
  const entry = fileURLToPath(source);
  const out = join(checkout, 'dist/test', basename(entry, '.ts'));
  mkdirSync(dirname(out), { recursive: true });
  const build = ['scripts/build.ts', '--entry', entry, '--out', out];
  execFileSync(process.execPath, ['--import', 'tsx', ...build], { cwd: checkout, stdio: 'pipe' });
  return out;
}

function addSample(all: Map<string, Samples>, label: string, measure: Measure, ms: number): void {
  const samples = all.get(label) ?? new Map<Measure, number[]>();
  all.set(label, samples.set(measure, [...(samples.get(measure) ?? []), ms]));
}

function measureMemory(world: World, who: Contestant, programs: Programs): Peak {
  const context = { sessionId: 'memory', transcript: join(world.home, 'none.jsonl'), repo: who.repo };
  const text = 'x'.repeat(Math.max(600, load.payloadBytes / 3));
  const input = fileWritten(context, world.files[0] ?? '', text, text);
  const env = { ...who.env, CLAUDE_PROJECT_DIR: who.repo };
  const command = [who.command, 'hooks', 'claude-code', 'post-file-edit'];
  const peak = measurePeak(programs.peak, programs.nothing, command, { cwd: who.repo, env, input });
  if (!existsSync(join(who.repo, '.git/entire-sessions/memory.files')))
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
  const note = files < TARGET_FILES ? ` The targets are meant for ${TARGET_FILES} files.` : '';
  return `Machine: ${machine.join(', ')}. Repository: ${setting.join(', ')}.${note}`;
}

function parseCount(name: string, text: string, least: number): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < least) throw new Error(`--${name} must be a number from ${least}`);
  return count;
}
