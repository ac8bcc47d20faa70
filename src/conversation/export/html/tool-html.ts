import type { DiffLine } from '../diff-lines.ts';
import { changeNote, type FileChange } from '../file-changes.ts';
import type { ToolItem } from '../outline.ts';
import { shown, shownCode, shownLine } from '../shown-text.ts';

/** A tool call, folded: what it was to do, and what it returned. */
export function toolHtml({ name, detail, input, changes, result, failed }: ToolItem): string {
  const parts = [
    ...changes.map(changeHtml),
    changes.length === 0 && input !== '' && input !== '{}' ? block('Input', input) : '',
    result ? block('Output', result) : '',
    result === undefined ? '<p class="label">No answer is on record.</p>' : '',
  ];
  return foldHtml(
    [
      `<span class="name">${lineHtml(name)}</span>`,
      detail === '' ? '' : `<span class="detail">${lineHtml(detail)}</span>`,
      failed ? '<span class="failed">failed</span>' : '',
      countsHtml(changes),
    ].join(' '),
    parts.join(''),
  );
}

/** @param summary HTML @param body HTML */
export const foldHtml = (summary: string, body: string): string =>
  `<details><summary>${summary}</summary><div class="body">${body}</div></details>\n`;

const block = (label: string, text: string): string => `<p class="label">${label}</p>${preHtml(text)}`;

/** A text as it is; what is long can be reached by the keyboard to be scrolled. */
export const preHtml = (text: string): string =>
  `<pre class="long" tabindex="0" dir="ltr">\n${textHtml(text)}</pre>`;

function countsHtml(changes: readonly FileChange[]): string {
  if (changes.every(({ lines }) => lines.length === 0)) return ''; // nobody told
  const count = (wanted: string): number =>
    changes.reduce((sum, { lines }) => sum + lines.filter(({ sign }) => sign === wanted).length, 0);
  return `<span class="sum"><span class="plus">+${count('+')}</span> <span class="minus">−${count('-')}</span></span>`;
}

function changeHtml(change: FileChange): string {
  const { path, movedTo, lines } = change;
  const note = changeNote(change);
  const name = [path, movedTo ?? ''].filter(Boolean).map(lineHtml).join(' → ') + (note && ` (${note})`);
  const caption = name === '' ? '' : `<figcaption>${name}</figcaption>`;
  const code = lines.length === 0 ? '' : `<pre tabindex="0" dir="ltr"><code>${diffHtml(lines)}</code></pre>`;
  return `<figure class="diff">${caption}${code}</figure>`;
}

const CLASSES = { '+': 'a', '-': 'd', ' ': 'c', '@': 'h' } as const;

/** Lines of one kind that follow one another are one block: a page has many lines. */
function diffHtml(lines: readonly DiffLine[]): string {
  let html = '';
  let open: DiffLine['sign'] | undefined;
  for (const { sign, text } of lines) {
    if (sign !== open) html += `${open === undefined ? '' : '</span>'}<span class="${CLASSES[sign]}">`;
    open = sign;
    html += `${sign === '@' ? '⋯ ' : sign}${escapeHtml(shownCode(text))}\n`;
  }
  return open === undefined ? html : `${html}</span>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in a page, between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '');

/** Text from a session, with what is not seen by its name. */
const textHtml = (text: string): string => escapeHtml(shown(text));
/** The same in one line. */
export const lineHtml = (text: string): string => escapeHtml(shownLine(text));
