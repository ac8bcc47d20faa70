import { test } from 'vitest';
import { holdStories } from './authorship/stories.ts';

test('stories, the long run: each line is called its author’s after history was rewritten [native]', () =>
  holdStories(1000, 1));
