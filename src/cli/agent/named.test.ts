import { expect, test } from 'vitest';
import { AGENT_NAMES, AGENTS } from '../../agents/names.ts';
import { findAgentNamed, meantAgent } from './named.ts';

test('each agent by its name, its program, and as it calls itself', () => {
  for (const name of AGENT_NAMES)
    for (const word of [name, AGENTS[name].program, AGENTS[name].type, AGENTS[name].type.toUpperCase()])
      expect(findAgentNamed(word), word).toBe(name);
});

test.each([
  ['cla', 'claude-code'],
  ['droid', 'factoryai-droid'],
  ['factory', 'factoryai-droid'],
  ['cursor', 'cursor'],
  ['cop', 'copilot-cli'],
  // Several begin so, or too little was said.
  ['co', undefined],
  ['c', undefined],
  ['', undefined],
  ['code', 'codex'],
  ['toString', undefined],
])('%s', (word, name) => {
  expect(findAgentNamed(word)).toBe(name);
});

test('of a misspelt one it is said which was meant', () => {
  expect(meantAgent('cluade')).toBe('claude-code');
  expect(meantAgent('codx')).toBe('codex');
  expect(meantAgent('nobody')).toBeUndefined();
});
