import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RECORDS_OF_SESSIONS } from './usage.ts';

test('the records that count for a session are those that the table of formats names after sessions', () => {
  const text = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const table = text.slice(text.indexOf('## Formats on disk'), text.indexOf('### Tracking file and claims'));
  const named = [...table.matchAll(/`<common>\/entire\/([a-z-]+)\/<session>\.json`/g)].map(
    ([, folder]) => folder,
  );
  expect([...RECORDS_OF_SESSIONS].sort()).toEqual(named.sort());
});
