import { describe, expect, test } from 'vitest';
import { parseRemoteConfig } from '../git/remote/remotes.ts';
import type { PushSettings } from '../settings/push.ts';
import { namedDestination, resolveDestination } from './destination.ts';
import { whyNot } from './pre-push.ts';

const config = parseRemoteConfig(
  'remote.origin.url\nhttps://h/up.git\0remote.fork.url\ngit@h:me/up.git\0remote.bak.url\n/bak\0remote.bak.mirror\ntrue\0',
);
type Places = Pick<PushSettings, 'checkpointRemote' | 'pushRemote' | 'pushTo'>;
const NONE: Places = { checkpointRemote: undefined, pushRemote: undefined, pushTo: 'branch' };
const GITHUB = { provider: 'github', repo: 'acme/logs' };
const resolve = (named: string | undefined, settings: Partial<Places> = {}) =>
  resolveDestination({ way: 'push', config, settings: { ...NONE, ...settings }, branch: 'main', named });

describe('where checkpoints go', () => {
  test('with pushes to the usual remote, and with no others', () => {
    expect(resolve('origin')).toMatchObject({
      target: 'origin',
      places: [{ name: 'origin', trackingRef: 'refs/remotes/origin/entire/checkpoints/v1' }],
    });
    expect(resolve(undefined)).toMatchObject({ target: 'origin' });
    expect(resolve('fork')).toEqual({ none: 'other-remote', name: 'fork', usual: 'origin' });
    expect(resolve('https://h/elsewhere')).toEqual({ none: 'unknown-remote', name: 'https://h/elsewhere' });
  });

  test('checkpoint_push_remote picks one, and nothing steps in for it', () => {
    expect(resolve('fork', { pushRemote: 'fork' })).toMatchObject({ target: 'fork' });
    expect(resolve('origin', { pushRemote: 'fork' })).toMatchObject({ none: 'other-remote', usual: 'fork' });
    expect(resolve('origin', { pushRemote: 'gone' })).toEqual({ none: 'unknown-remote', name: 'gone' });
    expect(resolve('bak', { pushRemote: 'bak' })).toEqual({ none: 'mirror', name: 'bak' });
  });

  test('checkpoint_remote: there alone, by the protocol of the push', () => {
    const settings = { checkpointRemote: GITHUB };
    expect(resolve('origin', settings)).toMatchObject({ target: 'https://github.com/acme/logs.git' });
    expect(resolve('fork', settings)).toMatchObject({ target: 'git@github.com:acme/logs.git' });
    expect(resolve('https://h/elsewhere', settings)).toMatchObject({
      target: 'https://github.com/acme/logs.git',
    });
    const bad = [
      { provider: 'unheard-of', repo: 'a/b' },
      { provider: 'constructor', repo: 'a/b' },
      'invalid',
    ] as const;
    for (const checkpointRemote of bad)
      expect(resolve('origin', { checkpointRemote })).toEqual({ none: 'bad-checkpoint-remote' });
  });

  test('a command may name any remote, unless checkpoint_remote is set', () => {
    const named = (name: string, settings: Partial<Places> = {}) =>
      namedDestination({
        way: 'push',
        config,
        settings: { ...NONE, ...settings },
        branch: 'main',
        named: name,
      });
    expect(named('fork', { pushRemote: 'origin' })).toMatchObject({ target: 'fork' });
    expect(named('nobody')).toEqual({ none: 'unknown-remote', name: 'nobody' });
    expect(named('bak')).toEqual({ none: 'mirror', name: 'bak' });
    expect(named('fork', { checkpointRemote: GITHUB })).toMatchObject({ none: 'other-remote' });
    expect(named('fork', { checkpointRemote: 'invalid' })).toEqual({ none: 'bad-checkpoint-remote' });
  });
});

describe('a push that checkpoints do not go along with', () => {
  const push = { dryRun: false, everything: false, mirror: false, deletesOnly: false, refs: [] as string[] };
  const plain = parseRemoteConfig('remote.origin.url\nx\0');
  test.each([
    ['', push, plain, false],
    ['nobody can tell', undefined, plain, false],
    ['dry run', { ...push, dryRun: true }, plain, true],
    ['deletes', { ...push, deletesOnly: true }, plain, true],
    ['everything', { ...push, everything: true }, plain, true],
    ['a branch', { ...push, refs: ['main'] }, plain, false],
    ['one with a like name', { ...push, refs: ['entire/checkpoints/v10:x'] }, plain, false],
    ['ours', { ...push, refs: ['main', 'entire/checkpoints/v1'] }, plain, true],
    ['ours in full', { ...push, refs: ['+refs/heads/entire/checkpoints/v1:refs/heads/x'] }, plain, true],
    ['a pattern', { ...push, refs: ['refs/heads/*:refs/heads/*'] }, plain, true],
    ['everything by a pattern', { ...push, refs: ['+refs/*:refs/*'] }, plain, true],
    ['a pattern of a beginning', { ...push, refs: ['refs/heads/e*'] }, plain, true],
    ['all tags', { ...push, refs: ['refs/tags/*'] }, plain, false],
    ['some branches', { ...push, refs: ['refs/heads/topic/*:refs/heads/*'] }, plain, false],
    ['another branch in its place', { ...push, refs: ['HEAD:entire/checkpoints/v1'] }, plain, true],
    ['matching ones', { ...push, refs: [':'] }, plain, true],
    ['push.default', push, parseRemoteConfig('remote.origin.url\nx\0push.default\nmatching\0'), true],
    [
      'remote.push',
      push,
      parseRemoteConfig('remote.origin.url\nx\0remote.origin.push\nrefs/heads/*\0'),
      true,
    ],
  ])('%s', (_, args, known, isSkipped) => {
    expect(whyNot(args, known, 'origin') !== undefined).toBe(isSkipped);
  });
});
