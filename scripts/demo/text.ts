/** Text with a meaning for each piece, for a terminal or a picture. */
export type Style = 'plain' | 'dim' | 'strong' | 'good' | 'bad' | 'accent';

export interface Span {
  readonly text: string;
  readonly style: Style;
}
export type Line = readonly Span[];

const styled =
  (style: Style) =>
  (text: string): Span => ({ text, style });
export const dim = styled('dim');
export const strong = styled('strong');
export const good = styled('good');
export const bad = styled('bad');
export const accent = styled('accent');

export const line = (...parts: readonly (string | Span)[]): Line =>
  parts.map((part) => (typeof part === 'string' ? { text: part, style: 'plain' } : part));

const CODES: Readonly<Record<Style, string>> = {
  plain: '',
  dim: '\x1b[2m',
  strong: '\x1b[1m',
  good: '\x1b[32m',
  bad: '\x1b[31m',
  accent: '\x1b[36m',
};

/** Colours only for a terminal that wants them. @see https://no-color.org */
export const wantsColour = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';

export function renderLine(spans: Line, colour: boolean): string {
  return spans
    .map(({ text, style }) => (colour && CODES[style] ? `${CODES[style]}${text}\x1b[0m` : text))
    .join('');
}

/** Columns of texts; the last one is not padded, those named in `right` are set flush right. */
export function renderTable(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return right.includes(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
