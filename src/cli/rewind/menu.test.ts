import { expect, test } from 'vitest';
import type { CommitPoint } from '../../restore/points.ts';
import { renderChoice } from './menu.ts';

const point = (misfit?: string): CommitPoint =>
  ({
    kind: 'commit',
    id: '0123456789abcdef',
    date: '2026-01-02T03:04:05Z',
    subject: 'Other',
    sessionPrompt: '',
    misfit,
  }) as unknown as CommitPoint;

test('a commit that names the checkpoint of another one is marked in the menu', () => {
  expect(renderChoice(point(), true)).toBe('0123456 (2026-01-02 03:04) Other');
  expect(renderChoice(point('none of the files'), true)).toBe(
    '0123456 (2026-01-02 03:04) [not its own checkpoint] Other',
  );
});
