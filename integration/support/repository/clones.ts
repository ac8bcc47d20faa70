import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addWork } from '../command/work.ts';
import { TestRepo } from './test-repo.ts';

export const METADATA = 'refs/heads/entire/checkpoints/v1';

/** A bare repository beside a test's own; `file://` makes git speak its protocol with it. */
export function addBare(repo: TestRepo, name = 'remote'): string {
  const dir = join(repo.scratch, `${name}.git`);
  repo.git('init', '--quiet', '--bare', '--initial-branch=main', dir);
  repo.git('-C', dir, 'config', 'gc.auto', '0');
  repo.git('-C', dir, 'config', 'receive.autogc', 'false');
  return dir;
}

/** A ready repository with `origin`, which has its branch and, unless told otherwise, may have session logs. */
export function withOrigin(repo: TestRepo, push: boolean | 'undecided' = true): string {
  repo.ready();
  const bare = addBare(repo);
  repo.git('remote', 'add', 'origin', `file://${bare}`);
  setPush(repo, push === 'undecided' ? undefined : push);
  repo.git('add', '.entire');
  repo.git('commit', '--quiet', '--allow-empty', '-m', 'Set up');
  repo.gitWith({ env: { ENTIRE: '0' } }, 'push', '--quiet', '--set-upstream', 'origin', 'main');
  return bare;
}

/** The decision of the person at this clone, or none; and what they have in their own settings besides. */
export function setPush(repo: TestRepo, push: boolean | undefined, more: object = {}): void {
  const file = join(repo.dir, '.entire', 'settings.local.json');
  const settings = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const { push_sessions: _, ...options } = settings.strategy_options ?? {};
  writeFileSync(file, JSON.stringify({ ...settings, strategy_options: { ...options, ...more } }));
  if (push === undefined) repo.tryGit('config', '--unset-all', 'entire.pushSessions');
  else repo.git('config', 'entire.pushSessions', String(push));
  if (push && repo.tryGit('remote', 'get-url', 'origin').code === 0) noteShown(repo);
}

/** Notes where pushes to a remote go as `enable` does with a yes. */
export function noteShown(repo: TestRepo, remote = 'origin'): void {
  for (const url of repo.git('remote', 'get-url', '--push', '--all', remote).split('\n'))
    repo.git(
      'config',
      '--add',
      'entire.shownPlace',
      url.replace(/\/\/[^/]*@|\?.*/g, (part) => (part.startsWith('/') ? '//' : '')),
    );
}

/** Another machine: a clone of `bare` with a home of its own and hooks of its own. It goes with `repo`. */
export function addClone(repo: TestRepo, bare: string): TestRepo {
  const clone = new TestRepo(repo.build);
  repo.onRemove(() => clone.remove());
  clone.gitWith({ cwd: clone.scratch }, 'clone', '--quiet', `file://${bare}`, clone.dir);
  for (const [key, value] of [
    ['user.name', 'Bob'],
    ['user.email', 'bob@example.com'],
    ['gc.auto', '0'],
  ] as const)
    clone.git('config', key, value);
  clone.entire('enable', '--agent', 'claude-code', '--push-sessions');
  clone.git('checkout', '--quiet', '--', '.');
  return clone;
}

let count = 0;

/** A turn that writes a file, and a commit of it; returns the checkpoint. */
export function addCheckpoint(repo: TestRepo, name = `file-${++count}.txt`): string {
  addWork(repo, { [name]: `${name}\n` });
  return repo.commit(`Add ${name}`, name) as string;
}

/** Ids of the checkpoints on a ref, of any repository. */
export function checkpointsOn(repo: TestRepo, ref: string = METADATA, dir = repo.dir): string[] {
  const listed = repo.tryGit('-C', dir, 'ls-tree', '-r', '--name-only', ref);
  const ids = listed.stdout.split('\n').flatMap((path) => {
    const [, shard, rest] = /^([0-9a-f]{2})\/([0-9a-f]{10})\/metadata\.json$/.exec(path) ?? [];
    return shard ? [`${shard}${rest}`] : [];
  });
  return ids.sort();
}

/** The lines of the ledger as they stand there. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever stands there
export function ledger(repo: TestRepo): any[] {
  const file = join(repo.commonDir, 'entire', 'pushes.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** Something to push that no session has to do with. */
export const addCommit = (repo: TestRepo): string =>
  repo.git('commit', '--quiet', '--allow-empty', '-m', 'Nothing of a session');

/** A push of the user's, with what it says on stderr that is ours. */
export function userPush(repo: TestRepo, ...args: string[]): { code: number | null; said: string[] } {
  const { code, stderr } = repo.tryGit('push', ...args);
  return { code, said: stderr.split('\n').filter((line) => line.startsWith('[entire]')) };
}

/** A hook of a bare repository. */
export function serverHook(bare: string, name: string, script: string): void {
  writeFileSync(join(bare, 'hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
