import { expect, test } from 'vitest';
import { renderBytes } from '../../base/text/text.ts';
import { USAGE_KINDS, type UsageReport } from '../../doctor/usage.ts';
import { renderUsage, renderUsageJson } from './view.ts';

test('sizes as people read them', () => {
  const sizes = [0, 1, 1023, 1024, 1024 ** 2 - 1, 1024 ** 2, 5.25 * 1024 ** 3, 1024 ** 5];
  expect(sizes.map(renderBytes)).toEqual([
    '0 bytes',
    '1 byte',
    '1023 bytes',
    '1 KiB',
    '1.0 MiB',
    '1 MiB',
    '5.3 GiB',
    '1024 TiB',
  ]);
});

const report: UsageReport = {
  rows: USAGE_KINDS.map((kind, at) => ({ kind, bytes: kind === 'steps' ? undefined : at * 5000, count: at })),
  total: 100_000,
  userIndex: undefined,
  sessions: Array.from({ length: 12 }, (_, at) => ({
    id: `session-${at}`,
    bytes: 12_000 - at,
    byKind:
      at === 0 ? { checkpoints: 2000, 'transcript-caches': 10_000 } : { 'transcript-caches': 12_000 - at },
  })),
};

test('the tables: kinds, and the largest sessions with the columns that they need', () => {
  expect(renderUsage(report)).toMatchInlineSnapshot(`
    "Entire keeps in this repository:

      Checkpoints                     0 bytes  0 checkpoints
      Notes of commits                4.9 KiB  1 note
      Uncommitted steps               unknown  2 branches
      Transcript caches              14.6 KiB  3 files
      Working copies of transcripts  19.5 KiB  4 files
      Session states and records     24.4 KiB  5 files
      Snapshots for undo             29.3 KiB  6 files
      Structures of source files     34.2 KiB  7 files
      Index of entire search         39.1 KiB  8 files
      Kept of removed worktrees      43.9 KiB  9 worktrees
      Logs                           48.8 KiB  10 files
      Total                          97.7 KiB

    Git objects count as git stores them, once for all branches that have them, and not where your own commits have them too. Objects that no branch has any more are git's to remove (\`git gc\`).

    Unknown: git cannot follow all objects; \`entire verify\` says which are damaged or missing.

    Largest sessions:

      session       total  checkpoints     cache
      session-0  11.7 KiB      2.0 KiB   9.8 KiB
      session-1  11.7 KiB               11.7 KiB
      session-2  11.7 KiB               11.7 KiB
      session-3  11.7 KiB               11.7 KiB
      session-4  11.7 KiB               11.7 KiB
      session-5  11.7 KiB               11.7 KiB
      session-6  11.7 KiB               11.7 KiB
      session-7  11.7 KiB               11.7 KiB
      session-8  11.7 KiB               11.7 KiB
      session-9  11.7 KiB               11.7 KiB
      and 2 more sessions: \`entire du --json\`"
  `);
});

test('for programs: all sessions, and null for what cannot be told', () => {
  const value = JSON.parse(renderUsageJson(report));
  expect(value.kinds[2]).toEqual({ kind: 'steps', bytes: null, count: 2 });
  expect(value.sessions).toHaveLength(12);
  expect(value.sessions[0]).toEqual({
    session_id: 'session-0',
    bytes: 12_000,
    by_kind: { checkpoints: 2000, transcript_caches: 10_000 },
  });
});
