import { expect, test } from 'vitest';
import { parsePushConfig } from './own-config.ts';

const places = {
  ...{ gitDir: '/nowhere/repo/.git/worktrees/w', commonDir: '/nowhere/repo/.git', cwd: '/nowhere/repo' },
  isOfRepository: (file: string) => file.startsWith('/nowhere/repo/'),
};
const parse = (...entries: [scope: string, origin: string, entry: string][]) =>
  parsePushConfig(entries.map((entry) => `${entry.join('\0')}\0`).join(''), places);

test('values of ours, with how far they reach and whether the clone itself has them', () => {
  const { own } = parse(
    ['system', 'file:/etc/gitconfig', 'entire.summarize\nfalse'],
    ['global', 'file:/home/u/.config/git/more', 'entire.pushsessions\nfalse'],
    ['global', 'file:/nowhere/repo/etc/gitconfig', 'entire.pushsessions\ntrue'],
    ['local', 'file:.git/config', 'entire.pushsessions\ntrue'],
    ['local', 'file:.git/../.gitconfig', 'entire.pushsessions\ntrue'],
    ['local', 'file:/nowhere/repo/.git/config', 'entire.agreedremote\na\nb'],
    ['worktree', 'file:.git/worktrees/w/config.worktree', 'entire.summarize'],
    ['command', 'command line:', 'entire.pushsessions\nfalse'],
  );
  expect(own.map(({ key, value, reach, isOwn }) => [key, value, reach, isOwn])).toEqual([
    ['entire.summarize', 'false', 'machine', true],
    ['entire.pushsessions', 'false', 'machine', true],
    ['entire.pushsessions', 'true', 'machine', false],
    ['entire.pushsessions', 'true', 'clone', true],
    ['entire.pushsessions', 'true', 'clone', false],
    ['entire.agreedremote', 'a\nb', 'clone', true],
    ['entire.summarize', 'true', 'clone', true],
    ['entire.pushsessions', 'false', 'clone', false],
  ]);
});

test('remotes come from the same process', () => {
  const { remotes } = parse(
    ['global', 'file:/home/u/.gitconfig', 'remote.pushdefault\nfork'],
    ['local', 'file:.git/config', 'remote.origin.url\nhttps://h/x'],
    ['local', 'file:.git/config', 'entire.summarize\ntrue'],
  );
  expect(remotes.pushDefault).toBe('fork');
  expect(remotes.remotes).toMatchObject([{ name: 'origin', urls: ['https://h/x'] }]);
});
