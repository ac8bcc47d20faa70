import { test } from 'vitest';
import { holdLinks } from './authorship/links.ts';

test('stories, the long run: each commit is linked to the sessions whose lines it holds, and to no other [native]', () =>
  holdLinks(200));
