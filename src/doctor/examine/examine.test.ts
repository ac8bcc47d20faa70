import { describe, expect, test } from 'vitest';
import { judgeBranches } from '../clean/branches.ts';
import { type AccessFacts, judgeAccess } from './access.ts';
import { type AgentFacts, judgeAgentHooks } from './agent-hooks.ts';
import type { Finding } from './finding.ts';
import { type GitHookFacts, judgeGitHooks } from './git-hooks.ts';
import { judgeHistory, type LinkedCommit } from './history.ts';
import { judgeLife, type LifeFacts } from './life.ts';
import { groupFailures, judgeRecent } from './log-failures.ts';
import { judgeOwed } from './owed.ts';
import type { RefVerdict } from './own-refs.ts';
import { judgeProgram, type ProgramFacts, withoutNpm } from './program.ts';
import { judgeSetUp } from './set-up.ts';

const codes = (findings: readonly Finding[]): string[] => findings.map(({ code }) => code);
const MINUTE = 60_000;
const NOW = Date.parse('2026-01-02T12:00:00Z');

describe('access', () => {
  const facts = (user: number | undefined, ...places: AccessFacts['places']): AccessFacts => ({
    user,
    gitOwner: 1000,
    places,
    freeBytes: 1 << 30,
  });
  const place = (owner: number, refusal?: string) => ({ path: '/p', owner, refusal });

  test('what can be written is no finding', () => {
    expect(judgeAccess(facts(1000, place(1000), place(1001)))).toEqual([]);
  });
  test('what is read-only, and what belongs to somebody else', () => {
    expect(judgeAccess(facts(1000, place(1000, 'EACCES')))).toMatchObject([
      { code: 'not-writable', detail: 'EACCES' },
    ]);
    expect(codes(judgeAccess(facts(1000, place(0, 'EACCES'))))).toEqual(['wrong-owner']);
    expect(codes(judgeAccess(facts(1000, place(0, 'EROFS'))))).toEqual(['not-writable']);
    expect(codes(judgeAccess(facts(undefined, place(0, 'EPERM'))))).toEqual(['wrong-owner']);
  });
  test('root may write everywhere, and sees what others could not', () => {
    expect(codes(judgeAccess(facts(0, place(0))))).toEqual(['wrong-owner']);
    expect(judgeAccess(facts(0, place(1000)))).toEqual([]);
  });
  test('a disk without room; one that tells nothing', () => {
    expect(codes(judgeAccess({ ...facts(1000), freeBytes: 4096 }))).toEqual(['disk-full']);
    expect(judgeAccess({ ...facts(1000), freeBytes: undefined })).toEqual([]);
  });
});

describe('programs', () => {
  const facts: ProgramFacts = {
    git: '2.43.0',
    onPath: { path: '/bin/entire', version: 'Entire CLI 1 (a)', failure: undefined },
    isFoundEverywhere: true,
    own: 'Entire CLI 1 (a)',
  };
  test.each([
    ['all is well', {}, []],
    ['git 2.30', { git: '2.30.9' }, ['git-too-old']],
    ['git 1.9', { git: '1.9' }, ['git-too-old']],
    ['git 3', { git: '3.0' }, []],
    ['git 2.31', { git: '2.31.0' }, []],
    ['no shell', { onPath: undefined }, []],
    ['nothing on PATH', { onPath: 'nothing', isFoundEverywhere: false }, ['not-on-path']],
    ['another one', { own: 'Entire CLI 2 (b)' }, ['path-other-version']],
    ['a short PATH', { isFoundEverywhere: false }, ['short-path']],
    ['a broken one', { onPath: { path: '/x', version: undefined, failure: 'no' } }, ['path-program-broken']],
  ] as const)('%s', (_, more, expected) => {
    expect(codes(judgeProgram({ ...facts, ...more }))).toEqual(expected);
  });
  test('what npm puts on PATH is taken off', () => {
    const PATH = '/a/node_modules/.bin:/usr/bin';
    expect(withoutNpm({ PATH, npm_execpath: '/npm' }).PATH).toBe('/usr/bin');
    expect(withoutNpm({ PATH }).PATH).toBe(PATH);
  });
});

describe('git hooks', () => {
  const hook = { exists: true, calls: true, isExecutable: true, isCurrent: true, generator: undefined };
  const facts = (more: Partial<GitHookFacts>, ...hooks: Partial<typeof hook>[]): GitHookFacts => ({
    dir: '/r/.git/hooks',
    isOwn: true,
    isUnusable: false,
    setting: undefined,
    managers: [],
    hooks: hooks.map((one) => ({ hook: 'post-commit', ...hook, ...one })),
    ...more,
  });
  test.each([
    ['as we write it', {}, {}, []],
    ['missing', {}, { exists: false, calls: false }, ['git-hooks-missing']],
    ['of somebody else', {}, { calls: false }, ['git-hooks-overwritten']],
    ['not executable', {}, { isExecutable: false, isCurrent: false }, ['git-hooks-not-executable']],
    ['of another release', {}, { isCurrent: false }, ['git-hooks-outdated']],
    ['elsewhere, and silent', { isOwn: false }, { calls: false }, ['hooks-folder-foreign']],
    ['elsewhere, not executable', { isOwn: false }, { isExecutable: false }, ['hooks-folder-foreign']],
    ['elsewhere, and calling', { isOwn: false }, { isCurrent: false }, []],
    ['nowhere', { isUnusable: true }, { exists: false }, ['hooks-folder-unusable']],
  ] as const)('%s', (_, more, one, expected) => {
    expect(codes(judgeGitHooks(facts(more, one)))).toEqual(expected);
  });
});

describe('agent hooks', () => {
  const agent = (hooks: Partial<NonNullable<AgentFacts['hooks']>> | undefined): AgentFacts => ({
    agent: 'claude-code',
    file: 'f',
    refusal: hooks ? undefined : 'why',
    switchedOffBy: undefined,
    hooks: hooks && { expected: 14, current: 14, outdated: 0, surplus: 0, obsolete: 0, unmet: 0, ...hooks },
  });
  test.each([
    [agent({}), []],
    [agent({ current: 0 }), ['agent-hooks-missing']],
    [agent({ current: 13 }), ['agent-hooks-incomplete']],
    [agent({ unmet: 1 }), ['agent-hooks-incomplete']],
    [agent({ current: 0, outdated: 14 }), ['agent-hooks-outdated']],
    [agent({ surplus: 2, obsolete: 1 }), ['agent-hooks-doubled', 'agent-settings-obsolete']],
    [agent(undefined), ['agent-settings-unreadable']],
    [{ ...agent({}), switchedOffBy: 's' }, ['agent-hooks-switched-off']],
    [{ ...agent({}), waiting: { file: 't', need: 'n' } }, ['agent-hooks-waiting']],
  ])('%#', (facts, expected) => {
    expect(codes(judgeAgentHooks([facts]))).toEqual(expected);
  });
  test('an agent that nobody uses is none', () => {
    expect(judgeAgentHooks([agent({}), agent({ current: 0 })])).toEqual([]);
  });
});

describe('signs of life', () => {
  const transcript = { path: '/t', writtenMs: NOW, isKnown: false, heardMs: 0, isActive: false };
  const facts = (more: Partial<LifeFacts>): LifeFacts => ({
    ...{ sinceMs: NOW - 1000 * MINUTE, nowMs: NOW, transcripts: [], commits: [] },
    ...more,
  });
  test.each([
    ['of no session that hooks know', {}, 1],
    ['from before it was set up', { writtenMs: NOW - 1001 * MINUTE }, 0],
    ['from a week ago', { writtenMs: NOW - 8 * 24 * 60 * MINUTE }, 0],
    ['of a session heard of lately', { isKnown: true, heardMs: NOW - 59 * MINUTE }, 0],
    ['of one that went on without its hooks', { isKnown: true, heardMs: NOW - 61 * MINUTE }, 1],
    ['of one in a long turn', { isKnown: true, heardMs: NOW - 61 * MINUTE, isActive: true }, 0],
    ['of one with a state that nobody can read', { isKnown: true }, 0],
  ])('a transcript %s', (_, more, count) => {
    expect(judgeLife(facts({ transcripts: [{ ...transcript, ...more }] }))).toHaveLength(count);
  });
  const commit = (minutes: number, isSeen: boolean) => ({
    oid: 'a'.repeat(40),
    madeMs: NOW - minutes * MINUTE,
    isSeen,
  });
  test.each([
    ['none', [], 0],
    ['all seen', [commit(1, true), commit(2, true)], 0],
    ['the newest unseen', [commit(1, false), commit(2, true)], 1],
    ['an older one unseen', [commit(1, true), commit(2, false)], 0],
    ['none seen', [commit(1, false), commit(2, false)], 2],
    ['before it was set up', [commit(1001, false)], 0],
  ])('commits: %s', (_, commits, count) => {
    expect(judgeLife(facts({ commits }))[0]?.items ?? []).toHaveLength(count);
  });
  test('an hour ahead or back by the clock is no sign of anything', () => {
    expect(judgeLife(facts({ sinceMs: NOW + 60 * MINUTE, transcripts: [transcript] }))).toEqual([]);
  });
});

describe('records', () => {
  const owed = { id: 'x', worktreeId: '', head: 'old', shell: undefined, atMs: 0, attempts: 0 } as never as {
    attempts: number;
  };
  const judge = (more: object, head = 'new') =>
    codes(
      judgeOwed({
        worktreeId: '',
        head,
        owed: [{ ...owed, ...more } as never],
        worktrees: new Set(['', 'w']),
      }),
    );
  test('owed checkpoints', () => {
    expect(judge({}, 'old')).toEqual([]); // there is no commit yet
    expect(judge({})).toEqual(['checkpoint-owed']);
    expect(judge({ attempts: 5 })).toEqual(['checkpoint-given-up']);
    expect(judge({ own: {} }, 'old')).toEqual(['checkpoint-owed']);
    expect(judge({ worktreeId: 'w' })).toEqual([]); // a hook there will do it
    expect(judge({ worktreeId: 'w', attempts: 5 })).toEqual(['checkpoint-owed-elsewhere']);
    expect(judge({ worktreeId: 'gone' })).toEqual(['checkpoint-owed-elsewhere']);
  });

  test('branches', () => {
    const oid = 'a'.repeat(40) as never;
    const facts = {
      owned: new Set(['entire/1234567-e3b0c4']),
      left: [],
      broken: [],
      unknownPushes: [],
    };
    const refs = (...names: string[]) => new Map(names.map((name) => [name, oid]));
    const judge = (names: string[], isEnabled = true, ageMs = 0) =>
      codes(judgeBranches({ ...facts, refs: refs(...names), locks: [{ path: '/l', ageMs }], isEnabled }));
    const metadata = 'refs/heads/entire/checkpoints/v1';
    expect(judge([metadata, 'refs/heads/entire/1234567-e3b0c4'])).toEqual([]);
    expect(judge([])).toEqual(['metadata-branch-missing']);
    expect(judge([], false)).toEqual([]);
    expect(judge(['refs/heads/entire'])).toEqual(['branch-name-taken']);
    expect(judge(['refs/heads/entire/checkpoints'])).toEqual(['branch-name-taken']);
    expect(judge([metadata, 'refs/heads/entire/7654321-e3b0c4'])).toEqual(['shadow-branch-unowned']);
    const unknown = { ...facts, owned: undefined, refs: refs(metadata, 'refs/heads/entire/7654321-e3b0c4') };
    expect(judgeBranches({ ...unknown, locks: [], isEnabled: true })).toEqual([]);
    expect(judge([metadata, 'refs/heads/entire/mine'])).toEqual([]);
    const judgeBroken = (ref: string, isRestorable: boolean) =>
      judgeBranches({
        ...{ ...facts, refs: refs(), locks: [], isEnabled: true },
        broken: [{ ref, isRestorable }],
      }).map(({ code, isFixable }) => `${code} ${isFixable}`);
    expect(judgeBroken(metadata, true)).toEqual(['ref-broken true']); // and not missing
    expect(judgeBroken(metadata, false)).toEqual(['ref-broken false']);
    expect(judgeBroken('refs/entire/x', false)).toEqual(['ref-broken false', 'metadata-branch-missing true']);
    expect(judge([metadata], true, 11 * MINUTE)).toEqual(['ref-lock']);
    const judgeLeft = (ref: string, verdict: RefVerdict) =>
      codes(
        judgeBranches({
          ...{ ...facts, refs: refs(metadata), locks: [], isEnabled: true },
          left: [{ ref: `refs/entire/${ref}`, verdict }],
        }),
      );
    expect(judgeLeft('auto/aaaaaaaaaaaa/commit', 'owed')).toEqual([]);
    expect(judgeLeft('auto/bbbbbbbbbbbb/commit', 'only-copy')).toEqual(['auto-commit-left']);
    expect(judgeLeft('scrub/aaaaaaaaaaaa', 'at-work')).toEqual([]);
    expect(judgeLeft('scrub/aaaaaaaaaaaa', 'free')).toEqual(['scrub-left']);
    expect(judgeLeft('rewind/aaaaaaaaaaaa', 'free')).toEqual(['rewind-left']);
    expect(judgeLeft('staged/aaaaaaaaaaaa', 'expired')).toEqual([]); // a matter of `clean`
  });

  test('trailers', () => {
    const commit = { oid: 'a'.repeat(40), checkpoint: 'b'.repeat(12) } as never as LinkedCommit;
    const none = { isStored: false, isFetched: false, isOwed: false, isMadeHere: false };
    const judge = (more: Partial<LinkedCommit>) =>
      codes(judgeHistory({ commits: [{ ...commit, ...none, ...more }] }));
    expect(judge({ isStored: true })).toEqual([]);
    expect(judge({ isOwed: true })).toEqual([]);
    expect(judge({})).toEqual(['checkpoint-elsewhere']);
    expect(judge({ isMadeHere: true })).toEqual(['trailer-dangling']);
    expect(judge({ isFetched: true, isMadeHere: true })).toEqual(['checkpoint-not-merged']);
  });

  test('the log: the same reason once, the newest last, of one day', () => {
    const line = (minutes: number, message: string) => ({
      time: new Date(NOW - minutes * MINUTE).toISOString(),
      message,
    });
    const lines = [
      line(25 * 60, 'old'),
      line(30, 'a'),
      line(20, 'b'),
      line(10, 'a'),
      { time: '?', message: 'c' },
    ];
    expect(judgeRecent(groupFailures(lines, NOW))[0]?.items).toEqual([
      '2026-01-02T11:40:00.000Z b',
      '2026-01-02T11:50:00.000Z a (2 times)',
    ]);
    expect(judgeRecent([])).toEqual([]);
  });
});

test('settings', () => {
  const ENABLED = { kind: 'enabled', refused: [] };
  const facts = { variable: undefined, pauses: [], settings: undefined, refusal: undefined, badRules: [] };
  const judge = (more: object) =>
    codes(judgeSetUp({ ...facts, activation: { kind: 'not-set-up' }, ...more }));
  expect(judge({})).toEqual(['not-set-up']);
  expect(judge({ variable: '0' })).toEqual(['switched-off', 'not-set-up']);
  expect(judge({ variable: '1' })).toEqual(['not-set-up']);
  expect(judge({ activation: ENABLED })).toEqual([]);
  expect(judge({ activation: ENABLED, badRules: ['x'] })).toEqual(['redaction-rule-unusable']);
  expect(judge({ activation: ENABLED, refusal: 'no' })).toEqual(['settings-unreadable']);
  const pause = (atMs: number) => ({ id: 'a', atMs, scope: { kind: 'worktree' as const, worktreeId: '' } });
  const long = Date.now() - 25 * 60 * 60 * 1000;
  expect(judge({ activation: ENABLED, pauses: [pause(Date.now()), pause(long)] })).toEqual([
    'paused',
    'paused-for-long',
  ]);
  expect(judge({ activation: ENABLED, pauses: 'unreadable' })).toEqual(['paused-unreadable']);
  const refused = [{ file: 'f', reason: 'r' }];
  expect(judge({ activation: { kind: 'enabled', refused } })).toEqual(['settings-unreadable']);
  expect(judge({ activation: { kind: 'disabled', refused } })).toEqual(['settings-unreadable', 'disabled']);
});
