/**
 * Measures the installed command line on made-up repositories and prints Markdown tables. Speed is shown, never
 * asserted; a hook that fails or records nothing makes the benchmark fail.
 *
 *   npm run bench                         all hooks, against `git status` and programs that do nothing
 *   npm run bench -- --payload-kb 300 --edit-only
 *                                         the edit hook alone, with files of 100 KB that it keeps for undo
 *   npm run bench -- --growth             one session whose transcript grows with each of its commits
 *   npm run bench -- --slope              what a megabyte of transcript costs
 *   npm run bench -- --sessions-compare   what the sessions on disk cost
 *   npm run bench -- --reading            commands that read the record, with few and many checkpoints
 *   npm run bench -- --context            source files as skeletons, against reading them
 *   npm run bench -- --large              a transcript of 500 MB, and a turn of 100,000 files: time and peak memory
 *   npm run bench -- --session-list       listing many sessions, against reading the beginning of each
 *   npm run bench -- --search             searching 1 GB of transcripts and 5,000 checkpoints, against \`rg\` and git
 *   npm run bench -- --relink             linking 10,000 commits with 5,000 checkpoints anew, against `git log -p --stat`,
 *                                         and the blame of a file of 5,000 lines there, against `git blame -w -C`
 *   npm run bench -- --blame              that blame alone
 *
 *   npm run bench -- --redaction          what redacting 1 MB more costs in transcripts of 1, 10 and 100 MB, what many
 *                                         secrets cost, and a text without one
 *
 *   all       [--files 20000] [--mb 1] [--turn-kb 200] [--rounds 15] [--keep]
 *   default   [--sessions 0] [--payload-kb 0] [--node] [--vs BINARY] [--edit-only]
 *   growth    [--files 2000] [--mb 20] [--commits 30] [--repeat 3]; no --rounds, no --turn-kb
 *   slope     [--sizes 1,5,20,50]; no --mb
 *   compare   [--counts 0,100,500]
 *   redaction [--sizes 1,10,100] [--rounds 5]
 *   reading   [--files 2000] [--counts 50,5000]; no --mb, no --turn-kb
 *   context   [--files 5000] [--rounds 5]
 *   large     [--mb 500] [--files 100000]; no --rounds, no --turn-kb
 *   session-list [--counts 10000] [--rounds 5]
 *   relink, blame [--commits 10000] [--counts 5000] [--rounds 5] [--files 2000]
 *   search    [--mb 1000] [--counts 5000] [--files 2000]; no --turn-kb
 */
import { parseArgs } from 'node:util';
import { measureBlameAlone } from './bench/blame.ts';
import { compareSessions } from './bench/compare.ts';
import { measureContext } from './bench/context.ts';
import { measureGrowth } from './bench/growth.ts';
import { measureLarge } from './bench/large.ts';
import { measureLatency } from './bench/latency.ts';
import { measureReading } from './bench/reading.ts';
import { measureRedaction } from './bench/redaction.ts';
import { measureSecrets } from './bench/redaction-secrets.ts';
import { measureRelink, openChanges } from './bench/relink.ts';
import { measureSearch } from './bench/search.ts';
import { measureSessionList } from './bench/session-list.ts';
import { measureSlope } from './bench/slope.ts';
import { createWorld, removeWorld, type World } from './bench/world.ts';

const { values } = parseArgs({
  options: {
    growth: { type: 'boolean', default: false },
    slope: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    redaction: { type: 'boolean', default: false },
    'sessions-compare': { type: 'boolean', default: false },
    reading: { type: 'boolean', default: false },
    context: { type: 'boolean', default: false },
    'session-list': { type: 'boolean', default: false },
    search: { type: 'boolean', default: false },
    relink: { type: 'boolean', default: false },
    blame: { type: 'boolean', default: false },
    files: { type: 'string' },
    mb: { type: 'string' },
    'turn-kb': { type: 'string', default: '200' },
    sessions: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '15' },
    'payload-kb': { type: 'string', default: '0' },
    node: { type: 'boolean', default: false },
    vs: { type: 'string' },
    'edit-only': { type: 'boolean', default: false },
    commits: { type: 'string' },
    repeat: { type: 'string', default: '3' },
    sizes: { type: 'string' },
    counts: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const rounds = parseCount('rounds', values.rounds, 1);
const turnBytes = parseCount('turn-kb', values['turn-kb'], 0) * 1000;
const megabytes = (otherwise: number): number => parseNumber('mb', values.mb ?? String(otherwise)) * 1e6;

if (values.redaction) {
  const sizes = (values.sizes ?? '1,10,100').split(',').map((text) => parseNumber('sizes', text) * 1e6);
  console.log(`\n${await measureRedaction(sizes, rounds)}`);
  console.log(`\n${await measureSecrets(Math.min(rounds, 5))}`);
  process.exit();
}

if (values.context) {
  console.log(
    `\n${await measureContext(parseCount('files', values.files ?? '5000', 1), Math.min(rounds, 5))}`,
  );
  process.exit();
}

if (values['session-list']) {
  for (const count of parseCounts('10000', 1))
    console.log(`\n${measureSessionList(count, Math.min(rounds, 5))}`);
  process.exit();
}

const world = createWorld(
  values.large
    ? 2000
    : parseCount(
        'files',
        values.files ??
          (values.growth || values.reading || values.search || values.relink || values.blame
            ? '2000'
            : '20000'),
        1,
      ),
);
try {
  console.log(`\n${await measure(world)}`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  if (values.keep) console.error(`kept: ${world.dir}`);
  else removeWorld(world);
}

async function measure(world: World): Promise<string> {
  if (values.large)
    return measureLarge(world, {
      bytes: megabytes(500),
      files: parseCount('files', values.files ?? '100000', 2),
    });
  if (values.growth) {
    return measureGrowth(world, {
      bytes: megabytes(20),
      commits: parseCount('commits', values.commits ?? '30', 3),
      repeat: parseCount('repeat', values.repeat, 1),
    });
  }
  if (values.slope) {
    const sizes = (values.sizes ?? '1,5,20,50').split(',').map((text) => parseNumber('sizes', text) * 1e6);
    return measureSlope(world, { sizes, rounds, turnBytes });
  }
  if (values.search)
    return measureSearch(world, {
      bytes: megabytes(1000),
      checkpoints: parseCounts('5000', 1)[0] as number,
      rounds,
    });
  if (values.relink || values.blame) {
    const options = {
      commits: parseCount('commits', values.commits ?? '10000', 2),
      checkpoints: parseCounts('5000', 1)[0] as number,
      rounds: Math.min(rounds, 5),
    };
    return values.blame ? measureBlameAlone(world, options, openChanges()) : measureRelink(world, options);
  }
  if (values.reading) return measureReading(world, { counts: parseCounts('50,5000', 1), rounds });
  if (values['sessions-compare']) {
    const counts = parseCounts('0,100,500', 0);
    return compareSessions(world, { counts, rounds, turnBytes, historyBytes: megabytes(1) });
  }
  return measureLatency(world, {
    historyBytes: megabytes(1),
    turnBytes,
    payloadBytes: parseCount('payload-kb', values['payload-kb'], 0) * 1000,
    editOnly: values['edit-only'],
    sessions: parseCount('sessions', values.sessions, 0),
    rounds,
    node: values.node,
    vs: values.vs,
  });
}

function parseCounts(otherwise: string, least: number): number[] {
  return (values.counts ?? otherwise).split(',').map((text) => parseCount('counts', text, least));
}

function parseCount(name: string, text: string, least: number): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < least) throw new Error(`--${name} must be a number from ${least}`);
  return count;
}

function parseNumber(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} must be a number over 0`);
  return number;
}
