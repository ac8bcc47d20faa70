import type { Peak } from './memory.ts';
import { renderMarkdown, type Target } from './report.ts';
import type { Measure } from './round.ts';
import { median, quantile } from './timing.ts';

/** Samples of one contestant, or of the baselines. */
export type Samples = Map<Measure, number[]>;

export interface Column {
  readonly label: string;
  readonly samples: Samples;
  /** Peak memory of the edit hook. */
  readonly peak?: Peak;
}

/** Promised in absolute terms. */
const PEAK_MIB = 40;
const LAUNCHER_MS = 1.5;
const IDLE_COMMIT_MS = 15;

interface Baseline {
  readonly label: string;
  readonly samples: readonly number[];
}

interface Row {
  readonly label: string;
  readonly baseline: Baseline;
  /** Largest ratio to the baseline that the project allows itself. */
  readonly target?: number;
  readonly samples: (column: Column) => readonly number[];
}

/** The result as a Markdown table: medians, 95th percentiles in brackets, ratios of medians. */
export function renderTable(columns: readonly Column[], baselines: Samples, editLimit: number): string {
  const rows = listRows(baselines, editLimit);
  const measured = rows.filter((row) => columns.some((column) => row.samples(column).length > 0));
  const other = columns.find(({ label }) => label === 'other');
  const head = [
    'ms, median (p95)',
    'baseline',
    ...columns.flatMap((column) => [column.label, 'ratio']),
    ...(other ? ['entire ÷ other'] : []),
    'target',
  ];
  return renderMarkdown(head, [
    ...measured.map((row) => renderRow(row, columns, other)),
    ...renderPlainCommit(baselines, head.length),
    renderMemory(columns, other),
    renderLauncher(baselines, columns, other),
  ]);
}

/** The targets of the first column: they are for what people install. */
export function listTargets([own]: readonly Column[], baselines: Samples, editLimit: number): Target[] {
  const targets: Target[] = [];
  for (const { label, baseline, target, samples } of listRows(baselines, editLimit)) {
    if (!own || !baseline || target === undefined || samples(own).length === 0) continue;
    const value = median(samples(own)) / median(baseline.samples);
    targets.push({ what: `${label} ÷ ${baseline.label}`, value, limit: target, unit: '×' });
  }
  if (own?.peak)
    targets.push({ what: 'edit hook, peak memory', value: own.peak.mib, limit: PEAK_MIB, unit: ' MiB' });
  const idle = own?.samples.get('commitIdle') ?? [];
  if (idle.length > 0)
    targets.push({
      what: 'commit while nobody is at work, more than without hooks',
      value: median(idle) - median(baselines.get('commitPlain') ?? []),
      limit: IDLE_COMMIT_MS,
      unit: ' ms',
    });
  const value = median(difference(baselines.get('launcher'), baselines.get('nothing')));
  return [...targets, { what: 'launcher alone', value, limit: LAUNCHER_MS, unit: ' ms' }];
}

function listRows(baselines: Samples, editLimit: number): Row[] {
  const empty = { label: 'empty executable', samples: baselines.get('empty') ?? [] };
  const status = { label: '`git status`', samples: baselines.get('status') ?? [] };
  const plain = median(baselines.get('commitPlain') ?? []);
  const simple = (label: string, measure: Measure, baseline: Baseline, target?: number): Row => ({
    label,
    baseline,
    ...(target !== undefined && { target }),
    samples: (column) => column.samples.get(measure) ?? [],
  });
  const overhead = (label: string, measure: Measure): Row => ({
    label,
    baseline: status,
    target: 5,
    samples: (column) => (column.samples.get(measure) ?? []).map((ms) => ms - plain),
  });
  return [
    simple('edit hook', 'edit', empty, editLimit),
    simple('status line', 'statusline', empty, 1.6),
    simple("prompt hook, session's first", 'promptFirst', status, 3),
    simple('prompt hook, later', 'prompt', status, 3),
    // What a transcript costs the first time is no promise: it is read, redacted and stored once.
    simple('stop hook, whole transcript new', 'stopFirst', status),
    simple('stop hook, one turn new', 'stop', status, 5),
    overhead("commit overhead, session's first", 'commitFirst'),
    overhead('commit overhead, later', 'commit'),
    simple('commit while nobody is at work', 'commitIdle', {
      label: '`git commit`',
      samples: baselines.get('commitPlain') ?? [],
    }),
  ];
}

function renderPlainCommit(baselines: Samples, cells: number): string[][] {
  const samples = baselines.get('commitPlain') ?? [];
  if (samples.length === 0) return [];
  return [['`git commit` without hooks', renderTime(samples), ...Array<string>(cells - 2).fill('')]];
}

function renderRow(row: Row, columns: readonly Column[], other: Column | undefined): string[] {
  const base = median(row.baseline.samples);
  const cells = columns.flatMap((column, at) => {
    const samples = row.samples(column);
    if (samples.length === 0) return ['–', ''];
    const ratio = median(samples) / base;
    // The targets are for what people install.
    const mark = at > 0 ? '' : over(ratio, row.target);
    return [renderTime(samples), `${ratio.toFixed(2)}×${mark}`];
  });
  const baseline = `${row.baseline.label} ${renderTime(row.baseline.samples)}`;
  const target = row.target === undefined ? '' : `≤ ${row.target}×`;
  return [row.label, baseline, ...cells, ...compare(columns[0], other, row.samples), target];
}

function renderMemory(columns: readonly Column[], other: Column | undefined): string[] {
  const cells = columns.flatMap(({ peak }, at) =>
    peak
      ? [`${peak.atMost ? '≤ ' : ''}${peak.mib.toFixed(1)} MiB`, at > 0 ? '' : over(peak.mib, PEAK_MIB)]
      : ['–', ''],
  );
  const compared = compare(columns[0], other, ({ peak }) => (peak ? [peak.mib] : []));
  return ['edit hook, peak memory', '', ...cells, ...compared, `≤ ${PEAK_MIB} MiB`];
}

function renderLauncher(baselines: Samples, columns: readonly Column[], other: Column | undefined): string[] {
  const alone = difference(baselines.get('launcher'), baselines.get('nothing'));
  const rest = [...columns.slice(1).flatMap(() => ['', '']), ...(other ? [''] : [])];
  return [
    'launcher alone',
    '`true`',
    renderTime(alone),
    over(median(alone), LAUNCHER_MS),
    ...rest,
    `≤ ${LAUNCHER_MS} ms`,
  ];
}

/** The cell of the last column but one, where there is another executable. */
function compare(own: Column | undefined, other: Column | undefined, samples: Row['samples']): string[] {
  if (!own || !other) return [];
  const ratio = median(samples(own)) / median(samples(other));
  return [Number.isNaN(ratio) ? '' : `${ratio.toFixed(2)}`];
}

const renderTime = (samples: readonly number[]): string =>
  `${median(samples).toFixed(1)} (${quantile(samples, 0.95).toFixed(1)})`;

const over = (value: number, target: number | undefined): string =>
  target !== undefined && value > target ? ' (over)' : '';

/** Pairs samples of the same round; the first contains the second. */
function difference(whole: readonly number[] = [], part: readonly number[] = []): number[] {
  return whole.slice(0, part.length).map((ms, at) => ms - (part[at] ?? 0));
}
