import { shownUsage } from '../../message-facts.ts';
import { renderMarkup } from '../markup.ts';
import type { OutlineItem, OutlineTurn } from '../outline.ts';
import { isoTime, shown, shownTime } from '../shown-text.ts';
import { foldHtml, lineHtml, preHtml, toolHtml } from './tool-html.ts';

/** A turn as an article, and the entry that leads to it. */
export function turnHtml(turn: OutlineTurn): string {
  const { number, items, startedAt, usage, stopped } = turn;
  const at = isoTime(startedAt);
  const time = at === undefined ? '' : `<time datetime="${at}">${shownTime(startedAt)}</time>`;
  const notes = [
    stopped ? `<span class="stopped">${STOPPED[stopped] ?? 'Broken off'}</span>` : '',
    usage ? shownUsage(usage) : '',
  ];
  const footer = notes.some(Boolean) ? `<footer>${notes.filter(Boolean).join(' · ')}</footer>` : '';
  const id = `turn-${number}`;
  const heading = number === 0 ? 'Before the first turn' : `Turn ${number}`;
  return [
    `<article class="turn" id="${id}" aria-labelledby="${id}-name">`,
    `<header><h2 id="${id}-name"><a href="#${id}">${heading}</a></h2>${time}</header>\n`,
    ...partsHtml(items.map(itemHtml)),
    footer,
    '</article>\n',
  ].join('');
}

/** More than are on a screen, folded. */
const PART = 40;

/** An agent that works by itself fills one turn with thousands of calls: in parts, of which those that are far away are not laid out. */
function partsHtml(items: readonly string[]): readonly string[] {
  if (items.length <= PART) return items;
  const starts = Array.from({ length: Math.ceil(items.length / PART) }, (_, part) => part * PART);
  return starts.map((at) => `<div class="part">${items.slice(at, at + PART).join('')}</div>\n`);
}

export const STOPPED: Readonly<Record<string, string>> = {
  cancelled: 'Cancelled',
  failed: 'Broken off by a failure',
  'timed-out': 'Stopped after a time-out',
  unfinished: 'Not over when this was kept',
};

export const turnLinkHtml = ({ number, title }: OutlineTurn): string =>
  `<li><a href="#turn-${number}"><b>${number}</b><span class="what">${lineHtml(title) || 'Turn'}</span></a></li>`;

function itemHtml(item: OutlineItem): string {
  switch (item.kind) {
    case 'prompt':
      return `<div class="said prompt text" dir="auto">${saidHtml(item.text, true)}</div>\n`;
    case 'steered':
      return `<div class="said steered text" dir="auto"><p class="label">While the agent was at work</p>${saidHtml(item.text, true)}</div>\n`;
    case 'answer':
      return `<div class="said text" dir="auto">${saidHtml(item.text)}</div>\n`;
    case 'thinking':
      return said('Thinking', item.text);
    case 'compacted':
      return said('The conversation was compacted to this', item.text);
    case 'tool':
      return toolHtml(item);
    case 'attachment':
      return attachmentHtml(item);
    case 'other':
      return foldHtml(`<span class="name">${lineHtml(item.name)}</span>`, preHtml(item.text));
  }
}

const said = (name: string, text: string): string =>
  foldHtml(`<span class="name">${name}</span>`, `<div class="text" dir="auto">${saidHtml(text)}</div>`);

/** @param breaks every end of a line is one: people type as they mean it */
const saidHtml = (text: string, breaks = false): string =>
  renderMarkup(shown(text).trim(), breaks) ?? preHtml(text);

/** Pictures that no program is in. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp|avif)$/;

function attachmentHtml({ mediaType, data, name }: Extract<OutlineItem, { kind: 'attachment' }>): string {
  const caption = lineHtml([name, mediaType].filter(Boolean).join(' · ')) || 'A file';
  const isPicture = PICTURES.test(mediaType) && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
  const picture = isPicture
    ? `<img src="data:${mediaType};base64,${data}" alt="Picture" loading="lazy" decoding="async">`
    : '';
  return `<figure>${picture}<figcaption>${caption}</figcaption></figure>\n`;
}
