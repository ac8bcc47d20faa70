import { expect, test } from 'vitest';
import { type Action, type Phase, parsePhase, type SessionEvent, transition } from './phase.ts';

/** The table of strategy.md §1.5, row by row; an empty guard means "whatever the circumstances". */
type Row = [Phase, SessionEvent, 'sequence' | 'files' | 'no files' | 'otherwise' | '', Phase, Action[]];
const TABLE: Row[] = [
  ['idle', 'turn-start', '', 'active', ['touch']],
  ['idle', 'turn-end', '', 'idle', []],
  ['idle', 'git-commit', 'sequence', 'idle', []],
  ['idle', 'git-commit', 'otherwise', 'idle', ['condense', 'touch']],
  ['idle', 'session-start', '', 'idle', []],
  ['idle', 'session-stop', '', 'ended', ['touch']],
  ['active', 'turn-start', '', 'active', ['touch']],
  ['active', 'turn-end', '', 'idle', ['touch']],
  ['active', 'git-commit', 'sequence', 'active', []],
  ['active', 'git-commit', 'otherwise', 'active', ['condense', 'touch']],
  ['active', 'session-start', '', 'active', ['warn-stale-session']],
  ['active', 'session-stop', '', 'ended', ['touch']],
  ['ended', 'turn-start', '', 'active', ['clear-ended-at', 'touch']],
  ['ended', 'turn-end', '', 'ended', []],
  ['ended', 'git-commit', 'sequence', 'ended', []],
  ['ended', 'git-commit', 'files', 'ended', ['condense-if-files-touched', 'touch']],
  ['ended', 'git-commit', 'no files', 'ended', ['discard-if-no-files', 'touch']],
  ['ended', 'session-start', '', 'idle', ['clear-ended-at']],
  ['ended', 'session-stop', '', 'ended', []],
];

const ALL = [true, false].flatMap((filesTouched) =>
  [true, false].map((sequenceInProgress) => ({ filesTouched, sequenceInProgress })),
);

test.each(TABLE)('%s, %s %s → %s %j', (phase, event, guard, next, actions) => {
  const fitting = ALL.filter(({ filesTouched, sequenceInProgress }) => {
    if (guard === '') return true;
    if (guard === 'sequence') return sequenceInProgress;
    if (guard === 'otherwise') return !sequenceInProgress;
    return !sequenceInProgress && filesTouched === (guard === 'files');
  });
  expect(fitting.length).toBeGreaterThan(0);
  for (const circumstances of fitting)
    expect(transition(phase, event, circumstances)).toEqual({ next, actions });
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
