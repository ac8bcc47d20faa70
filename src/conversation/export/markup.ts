import MarkdownIt from 'markdown-it';
import { shown, shownLine } from './shown-text.ts';

/** Longer texts are shown as they are: nobody writes Markdown of that size, and reading it takes long. */
const MAX_MARKDOWN = 256 * 1024;
/** Where a link may lead. */
const ADDRESS = /^(?:https?:\/\/|mailto:)[^\s]/i;

/**
 * The Markdown of messages: no HTML, links that lead to pages and mail only, and pictures as links, since a page that is opened must
 * not tell anybody. Nothing has a style of its own, which the page would not allow.
 */
function makeMarkup(breaks: boolean) {
  const markup = new MarkdownIt({ html: false, linkify: true, breaks });
  const { rules } = markup.renderer;
  const { escapeHtml } = markup.utils;
  markup.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  markup.validateLink = (url) => ADDRESS.test(url);
  // Entities and addresses can hide what the text itself did not.
  rules.text = (tokens, at) => escapeHtml(shown(tokens[at]?.content ?? ''));
  rules.fence = rules.code_block = (tokens, at) =>
    `<pre tabindex="0" dir="ltr"><code>${escapeHtml(tokens[at]?.content ?? '')}</code></pre>\n`;
  rules.link_open = (tokens, at, options, _env, self) => {
    const title = tokens[at]?.attrGet('title');
    if (title) tokens[at]?.attrSet('title', shownLine(`${title}`));
    tokens[at]?.attrSet('rel', REL);
    return self.renderToken(tokens, at, options);
  };
  rules.image = (tokens, at) => {
    const label = escapeHtml(tokens[at]?.content || 'picture');
    const source = `${tokens[at]?.attrGet('src') ?? ''}`;
    // In a link there can be no other one.
    const open = tokens.slice(0, at).reduce((depth, { type }) => depth + (LINKS[type] ?? 0), 0);
    if (open > 0 || !ADDRESS.test(source)) return label;
    return `<a href="${escapeHtml(source)}" rel="${REL}">${label}</a>`;
  };
  rules.heading_open = (tokens, at) => `<h${levelOf(tokens[at]?.tag)}>`;
  rules.heading_close = (tokens, at) => `</h${levelOf(tokens[at]?.tag)}>\n`;
  rules.table_open = () => '<div class="wide"><table>\n'; // it may be wider than the page
  rules.table_close = () => '</table></div>\n';
  rules.th_open = rules.td_open = (tokens, at) => {
    const { tag = 'td' } = tokens[at] ?? {};
    const [, side] = /text-align:(right|center)/.exec(`${tokens[at]?.attrGet('style') ?? ''}`) ?? [];
    return side === undefined ? `<${tag}>` : `<${tag} class="align-${side}">`;
  };
  return markup;
}

const REL = 'noopener noreferrer nofollow';
const LINKS: Readonly<Record<string, number>> = { link_open: 1, link_close: -1 };
/** Those of the page stand above those of a message. */
const levelOf = (tag = 'h1'): number => Math.min(6, Number(tag.slice(1)) + 2);

const written = makeMarkup(false);
const typed = makeMarkup(true);

/**
 * A message as HTML that is safe to put into a page; `undefined` for one that is too long to be Markdown.
 *
 * @param breaks every end of a line is one
 */
export const renderMarkup = (text: string, breaks = false): string | undefined =>
  text.length > MAX_MARKDOWN ? undefined : (breaks ? typed : written).render(text);

const SENTINEL = 'this-is-behind-the-message';
const reader = new MarkdownIt({ html: true });
type Token = ReturnType<typeof reader.parse>[number];

/**
 * A message as Markdown that can stand in a longer text: what would be HTML is text, pictures are links, headings stand below
 * those of turns, no character is hidden, and nothing in it changes how what follows is read; `undefined` where that cannot be had.
 */
export function containMarkup(text: string): string | undefined {
  if (text.length > MAX_MARKDOWN) return undefined;
  const lines = text.split('\n');
  for (const token of reader.parse(text, {})) {
    const [first, end] = token.map ?? [0, 0];
    if (token.type === 'heading_open') lowerHeading(lines, token);
    const rewrites: readonly (readonly [boolean, RegExp, string])[] = [
      [isHtml(token), /(?<!\\)</g, '\\<'],
      [hasPicture(token), /(?<!\\)!\[/g, '\\!['],
      [hidesCharacters(token), /(?<!\\)&(?=#|[A-Za-z])/g, '\\&'],
    ];
    for (const [isNeeded, wanted, instead] of rewrites)
      for (let at = first; isNeeded && at < end; at++)
        lines[at] = lines[at]?.replace(wanted, () => instead) ?? '';
  }
  const contained = lines.join('\n');
  return isContained(contained) ? contained : undefined;
}

const isHtml = ({ type, children }: Token): boolean =>
  type === 'html_block' || (children?.some((child) => child.type === 'html_inline') ?? false);

const hasPicture = ({ children }: Token): boolean => children?.some(({ type }) => type === 'image') ?? false;

/** The text itself hides none: what is left are those that it names. */
const hidesCharacters = ({ children }: Token): boolean =>
  children?.some((child) =>
    [child.type === 'text' ? child.content : '', `${child.attrGet('title') ?? ''}`].some(
      (text) => shown(text) !== text,
    ),
  ) ?? false;

/** What stands before the words of a line that is in a quotation or a list. */
const BEFORE = /^(?:\s|>|[-*+]\s|\d{1,9}[.)]\s)*/;

/** @param lines of which those of the heading are changed; one that is underlined and has several is left */
function lowerHeading(lines: string[], { tag, markup, map }: Token): void {
  const [first, end] = map ?? [0, 0];
  const [before = ''] = BEFORE.exec(lines[first] ?? '') ?? [];
  const words = (lines[first] ?? '').slice(before.length).replace(/^#+/, '');
  const isUnderlined = !markup.startsWith('#');
  if (isUnderlined && end - first !== 2) return;
  lines[first] = `${before}${'#'.repeat(levelOf(tag))}${isUnderlined ? ' ' : ''}${words}`;
  if (isUnderlined) lines[end - 1] = (lines[end - 1] ?? '').replace(/[=-]+\s*$/, '');
}

function isContained(text: string): boolean {
  const tokens = reader.parse(`${text}\n\n${SENTINEL}`, {});
  const isWild = tokens.some(
    (token) => isHtml(token) || hasPicture(token) || hidesCharacters(token) || /^h[12]$/.test(token.tag),
  );
  const [open, inline] = tokens.slice(-3);
  return !isWild && open?.type === 'paragraph_open' && open.level === 0 && inline?.content === SENTINEL;
}
