import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RECORD_FOLDERS } from '../session/forget-session.ts';
import { RECORDS_OF_SESSIONS } from './usage.ts';
import { isVerifiedRecord } from './verify/records.ts';

const text = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
const table = text.slice(text.indexOf('## Formats on disk'), text.indexOf('### Tracking file and claims'));

/** The JSON files below `<common>/entire` that the table of formats names, as examples of them. */
const FILES = [...table.matchAll(/`<common>\/entire\/([^`]+\.json)\}?`|`<common>\/entire\/([^`]+\.json\})`/g)]
  .map(([, plain, braced]) => (plain ?? braced) as string)
  .flatMap(spread)
  .map((path) =>
    path
      .replace(/\[.*?\]/g, '')
      .replace(/<(checkpoint|pause|12 hex)>/g, '0123456789ab')
      .replace(/<(session|agent|worktree)>/g, 's'),
  );

/** `a/{b,c}` are two files. */
function spread(path: string): string[] {
  const [, before = '', several, after = ''] = /^(.*)\{(.*?)\}(.*)$/.exec(path) ?? [];
  return several === undefined ? [path] : several.split(',').map((one) => before + one + after);
}

const SESSION_FOLDERS = [...table.matchAll(/`<common>\/entire\/([a-z-]+)\/<session>\.json`/g)].map(
  ([, folder]) => folder as string,
);

/** What `verify` looks at elsewhere than among the records. */
const VERIFIED_ELSEWHERE: Readonly<Record<string, string>> = {
  'archive/s.json': 'a state: checkSessions',
};

/** What a reset of a session leaves, and why. */
const KEPT_BY_RESET: Readonly<Record<string, string>> = {
  forgotten: 'what was forgotten stays forgotten when its session is reset',
  private: 'what was private stays private when its session is reset',
};

test('each record that the table of formats names is verified', () => {
  expect(FILES.length).toBeGreaterThan(20);
  const missed = FILES.filter((path) => !isVerifiedRecord(path));
  expect(missed.sort()).toEqual(Object.keys(VERIFIED_ELSEWHERE).sort());
});

test('the records that count for a session are those that the table names after sessions', () => {
  expect([...RECORDS_OF_SESSIONS].sort()).toEqual(SESSION_FOLDERS.sort());
});

test('a reset takes the records that the table names after sessions, or there is a reason', () => {
  const taken: readonly string[] = ['archive', ...RECORD_FOLDERS];
  const kept = SESSION_FOLDERS.filter((folder) => !taken.includes(folder));
  expect(kept.sort()).toEqual(Object.keys(KEPT_BY_RESET).sort());
});
