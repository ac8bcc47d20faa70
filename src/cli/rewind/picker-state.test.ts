import { expect, test } from 'vitest';
import type { RewindPoint } from '../../restore/points.ts';
import { BEGIN, filterGroups, groupPoints, type PickerState, pointAt, press } from './picker-state.ts';

const point = (id: string, sessionId: string, subject: string): RewindPoint =>
  ({ kind: 'step', id, sessionId, subject, sessionPrompt: '' }) as unknown as RewindPoint;

const points = [
  point('aa11', 'one', 'Rename values'),
  point('bb22', 'two', 'Improve the search'),
  point('cc33', 'one', 'And constants'),
];
const groups = groupPoints(points, ({ id, sessionId }) => ({
  agent: sessionId === 'one' ? 'Codex' : 'Pi',
  prompt: `oldest is ${id}`,
}));

const after = (keys: readonly [name: string, sequence?: string][], from: PickerState = BEGIN): PickerState =>
  keys.reduce((state, [name, sequence = '']) => {
    const pressed = press(groups, state, { name, sequence }, 2);
    if (pressed.kind !== 'state') throw new Error(pressed.kind);
    return pressed.state;
  }, from);
const typed = (text: string): [string, string][] => [...text].map((char) => [char, char]);
const at = (state: PickerState): string | undefined => pointAt(groups, state)?.id;

test('points of a session stand together, that of the newest point first, under what its oldest point tells', () => {
  expect(groups.map(({ prompt, points: own }) => [prompt, ...own.map(({ id }) => id)])).toEqual([
    ['oldest is cc33', 'aa11', 'cc33'],
    ['oldest is bb22', 'bb22'],
  ]);
});

test('a filter looks at subject, prompt, agent and id, whatever the case', () => {
  const found = (filter: string): string[] =>
    filterGroups(groups, filter).flatMap(({ points: own }) => own.map(({ id }) => id));
  expect(found('SEARCH')).toEqual(['bb22']);
  expect(found('codex')).toEqual(['aa11', 'cc33']);
  expect(found('cc3')).toEqual(['aa11', 'cc33']); // the prompt has it
  expect(found(' aa1 ')).toEqual(['aa11']);
  expect(found('nothing')).toEqual([]);
});

test('the cursor moves by arrows, letters, pages and to the ends, and no further', () => {
  expect(at(BEGIN)).toBe('aa11');
  expect(at(after([['down']]))).toBe('cc33');
  expect(
    at(
      after([
        ['j', 'j'],
        ['j', 'j'],
        ['j', 'j'],
      ]),
    ),
  ).toBe('bb22');
  expect(at(after([['end'], ['k', 'k']]))).toBe('cc33');
  expect(at(after([['pagedown'], ['pagedown']]))).toBe('bb22');
  expect(at(after([['end'], ['pageup']]))).toBe('aa11');
  expect(at(after([['up']]))).toBe('aa11');
});

test('what is typed into a filter is text, letters of keys and wide ones too; the cursor stays on its point where it is shown', () => {
  const filter = after([['', '/'], ...typed('jdq検')]);
  expect(filter).toMatchObject({ mode: 'filter', filter: 'jdq検' });
  expect(after([['backspace', '\x7f']], filter).filter).toBe('jdq');
  expect(press(groups, filter, { name: 'return', sequence: '\r' }, 2)).toMatchObject({
    kind: 'state',
    state: { mode: 'list', filter: 'jdq検' },
  });
  expect(after([['escape', '\x1b']], filter)).toMatchObject({ mode: 'list', filter: '' });
  expect(at(after([['down'], ['', '/'], ...typed('and')]))).toBe('cc33');
  expect(at(after([['down'], ['', '/'], ...typed('pi')]))).toBe('bb22');
});

test('Escape clears a filter that is kept, and cancels where there is none; nothing is chosen of nothing', () => {
  const kept = after([['', '/'], ...typed('zzz'), ['return', '\r']]);
  expect(press(groups, kept, { name: 'return', sequence: '\r' }, 2).kind).toBe('state');
  expect(press(groups, kept, { name: 'd', sequence: 'd' }, 2).kind).toBe('state');
  const cleared = after([['escape', '\x1b']], kept);
  expect(cleared.filter).toBe('');
  expect(press(groups, cleared, { name: 'escape', sequence: '\x1b' }, 2)).toEqual({ kind: 'cancel' });
  expect(press(groups, cleared, { name: 'd', sequence: 'd' }, 2)).toMatchObject({
    kind: 'diff',
    point: points[0],
  });
});
