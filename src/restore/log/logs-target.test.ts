import { expect, test } from 'vitest';
import { claudeSessionHome } from '../../agents/claude-code/session-home.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { chooseTarget, type TargetFacts } from './logs-target.ts';

const OWN = '/home/ada/.claude/projects/-srv-repo/s1.jsonl';
const choose = (facts: Partial<TargetFacts>): string =>
  chooseTarget({
    home: claudeSessionHome,
    env: { HOME: '/home/ada' },
    folder: '/srv/repo',
    sessionId: parseSessionId('s1') as SessionId,
    recorded: '',
    known: '',
    isHome: true,
    ...facts,
  });

test('a path in metadata counts in the agent’s folder for this worktree', () => {
  expect(choose({})).toBe(OWN);
  expect(choose({ recorded: '.claude/projects/-srv-repo/s1.jsonl' })).toBe(OWN);
  expect(choose({ recorded: '.claude/projects/-srv-repo-web/s1.jsonl' })).toBe(
    '/home/ada/.claude/projects/-srv-repo-web/s1.jsonl',
  );
});

test.each([
  ['../.bashrc'],
  ['.bashrc'],
  ['/etc/passwd'],
  ['.claude/settings.json'],
  ['.claude/projects/../../.ssh/s1.jsonl'],
  ['.claude/projects/-srv-repo/../../../s1.jsonl'],
  ['.claude/projects/-srv-repo/./s1.jsonl'],
  ['.claude/projects//-srv-repo/s1.jsonl'],
  ['.claude/projects/-srv-repo/s2.jsonl'],
  ['.claude/projects/-srv-repo/s1.json'],
  ['.claude/projects/-srv-repo/s1.jsonl/'],
  ['.claude/projects/-srv-repo/s1.jsonl\0.txt'],
  ['.claude\\projects\\-srv-repo\\s1.jsonl'],
  ['.claude/projects/-home-bob-repo/s1.jsonl'],
  ['.claude/projects/s1.jsonl'],
  ['~/.claude/projects/-srv-repo/s1.jsonl'],
  ['\n.claude/projects/-srv-repo/s1.jsonl'],
])('%j leads to the agent’s own folder', (recorded) => {
  expect(choose({ recorded })).toBe(OWN);
});

test('what this machine knows of its own session comes first', () => {
  const known = '/home/ada/.claude/projects/-srv-repo-web/s1.jsonl';
  expect(choose({ known, recorded: '.claude/projects/-srv-repo/s1.jsonl' })).toBe(known);
  expect(choose({ known, isHome: false })).toBe(OWN);
  expect(choose({ known: '/home/ada/.claude/projects/-srv-repo/full.log' })).toBe(OWN);
  expect(choose({ known: 'relative/s1.jsonl' })).toBe(OWN);
});

test('a client that was started with another folder than it would be now is not where it is looked for', () => {
  const known = '/data/claude/projects/-srv-repo/s1.jsonl';
  expect(choose({ known })).toBe(OWN);
  expect(choose({ known, isLive: true })).toBe(known);
});

test('where the environment names the agent’s folder, nothing else is its', () => {
  const env = { HOME: '/home/ada', CLAUDE_CONFIG_DIR: '/data/claude' };
  const there = '/data/claude/projects/-srv-repo/s1.jsonl';
  expect(choose({ env, known: OWN, recorded: '.claude/projects/-srv-repo/s1.jsonl' })).toBe(there);
  expect(choose({ env, known: '/data/claude/projects/-repo/s1.jsonl' })).toBe(
    '/data/claude/projects/-repo/s1.jsonl',
  );
});
