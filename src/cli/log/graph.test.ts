import { expect, test } from 'vitest';
import type { LogEntry } from '../../history/log.ts';
import { renderGraph } from './graph.ts';

const session = (sessionId: string) => ({ sessionId });
const turn = (id: string) => ({ kind: 'turn', session: session(id) }) as LogEntry;
const commit = (...ids: string[]) => ({ kind: 'commit', sessions: ids.map(session) }) as unknown as LogEntry;
const draw = (...entries: LogEntry[]): string[] =>
  renderGraph(entries, (entry) => (entry.kind === 'turn' ? '✎' : '●'));

test('sessions side by side have a lane each, from their newest line to their oldest', () => {
  expect(
    draw(turn('a'), turn('b'), commit('a'), commit('b'), commit(), commit('a', 'b'), commit('c')),
  ).toEqual(['  ✎', '  │ ✎', '●─┤ │', '●─│─┤', '● │ │', '●─┴─┘', '●']);
});

test('one session after the other takes the same lane; one with a single line needs none', () => {
  expect(draw(commit('a'), commit('a'), commit('c'), commit('b'), commit('b'))).toEqual([
    '●─┐',
    '●─┘',
    '●',
    '●─┐',
    '●─┘',
  ]);
  expect(draw(turn('a'), commit('b'))).toEqual(['✎', '●']);
});

test('a lane that is free in between is passed', () => {
  expect(draw(commit('a'), commit('a', 'b'), commit('c', 'b'), commit('c'), commit('b'))).toEqual([
    '●─┐',
    '●─┴─┐',
    '●─┬─┤',
    '●─┘ │',
    '●───┘',
  ]);
});

test('more sessions than there are lanes do without', () => {
  const ids = Array.from({ length: 12 }, (_, at) => `s${at}`);
  const lines = draw(commit(...ids), ...ids.map((id) => commit(id)));
  expect(Math.max(...lines.map((line) => line.length))).toBe(17);
  expect(lines.at(-1)).toBe('●');
});
