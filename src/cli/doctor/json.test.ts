import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SEVERITIES } from '../../doctor/examine/finding.ts';
import { STEPS } from '../../doctor/self-test/cause.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'json.md'), 'utf8');

test('every finding is documented with its severity, and nothing else', () => {
  const documented = page
    .slice(page.indexOf('| `code`                                                                        |'))
    .split('\n')
    .map((row) => /^\| (`[^|]+`) +\| (error|warning|info) +\|/.exec(row))
    .flatMap((row) => (row?.[1] ?? '').split(', ').map((code) => [code.replaceAll('`', ''), row?.[2]]))
    .filter(([code]) => code !== '');
  expect(Object.fromEntries(documented)).toEqual(SEVERITIES);
});

test('every step is documented, in order', () => {
  const list = /Steps, in order: ([^.]+)\./.exec(page)?.[1] ?? '';
  expect([...list.matchAll(/`([\w-]+)`/g)].map(([, step]) => step)).toEqual(STEPS);
});
