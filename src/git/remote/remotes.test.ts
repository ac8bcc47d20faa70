import { describe, expect, test } from 'vitest';
import {
  findRemote,
  hideCredentials,
  parseRemoteConfig,
  usualRemote,
  withoutCredentials,
} from './remotes.ts';

const config = (...entries: string[]) => parseRemoteConfig(entries.map((entry) => `${entry}\0`).join(''));
const TWO = ['remote.origin.url\nhttps://host/up.git', 'remote.my.fork.url\ngit@host:me/fork.git'];

describe('the usual remote', () => {
  test.each([
    ['nothing said: origin', [], 'origin'],
    ['the branch follows one', ['branch.topic.remote\nmy.fork'], 'my.fork'],
    ['remote.pushDefault', ['branch.topic.remote\norigin', 'remote.pushdefault\nmy.fork'], 'my.fork'],
    [
      'branch.<name>.pushRemote',
      ['remote.pushdefault\norigin', 'branch.topic.pushremote\nmy.fork'],
      'my.fork',
    ],
    ['of another branch', ['branch.other.pushremote\nmy.fork'], 'origin'],
    ['this repository itself', ['branch.topic.remote\n.'], 'origin'],
    ['a URL that a remote has', ['branch.topic.remote\ngit@host:me/fork'], 'my.fork'],
    ['a URL of nobody', ['branch.topic.remote\ngit@host:who/ever'], undefined],
    ['the later entry wins', ['remote.pushdefault\norigin', 'remote.pushdefault\nmy.fork'], 'my.fork'],
  ])('%s', (_, entries, name) => {
    expect(usualRemote(config(...TWO, ...entries), 'topic')?.name).toBe(name);
  });

  test('without origin: the only one, or none of several', () => {
    const [, fork = ''] = TWO;
    expect(usualRemote(config(fork), undefined)?.name).toBe('my.fork');
    expect(usualRemote(config(fork, 'remote.b.url\nx'), undefined)).toBeUndefined();
    expect(usualRemote(config('remote.a.push\nmain'), undefined)).toBeUndefined(); // no URL: no remote
  });
});

test('a remote is known by its name, and by a URL it is pushed to', () => {
  const known = config(...TWO, 'remote.my.fork.pushurl\nssh://git@host/me/push.git');
  expect(findRemote(known, 'my.fork')?.name).toBe('my.fork');
  expect(findRemote(known, 'ssh://git@host/me/push/')?.name).toBe('my.fork');
  expect(findRemote(known, 'git@host:me/fork.git')).toBeUndefined(); // only fetched from
  expect(findRemote(known, 'https://me:secret@host/up')?.name).toBe('origin');
  expect(findRemote(known, '-x')).toBeUndefined();
});

test.each([
  ['https://me:secret@host/x.git', 'https://host/x.git'],
  ['https://token@host/x.git?key=1#y', 'https://host/x.git'],
  ['ssh://git:secret@host:22/x.git', 'ssh://git@host:22/x.git'],
  ['https://me:hunter@2@host/x.git', 'https://host/x.git'],
  ['ssh://git:hunter@2@host/x.git', 'ssh://git@host/x.git'],
  ['git@host:x.git', 'git@host:x.git'],
  ['/srv/a@b/x?.git', '/srv/a@b/x?.git'],
])('%s without credentials', (url, shown) => {
  expect(withoutCredentials(url)).toBe(shown);
  expect(hideCredentials(`fatal: unable to access '${url}': no`)).toContain(`'${shown}'`);
});
