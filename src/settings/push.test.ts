import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/text/json.ts';
import type { Layer, LayerName } from './layers.ts';
import type { GitValue } from './permissions.ts';
import { readPushSettings } from './push.ts';

/** A local file that is itself. */
const folder = mkdtempSync(join(tmpdir(), 'entire-push-'));
writeFileSync(join(folder, 'local.json'), '');
afterAll(() => rmSync(folder, { recursive: true }));

const layer = (name: LayerName, options: JsonObject): Layer => ({
  ...{ name, file: join(folder, `${name}.json`) },
  values: { strategy_options: options },
});
const git = (key: string, value: string): GitValue => ({
  ...{ key: `entire.${key.toLowerCase()}`, value },
  ...{ reach: 'clone', isOwn: true },
});
const read = (layers: readonly Layer[], values: readonly GitValue[] = []) =>
  readPushSettings({
    layers,
    witness: { gitValues: () => values, isLocalShared: () => false, isOfRepository: () => false },
  });
const readProject = (options: JsonObject, ...values: GitValue[]) => read([layer('project', options)], values);

const repo = { provider: 'github', repo: 'acme/logs' };
const asked = 'checkpoint_remote github:acme/logs';

test('nothing is said', () => {
  expect(read([])).toEqual({
    permission: { given: undefined, by: undefined, unheard: [] },
    ...{
      proposal: undefined,
      shown: [],
      checkpointRemote: undefined,
      pushRemote: undefined,
      pushTo: 'branch',
      timeoutMs: undefined,
    },
  });
});

test('what anyone may set, the repository may', () => {
  expect(readProject({ push_timeout_seconds: 2.5 }).timeoutMs).toBe(2500);
  expect(readProject({ push_timeout_seconds: -1 }).timeoutMs).toBeUndefined();
  expect(readProject({ checkpoint_push_remote: 7 }).pushRemote).toBe('7');
});

describe('a place that the repository asks for', () => {
  test('is nothing but a proposal until it was agreed to, in whichever form it is written', () => {
    const proposal = { wanted: asked, agreed: '' };
    expect(readProject({ checkpoint_remote: repo })).toMatchObject({ proposal, checkpointRemote: repo });
    expect(readProject({ checkpoint_remote: 'github:acme/logs' })).toMatchObject({ proposal });
    expect(readProject({ checkpoint_remote: repo }, git('agreedRemote', asked)).proposal).toBeUndefined();
  });

  test('is asked for again when it changes, comes, or goes', () => {
    const agreed = git('agreedRemote', asked);
    expect(readProject({ checkpoint_remote: 'github:evil/logs' }, agreed).proposal).toEqual({
      wanted: 'checkpoint_remote github:evil/logs',
      agreed: asked,
    });
    expect(readProject({}, agreed).proposal).toEqual({ wanted: '', agreed: asked });
    expect(readProject({ checkpoint_push_remote: 'fork' }).proposal).toEqual({
      wanted: 'checkpoint_push_remote "fork"',
      agreed: '',
    });
  });

  test('gives way to what the person names in this clone, and stands above what they name for all', () => {
    const own = { provider: 'gitlab', repo: 'me/logs' };
    const project = layer('project', { checkpoint_remote: repo });
    expect(read([project], [git('checkpointRemote', 'gitlab:me/logs')])).toMatchObject({
      proposal: undefined,
      checkpointRemote: own,
    });
    expect(read([project, layer('local', { checkpoint_remote: own })])).toMatchObject({
      proposal: undefined,
      checkpointRemote: own,
    });
    expect(read([layer('user', { checkpoint_remote: own }), project])).toMatchObject({
      proposal: { wanted: asked },
      checkpointRemote: repo,
    });
    expect(read([layer('user', { checkpoint_remote: own })])).toMatchObject({
      proposal: undefined,
      checkpointRemote: own,
    });
  });

  test('is no more than that in a local file that a branch has', () => {
    const sources = {
      layers: [layer('local', { checkpoint_remote: repo })],
      witness: { gitValues: () => [], isLocalShared: () => true, isOfRepository: () => false },
    };
    expect(readPushSettings(sources).proposal).toEqual({ wanted: asked, agreed: '' });
  });
});

test.each([
  ['the object', repo, repo],
  ['one text', 'github:acme/logs', repo],
  ['no repository', { provider: 'github' }, 'invalid'],
  ['a path', { provider: 'github', repo: '../x' }, 'invalid'],
  ['an option', { provider: 'github', repo: '-x/y' }, 'invalid'],
  ['a URL', 'https://h/x', 'invalid'],
  ['a number', 7, 'invalid'],
])('checkpoint_remote: %s', (_, value, expected) => {
  expect(readProject({ checkpoint_remote: value }).checkpointRemote).toEqual(expected);
});

test('where a remote keeps them: what anyone says, the last who says something that it can be', () => {
  const places = (...layers: readonly Layer[]) => read(layers).pushTo;
  expect(places()).toBe('branch');
  expect(places(layer('project', { push_to: 'ref' }))).toBe('ref');
  expect(places(layer('project', { push_to: 'ref' }), layer('local', { push_to: 'branch' }))).toBe('branch');
  expect(places(layer('project', { push_to: 'ref' }), layer('local', { push_to: 'tag' }))).toBe('ref');
});
