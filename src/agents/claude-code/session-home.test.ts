import { expect, test } from 'vitest';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { claudeSessionHome as home, projectName } from './session-home.ts';

const ID = parseSessionId('0b1c') as SessionId;

test('every character that is no ASCII letter or digit becomes a dash', () => {
  expect(projectName('/home/ada/my_repo.v2/ä👍')).toBe('-home-ada-my-repo-v2----');
});

test('a long name is cut, and told apart by the whole path', () => {
  const long = `/${'x'.repeat(300)}`;
  expect(projectName(long)).toMatch(/^-x{199}-[0-9a-z]+$/);
  expect(projectName(`${long}/a`)).not.toBe(projectName(`${long}/b`));
  // As version 2.1.330 of the client has named them.
  const [begin, name] = ['/tmp/entire-client-TUPNx8/deep', '-tmp-entire-client-TUPNx8-deep'];
  const parts = ['a'.repeat(120), 'b_c.d é'.repeat(12)];
  const cut = `${name}-${parts[0]}-${'b-c-d--'.repeat(12)}`.slice(0, 200);
  expect(projectName(`${begin}/${parts.join('/')}`)).toBe(`${cut}-6d4b8x`);
  expect(projectName(`/${'x'.repeat(199)}`)).toBe(`-${'x'.repeat(199)}`);
});

test('sessions lie below ~/.claude, or where the environment says', () => {
  expect(home.transcript({ HOME: '/home/ada' }, '/srv/repo', ID)).toBe(
    '/home/ada/.claude/projects/-srv-repo/0b1c.jsonl',
  );
  const env = { HOME: '/home/ada', CLAUDE_CONFIG_DIR: '/data/claude' };
  expect(home.transcript(env, '/srv/repo', ID)).toBe('/data/claude/projects/-srv-repo/0b1c.jsonl');
  expect(home.root(env)).toBe('/data/claude/projects');
  const test = { ...env, ENTIRE_TEST_CLAUDE_PROJECT_DIR: '/tmp/project' };
  expect(home.transcript(test, '/srv/repo', ID)).toBe('/tmp/project/0b1c.jsonl');
});

test('a folder has its own sessions and those of folders below it', () => {
  const env = { HOME: '/h' };
  const kept = (name: string) => home.isKeptFor(env, `/h/.claude/projects/${name}/0b1c.jsonl`, '/srv/repo');
  expect([kept('-srv-repo'), kept('-srv-repo-packages-a')]).toEqual([true, true]);
  expect([kept('-srv'), kept('-srv-repository'), kept('-srv-repo/x'), kept('..')]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
