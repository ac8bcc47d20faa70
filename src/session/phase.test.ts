import { expect, test } from 'vitest';
import { type Action, type Phase, parsePhase, type SessionEvent, transition } from './phase.ts';

type Row = [Phase, SessionEvent, Phase, Action[]];
const TABLE: Row[] = [
  ['idle', 'turn-start', 'active', ['touch']],
  ['idle', 'turn-end', 'idle', []],
  ['idle', 'git-commit', 'idle', ['touch']],
  ['idle', 'session-start', 'idle', []],
  ['idle', 'session-stop', 'ended', ['touch']],
  ['active', 'turn-start', 'active', ['touch']],
  ['active', 'turn-end', 'idle', ['touch']],
  ['active', 'git-commit', 'active', ['touch']],
  ['active', 'session-start', 'active', []],
  ['active', 'session-stop', 'ended', ['touch']],
  ['ended', 'turn-start', 'active', ['clear-ended-at', 'touch']],
  ['ended', 'turn-end', 'ended', []],
  ['ended', 'git-commit', 'ended', ['touch']],
  ['ended', 'session-start', 'idle', ['clear-ended-at']],
  ['ended', 'session-stop', 'ended', []],
];

test.each(TABLE)('%s, %s → %s %j', (phase, event, next, actions) => {
  expect(transition(phase, event)).toEqual({ next, actions });
});

test('stored phases', () => {
  const stored = ['active', 'active_committed', 'idle', 'ended', '', 'ACTIVE', 'paused', null, undefined, 3];
  expect(stored.map(parsePhase)).toEqual([
    'active',
    'active',
    'idle',
    'ended',
    'idle',
    'idle',
    'idle',
    'idle',
    'idle',
    'idle',
  ]);
});
