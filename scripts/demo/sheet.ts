import type { Screen } from '../../integration/support/screens/golden.ts';
import { widthOf } from '../../src/cli/ui/width.ts';
import { escapeXml } from './svg.ts';

/** Colours of a terminal on a dark and on a light ground, by the code that switches each on. */
const COLOURS: Readonly<Record<number, readonly [dark: string, light: string]>> = {
  31: ['#ff7b72', '#b3202a'],
  32: ['#56d364', '#116329'],
  33: ['#e3b341', '#7d4e00'],
  34: ['#79c0ff', '#0550ae'],
  35: ['#d2a8ff', '#7a3ec0'],
  36: ['#76e3ea', '#0b6a70'],
  94: ['#79c0ff', '#0550ae'],
};

const WIDTHS = [60, 100, 160] as const;
const SHOWN_FIRST = 100;

/** A page that holds all screens in all widths, one of which is looked at, on a dark or a light ground. Nothing is loaded. */
export function renderSheet(screens: readonly Screen[]): string {
  const names = [...new Set(screens.map(commandOf))];
  const links = names.map((name) => `<a href="#${idOf(name)}">${escapeXml(name)}</a>`);
  return `${[
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<title>entire: what each command shows</title>',
    `<style>\n${STYLE}\n</style>`,
    '<header>',
    '<h1>What each command shows</h1>',
    '<p>In one made-up repository, in a terminal. Drawn by <code>npm run screens</code> from what the tests hold against the program.</p>',
    '<p>',
    ...WIDTHS.map((width) => radio('width', `w${width}`, `${width} columns`, width === SHOWN_FIRST)),
    ...(['dark', 'light'] as const).map((ground) => radio('ground', ground, ground, ground === 'dark')),
    '</p>',
    `<nav>${links.join('\n')}</nav>`,
    '</header>',
    ...names.map((name) =>
      renderCommand(
        name,
        screens.filter((screen) => commandOf(screen) === name),
      ),
    ),
    '</html>',
  ].join('\n')}\n`;
}

const radio = (name: string, id: string, label: string, isChecked: boolean): string =>
  `<label><input type="radio" name="${name}" id="${id}"${isChecked ? ' checked' : ''}> ${label}</label>`;

/** Its first word, or the first two of a command that has others below it. */
const commandOf = ({ line }: Screen): string =>
  line
    .split(' ')
    .slice(1, /^entire (?:agent|config|context|session|worktree) /.test(line) ? 3 : 2)
    .join(' ');

const idOf = (name: string): string => name.replaceAll(' ', '-');

const renderCommand = (name: string, screens: readonly Screen[]): string =>
  [
    `<section id="${idOf(name)}">`,
    `<h2>${escapeXml(name)}</h2>`,
    ...screens.map(({ line, shown }) =>
      shown
        .map(({ widths, text }) => {
          const classes = widths.map((width) => `w${width}`).join(' ');
          return `<pre class="${classes}"><b>$ ${escapeXml(line)}</b>\n${renderColours(text.trimEnd())}</pre>`;
        })
        .join('\n'),
    ),
    '</section>',
  ].join('\n');

/** Escapes of a terminal become spans. */
function renderColours(text: string): string {
  let on = new Set<number>();
  return text
    .split(/(\x1b\[[\d;]*m)/)
    .map((part) => {
      const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
      if (codes !== undefined) {
        for (const code of codes.split(';').map(Number)) on = switched(on, code);
        return '';
      }
      const classes = [...on].map((code) => `c${code}`).join(' ');
      const shown = escapeXml(part).replace(
        WIDE,
        (run) => `<i class="w" style="width:${widthOf(run)}ch">${run}</i>`,
      );
      return classes === '' || part === '' ? shown : `<i class="${classes}">${shown}</i>`;
    })
    .join('');
}

/** Two columns each in a terminal, and as wide as their font has them in a browser. */
const WIDE =
  /(?:[\u3000-\u9fff\uff00-\uff60]|\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})*)+/gu;

function switched(on: ReadonlySet<number>, code: number): Set<number> {
  if (code === 0) return new Set();
  const isColour = (one: number): boolean => one >= 30;
  if (code === 39) return new Set([...on].filter((one) => !isColour(one)));
  if (code === 22) return new Set([...on].filter((one) => one !== 1 && one !== 2));
  return new Set([...[...on].filter((one) => !(isColour(one) && isColour(code))), code]);
}

const ruleOf = (at: 0 | 1, ground: string): string =>
  Object.entries(COLOURS)
    .map(([code, pair]) => `${ground}.c${code} { color: ${pair[at]}; }`)
    .join('\n');

const STYLE = `:root { color-scheme: dark; background: #0d1117; color: #e6edf3; --line: #484f58; --quiet: #8b949e; }
:root:has(#light:checked) { color-scheme: light; background: #fff; color: #1f2328; --line: #c6ccd3; --quiet: #59636e; }
body { margin: 0 auto; padding: 1rem; max-width: max-content; font: 15px/1.5 system-ui, sans-serif; }
a { color: inherit; margin-right: 0.8em; white-space: nowrap; }
label { margin-right: 1em; }
pre { display: none; margin: 0 0 1rem; padding: 0.6em 0; border-right: 1px dashed var(--line); white-space: pre;
  font: 13px/1.35 ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
i { font-style: normal; }
b, .c1 { font-weight: bold; }
b { white-space: pre-wrap; }
.w { display: inline-block; }
.c2 { color: var(--quiet); }
${WIDTHS.map((width) => `:root:has(#w${width}:checked) .w${width} { display: block; width: ${width}ch; }`).join('\n')}
${ruleOf(0, '')}
${ruleOf(1, ':root:has(#light:checked) ')}`;
