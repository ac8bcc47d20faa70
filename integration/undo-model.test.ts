import { test } from 'vitest';
import { exploreUndo } from './support/undo/explore.ts';

/** Always the same steps, so that a change is what makes it fail; `npm run test:long` takes new ones each time. */
test(
  'undo and redo touch what the session wrote, lose nothing, and take each other back [native]',
  () => exploreUndo(300, 20260101),
  600_000,
);
