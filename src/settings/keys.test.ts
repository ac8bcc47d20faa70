import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findKey, KEY_NAMES, listUnknown, SETTABLE } from './config/find-key.ts';
import { describeTakes, isTaken } from './config/typed-value.ts';
import { KEYS, type Key, nameOf } from './keys.ts';
import { parseRedaction } from './redaction.ts';

const root = resolve(import.meta.dirname, '../..');
const PAGE = join(root, 'docs/settings.md');
const keys = Object.values<Key>(KEYS);

/** An object that has everything, and notes by which path it is asked. */
function listening(heard: string[], path: readonly string[] = []): object {
  return new Proxy(
    {},
    {
      get(_, word) {
        if (typeof word !== 'string') return undefined;
        const here = [...path, word];
        heard.push(here.join('.'));
        return here.length < 3 ? listening(heard, here) : undefined;
      },
    },
  );
}

describe('the table has every key that is read', () => {
  test('of the section of redaction, which is read as a whole', () => {
    const heard: string[] = [];
    parseRedaction([listening(heard, ['redaction'])]);
    const inTable = keys.filter(({ path }) => path[0] === 'redaction').map(nameOf);
    const read = new Set(heard.filter((name) => !heard.some((other) => other.startsWith(`${name}.`))));
    expect([...read].sort()).toEqual(inTable.filter((name) => name !== 'redaction').sort());
  });

  test('of all others: no file but this one names a section', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== join('settings', 'keys.ts'),
    );
    expect(files.length).toBeGreaterThan(500);
    const naming = files.filter((name) =>
      /['"]strategy_options['"]|\.strategy_options\b/.test(readFileSync(join(root, 'src', name), 'utf8')),
    );
    expect(naming).toEqual([join('doctor', 'self-test', 'scratch.ts')]); // writes those of a repository of its own
  });

  test('and of each what people need to know', () => {
    for (const key of keys) {
      expect(key.about !== '', nameOf(key)).toBe(key.takes !== undefined);
      if (key.takes && key.usual !== undefined) expect(isTaken(key.takes, key.usual), nameOf(key)).toBe(true);
    }
    expect(keys.filter(({ takes, heard }) => !takes && heard !== 'nobody').map(nameOf)).toEqual([
      'redaction',
    ]);
    expect(new Set(KEY_NAMES).size).toBe(KEY_NAMES.length);
  });
});

const MARKS: Readonly<Record<Key['heard'], string>> = {
  anyone: '',
  person: ' ¹',
  agreed: ' ¹ ²',
  all: ' ³',
  nobody: '',
};

test('docs/settings.md has the table (ENTIRE_TEST_GOLDEN=write writes it)', () => {
  const rows = SETTABLE.map(([, key]) => {
    const names = [nameOf(key), ...(key.git ? [key.git] : [])].map((name) => `\`${name}\``);
    const usual = key.usual === undefined ? '' : `\`${key.usual}\``;
    const takes = key.takes ? describeTakes(key.takes) : '';
    return `| ${names.join(', ')}${MARKS[key.heard]} | ${takes} | ${usual} | ${key.about} |`;
  });
  const table = ['| key | takes | default | what it does |', '| --- | --- | --- | --- |', ...rows, ''].join(
    '\n',
  );
  const page = readFileSync(PAGE, 'utf8');
  if (process.env.ENTIRE_TEST_GOLDEN === 'write')
    writeFileSync(PAGE, page.replace(/KEYTABLE\n|\| key \| takes [\s\S]*?\n(?=\n|`)/, `${table}\n`));
  expect(readFileSync(PAGE, 'utf8')).toContain(`\n${table}\n`);
});

describe('a key by its name', () => {
  test.each([
    ['strategy', 'strategy', ['strategy']],
    ['entire.pushsessions', 'pushSessions', ['strategy_options', 'push_sessions']],
    ['redaction.custom_redactions.a.b', 'redactSecrets', ['redaction', 'custom_redactions', 'a.b']],
    ['telemetry', 'telemetry', ['telemetry']],
  ])('%s', (asked, name, path) => expect(findKey(asked)).toMatchObject({ name, path }));

  test.each([
    '',
    'redaction',
    'strategy_options',
    'redaction.custom_redactions.',
    'toString',
    '__proto__',
    'STRATEGY',
  ])('%j is none', (asked) => expect(findKey(asked)).toBeUndefined());
});

test('keys that nobody knows are found in every section', () => {
  const values = {
    a: 1,
    strategy_options: { b: {}, snapshots: 3 },
    redaction: { pii: { c: 1 } },
    review: { d: 1 },
  };
  expect(listUnknown(values)).toEqual([
    'a',
    'strategy_options.b',
    'strategy_options.snapshots',
    'redaction.pii.c',
  ]);
  expect(listUnknown({ strategy_options: null, redaction: { custom_redactions: { label: 'x' } } })).toEqual(
    [],
  );
});
