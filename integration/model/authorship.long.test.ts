import { test } from 'vitest';
import { holdAuthorsAndLinks } from './authorship/links.ts';

test('stories, the long run: after history was rewritten each line is called its author’s, and each commit is linked to whose lines it holds [native]', () =>
  holdAuthorsAndLinks(1000));
