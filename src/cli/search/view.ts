import { shortType } from '../../agents/names.ts';
import type { LogRow } from '../../git/log.ts';
import type { Hit } from '../../search/query/find.ts';
import type { Phrase } from '../../search/query/query.ts';
import { holdsAny, type Span, snippetOf } from '../../search/query/snippet.ts';
import { paint, type Tone } from '../ui/colour.ts';
import { homely } from '../ui/paths.ts';
import { oneLine, plain, renderJson } from '../ui/terminal.ts';
import { atTime } from '../ui/time.ts';
import { cutTo } from '../ui/width.ts';
import { moreInTurn, NO_COMMIT, NOT_COMMITTED } from './text.ts';
import type { FoundTurn } from './turns.ts';

/** A turn, and what is known of it besides. */
export interface ShownTurn extends FoundTurn {
  /** `3a6edbc9:2`, or the short id of its session alone. */
  readonly name: string;
  readonly number: number | undefined;
  readonly commit: LogRow | undefined;
  /** It is none of this repository's: where it was begun is told, and not which commit it led to. */
  readonly isElsewhere: boolean;
}

/** How it is shown. */
export interface SearchView {
  readonly phrases: readonly Phrase[];
  /** Columns of the terminal; nothing is cut to them without. */
  readonly width: number | undefined;
  readonly hasColour: boolean;
}

/** Of one turn, so many hits are shown. */
const MAX_HITS = 3;
/** Where the width is not known. */
const WIDE = 120;
const LABEL = 9;

/** A line for each turn, and below it what was found in it. */
export const renderFound = (turns: readonly ShownTurn[], view: SearchView): string =>
  turns.map((turn) => renderTurn(turn, view)).join('\n\n');

function renderTurn(turn: ShownTurn, view: SearchView): string {
  const lines = turn.hits.slice(0, MAX_HITS).map((hit) => renderHit(hit, view));
  const left = turn.hits.length - lines.length;
  const tone = toneWith(view);
  return [heading(turn, view), ...lines, ...(left > 0 ? [tone('quiet', `  ${moreInTurn(left)}`)] : [])].join(
    '\n',
  );
}

type Paint = (tone: Tone, text: string) => string;
const toneWith =
  ({ hasColour }: SearchView): Paint =>
  (tone, text) =>
    hasColour ? paint(tone, text) : text;

function heading(turn: ShownTurn, view: SearchView): string {
  const time = turn.at === 0 ? '' : atTime(new Date(turn.at * 1000).toISOString());
  const cells: [Tone | undefined, string][] = [
    ['id', turn.name],
    ['agent', oneLine(shortType(turn.agent)) || 'unknown'],
    ['quiet', time],
    ...led(turn),
  ];
  return cutCells(
    cells.filter(([, text]) => text !== ''),
    view,
  );
}

function led(turn: ShownTurn): [Tone | undefined, string][] {
  if (turn.isElsewhere) return [['quiet', oneLine(homely(turn.folder))]];
  if (turn.commit)
    return [
      ['id', turn.commit.oid.slice(0, 7)],
      [undefined, oneLine(turn.commit.subject)],
    ];
  return turn.checkpoint === '' ? [['open', NOT_COMMITTED]] : [['quiet', NO_COMMIT]];
}

/** Cells with two spaces between them, cut where the terminal ends. */
function cutCells(cells: readonly [Tone | undefined, string][], view: SearchView): string {
  const tone = toneWith(view);
  const whole = cutTo(cells.map(([, text]) => text).join('  '), view.width);
  let rest = whole;
  const painted = cells.map(([name, text]) => {
    const part = rest.slice(0, text.length);
    rest = rest.slice(text.length + 2);
    return name && part !== '' ? tone(name, part) : part;
  });
  return painted.filter((part) => part !== '').join('  ') + (rest === '' ? '' : rest);
}

/** `  command  npm test`; where the words are in what it printed, that behind it. */
function renderHit(hit: Hit, view: SearchView): string {
  const room = Math.max(20, (view.width ?? WIDE) - LABEL - 2);
  const spans = fitSpans(spansOf(hit, view.phrases, room), room);
  const tone = toneWith(view);
  const text = spans.map(({ text: part, isFound }) => (isFound ? tone('found', part) : part)).join('');
  return `  ${tone('quiet', hit.kind.padEnd(LABEL))}${text}`.trimEnd();
}

/** Some characters take two columns. */
function fitSpans(spans: readonly Span[], room: number): Span[] {
  const whole = spans.map(({ text }) => text).join('');
  let rest = cutTo(whole, room);
  if (rest === whole) return [...spans];
  return spans.flatMap(({ text, isFound }, at) => {
    const isLast = at === spans.length - 1 || rest.length <= text.length;
    const part = isLast ? rest : rest.slice(0, text.length);
    rest = rest.slice(part.length);
    return part === '' ? [] : { text: part, isFound };
  });
}

const BETWEEN = ' → ';

function spansOf(hit: Hit, phrases: readonly Phrase[], room: number): Span[] {
  const [text, more] = [oneLine(hit.text), oneLine(hit.more)];
  if (more === '' || holdsAny(text, phrases) || !holdsAny(more, phrases))
    return snippetOf(text, phrases, room);
  const first = snippetOf(text, phrases, Math.max(12, Math.floor(room / 3)));
  const used = first.reduce((sum, span) => sum + span.text.length, BETWEEN.length);
  return [...first, { text: BETWEEN, isFound: false }, ...snippetOf(more, phrases, room - used)];
}

/** Characters of a snippet for programs. */
const SNIPPET = 200;

/** For programs; documented in docs/json.md. */
export const renderFoundJson = (
  turns: readonly ShownTurn[],
  total: number,
  phrases: readonly Phrase[],
): string =>
  renderJson({
    total,
    hits: turns.flatMap((turn) => turn.hits.map((hit) => hitJson(turn, hit, phrases))),
  });

const hitJson = (turn: ShownTurn, hit: Hit, phrases: readonly Phrase[]) => ({
  session_id: hit.session,
  agent: hit.agent,
  turn: turn.number === undefined ? null : turn.name,
  kind: hit.kind,
  at: hit.at === 0 ? null : new Date(hit.at * 1000).toISOString(),
  text: hit.text,
  snippet: spansOf(hit, phrases, SNIPPET)
    .map(({ text }) => text)
    .join(''),
  prompt: hit.prompt,
  folder: hit.folder === '' ? null : plain(hit.folder),
  checkpoint: hit.checkpoint === '' ? null : hit.checkpoint,
  commit: turn.commit ? { oid: turn.commit.oid, subject: turn.commit.subject } : null,
});
