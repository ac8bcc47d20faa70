import { describe, expect, test } from 'vitest';
import type { ObjectId } from '../../base/ids.ts';
import { shadowBranch } from '../../checkpoint/shadow-branch.ts';
import { datesOf } from './clean-checkpoints.ts';
import {
  type BranchFacts,
  isBranchOf,
  judgeBranches,
  judgeStates,
  type SessionFacts,
  whyAlive,
} from './leftovers.ts';

const NOW = Date.parse('2026-01-02T12:00:00Z');
const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();
const BASE = 'abc1234def'.padEnd(40, '0');

/** A session that is over. */
const facts = (id = 's', state: object = {}, more: Partial<SessionFacts> = {}): SessionFacts => ({
  id,
  state: {
    baseCommit: BASE,
    worktreeId: '',
    worktreePath: '',
    phase: 'idle',
    startedAt: ago(60),
    lastInteractionTime: ago(30),
    checkpointCount: 0,
    filesTouched: [],
    turnCheckpointIds: [],
    ...state,
  } as SessionFacts['state'],
  isTracked: false,
  hasTask: false,
  isOwed: false,
  ...more,
});

describe('whether a session is alive', () => {
  test.each([
    ['nothing speaks for it', facts(), undefined],
    ['ended, with steps', facts('s', { phase: 'ended', checkpointCount: 1 }), 'pending'],
    ['silent for months in a turn', facts('s', { phase: 'active', lastInteractionTime: ago(1e6) }), 'active'],
    ['a checkpoint of its turn is not complete', facts('s', { turnCheckpointIds: ['a'] }), 'active'],
    ['files of a remainder', facts('s', { filesTouched: ['a'] }), 'pending'],
    ['a tracking file', facts('s', {}, { isTracked: true }), 'tracked'],
    ['a sub-agent', facts('s', {}, { hasTask: true }), 'task'],
    ['a checkpoint owed in its worktree', facts('s', {}, { isOwed: true }), 'owed'],
    ['heard of nine minutes ago', facts('s', { lastInteractionTime: ago(9) }), 'recent'],
    ['heard of ten minutes ago', facts('s', { lastInteractionTime: ago(10) }), undefined],
    [
      'just started, and never heard of',
      facts('s', { startedAt: ago(1), lastInteractionTime: undefined }),
      'recent',
    ],
    ['times that are none', facts('s', { startedAt: 'x', lastInteractionTime: '' }), undefined],
    ['a state that cannot be read', { ...facts(), state: undefined }, 'unreadable'],
  ])('%s', (_, session, expected) => {
    expect(whyAlive(session, NOW)).toBe(expected);
  });
});

describe('whose a shadow branch is', () => {
  test.each([
    [shadowBranch(BASE, ''), '', true],
    [shadowBranch(BASE, 'side'), 'side', true],
    [shadowBranch(BASE, ''), 'side', false],
    ['entire/abc1234', 'side', true], // the form without a worktree
    ['entire/ABC1234-E3B0C4', '', true],
    ['entire/abc1234def-e3b0c4', '', true],
    ['entire/abc1235-e3b0c4', '', false],
    ['entire/checkpoints/v1', '', false],
    ['main', '', false],
  ])('%s of worktree "%s"', (name, worktreeId, expected) => {
    expect(isBranchOf(name, { baseCommit: BASE, worktreeId })).toBe(expected);
  });
});

const branch = (name: string, worktree?: string) => ({
  name,
  ref: `refs/heads/${name}`,
  tip: '1'.repeat(40) as ObjectId,
  worktree,
});

test('branches stay for whoever needs them', () => {
  const own = { branch: branch(shadowBranch(BASE, '')), sessions: ['s'] };
  const judge = (sessions: SessionFacts[], busy: string[] = [], one: BranchFacts = own) => {
    const { items, kept } = judgeBranches([one], sessions, new Set(busy), NOW);
    return items.length > 0 ? 'left over' : kept[0]?.reason;
  };
  expect(judge([])).toBe('left over');
  expect(judge([facts()])).toBe('left over');
  expect(judge([facts('other', { checkpointCount: 1 })])).toBe('pending');
  expect(judge([facts('s', { checkpointCount: 1, baseCommit: '9'.repeat(40) })])).toBe('left over');
  expect(judge([facts('s', { checkpointCount: 1, worktreeId: 'side' })])).toBe('left over');
  expect(judge([{ ...facts('s'), state: undefined }])).toBe('unreadable');
  expect(judge([{ ...facts('elsewhere'), state: undefined }])).toBe('left over');
  expect(judge([], ['s'])).toBe('busy');
  expect(judge([], ['t'])).toBe('left over');
  expect(judge([], [], { ...own, branch: branch('entire/abc1234-e3b0c4', '/side') })).toBe('checked-out');
  const damaged = { ...own, sessions: undefined };
  expect(judge([{ ...facts('elsewhere'), state: undefined }], [], damaged)).toBe('steps-unreadable');
  expect(judge([], [], damaged)).toBe('steps-unreadable');
  expect(judge([facts('s', { checkpointCount: 1 })], [], damaged)).toBe('pending');
});

test('a state is left over when it leads nowhere', () => {
  const judge = (branches: string[], ids: string[], isComplete = true, session = facts()) => {
    const stored = { ids: new Set(ids), isComplete };
    const { items, kept } = judgeStates([session], new Set(branches), stored, NOW);
    return items.length > 0 ? 'left over' : (kept[0]?.reason ?? 'needed');
  };
  expect(judge([], [])).toBe('left over');
  expect(judge([], ['s'])).toBe('needed');
  expect(judge([shadowBranch(BASE, '')], [])).toBe('needed');
  expect(judge([shadowBranch(BASE, 'side')], [])).toBe('left over');
  expect(judge([], ['other'], false)).toBe('checkpoint-unreadable');
  expect(judge([], [], true, facts('s', { phase: 'active' }))).toBe('active');
});

test('dates of a commit, as they stand in it', () => {
  const text = 'tree x\nauthor A <a> 17 +0200\ncommitter B <b> 18 -0130\n\ncommitter C <c> 1 +0000\n';
  expect(datesOf(text)).toEqual({ author: '17 +0200', committer: '18 -0130' });
  expect(datesOf('tree x\n')).toEqual({ author: '0 +0000', committer: '0 +0000' });
});
