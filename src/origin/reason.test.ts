import { describe, expect, test } from 'vitest';
import type { CheckpointId } from '../base/ids.ts';
import type { StoredCheckpoint } from '../checkpoint/read/checkpoint.ts';
import type { VerdictReason } from '../session/record/verdicts.ts';
import { type CommitFacts, findReplayed, resolveReason } from './reason.ts';

const ID = 'a1b2c3d4e5f6' as CheckpointId;
const STORED: StoredCheckpoint = {
  id: ID,
  slots: [],
  filesTouched: [],
  tokenUsage: undefined,
  isFlat: false,
  problems: [],
};
const verdict = (reason: VerdictReason) => ({
  commit: 'c',
  at: '2026-02-01T00:00:00Z',
  reason,
  sessions: [],
});

const facts = (more: Partial<CommitFacts>): CommitFacts => ({
  committedAt: '2026-02-10T12:00:00+02:00',
  parents: 1,
  message: 'Add a\n',
  trailer: undefined,
  checkpoint: undefined,
  verdict: undefined,
  firstVerdictAt: undefined,
  setUp: 'complete',
  ...more,
});

describe('resolveReason', () => {
  test.each<[string, Partial<CommitFacts>, string, string]>([
    ['linked here', { trailer: ID, checkpoint: STORED, verdict: verdict('linked') }, 'linked', 'linked'],
    ['amended', { trailer: ID, checkpoint: STORED, verdict: verdict('kept') }, 'linked', 'kept'],
    ['replayed', { trailer: ID, checkpoint: STORED, verdict: verdict('sequence') }, 'linked', 'sequence'],
    ['made elsewhere', { trailer: ID, checkpoint: STORED }, 'linked', 'trailer'],
    [
      'fetched since',
      { trailer: ID, checkpoint: STORED, verdict: verdict('unknown-checkpoint') },
      'linked',
      'trailer',
    ],
    [
      'completed since',
      { trailer: ID, checkpoint: STORED, verdict: verdict('condense-failed') },
      'linked',
      'trailer',
    ],
    ['squashed', { isMadeOf: true, verdict: verdict('merge') }, 'linked', 'made-of'],
    [
      'of another, and squashed',
      { trailer: ID, checkpoint: STORED, misfit: 'x', isMadeOf: true },
      'linked',
      'made-of',
    ],
    [
      'amended after a squash',
      { trailer: ID, checkpoint: STORED, isMadeOf: true, verdict: verdict('kept') },
      'linked',
      'kept',
    ],
    ['not fetched', { trailer: ID }, 'incomplete', 'metadata-missing'],
    [
      'linked once, and the branch is gone',
      { trailer: ID, verdict: verdict('linked') },
      'incomplete',
      'metadata-missing',
    ],
    [
      'nothing known',
      { trailer: ID, verdict: verdict('unknown-checkpoint') },
      'incomplete',
      'unknown-checkpoint',
    ],
    ['storing failed', { trailer: ID, verdict: verdict('condense-failed') }, 'incomplete', 'condense-failed'],
    ['no session', { verdict: verdict('no-session') }, 'not-linked', 'no-session'],
    ['no overlap', { verdict: verdict('no-overlap') }, 'not-linked', 'no-overlap'],
    ['trailer removed', { verdict: verdict('trailer-missing') }, 'not-linked', 'trailer-missing'],
    ['judging failed', { verdict: verdict('condense-failed') }, 'not-linked', 'condense-failed'],
    ['a merge has no verdict', { parents: 2, setUp: 'not-set-up' }, 'not-linked', 'merge'],
    ['a squash made elsewhere', { message: 'Squashed commit of the following:\n\n' }, 'not-linked', 'merge'],
    [
      'a revert made elsewhere',
      { message: 'Revert\n\nThis reverts commit abcdef0.\n' },
      'not-linked',
      'sequence',
    ],
    ['not set up', { setUp: 'not-set-up' }, 'not-linked', 'not-set-up'],
    ['disabled', { setUp: 'disabled' }, 'not-linked', 'disabled'],
    ['hooks are missing', { setUp: 'hooks-missing' }, 'not-linked', 'hooks-missing'],
    [
      'older than the records',
      { firstVerdictAt: '2026-02-10T10:00:01.001Z' },
      'not-linked',
      'before-records',
    ],
    ['no older than the records', { firstVerdictAt: '2026-02-10T10:00:00.999Z' }, 'not-linked', 'no-record'],
    ['nothing at all', {}, 'not-linked', 'no-record'],
  ])('%s', (_, more, status, reason) => {
    expect(resolveReason(facts(more))).toEqual({ status, reason });
  });
});

test('what a message was made of', () => {
  expect(findReplayed('x\n\n(cherry picked from commit 0123456789abcdef)\n')).toBe('0123456789abcdef');
  expect(findReplayed('x\n\nsaid: This reverts commit 0123456\n')).toBeUndefined();
});
