import type { Key } from 'node:readline';
import type { RewindPoint } from '../../restore/points.ts';
import { oneLine } from '../ui/terminal.ts';

/** What is said of a session; empty where it is not known. Safe to print. */
export interface SessionFacts {
  readonly agent: string;
  /** Its first prompt. */
  readonly prompt: string;
}

/** Points of one session, the newest first. */
export interface Group extends SessionFacts {
  readonly sessionId: string;
  readonly points: readonly RewindPoint[];
}

/**
 * The points of each session together, so that its title stands once; the session of the newest point first.
 *
 * @param tell asked of the oldest point of each
 */
export function groupPoints(
  points: readonly RewindPoint[],
  tell: (point: RewindPoint) => SessionFacts,
): Group[] {
  const groups = new Map<string, RewindPoint[]>();
  for (const point of points) groups.set(point.sessionId, [...(groups.get(point.sessionId) ?? []), point]);
  return [...groups].map(([sessionId, own]) => ({
    ...tell(own.at(-1) as RewindPoint),
    ...{ sessionId, points: own },
  }));
}

/** Those that hold what somebody looks for, whatever the case: in subject, prompt, agent or id. */
export function filterGroups(groups: readonly Group[], filter: string): Group[] {
  const sought = filter.trim().toLowerCase();
  if (sought === '') return [...groups];
  return groups.flatMap((group) => {
    const ofSession = [group.prompt, group.agent, group.sessionId];
    const points = group.points.filter((point) =>
      [point.id, oneLine(point.subject), ...ofSession].some((text) => text.toLowerCase().includes(sought)),
    );
    return points.length > 0 ? [{ ...group, points }] : [];
  });
}

/** What somebody has come to in the list. */
export interface PickerState {
  readonly mode: 'list' | 'filter' | 'help';
  readonly filter: string;
  /** Id of the point under the cursor; of the first one, where that is not shown. */
  readonly at: string | undefined;
}

export const BEGIN: PickerState = { mode: 'list', filter: '', at: undefined };

/** What a key comes to: another state, or an end. */
export type Pressed =
  | { readonly kind: 'state'; readonly state: PickerState }
  | { readonly kind: 'choose' | 'diff'; readonly point: RewindPoint; readonly state: PickerState }
  | { readonly kind: 'cancel' };

export const shownPoints = (groups: readonly Group[], { filter }: PickerState): RewindPoint[] =>
  filterGroups(groups, filter).flatMap(({ points }) => points);

/** The point under the cursor; `undefined` where none is shown. */
export function pointAt(groups: readonly Group[], state: PickerState): RewindPoint | undefined {
  const points = shownPoints(groups, state);
  return points.find(({ id }) => id === state.at) ?? points[0];
}

/** @param page so many points are a screen */
export function press(groups: readonly Group[], state: PickerState, key: Key, page: number): Pressed {
  const go = (next: Partial<PickerState>): Pressed => ({ kind: 'state', state: { ...state, ...next } });
  if (state.mode === 'help') return go({ mode: 'list' });
  const point = pointAt(groups, state);
  const moved = move(shownPoints(groups, state), point, key, page, state.mode === 'list');
  if (moved) return go({ at: moved.id });
  if (state.mode === 'filter') return go(type(state, key));
  if (key.name === 'escape') return state.filter === '' ? { kind: 'cancel' } : go({ filter: '' });
  if (key.ctrl || key.meta) return go({});
  if (key.name === 'q') return { kind: 'cancel' };
  if (key.sequence === '/') return go({ mode: 'filter' });
  if (key.sequence === '?') return go({ mode: 'help' });
  if (!point) return go({});
  if (key.name === 'return' || key.name === 'enter') return { kind: 'choose', point, state };
  if (key.name === 'd') return { kind: 'diff', point, state: { ...state, at: point.id } };
  return go({});
}

function type({ filter }: PickerState, { name, sequence = '', ctrl, meta }: Key): Partial<PickerState> {
  if (name === 'return' || name === 'enter') return { mode: 'list' };
  if (name === 'escape') return { mode: 'list', filter: '' };
  if (name === 'backspace') return filter === '' ? { mode: 'list' } : { filter: withoutLast(filter) };
  if (ctrl && name === 'u') return { filter: '' };
  if (ctrl || meta || /[\0-\x1f\x7f]/.test(sequence)) return {};
  return { filter: filter + oneLine(`.${sequence}.`).slice(1, -1) };
}

const characters = new Intl.Segmenter();
const withoutLast = (text: string): string =>
  [...characters.segment(text)]
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join('');

/** Where a key leads; `undefined` for one that leads nowhere. @param isByLetter letters move, too */
function move(
  points: readonly RewindPoint[],
  point: RewindPoint | undefined,
  { name = '', ctrl, shift, sequence = '' }: Key,
  page: number,
  isByLetter: boolean,
): RewindPoint | undefined {
  if (!point) return undefined;
  const end = points.length;
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    down: 1,
    pageup: -page,
    pagedown: page,
    home: -end,
    end,
  };
  const letters: Readonly<Record<string, number>> = shift ? { g: end } : { k: -1, j: 1, g: -end };
  const byLetter = isByLetter && !ctrl && /^[a-zA-Z]$/.test(sequence) ? letters[name] : undefined;
  const step = (ctrl && { p: -1, n: 1 }[name]) || (steps[name] ?? byLetter);
  if (step === undefined) return undefined;
  return points[Math.min(end - 1, Math.max(0, points.indexOf(point) + step))];
}
