import type { Line, Style } from './text.ts';

/** A line of the picture, and how long after the line before it lights up. */
export interface Frame {
  readonly line: Line;
  readonly afterMs: number;
}

const COLOURS: Readonly<Record<Style, string>> = {
  plain: '#e6edf3',
  dim: '#8b949e',
  strong: '#ffffff',
  good: '#56d364',
  bad: '#ff7b72',
  accent: '#79c0ff',
};
const FONT = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";
const CHAR = 8.4;
const ROW = 20;
const PADDING = 24;
const TITLE_BAR = 40;

/**
 * A terminal window on a ground of its own, so that it can be read on any page. Without fonts or scripts from
 * elsewhere: each piece of text is stretched to the width it has in a font of fixed width. Lines light up one by
 * one, once; all of them can be read at any time, and where nothing moves all are lit from the start.
 */
export function renderSvg(frames: readonly Frame[], title: string, description: string): string {
  const columns = Math.max(...frames.map(({ line }) => lengthOf(line)));
  const width = Math.ceil(columns * CHAR + 2 * PADDING);
  const height = TITLE_BAR + frames.length * ROW + PADDING;
  let time = 0;
  const rows = frames.map(({ line, afterMs }, index) => {
    time += afterMs;
    return renderRow(line, TITLE_BAR + index * ROW + 18, time);
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escapeXml(title)}</title>`,
    `<desc id="d">${escapeXml(description)}</desc>`,
    '<style>',
    `  text { font: 14px ${FONT}; white-space: pre; }`,
    ...(Object.keys(COLOURS) as Style[]).map((style) => `  .${style} { fill: ${COLOURS[style]}; }`),
    '  .strong { font-weight: bold; }',
    '  @media (prefers-reduced-motion: no-preference) {',
    '    g { animation: light 120ms linear backwards; }',
    '    @keyframes light { from { opacity: 0.5; } }',
    '  }',
    '</style>',
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="#0d1117" stroke="#484f58"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (colour, index) => `<circle cx="${22 + index * 20}" cy="20" r="6" fill="${colour}"/>`,
    ),
    `<text x="${width / 2}" y="25" text-anchor="middle" class="dim">${escapeXml(title)}</text>`,
    ...rows.filter((row) => row !== ''),
    '</svg>',
  ].join('\n')}\n`;
}

function renderRow(line: Line, y: number, ms: number): string {
  let column = 0;
  const texts = line.flatMap(({ text, style }) => {
    const lead = text.length - text.trimStart().length;
    const words = text.trim();
    const x = PADDING + (column + lead) * CHAR;
    column += text.length;
    if (words === '') return [];
    const place = `x="${round(x)}" y="${y}" textLength="${round(words.length * CHAR)}" lengthAdjust="spacingAndGlyphs"`;
    return [`<text ${place} class="${style}" xml:space="preserve">${escapeXml(words)}</text>`];
  });
  return texts.length === 0 ? '' : `<g style="animation-delay:${ms}ms">${texts.join('')}</g>`;
}

const lengthOf = (line: Line): number => line.reduce((sum, { text }) => sum + text.length, 0);
const round = (value: number): string => String(Math.round(value * 10) / 10);

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
