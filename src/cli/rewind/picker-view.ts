import type { RewindPoint } from '../../restore/points.ts';
import type { Room } from '../ui/interact.ts';
import { oneLine } from '../ui/terminal.ts';
import { ago } from '../ui/time.ts';
import { tinted } from '../ui/tint.ts';
import { cutTo, padTo, widthOf, wrapLines } from '../ui/width.ts';
import { filterGroups, type Group, type PickerState, pointAt } from './picker-state.ts';
import type { FilePreview, PointPreview } from './point-preview.ts';
import * as text from './text.ts';
import { renderFront, shownMinute } from './view.ts';

/** From so many columns on, what changes stands beside the list. */
const BESIDE_COLUMNS = 119;
/** So many lines what changes has below the list, where there is room. */
const BELOW_LINES = 9;
/** So many lines the list has at least. */
const LEAST_LIST = 3;

/** What is known of the point under the cursor; `undefined` while somebody looks, a text where that failed. */
export type Seen = PointPreview | string | undefined;

interface Layout {
  readonly isBeside: boolean;
  readonly list: number;
  readonly preview: number;
}

/** How many lines list and preview have. */
export function layOut({ columns, rows }: Room, listLines: number): Layout {
  const free = rows - 3; // the question, the keys, and a line that stays free
  if (columns >= BESIDE_COLUMNS) {
    const lines = Math.max(LEAST_LIST, Math.min(free, Math.max(listLines, BELOW_LINES)));
    return { isBeside: true, list: lines, preview: lines };
  }
  const list = Math.max(LEAST_LIST, Math.min(listLines, free - 1 - BELOW_LINES));
  const left = free - 1 - list;
  return { isBeside: false, list, preview: left < 2 ? 0 : Math.min(left, BELOW_LINES) };
}

/** The picture: the question, the list, what changes, the keys. */
export function renderPicker(groups: readonly Group[], state: PickerState, seen: Seen, room: Room): string[] {
  const { columns } = room;
  const shown = filterGroups(groups, state.filter);
  const point = pointAt(groups, state);
  const all = groups.flatMap(({ points }) => points);
  const points = shown.flatMap((group) => group.points);
  const { isBeside, list, preview } = layOut(room, all.length + groups.length);
  const half = isBeside ? Math.floor(columns / 2) : columns;
  const place = point ? points.indexOf(point) + 1 : 0;
  const count = `${place}/${points.length}`;
  const title = cutTo(text.MENU.title, columns - widthOf(count) - 2);
  const rows = point ? windowOf(renderList(shown, point, half - 1), list) : [`  ${text.NO_MATCH}`];
  const told =
    state.mode === 'help'
      ? renderHelp()
      : point
        ? renderSeen(point, seen, { columns: half - 2, rows: preview })
        : [];
  const right = told.slice(0, preview).map((line) => cutTo(line, half - 2));
  const paint = (lines: readonly string[], tones: readonly RegExp[]): string[] =>
    lines.length === 0 ? [] : tinted(lines.join('\n'), tones).split('\n');
  const [listed, previewed] = [paint(fill(rows, list), LIST_TONES), paint(fill(right, preview), SEEN_TONES)];
  const middle = isBeside
    ? listed.map((line, at) => `${padTo(line, half - 1)}│ ${previewed[at] ?? ''}`.trimEnd())
    : [...listed, ...(preview > 0 ? ['─'.repeat(columns), ...previewed] : [])];
  return [
    ...paint([`${title}  ${count}`], TITLE_TONES),
    ...middle,
    ...paint([renderFooter(state, columns)], FOOTER_TONES),
  ];
}

const fill = (lines: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, at) => lines[at] ?? '');

interface Row {
  readonly line: string;
  readonly isCursor: boolean;
}

/** The sessions, and below each its points. */
function renderList(groups: readonly Group[], cursor: RewindPoint, width: number): Row[] {
  return groups.flatMap((group) => [
    { line: cutTo(renderHeading(group), width), isCursor: false },
    ...group.points.map((point) => ({
      line: cutTo(`${point === cursor ? '❯' : ' '} ${renderFront(point)}${oneLine(point.subject)}`, width),
      isCursor: point === cursor,
    })),
  ]);
}

/** A prompt that a point of it has for its subject stands there. */
function renderHeading({ sessionId, agent, prompt, points }: Group): string {
  const isSaid = points.some(({ subject }) => isSame(oneLine(subject), prompt));
  return [sessionId.slice(0, 8), agent, isSaid || prompt === '' ? '' : `“${prompt}”`]
    .filter((part) => part !== '')
    .join('  ');
}

/** Subjects of steps begin with a capital letter, and end where they are too long. */
function isSame(subject: string, prompt: string): boolean {
  const [short, long] = [subject.replace(/(\.\.\.|…)$/, '').toLowerCase(), prompt.toLowerCase()];
  return short !== '' && (short === long || (short !== subject.toLowerCase() && long.startsWith(short)));
}

/** As many lines as there is room for, those around the cursor; its heading where it can be. */
function windowOf(rows: readonly Row[], count: number): string[] {
  const at = rows.findIndex(({ isCursor }) => isCursor);
  const from = Math.max(0, Math.min(at - Math.floor(count / 2), rows.length - count));
  return rows.slice(from, from + count).map(({ line }) => line);
}

function renderSeen(point: RewindPoint, seen: Seen, { columns, rows }: Room): string[] {
  const turn = typeof seen === 'object' && seen.turn !== '' ? `, after turn ${seen.turn}` : '';
  const minute = shownMinute(point.date);
  const age = ago(point.date);
  const time = minute.startsWith(age) ? minute : `${age} (${minute})`;
  const head = `${point.id.slice(0, 7)}, ${time}${turn}`;
  if (seen === undefined) return [head, text.LOOKING];
  if (typeof seen === 'string') return [head, ...wrapLines(seen, columns).split('\n')];
  const sentences = seen.sentences.flatMap((sentence) => wrapLines(oneLine(sentence), columns).split('\n'));
  const free = Math.max(1, rows - 1 - Math.min(sentences.length, Math.ceil(rows / 2)));
  const isCut = seen.files.length > free;
  const files = (isCut ? seen.files.slice(0, free - 1) : seen.files).map((file) => renderFile(file, columns));
  const more = isCut ? [`  ${text.moreFiles(seen.files.length - files.length)}`] : [];
  return [head, ...files, ...more, ...sentences];
}

function renderFile({ becomes, path, lines, note }: FilePreview, width: number): string {
  const front = `  ${text.BECOMES[becomes].padEnd(8)}  `;
  const counts = lines ? `  +${lines.added} -${lines.removed}` : '';
  const told = note === '' ? '' : `  (${note})`;
  const room = width - widthOf(front) - widthOf(counts);
  const name = cutTo(path, Math.max(8, room));
  return cutTo(`${front}${name}${counts}${told}`, width);
}

const renderHelp = (): string[] => {
  const widest = Math.max(...text.HELP.map(([key]) => widthOf(key)));
  return text.HELP.map(([key, does]) => `  ${padTo(key, widest)}  ${does}`);
};

/** The keys that there is room for, and what is looked for. */
function renderFooter({ mode, filter }: PickerState, width: number): string {
  const sought = mode === 'filter' ? `/${filter}▏` : filter === '' ? '' : `/${filter}`;
  const keys =
    mode === 'filter' ? text.FILTER_KEYS : filter === '' ? text.KEYS : [text.CLEAR_KEY, ...text.KEYS];
  let line = cutTo(sought, width);
  for (const [key, does] of keys) {
    const next = `${line}${line === '' ? '' : line === sought ? '  ' : ' · '}${key} ${does}`;
    if (widthOf(next) > width) break;
    line = next;
  }
  return line;
}

const TITLE_TONES = [/^(?<found>.*) {2}(?<quiet>\d+\/\d+)$/d];
const LIST_TONES = [
  /^(?<found>❯ .*)$/d,
  /^ {2}(?<id>[0-9a-f]{7}) {2}(?<quiet>\d{4}-\d\d-\d\d \d\d:\d\d) {2}(?:(?<open>step|task)|(?<good>commit)) /d,
  /^(?<quiet>\S.*)$/d,
];
const SEEN_TONES = [
  /^(?<id>[0-9a-f]{7}), /d,
  /^ {2}(?:(?<good>restored)|(?<removed>deleted)|(?<warning>left)) .*? {2}(?<added>\+\d+) (?<removed2>-\d+)(?: {2}(?<quiet>\(.*))?$/d,
  /^ {2}(?:(?<good>restored)|(?<removed>deleted)|(?<warning>left)) /d,
  /^(?<warning>Warning:)/d,
];
const FOOTER_TONES = [/^(?<found>\/.*?)(?: {2}(?<quiet>.*))?$/d, /^(?<quiet>.*)$/d];
