import { cutTo, widthOf } from './width.ts';

/** A column of a table: what stands above it, and how it is set. */
export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** Gives way where the table is wider than the terminal, down to so many columns of the terminal. */
  readonly least?: number;
  /** Left out where cutting alone does not make the table narrow enough: those with the lowest number first, unless they still fit. */
  readonly drop?: number;
  /** Colours a cell of a row, when it has its width. */
  readonly paint?: (cell: string, row: number) => string;
}

const GAP = 2;

/**
 * Rows below one another, as wide as they need be; where that is too wide for `width`, columns are left out that may be, and the others
 * are cut as far as they give way.
 *
 * @param width columns of the terminal; nothing is cut without it, or where it is 0: then the terminal does not tell
 */
export function renderTable(
  all: readonly Column[],
  cells: readonly (readonly string[])[],
  width: number | undefined,
): string {
  const kept = keepColumns(all, cells, width);
  const columns = kept.flatMap((at) => all[at] ?? []);
  const rows = cells.map((row) => kept.map((at) => row[at] ?? ''));
  const widths = columns.map(({ title }, at) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), title.length),
  );
  let over = !width ? 0 : widths.reduce((sum, one) => sum + one + GAP, -GAP) - width;
  while (over > 0) {
    const spare = columns.map(({ least }, at) => (least === undefined ? 0 : (widths[at] ?? 0) - least));
    const widest = spare.indexOf(Math.max(...spare));
    if ((spare[widest] ?? 0) <= 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  const line = (cells: readonly string[], row?: number): string =>
    cells
      .map((cell, at) => {
        const cut = cutTo(cell, widths[at] ?? 0);
        const pad = ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cut)));
        const told = row === undefined ? cut : (columns[at]?.paint?.(cut, row) ?? cut);
        return columns[at]?.align === 'right' ? pad + told : told + pad;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const head = columns.some(({ title }) => title !== '') ? [line(columns.map(({ title }) => title))] : [];
  return [...head, ...rows.map(line)].join('\n');
}

/** Which columns there is room for, even if all that give way do so. */
function keepColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): number[] {
  const kept = columns.map((_, at) => at);
  if (!width) return kept;
  const needs = columns.map(({ title, least }, at) => {
    const widest = rows.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), title.length);
    return Math.min(widest, least ?? widest) + GAP;
  });
  const widthWith = (chosen: readonly number[]): number =>
    chosen.reduce((sum, at) => sum + (needs[at] ?? 0), -GAP);
  const byWorth = kept
    .filter((at) => columns[at]?.drop !== undefined)
    .sort((a, b) => (columns[b]?.drop ?? 0) - (columns[a]?.drop ?? 0));
  let chosen = kept.filter((at) => columns[at]?.drop === undefined);
  for (const at of byWorth) if (widthWith([...chosen, at]) <= width) chosen = [...chosen, at];
  return kept.filter((at) => chosen.includes(at));
}
