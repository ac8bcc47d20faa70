import { showPath } from '../../base/text/text.ts';
import type { WorktreeStep, WorktreeSteps } from '../../restore/worktree-steps.ts';
import type { LineDiff } from '../../strategy/attribution/line-diff.ts';
import { shortId } from '../names/short-id.ts';
import { oneLine, renderJson } from '../ui/terminal.ts';
import { ago } from '../ui/time.ts';
import { cutTo, widthOf } from '../ui/width.ts';
import { withSession } from '../ui/with-session.ts';
import type { Direction } from './step-sessions.ts';
import * as text from './text.ts';
import { countFiles, stepToJson, subjectOf, unattributedIn } from './view.ts';

/** Lines of each step; `undefined` where they are not known. */
export type CountLines = (steps: readonly WorktreeStep[]) => ReadonlyArray<LineDiff | undefined>;

/** Unless somebody asks for another number. */
const SHOWN = 20;
const FILES_SHOWN = 4;

/**
 * What can be taken back, or brought back, by all sessions: the newest first.
 *
 * @param hiddenBehind what a session did behind a step that nothing is kept of, in words
 */
export function renderSteps(
  steps: WorktreeSteps,
  direction: Direction,
  { count = SHOWN, lines: countLines, hiddenBehind, nameOf, width }: ListOptions,
): string {
  const all = steps[direction];
  const other = steps[direction === 'undo' ? 'redo' : 'undo'].length;
  const more = other > 0 ? [text.otherDirection(direction, other)] : [];
  if (all.length === 0) return [text.nothingListed(direction), ...more].join('\n');
  const shown = all.slice(0, count);
  const lines = countLines(shown);
  const sessions = [...new Set([...steps.undo, ...steps.redo].map(({ session }) => session))];
  const agents = Math.max(...shown.map(({ agentType }) => oneLine(agentType).length));
  const ages = shown.map(({ record }) => ago(record.at));
  const widest = Math.max('just now'.length, ...ages.map((age) => age.length));
  const heads = shown.map((step, at) => {
    const age = ages[at]?.padEnd(widest);
    const agent = agents === 0 ? '' : `${oneLine(step.agentType).padEnd(agents)}  `;
    const isTold = sessions.length === 1 || nameOf(step) !== undefined;
    const session = isTold ? '' : shortId(step.session, sessions);
    const front = `  ${String(at + 1).padStart(3)}  ${age}  ${agent}`;
    return (
      front + withSession(subjectOf(step.record, step.isRewind), session, width && width - widthOf(front))
    );
  });
  const rows = shown.flatMap((step, at) => {
    const hidden = isFirstOfSession(all, step) ? hiddenBehind(step) : undefined;
    return [
      heads[at] as string,
      describeRow(step, nameOf(step), lines[at], width),
      ...(hidden === undefined ? [] : [`       (${hidden})`]),
    ];
  });
  const rest = all.length - shown.length;
  return [
    text.listTitle(direction),
    ...rows,
    ...(rest > 0 ? [text.olderSteps(direction, rest, all.length)] : []),
    ...more,
  ].join('\n');
}

export interface ListOptions {
  readonly count?: number | undefined;
  readonly lines: CountLines;
  readonly hiddenBehind: (step: WorktreeStep) => string | undefined;
  /** The turn that a step is, or that it took back, as `undo` and `redo` take it; `undefined` for what is no one turn. */
  readonly nameOf: (step: WorktreeStep) => string | undefined;
  /** Columns of the terminal. */
  readonly width?: number | undefined;
}

const isFirstOfSession = (all: readonly WorktreeStep[], { session, record }: WorktreeStep): boolean =>
  all.find((step) => step.session === session)?.record.id === record.id;

/** `bee76f83:2  2 files: a.txt, b.txt, +3 -1`. */
function describeRow(
  step: WorktreeStep,
  name: string | undefined,
  lines: LineDiff | undefined,
  width: number | undefined,
): string {
  const front = `       ${name === undefined ? '' : `${name}  `}`;
  return front + describeFiles(step, lines, text.STEP_STATES[step.state], width && width - widthOf(front));
}

/** `a.txt, b.txt  +3 -1, 1 not sure`. */
function describeFiles(
  { record, paths }: WorktreeStep,
  lines: LineDiff | undefined,
  state: string,
  width: number | undefined,
): string {
  const names = [...paths].sort();
  const unsure = unattributedIn([record]).length;
  const shown = names.slice(0, FILES_SHOWN).map(showPath).join(', ');
  const more = names.length > FILES_SHOWN ? ` and ${names.length - FILES_SHOWN} more` : '';
  const count = countFiles(record, names.length);
  const end = [
    ...(lines && names.length > 0 ? [`, +${lines.added} -${lines.removed}`] : []),
    ...(unsure > 0 ? [`, ${unsure} not sure`] : []),
    state,
  ].join('');
  if (names.length === 0) return `${count}${end}`;
  return `${count}: ${cutTo(`${shown}${more}`, width && width - widthOf(`${count}: ${end}`))}${end}`;
}

/** The list for programs. */
export function renderStepsJson(
  { undo, redo }: WorktreeSteps,
  { count, lines, nameOf }: ListOptions,
): string {
  const sessions = [...new Set([...undo, ...redo].map(({ session }) => session))];
  const toJson = (all: readonly WorktreeStep[]) => {
    const shown = all.slice(0, count);
    const counts = lines(shown);
    return shown.map((step, at) => ({
      ...stepToJson(step.record),
      session_id: step.session,
      agent: step.agentType || null,
      turn: nameOf(step) ?? null,
      lines: counts[at] ?? null,
      ...(step.state === 'open' && { open: true }),
      ...(step.state === 'broken-off' && { open: true, broken_off: true }),
    }));
  };
  return renderJson({
    session_id: sessions.length === 1 ? sessions[0] : null,
    undo: toJson(undo),
    redo: toJson(redo),
  });
}

/** How the list is coloured. */
export const LIST_TONES: readonly RegExp[] = [
  /^ +\d+ {2}(?<quiet>\d+\w ago|just now) +(?<agent>\S(?:\S| (?! ))*) {2}.*? {2}(?<quiet2>\((?:session )?\w+\))$/d,
  /^ +\d+ {2}(?<quiet>\d+\w ago|just now) +(?<agent>\S(?:\S| (?! ))*) {2}/d,
  /^ {7}(?:(?<id>\S+:\d+) {2})?\d+ files?: .*, (?<added>\+\d+) (?<removed>-\d+)(?:, \d+ not sure)?(?:, not over yet|, broken off)?$/d,
];
