/// <reference path="./text-files.d.ts" />
import { createHash } from '../../../base/hash.ts';
import { shownUsage } from '../../message-facts.ts';
import type { ExportEnvelope } from '../envelope.ts';
import { type Outline, outlineOf } from '../outline.ts';
import { isoTime, shownTime } from '../shown-text.ts';
import style from './page.css' with { type: 'text' };
import script from './page.js' with { type: 'text' };
import { foldHtml, lineHtml, preHtml } from './tool-html.ts';
import { turnHtml, turnLinkHtml } from './turn-html.ts';

/**
 * A session as one page: it asks no network for anything, runs no script but its own, and is readable without that. It is a
 * document from top to bottom, so that its beginning is on the screen while the rest of it is still read; turns that are not on
 * the screen are not laid out.
 */
export function renderPage(envelope: ExportEnvelope): string {
  const outline = outlineOf(envelope);
  return [
    head(outline),
    bar(outline),
    '<div class="page">\n',
    main(outline),
    nav(outline),
    '</div>\n</body>\n</html>\n',
  ].join('');
}

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded, and nothing runs but what has these digests. Pictures are in the page. */
const POLICY = [
  "default-src 'none'",
  `style-src ${sourceOf(style)}`,
  `script-src ${sourceOf(script)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const head = ({ title, agent }: Outline): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="robots" content="noindex">
<meta name="generator" content="entire">
<title>${lineHtml(title)}${agent === '' ? '' : ` · ${lineHtml(agent)}`}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<script>${script}</script>
</head>
`;

/** Drawn with lines of our own, 24 by 24. */
const icon = (path: string): string =>
  `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
const UP = icon('M6 15l6-6 6 6');
const DOWN = icon('M6 9l6 6 6-6');
const LIST = icon('M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01');
const FOLDS = icon('M7 4l5 5 5-5M7 20l5-5 5 5');
const MOON = icon('M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z');

const bar = ({ title }: Outline): string => `<body>
<a class="skip" href="#conversation">Skip to the conversation</a>
<a class="skip" href="#turns">Skip to the list of turns</a>
<header class="bar">
<p title="${lineHtml(title)}">${lineHtml(title)}</p>
<form class="script" role="search">
<input id="find" type="search" placeholder="Search ( / )" aria-label="Search the session" autocomplete="off" spellcheck="false">
<output for="find" aria-live="polite"></output>
<button id="before" type="button" aria-label="Previous match" title="Previous match (Shift+Enter)" disabled>${UP}</button>
<button id="next" type="submit" aria-label="Next match" title="Next match (Enter)" disabled>${DOWN}</button>
</form>
<button id="folds" class="script" type="button" aria-label="Unfold or fold all" title="Unfold or fold all (e)">${FOLDS}</button>
<button id="theme" class="script" type="button" aria-label="Light or dark" title="Light or dark">${MOON}</button>
<a class="to-turns" href="#turns" aria-label="All turns" title="All turns">${LIST}</a>
</header>
`;

const main = (outline: Outline): string =>
  [
    '<main id="conversation" tabindex="-1">\n',
    about(outline),
    ...outline.turns.map(turnHtml),
    outline.turns.length === 0 ? '<p>Nothing was said.</p>\n' : '',
    '</main>\n',
  ].join('');

function about(outline: Outline): string {
  const { title, agent, sessionId, parentId, createdAt, updatedAt, models, usage, system, turns } = outline;
  const times = [createdAt, updatedAt].filter((time, at, all) => shownTime(time) !== shownTime(all[at - 1]));
  const facts: readonly [string, string][] = [
    ['Agent', lineHtml(agent)],
    ['Model', lineHtml(models.join(', '))],
    ['Time', times.map(timeHtml).filter(Boolean).join(' to ')],
    ['Turns', `${turns.filter(({ number }) => number > 0).length}`],
    ['Tokens', usage ? shownUsage(usage) : ''],
    ['Session', lineHtml(sessionId)],
    ['Forked from', lineHtml(parentId ?? '')],
  ];
  const list = facts.flatMap(([name, value]) =>
    value === '' ? [] : [`<div><dt>${name}</dt><dd>${value}</dd></div>`],
  );
  const prompt =
    system === undefined ? '' : foldHtml('<span class="name">System prompt</span>', preHtml(system));
  return `<header class="about"><h1 dir="auto">${lineHtml(title)}</h1><dl>${list.join('')}</dl>${prompt}</header>\n`;
}

function timeHtml(seconds: number): string {
  const at = isoTime(seconds);
  return at === undefined ? '' : `<time datetime="${at}">${shownTime(seconds)}</time>`;
}

const nav = ({ turns }: Outline): string => `<nav id="turns" aria-label="Turns" tabindex="-1">
<h2>Turns</h2>
<ol>
${turns.map(turnLinkHtml).join('\n')}
</ol>
<p class="keys script"><kbd>/</kbd> search · <kbd>j</kbd> <kbd>k</kbd> turns · <kbd>e</kbd> unfold</p>
</nav>
`;
