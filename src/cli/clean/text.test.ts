import { expect, test } from 'vitest';
import type { ObjectId } from '../../base/ids.ts';
import { renderClean, renderKept, renderPreview } from './text.ts';

const tip = '1'.repeat(40) as ObjectId;

test('what would go, by kind', () => {
  expect(renderPreview([])).toBe('Nothing to clean up.');
  expect(
    renderPreview([
      { kind: 'shadow-branch', id: 'entire/abc1234', tip },
      { kind: 'checkpoint', id: 'a1b2c3d4e5f6' },
      { kind: 'lock', id: '.git/entire-sessions/s.lock' },
    ]),
  ).toMatchInlineSnapshot(`
    "Left behind by sessions, 3 items:

    Step branches (1):
      entire/abc1234

    Checkpoint metadata (1):
      a1b2c3d4e5f6

    Stale locks (1):
      .git/entire-sessions/s.lock

    Run with --force to delete these items."
  `);
});

test('what went, what did not, and how to have it back', () => {
  const nothing = { found: [], kept: [], deleted: [], failed: [], metadataTip: undefined };
  expect(renderClean(nothing)).toBe('Nothing to clean up.');
  expect(
    renderClean({
      ...nothing,
      deleted: [
        { kind: 'shadow-branch', id: 'entire/abc1234', tip },
        { kind: 'checkpoint', id: 'a1b2c3d4e5f6' },
      ],
      failed: [{ kind: 'session-state', id: 's', error: 'EACCES' }],
      metadataTip: tip,
    }),
  ).toMatchInlineSnapshot(`
    "Deleted 2 items:

      Step branches (1):
        entire/abc1234

      Checkpoints (1):
        a1b2c3d4e5f6

    To bring it back, until \`git gc\` removes what no branch has:
      git branch entire/abc1234 1111111111111111111111111111111111111111

    entire/checkpoints/v1 had the deleted checkpoints at 1111111111111111111111111111111111111111.

    Failed to delete 1 items:

      Session states:
        s"
  `);
  const failed = [{ kind: 'ref' as const, id: 'refs/entire/scrub/x', error: '' }];
  expect(renderClean({ ...nothing, failed })).toBe(
    'Failed to delete 1 items:\n\n  Refs:\n    refs/entire/scrub/x',
  );
});

test('what stays is told where it is not plain to see, and not without end', () => {
  const alive = { kind: 'shadow-branch', id: 'entire/abc1234', reason: 'pending', detail: 's' } as const;
  expect(renderKept([alive])).toEqual([]);
  const lost = Array.from({ length: 40 }, (_, n) => ({
    kind: 'session-state' as const,
    id: `s${n}`,
    reason: 'checkpoint-unreadable' as const,
  }));
  expect(renderKept([{ ...alive, reason: 'checked-out', detail: '/side' }, ...lost])).toEqual([
    'Warning: entire/abc1234 is checked out in /side and stays',
    ...[0, 1, 2].map(
      (n) => `Note: s${n} stays: a checkpoint that cannot be read may hold the session (\`entire verify\`)`,
    ),
    'Note: and so do 37 more session states',
  ]);
});
