import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AGENT_NAMES } from './names.ts';
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

/** Files of `src` outside of its folder that name an agent, and why they may: of each but these three any may be added without them. */
const NAMING = {
  'agents/names.ts': 'the list of names',
  'agents/registry.ts': 'the list of definitions',
  'agents/setups.ts': 'the list of how they are set up',
  'agents/shared/hook-table/command.ts': 'the oldest hooks of all name no agent',
  'checkpoint/redact/rule/vendors-ai.ts': 'Cursor is the vendor of a key',
  'cli/statusline/claude-settings.ts': 'Claude Code alone has a status line that others fill',
  'conversation/walk/title.ts': 'the title that Codex gives comes late',
  'conversation/walk/walker.ts': 'OpenCode hands sessions over for a folder alone',
};

test('an agent is named in its folder, and in the three lists', () => {
  const src = join(import.meta.dirname, '..');
  const named = new RegExp(`'(?:${AGENT_NAMES.join('|')})'|/(?:${AGENT_NAMES.join('|')})/[a-z-]+\\.ts'`);
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /(?<!\.test|\.d)\.ts$/.test(path) && !AGENT_NAMES.some((name) => path.startsWith(`agents/${name}/`)),
  );
  expect(files.length).toBeGreaterThan(500);
  const naming = files.filter((path) => named.test(readFileSync(join(src, path), 'utf8')));
  expect(naming.sort()).toEqual(Object.keys(NAMING).sort());
});
