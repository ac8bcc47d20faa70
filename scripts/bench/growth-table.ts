import { describeMachine, renderMarkdown, renderMb, renderTargets } from './report.ts';
import { median } from './timing.ts';

/** One turn and its commit. */
export interface GrowthRound {
  /** Milliseconds. */
  readonly prompt: number;
  readonly stop: number;
  readonly commit: number;
  readonly commitPlain: number;
  /** Bytes of the transcript, and of the objects that would not be there without `entire`. */
  readonly transcript: number;
  readonly objects: number;
}

/** One session from its first to its last commit; all sizes are bytes, without what git alone would have stored. */
export interface Growth {
  readonly rounds: readonly GrowthRound[];
  readonly loose: number;
  readonly packs: number;
  /** What the object bytes are made of, before git tidies up. */
  readonly details: readonly (readonly [kind: string, bytes: number])[];
  /** The redacted transcript, zlib level 6. */
  readonly compressed: number;
  readonly afterGc: number;
  /** After git has dropped what nothing leads to, whatever its age. */
  readonly afterPrune: number;
}

const BYTES_LIMIT = 1.5;
const OVERHEAD_LIMIT = 1.5;
/** The first commits have the session's one-time costs in them. */
const COMPARED_ROUND = 2;

/** Medians over sessions that played the same thing. */
export function renderGrowth(sessions: readonly Growth[], files: number): string {
  const over = (value: (session: Growth) => number): number => median(sessions.map(value));
  const last = (sessions[0]?.rounds.length ?? 0) - 1;
  const plain = median(sessions.flatMap(({ rounds }) => rounds.map(({ commitPlain }) => commitPlain)));
  const at = (round: number, key: keyof GrowthRound): number =>
    over(({ rounds }) => rounds[round]?.[key] ?? Number.NaN);
  const overhead = (round: number): number => at(round, 'commit') - plain;

  const rows: string[][] = [];
  for (let round = 0; round <= last; round++) {
    if (round > COMPARED_ROUND && round < last && (round + 1) % 5 !== 0) continue;
    const before = round === 0 ? 0 : at(round - 1, 'objects');
    rows.push([
      String(round + 1),
      renderMb(at(round, 'transcript')),
      at(round, 'prompt').toFixed(0),
      at(round, 'stop').toFixed(0),
      overhead(round).toFixed(0),
      renderMb(at(round, 'objects') - before),
      renderMb(at(round, 'objects')),
    ]);
  }
  const head = ['commit', 'transcript, MB', 'prompt, ms', 'stop, ms', 'commit overhead, ms'];
  const compressed = over((session) => session.compressed);
  const ratio = (bytes: number): string => `${(bytes / compressed).toFixed(2)}×`;
  const sizes: [string, number][] = [
    ['redacted transcript, zlib level 6', compressed],
    ['objects added', at(last, 'objects')],
    ['… in loose objects', over(({ loose }) => loose)],
    ['… in packs', over(({ packs }) => packs)],
    ...(sessions[0]?.details ?? []).map(([kind], index): [string, number] => [
      `… ${kind}`,
      over(({ details }) => details[index]?.[1] ?? 0),
    ]),
    ['objects added, after `git gc`', over(({ afterGc }) => afterGc)],
    ['objects added, after `git gc --prune=now`', over(({ afterPrune }) => afterPrune)],
  ];
  const bytesTarget = (what: string, bytes: number) => ({
    what: `${what} ÷ compressed transcript`,
    value: bytes / compressed,
    limit: BYTES_LIMIT,
    unit: '×',
  });
  return [
    renderMarkdown([...head, 'objects added, MB', 'in all, MB'], rows),
    `\`git commit\` without hooks: ${plain.toFixed(1)} ms. Objects: without what the same commits cost git alone.`,
    renderMarkdown(
      ['after the last commit', 'MB', '÷ compressed transcript'],
      sizes.map(([label, bytes]) => [label, renderMb(bytes), ratio(bytes)]),
    ),
    renderTargets([
      bytesTarget('objects added', at(last, 'objects')),
      bytesTarget(
        'objects added, after `git gc`',
        over(({ afterGc }) => afterGc),
      ),
      {
        what: `commit overhead, last ÷ ${COMPARED_ROUND + 1}rd`,
        value: overhead(last) / overhead(COMPARED_ROUND),
        limit: OVERHEAD_LIMIT,
        unit: '×',
      },
    ]),
    describeMachine([
      `Repository: ${files} files`,
      `${last + 1} commits of one session`,
      `medians of ${sessions.length} sessions`,
    ]),
  ].join('\n\n');
}
