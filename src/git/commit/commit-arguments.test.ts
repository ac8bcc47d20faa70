import { describe, expect, test } from 'vitest';
import { findCommitArguments, parseCommitArguments } from './commit-arguments.ts';

const NOTHING = { amend: false, cleanup: undefined, template: undefined };

describe('arguments of git commit', () => {
  test.each([
    [['--amend', '-m', 'x'], { amend: true }],
    [['--am', '-m', 'x'], { amend: true }],
    [['-am', '--amend'], {}], // the message
    [['-m', '--amend'], {}],
    [['--message', '--amend'], {}],
    [['--mess', '--amend'], {}],
    [['--author=--amend'], {}],
    [['--author', '--amend'], {}],
    [['-a', '--', '--amend'], {}],
    [['--a'], {}], // ambiguous: git refuses it
    [['-S', '--amend'], { amend: true }],
    [['-Sm', '--amend'], { amend: true }],
    [['-uno', '--amend'], { amend: true }],
    [['--gpg-sign', '--amend'], { amend: true }],
    [['--cleanup=strip', '-m', '#42'], { cleanup: 'strip' }],
    [['--cleanup', 'verbatim'], { cleanup: 'verbatim' }],
    [['--clean=a=b'], { cleanup: 'a=b' }],
    [['-t', 'file'], { template: 'file' }],
    [['-atfile'], { template: 'file' }],
    [['--template=file'], { template: 'file' }],
    [['-v', 'some path', '-'], {}],
    [[], {}],
  ])('%j', (args, expected) => {
    expect(parseCommitArguments(args)).toEqual({ ...NOTHING, ...expected });
  });
});

describe('the command that runs a hook', () => {
  test.each([
    [[{ name: 'commit', args: ['--amend'] }], true],
    [
      [
        { name: 'commit', args: ['-m', 'x'] },
        { name: 'reword', args: ['--amend'] },
      ],
      false,
    ],
    [
      [
        { name: 'merge', args: ['--continue'] },
        { name: 'commit', args: ['--amend'] },
      ],
      undefined,
    ],
    [[], undefined],
  ])('%j', (callers, amend) => {
    expect(findCommitArguments(callers)?.amend).toBe(amend);
  });
});
