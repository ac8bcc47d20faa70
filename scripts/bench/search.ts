/** What it costs to search many transcripts, against programs that read them all, and against git. */
import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentOf } from '../../src/agents/registry.ts';
import type { SessionId } from '../../src/base/ids.ts';
import { compile, enter, installBuild } from './contestants.ts';
import { showProgress } from './play.ts';
import { createProse } from './prose.ts';
import { describeMachine, renderMarkdown, renderTargets } from './report.ts';
import { fillWithCheckpoints } from './stored.ts';
import { median, spread, timed } from './timing.ts';
import { renderHistory, type Session } from './transcript.ts';
import { toolVersion, type World } from './world.ts';

export interface SearchOptions {
  /** Of transcripts, in all. */
  readonly bytes: number;
  readonly checkpoints: number;
  readonly rounds: number;
}

const TRANSCRIPT_BYTES = 20e6;
const LIMIT_MS = 300;
/** Stands once in all transcripts. */
const NEEDLE = 'zyxquartzNeedle';

export function measureSearch(world: World, { bytes, checkpoints, rounds }: SearchOptions): string {
  const command = installBuild(world);
  const who = enter(world, 'search', command);
  fillWithCheckpoints(world, who.repo, { checkpoints, commits: checkpoints });
  const store = fill(who.env, who.repo, bytes, world.files);
  const common = store.words;
  const run = (args: readonly string[]) =>
    timed(command, ['search', ...args], { cwd: who.repo, env: who.env });
  showProgress('the first search');
  const index = join(who.repo, '.git', 'entire', 'search.db');
  const first = timed(compile(new URL('./peak.ts', import.meta.url)), [command, 'search', NEEDLE], {
    cwd: who.repo,
    env: who.env,
  });
  const peakMib = Number(first.stdout) / 1024 ** 2;
  const queries: Record<string, readonly string[]> = {
    'one word that stands once': [NEEDLE],
    'a word that is everywhere': [common[0] ?? ''],
    'two frequent words': [common[1] ?? '', common[2] ?? ''],
    'the beginning of many words': [(common[3] ?? '').slice(0, 3)],
    'two words in a row': [`"${store.row}"`],
    'of one kind, since 7 days, as JSON': [
      common[6] ?? '',
      '--kind',
      'prompt',
      '--since',
      '2020-01-01',
      '--json',
    ],
  };
  const samples = new Map<string, number[]>();
  const take = (label: string, ms: number, round: number): void => {
    const known = samples.get(label) ?? [];
    samples.set(label, known);
    if (round > 0) known.push(ms);
  };
  const grep = toolVersion('rg', '--version')
    ? ['rg', '-F', '--count', NEEDLE, store.dir]
    : ['grep', '-rcF', NEEDLE, store.dir];
  for (let round = 0; round <= rounds; round++) {
    showProgress(`round ${round} of ${rounds}`);
    for (const [label, args] of Object.entries(queries)) take(label, run(args).ms, round);
    appendFileSync(store.newest, linked(renderHistory(store.session, world.files, 20_000, 20_000)));
    take('after a live transcript grew by 20 KB', run([NEEDLE]).ms, round);
    take('version', timed(command, ['version'], { cwd: who.repo, env: who.env }).ms, round);
    const [program = '', ...args] = grep;
    take(
      grep[0] === 'rg' ? 'rg -F' : 'grep -rF',
      timed(program, args, { cwd: who.repo, env: who.env }).ms,
      round,
    );
    take('git log -1', timed('git', ['log', '-1'], { cwd: who.repo, env: who.env }).ms, round);
    take('git show', timed('git', ['show', '--stat'], { cwd: who.repo, env: who.env }).ms, round);
    take(
      'git log --grep',
      timed('git', ['log', '--grep', NEEDLE], { cwd: who.repo, env: who.env }).ms,
      round,
    );
  }
  const size = statSync(index).size;
  const rows = [...samples].map(([label, taken]) => [
    Object.hasOwn(queries, label) || label.startsWith('after') ? `\`search\`: ${label}` : `\`${label}\``,
    `${median(taken).toFixed(0)} ± ${spread(taken).toFixed(0)}`,
  ]);
  const warm = [...Object.keys(queries), 'after a live transcript grew by 20 KB'];
  const firsts = [
    ['`search`, the first time', first.ms.toFixed(0)],
    ['peak memory of that', `${peakMib.toFixed(0)} MiB`],
    [
      'size of the index',
      `${(size / 1e6).toFixed(0)} MB, ${((100 * size) / store.bytes).toFixed(0)} % of the transcripts`,
    ],
  ];
  return [
    renderMarkdown(
      ['ms, median ± deviation', `${(store.bytes / 1e9).toFixed(2)} GB of transcripts`],
      [...firsts, ...rows],
    ),
    renderTargets(
      warm.map((label) => ({
        what: label,
        value: median(samples.get(label) ?? []),
        limit: LIMIT_MS,
        unit: ' ms',
      })),
    ),
    describeMachine([`${store.files} transcripts`, `${checkpoints} checkpoints`, `${rounds} rounds`]),
  ].join('\n\n');
}

interface Store {
  readonly dir: string;
  readonly files: number;
  readonly bytes: number;
  readonly newest: string;
  readonly session: Session;
  /** Two words of a prompt. */
  readonly row: string;
  /** Frequent ones. */
  readonly words: readonly string[];
}

/** Transcripts of Claude Code, begun in the repository. */
function fill(env: NodeJS.ProcessEnv, repo: string, bytes: number, paths: readonly string[]): Store {
  const random = createProse(11);
  let newest = '';
  let session: Session | undefined;
  let row = '';
  let written = 0;
  let files = 0;
  for (; written < bytes; files++) {
    showProgress(`transcript ${files + 1} of ${Math.ceil(bytes / TRANSCRIPT_BYTES)}`);
    session = { id: random.uuid(), repo, random, parent: null, clock: Date.UTC(2026, 0, 1 + files) };
    newest = agentOf('claude-code').home.transcript(env, repo, session.id as SessionId);
    mkdirSync(dirname(newest), { recursive: true });
    let text = linked(renderHistory(session, paths, Math.min(TRANSCRIPT_BYTES, bytes - written), 0));
    if (files === 0) text = text.replace('"text":"', `"text":"${NEEDLE} `);
    row ||= /"content":"(\w+ \w+)/.exec(text)?.[1] ?? '';
    writeFileSync(newest, text);
    written += text.length;
  }
  if (!session) throw new Error('no transcript was asked for');
  const words = [...new Set(random.text(4000).match(/[a-z]{3,}/g) ?? [])];
  return { dir: dirname(newest), files, bytes: written, newest, session, row, words };
}

/** Each line names the one before it: lines of a turn are not rendered in their order. */
function linked(text: string): string {
  let before: string | undefined;
  return text.replace(
    /^\{"parentUuid":("[^"]*"|null)(.*"uuid":"([^"]+)".*)$/gm,
    (whole, _, rest: string, own: string) => {
      const line = before === undefined ? whole : `{"parentUuid":"${before}"${rest}`;
      before = own;
      return line;
    },
  );
}
