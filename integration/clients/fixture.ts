import { readFileSync } from 'node:fs';
import { test as base, beforeAll, expect } from 'vitest';
import { expectQuietHooks, expectSoundRepository } from './facts.ts';
import { ensureClaudeCode } from './install.ts';
import type { Step } from './mock-anthropic.ts';
import { World } from './world.ts';

let binary: string;

beforeAll(() => {
  binary = ensureClaudeCode();
});

/**
 * A world where `entire enable` has run. Afterwards, whatever happened in it: every hook that the client shows was
 * quiet, none of ours has failed, and the repository is sound.
 */
export const test = base.extend<{ world: World }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern to learn what a fixture depends on
  world: async ({}, use) => {
    await using world = new World(binary, { 'old.txt': 'one\ntwo\n', 'log.txt': 'first\n' });
    world.entire('enable', '--agent', 'claude-code');
    await use(world);
    for (const { hooks } of world.runs) expectQuietHooks(hooks);
    const log = readFileSync(world.path('.entire/logs/entire.log'), 'utf8').split('\n');
    expect(log.filter((line) => /"level":"(WARN|ERROR)"/.test(line))).toEqual([]);
    expectSoundRepository(world);
  },
});

export const write = (world: World, name: string, content: string): Step => ({
  call: 'Write',
  input: { file_path: world.path(name), content },
});

/** Old and new text of an existing file, after the Read without which the client refuses an Edit. */
export const edit = (world: World, name: string, oldText: string, newText: string): readonly Step[] => [
  { call: 'Read', input: { file_path: world.path(name) } },
  { call: 'Edit', input: { file_path: world.path(name), old_string: oldText, new_string: newText } },
];

export const bash = (command: string): Step => ({ call: 'Bash', input: { command, description: 'Run it' } });

export const delegate = (prompt: string, place: 'foreground' | 'background'): Step => ({
  call: 'Agent',
  input: {
    description: 'Help',
    prompt,
    subagent_type: 'general-purpose',
    run_in_background: place === 'background',
  },
});
