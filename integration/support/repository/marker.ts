import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepo } from './test-repo.ts';

/**
 * Where a word stands: in files of ours and of git's, raw, in their names, and in objects that refs or reflogs lead to.
 *
 * @param but refs whose objects are not looked at: the user's own commits
 */
export function placesOf(repo: TestRepo, word: string, but: readonly string[] = []): string[] {
  const folders = [repo.commonDir, join(repo.dir, '.entire'), join(repo.home, '.entire')].filter(existsSync);
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const raw = files.filter((file) => readFileSync(file).includes(word) || file.includes(word));
  const objects = (...args: string[]) =>
    repo
      .git('rev-list', '--objects', ...args)
      .split('\n')
      .filter(Boolean);
  const users = new Set(but.flatMap((ref) => objects(ref)).map((line) => line.slice(0, 40)));
  const oids = objects('--all', '--reflog').filter((line) => !users.has(line.slice(0, 40)));
  const input = `${oids.map((line) => line.slice(0, 40)).join('\n')}\n`;
  const { stdout } = repo.run('git', ['cat-file', '--batch'], { input });
  const found = stdout.includes(word)
    ? oids.filter((line) => repo.run('git', ['cat-file', '-p', line.slice(0, 40)]).stdout.includes(word))
    : [];
  return [...raw, ...found, ...oids.filter((line) => line.includes(word))];
}
