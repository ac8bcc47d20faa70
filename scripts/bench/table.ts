import type { Peak } from './memory.ts';
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

interface Row {
  readonly label: string;
  readonly baseline?: { readonly label: string; readonly samples: readonly number[] };
  /** Largest ratio to the baseline that the project allows itself. */
  readonly target?: number;
  readonly samples: (column: Column) => readonly number[];
}

/** The result as a Markdown table: medians, 95th percentiles in brackets, ratios of medians. */
export function renderTable(columns: readonly Column[], baselines: Samples): string {
  const empty = { label: 'empty executable', samples: baselines.get('empty') ?? [] };
  const status = { label: '`git status`', samples: baselines.get('status') ?? [] };
  const simple = (label: string, measure: Measure, baseline: Row['baseline'], target: number): Row => ({
    label,
    target,
    ...(baseline && { baseline }),
    samples: (column) => column.samples.get(measure) ?? [],
  });
  const overhead = (label: string, measure: Measure): Row => ({
    label,
    baseline: status,
    target: 5,
    samples: (column) => difference(column.samples.get(measure), column.samples.get('commitPlain')),
  });
  const rows: readonly Row[] = [
    simple('edit hook', 'edit', empty, 1.5),
    simple("prompt hook, session's first", 'promptFirst', status, 3),
    simple('prompt hook, later', 'prompt', status, 3),
    simple('stop hook, whole transcript new', 'stopFirst', status, 5),
    simple('stop hook, one turn new', 'stop', status, 5),
    overhead("commit overhead, session's first", 'commitFirst'),
    overhead('commit overhead, later', 'commit'),
    { label: '`git commit`, hooks off', samples: (column) => column.samples.get('commitPlain') ?? [] },
  ];
  const measured = rows.filter((row) => columns.some((column) => row.samples(column).length > 0));
  const other = columns.find(({ label }) => label === 'other');
  const head = [
    'ms, median (p95)',
    'baseline',
    ...columns.flatMap((column) => [column.label, 'ratio']),
    ...(other ? ['entire ÷ other'] : []),
    'target',
  ];
  const body = [
    ...measured.map((row) => renderRow(row, columns, other)),
    renderMemory(columns, other),
    renderLauncher(baselines, columns, other),
  ];
  return [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...body]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function renderRow(row: Row, columns: readonly Column[], other: Column | undefined): string[] {
  const base = row.baseline && median(row.baseline.samples);
  const cells = columns.flatMap((column, at) => {
    const samples = row.samples(column);
    if (samples.length === 0) return ['–', ''];
    const ratio = base === undefined ? undefined : median(samples) / base;
    // The targets are for what people install.
    const mark = ratio === undefined || at > 0 ? '' : over(ratio, row.target);
    return [renderTime(samples), ratio === undefined ? '' : `${ratio.toFixed(2)}×${mark}`];
  });
  const baseline = row.baseline ? `${row.baseline.label} ${renderTime(row.baseline.samples)}` : '';
  const target = row.target === undefined ? '' : `≤ ${row.target}×`;
  return [row.label, baseline, ...cells, ...compare(columns[0], other, row.samples), target];
}

function renderMemory(columns: readonly Column[], other: Column | undefined): string[] {
  const cells = columns.flatMap(({ peak }, at) =>
    peak
      ? [`${peak.atMost ? '≤ ' : ''}${peak.mib.toFixed(1)} MiB`, at > 0 ? '' : over(peak.mib, 40)]
      : ['–', ''],
  );
  const compared = compare(columns[0], other, ({ peak }) => (peak ? [peak.mib] : []));
  return ['edit hook, peak memory', '', ...cells, ...compared, '≤ 40 MiB'];
}

function renderLauncher(baselines: Samples, columns: readonly Column[], other: Column | undefined): string[] {
  const alone = difference(baselines.get('launcher'), baselines.get('nothing'));
  const rest = [...columns.slice(1).flatMap(() => ['', '']), ...(other ? [''] : [])];
  return ['launcher alone', '`true`', renderTime(alone), over(median(alone), 1.5), ...rest, '≤ 1.5 ms'];
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
