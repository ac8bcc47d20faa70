import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { locateRepo, type Repo } from '../../git/locate.ts';
import { listInstalled } from './uninstall.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'entire-home-')));

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

test('what lies in ~/.entire for all repositories stays where the home folder is a repository', () => {
  vi.stubEnv('HOME', home);
  execFileSync('git', ['init', '--quiet', home]);
  const at = (...names: string[]) => join(home, '.entire', ...names);
  for (const name of ['tmp', 'logs', 'sessions', 'worktrees/app/fix'])
    mkdirSync(at(name), { recursive: true });
  for (const name of ['settings.json', 'sessions/a.json', 'worktrees/app/fix/work.txt'])
    writeFileSync(at(name), '{}\n');
  const said = listInstalled(locateRepo(home) as Repo).map((part) => part.remove());
  for (const name of ['settings.json', 'tmp', 'logs']) expect(existsSync(at(name)), name).toBe(false);
  for (const name of ['sessions/a.json', 'worktrees/app/fix/work.txt'])
    expect(existsSync(at(name)), name).toBe(true);
  expect(said.map(({ stays }) => stays)).toContain(
    'Kept in ~/.entire: what does not belong to this repository alone',
  );
  expect(listInstalled(locateRepo(home) as Repo)).toEqual([]);
});
