import stringWidth from 'string-width';

/** A column of a table: what stands above it, and how it is set. */
export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** Gives way where the table is wider than the terminal, down to so many columns of the terminal. */
  readonly least?: number;
  /** Colours a cell of a row, when it has its width. */
  readonly paint?: (cell: string, row: number) => string;
}

const GAP = 2;

/** Columns that a terminal gives a text. Bun brings this with it; the package needs 15 ms for the first that is not ASCII. */
const widthOf: (text: string) => number =
  (globalThis as { Bun?: { stringWidth(text: string): number } }).Bun?.stringWidth ?? stringWidth;

/**
 * Rows below one another, as wide as they need be; what is too wide for `width` is cut in the columns that give way.
 *
 * @param width columns of the terminal; nothing is cut without it, or where it is 0: then the terminal does not tell
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string {
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

/** Lines that are lists and not sentences, each no wider than the terminal; as they are where `width` is not known. */
export const cutLines = (text: string, width: number | undefined): string =>
  width
    ? text
        .split('\n')
        .map((line) => cutTo(line, width))
        .join('\n')
    : text;

/** The beginning of a text that is too wide, and an ellipsis. */
function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let cut = '';
  let left = width - 1;
  for (const { segment } of characters.segment(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** As people count them: letters with their marks, families of emoji. */
const characters = new Intl.Segmenter();
