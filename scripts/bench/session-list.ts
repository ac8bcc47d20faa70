/** What it costs to list many sessions, against reading the beginning of each. The installed executable, over agents' own stores. */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { AgentName } from '../../src/agents/names.ts';
import { agentOf } from '../../src/agents/registry.ts';
import type { SessionId } from '../../src/base/ids.ts';
import { compile } from './contestants.ts';
import { measurePeak } from './memory.ts';
import { createRandom } from './random.ts';
import { describeMachine, renderMarkdown, renderTargets } from './report.ts';
import { median, quantile, timed } from './timing.ts';

/** Agents whose transcripts are copied: where one lies, and the session it is of. */
const SOURCES: readonly (readonly [AgentName, string])[] = [
  ['claude-code', 'f947edb3-1e50-4344-8bf1-34bcf22d5471'],
  ['codex', '01a1fdb4-f11c-77c3-9696-5a653ee2f2f1'],
  ['copilot-cli', 'c14ef695-955a-4e31-92a0-a1b7a1d1c46a'],
  ['pi', '01a20476-43e3-7733-907e-e5a341f66cba'],
  ['qwen-code', 'abcb8c0a-34a5-47c2-9293-d240a2b1e622'],
];
const FOLDERS = 20;
const FACTOR = 3;
const PEAK_MIB = 150;

export function measureSessionList(count: number, rounds: number): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-bench-sessions-')));
  try {
    const env = { PATH: process.env.PATH, HOME: dir };
    const { files, bytes } = fill(env, count);
    const entire = resolve('dist', 'entire');
    const reader = compile(new URL('./read-heads.ts', import.meta.url));
    const input = files.join('\n');
    const cache = join(dir, '.entire', 'session-heads.json');
    const calls = {
      first: ['session', 'list', '--all-clis', '--all', '--json'],
      all: ['session', 'list', '--all-clis', '--all', '--json'],
      table: ['session', 'list', '--all-clis', '--all'],
      newest: ['session', 'list', '--all-clis'],
      version: ['version'],
    };
    const samples = {
      read: [] as number[],
      first: [] as number[],
      all: [] as number[],
      table: [] as number[],
      newest: [] as number[],
      version: [] as number[],
    };
    for (let round = 0; round <= rounds; round++) {
      const read = timed(reader, [], { cwd: dir, env, input });
      if (!(Number(read.stdout) > 0)) throw new Error('nothing was read');
      rmSync(cache, { force: true });
      const runs = Object.entries(calls).map(
        ([name, args]) => [name as keyof typeof calls, timed(entire, args, { cwd: dir, env })] as const,
      );
      for (const [name, { stdout }] of runs) check(name, stdout, count);
      if (round === 0) continue; // what the disk has not in memory yet is no matter of ours
      samples.read.push(read.ms);
      for (const [name, { ms }] of runs) samples[name].push(ms);
    }
    const nothing = compile(new URL('./empty.ts', import.meta.url));
    const peak = measurePeak(
      compile(new URL('./peak.ts', import.meta.url)),
      nothing,
      [entire, ...calls.all],
      { cwd: dir, env, input: '' },
    );
    const baseline = median(samples.read);
    const row = (label: string, times: readonly number[]): string[] => [
      label,
      `${median(times).toFixed(0)} (${quantile(times, 0.95).toFixed(0)})`,
      `${(median(times) / baseline).toFixed(2)}×`,
    ];
    return [
      renderMarkdown(
        ['ms, median (p95)', `${count} sessions`, 'to reading'],
        [
          row('a program that reads the first 4 KiB of each', samples.read),
          row('`session list --all-clis --all --json`, the first time', samples.first),
          row('the same again: what has changed is read', samples.all),
          row('`session list --all-clis --all`', samples.table),
          row('`session list --all-clis`', samples.newest),
          row('`version`', samples.version),
          ['peak memory', `${peak.mib.toFixed(1)} MiB`, ''],
        ],
      ),
      renderTargets([
        {
          what: 'all of them, the first time ÷ reading',
          value: median(samples.first) / baseline,
          limit: FACTOR,
          unit: '×',
        },
        {
          what: 'all of them again ÷ reading',
          value: median(samples.all) / baseline,
          limit: FACTOR,
          unit: '×',
        },
        { what: 'peak memory', value: peak.mib, limit: PEAK_MIB, unit: ' MiB' },
      ]),
      describeMachine([
        `${files.length} transcripts of ${SOURCES.length} agents`,
        `${(bytes / 1e6).toFixed(0)} MB`,
        `${rounds} rounds`,
      ]),
    ].join('\n\n');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Fills the stores of the agents with copies of real transcripts, each of a session of its own. */
function fill(env: NodeJS.ProcessEnv, count: number): { files: string[]; bytes: number } {
  const random = createRandom(9);
  let bytes = 0;
  const files = Array.from({ length: count }, (_, at) => {
    const [agent, id] = SOURCES[at % SOURCES.length] as (typeof SOURCES)[number];
    const fixture = resolve('integration/fixtures', agent, 'transcripts/basic.jsonl');
    const own = random.uuid();
    const folder = `/repo-${at % FOLDERS}`;
    const text = readFileSync(fixture, 'utf8')
      .replaceAll(id, own)
      .replaceAll('"/repo"', JSON.stringify(folder));
    const startedAt = new Date(Date.UTC(2026, 0, 1) + at * 60_000);
    const file = agentOf(agent).home.transcript(env, folder, own as SessionId, startedAt);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    bytes += text.length;
    return file;
  });
  return { files, bytes };
}

/** @throws when a listing is not the one that was asked for */
function check(name: string, stdout: string, count: number): void {
  const listed = ['first', 'all'].includes(name)
    ? (JSON.parse(stdout) as unknown[]).length
    : stdout.trimEnd().split('\n').length - 1;
  const expected = name === 'version' ? listed : name === 'newest' ? Math.min(count, 20) : count;
  if (listed !== expected) throw new Error(`${name}: ${listed} sessions listed, and not ${expected}`);
}
