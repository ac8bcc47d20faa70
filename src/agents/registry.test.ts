import { expect, test } from 'vitest';
import { isAgentSettings } from './registry.ts';

test.each([
  ['.claude/settings.json', true],
  ['.claude/settings.local.json', true],
  ['packages/app/.claude/settings.json', true],
  ['.gemini/settings.json', true],
  ['.codex/hooks.json', true],
  ['.codex/config.toml', true],
  ['.qwen/settings.json', true],
  ['.pi/extensions/entire/index.ts', true],
  ['.pi/extensions/mine.ts', false],
  ['.factory/settings.json', true],
  ['.cursor/hooks.json', true],
  ['.github/hooks/entire.json', true],
  ['.opencode/plugins/entire.ts', true],
  ['.claude/commands/review.md', false],
  ['.claude/agents/settings.json', false],
  ['src/settings.json', false],
  ['my.claude/settings.json', false],
  ['.github/workflows/hooks.json', false],
  ['.claude', false],
])('%s: %s', (path, isSettings) => {
  expect(isAgentSettings(path)).toBe(isSettings);
});
