import { localMinute } from '../../base/clock.ts';
import { sanitizeForTerminal, showPath } from '../../base/text/text.ts';
import { type Act, actsOf, exitCodeOf } from '../../conversation/acts.ts';
import type { OutlineItem, OutlineTurn, ToolItem } from '../../conversation/export/outline.ts';
import { STOPPED } from '../session/text.ts';
import type { Tone } from '../ui/colour.ts';
import { oneLine } from '../ui/terminal.ts';
import { cutTo, padTo, widthOf, wrapLines } from '../ui/width.ts';
import type { Places } from './places.ts';
import * as text from './text.ts';

/** How a story is set. */
export interface StoryView {
  /** Columns of the terminal; nothing is broken or cut without it. */
  readonly width: number | undefined;
  readonly paint: (tone: Tone, text: string) => string;
  /** Long texts are not cut. */
  readonly isWhole: boolean;
  readonly places: Places;
  /** What the sub-agents did that are known, by the call they worked for. */
  readonly agents: ReadonlyMap<string, readonly OutlineTurn[]>;
  /** Turns that are only named: they have no part in what is told. */
  readonly left: ReadonlySet<OutlineTurn>;
}

/** All that was done in some turns. */
export const actsIn = (turns: readonly OutlineTurn[]): Act[] =>
  turns.flatMap(({ items }) => items.flatMap((item) => (item.kind === 'tool' ? actsOf(item) : [])));

/** Calls that sub-agents worked for. */
export const callsOfAgents = (turns: readonly OutlineTurn[]): string[] =>
  turns.flatMap(({ items }) =>
    items.flatMap((item) =>
      item.kind === 'tool' && actsOf(item).some(({ kind }) => kind === 'agent') ? item.id : [],
    ),
  );

/** What was asked, done and said, turn by turn, a blank line between its parts. */
export function renderStory(turns: readonly OutlineTurn[], view: StoryView): string[] {
  const told = turns.filter(({ items }) => items.length > 0);
  const blocks: Block[] = [];
  for (let at = 0; at < told.length; at++) {
    const folded: OutlineTurn[] = [];
    while (view.left.has(told[at] as OutlineTurn)) folded.push(told[at++] as OutlineTurn);
    if (folded.length > 0) blocks.push([view.paint('quiet', renderLeft(folded, view))]);
    const turn = told[at];
    if (turn) blocks.push(...renderTurn(turn, told.length > 1, view));
  }
  return blocks.flatMap((block, at) => (at === 0 ? block : ['', ...block]));
}

/** Turns by the title of the first of them, in one line. */
function renderLeft(turns: readonly OutlineTurn[], { width }: StoryView): string {
  const whole = text.turnsLeftOut(turns.length, oneLine(turns[0]?.title ?? ''));
  const over = width === undefined ? 0 : widthOf(whole) - width;
  if (over <= 0) return whole;
  const title = oneLine(turns[0]?.title ?? '');
  return text.turnsLeftOut(turns.length, cutTo(title, Math.max(1, widthOf(title) - over)));
}

/** A prompt as it is quoted. */
export function quotePrompt(prompt: string, view: StoryView): string[] {
  const lines = cutLines(textLines(prompt, view, QUOTE.length), MAX_PROMPT, view);
  return lines.map((line) => view.paint('you', `${QUOTE}${line}`.trimEnd()));
}

type Block = string[];

function renderTurn(turn: OutlineTurn, isOneOfSeveral: boolean, view: StoryView): Block[] {
  const blocks: Block[] = [];
  const time = localMinute((turn.startedAt ?? Number.NaN) * 1000);
  for (let at = 0; at < turn.items.length; at++) {
    const item = turn.items[at] as OutlineItem;
    if (item.kind !== 'tool') {
      const block = renderItem(item, view);
      if (block.length > 0) blocks.push(block);
      continue;
    }
    const calls: ToolItem[] = [];
    for (let one: OutlineItem | undefined = item; one?.kind === 'tool'; one = turn.items[++at])
      calls.push(one);
    at -= 1;
    blocks.push(renderCalls(calls, view, INDENT));
  }
  const [first] = blocks;
  if (isOneOfSeveral && time !== '' && first) first.unshift(view.paint('quiet', time));
  const end = turn.stopped === undefined ? undefined : STOPPED[turn.stopped];
  return end === undefined ? blocks : [...blocks, [view.paint('warning', end)]];
}

/** A line for what each call did; what a sub-agent did stands below its own. */
function renderCalls(calls: readonly ToolItem[], view: StoryView, indent: number): string[] {
  const lines: string[] = [];
  let rows: Row[] = [];
  const flush = (): void => {
    lines.push(...foldReads(rows, view.places).map((row) => renderRow(row, view, indent)));
    rows = [];
  };
  for (const call of calls) {
    rows.push(...actsOf(call).map((act) => toRow(act, noteOf(call, act))));
    const turns = view.agents.get(call.id);
    if (!turns) continue;
    flush();
    lines.push(...renderAgent(turns, view, indent + INDENT));
  }
  flush();
  return lines;
}

/** What a sub-agent did, and how it ended; what others did for it is not followed. */
function renderAgent(turns: readonly OutlineTurn[], view: StoryView, indent: number): string[] {
  const items = turns.flatMap((turn) => turn.items);
  const calls = items.flatMap((item) => (item.kind === 'tool' ? [item] : []));
  const last = items.findLast(({ kind }) => kind === 'answer');
  const words = last?.kind === 'answer' ? textLines(last.text, view, indent) : [];
  return [
    ...renderCalls(calls, { ...view, agents: new Map() }, indent),
    ...cutLines(words, MAX_REPORT, view).map((line) => `${' '.repeat(indent)}${line}`.trimEnd()),
  ];
}

function renderItem(item: Exclude<OutlineItem, { kind: 'tool' }>, view: StoryView): Block {
  switch (item.kind) {
    case 'prompt':
      return quotePrompt(item.text, view);
    case 'steered':
      return [view.paint('quiet', text.STEERED), ...quotePrompt(item.text, view)];
    case 'answer':
      return cutLines(textLines(item.text, view, 0), MAX_ANSWER, view);
    case 'compacted':
      return [view.paint('quiet', text.COMPACTED)];
    case 'attachment':
      return [view.paint('quiet', oneLine(text.attached(item.name, item.mediaType)))];
    default:
      return [];
  }
}

const QUOTE = '> ';
/** Lines of a prompt and of an answer, unless all are asked for. */
const MAX_PROMPT = 20;
const MAX_ANSWER = 12;
const MAX_REPORT = 4;
/** A note that so few lines are left out would be as long as they are. */
const MIN_CUT = 3;

function textLines(said: string, { width }: StoryView, taken: number): string[] {
  const clean = sanitizeForTerminal(said.replace(/\r\n?/g, '\n')).replaceAll('\t', '    ').trim();
  if (clean === '') return [];
  return wrapLines(clean, width === undefined ? undefined : Math.max(20, width - taken))
    .split('\n')
    .map((line) => line.trimEnd());
}

function cutLines(lines: string[], most: number, { isWhole, paint }: StoryView): string[] {
  const left = lines.length - most;
  if (isWhole || left < MIN_CUT) return lines;
  return [...lines.slice(0, most), paint('quiet', text.moreLines(left))];
}

/** A line for what a tool did. */
interface Row {
  readonly act: Act;
  /** How it ended, where it did not do what it was to. */
  readonly note: string;
  /** Files that were read one after the other. */
  readonly reads?: readonly string[];
}

const toRow = (act: Act, note: string): Row => ({ act, note });

function noteOf({ failed, result }: { failed: boolean; result: string | undefined }, act: Act): string {
  const code = act.kind === 'run' ? exitCodeOf(result) : undefined;
  if (code !== undefined && code !== 0) return text.exited(code);
  return failed ? text.FAILED : '';
}

/** Files that were read one after the other are one line. */
function foldReads(rows: readonly Row[], { shorten }: Places): Row[] {
  const folded: Row[] = [];
  for (const row of rows) {
    const { act, note } = row;
    const last = folded.at(-1);
    if (act.kind !== 'read' || note !== '') folded.push(row);
    else if (last?.reads)
      folded[folded.length - 1] = { ...last, reads: [...new Set([...last.reads, shorten(act.path)])] };
    else folded.push({ ...row, reads: [shorten(act.path)] });
  }
  return folded;
}

/** What was done is set in, a sub-agent's once more. */
const INDENT = 2;
/** Two words for what was done stand below one another. */
const VERB_WIDTH = 6;
/** In a terminal that is as narrow lines are broken. */
const MIN_ROOM = 16;

function renderRow({ act, note, reads }: Row, view: StoryView, indent: number): string {
  const { paint, width, places } = view;
  const verb = oneLine(act.kind === 'other' ? act.name : act.kind);
  const end = note === '' ? '' : `  (${note})`;
  const front = padTo(verb, VERB_WIDTH);
  const taken = indent + widthOf(front) + 2 + widthOf(end);
  const room = width === undefined ? undefined : Math.max(MIN_ROOM, width - taken);
  const what = reads ? readFiles(reads, room) : whatOf(act, places, room);
  const named = `${' '.repeat(indent)}${paint('quiet', verb)}${front.slice(verb.length)}`;
  const told = what === '' ? named.trimEnd() : `${named}  ${what}`;
  return `${told}${countsOf(act, view)}${paint('warning', end)}`;
}

const readFiles = (files: readonly string[], room: number | undefined): string =>
  files.length === 1
    ? showPath(files[0] ?? '')
    : cutTo(`${files.length} files: ${files.map(showPath).join(', ')}`, room);

/** Paths are left whole, since people copy them. */
function whatOf(act: Act, { shorten, inCommand }: Places, room: number | undefined): string {
  const path = (name: string): string => showPath(shorten(name));
  switch (act.kind) {
    case 'edit':
    case 'write':
    case 'delete':
    case 'read':
    case 'list':
      return path(act.path);
    case 'move':
      return `${path(act.path)} -> ${path(act.movedTo ?? '')}`;
    case 'run':
      return cutTo(firstLine(inCommand(act.command)), room);
    case 'search': {
      const where =
        act.where === '' || act.where === '.'
          ? ''
          : ` in ${act.where.startsWith('/') ? path(act.where) : oneLine(act.where)}`;
      return cutTo(`"${oneLine(act.what)}"${where}`, room);
    }
    default:
      return cutTo(firstLine(act.kind === 'other' ? shorten(act.what) : act.what), room);
  }
}

/** The first line that says something; of more, with dots. */
function firstLine(said: string): string {
  const lines = said
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');
  return lines.length > 1 ? `${lines[0]} …` : (lines[0] ?? '');
}

function countsOf(act: Act, { paint }: StoryView): string {
  if (!('lines' in act || 'size' in act)) return '';
  if (act.size !== undefined) return `  ${paint('quiet', text.linesLong(act.size))}`;
  return renderCounts(act.lines, paint);
}

/** `  +2 -1`; nothing where nothing is known. */
export function renderCounts(
  counts: { readonly added: number; readonly removed: number } | undefined,
  paint: StoryView['paint'],
): string {
  if (!counts) return '';
  const { added, removed } = counts;
  const parts = [
    ...(added > 0 || removed === 0 ? [paint('added', `+${added}`)] : []),
    ...(removed > 0 ? [paint('removed', `-${removed}`)] : []),
  ];
  return `  ${parts.join(' ')}`;
}
