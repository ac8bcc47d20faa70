import { test } from 'vitest';
import { exploreUndo } from './support/undo/explore.ts';

test('undo model, the long run: what the session wrote, nothing lost, undo and redo take each other back [native]', () =>
  exploreUndo(10_000));
