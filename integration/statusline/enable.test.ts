import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { scenario, variation } from '../support/repository/scenario.ts';

const LOCAL = '.claude/settings.local.json';
const OURS = { type: 'command', command: 'entire statusline --stdin' };

scenario("enable --statusline sets Claude Code's, and disable takes out what it set", (repo) => {
  repo.ready();
  const before = repo.git('status', '--porcelain', '--ignored');
  const exclude = repo.read('.git/info/exclude');
  expect(repo.entire('enable', '--statusline').stdout).toContain(
    "✓ Claude Code's status line set (.claude/settings.local.json)\n",
  );
  expect(JSON.parse(repo.read(LOCAL))).toEqual({ statusLine: OURS });
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(repo.entire('enable', '--statusline').stdout).toContain(
    "Claude Code's status line is Entire's already.\n",
  );
  expect(repo.entire('disable').stdout).toContain(`taken out of ${LOCAL}`);
  expect(repo.exists(LOCAL)).toBe(false);
  expect(repo.read('.git/info/exclude')).toBe(exclude);
  expect(repo.entire('disable').stdout).not.toContain('status line');
  repo.entire('enable', '--agent', 'claude-code', '--statusline');
  expect(repo.entire('disable', '--uninstall', '--force').stdout).toContain(
    "Removed Claude Code's status line\n",
  );
  expect(repo.exists(LOCAL)).toBe(false);
  expect(before).toContain('.entire/');
});

variation('every other byte of the settings stays, and comes back', (repo) => {
  repo.ready();
  const text = '{\n\t"permissions": {"allow": [ "Bash(ls)" ]},\n\t"model":"opus"\n}';
  repo.write(LOCAL, text);
  repo.entire('enable', '--statusline');
  const set = repo.read(LOCAL);
  expect(JSON.parse(set)).toEqual({ permissions: { allow: ['Bash(ls)'] }, model: 'opus', statusLine: OURS });
  expect(set.startsWith(text.slice(0, -2))).toBe(true);
  repo.entire('disable');
  expect(repo.read(LOCAL)).toBe(text);
  repo.entire('enable', '--agent', 'claude-code', '--statusline');
  repo.write(LOCAL, repo.read(LOCAL).replace('"opus"', '"haiku"'));
  repo.entire('disable');
  expect(repo.read(LOCAL)).toBe(text.replace('"opus"', '"haiku"'));
  rmSync(join(repo.dir, LOCAL));
});

variation('one that is there is never overwritten, wherever it is, nor taken out', (repo) => {
  repo.ready();
  const theirs = `${JSON.stringify({ statusLine: { type: 'command', command: 'mine' } })}\n`;
  const project = repo.read('.claude/settings.json');
  const places: readonly (readonly [string, string])[] = [
    [join(repo.home, '.claude/settings.json'), theirs],
    [join(repo.dir, '.claude/settings.json'), project.replace('{', '{"statusLine": {"command": "mine"},')],
    [join(repo.dir, LOCAL), theirs],
  ];
  for (const [file, text] of places) {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    expect(repo.entire('enable', '--statusline').stdout).toContain(
      `Claude Code's status line stays as it is: ${file} sets one.`,
    );
    expect(repo.read(LOCAL.replace('.local', file.endsWith(LOCAL) ? '.local' : ''))).toBe(
      file.startsWith(repo.home) ? project : text,
    );
    repo.entire('disable');
    repo.entire('enable', '--agent', 'claude-code');
    if (file.startsWith(repo.home) || file.endsWith(LOCAL)) rmSync(file);
    else writeFileSync(file, project);
  }
});

variation('what was changed since is left, and so is a file that git has', (repo) => {
  repo.ready();
  repo.entire('enable', '--statusline');
  const own = `${JSON.stringify({ statusLine: { type: 'command', command: 'entire statusline --format %s' } })}\n`;
  repo.write(LOCAL, own);
  expect(repo.entire('disable').stdout).not.toContain('status line');
  expect(repo.read(LOCAL)).toBe(own);
  repo.write(LOCAL, '{}\n');
  repo.git('add', '--force', LOCAL);
  repo.git('commit', '--quiet', '--no-verify', '-m', 'Share it');
  expect(repo.entire('enable', '--agent', 'claude-code', '--statusline').stdout).toContain(
    'git has .claude/settings.local.json',
  );
  expect(repo.read(LOCAL)).toBe('{}\n');
});

variation('settings that are no JSON are refused in words, and stay', (repo) => {
  repo.ready();
  repo.write(LOCAL, '{ // mine\n');
  const { code, stderr } = repo.tryEntire('enable', '--statusline');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: \.claude\/settings\.local\.json, line 1: not valid JSON/);
  expect(repo.read(LOCAL)).toBe('{ // mine\n');
  rmSync(join(repo.dir, LOCAL));
});
