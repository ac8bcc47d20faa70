import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookResult } from '../support/agent/session.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { ensureFromNpm, ensurePreCommit } from './install.ts';

const HOOKS = ['prepare-commit-msg', 'commit-msg', 'post-commit'] as const;

/** A hook manager as it is really installed, told to write down which of its hooks run. */
export interface Manager {
  readonly name: string;
  /** Its command; `undefined` where it cannot be installed. */
  readonly command: readonly string[] | undefined;
  readonly hooksDir: string;
  /** Whether it runs what stood in its place before. */
  readonly callsOthers: boolean;
  /** Writes its configuration. */
  configure(repo: TestRepo): void;
  readonly installArgs: readonly string[];
}

const fromNpm = ensureFromNpm();

/** What a hook of theirs does. */
const note = (hook: string) => `echo "theirs ${hook}" >>"$CALLS"`;

const husky: Manager = {
  name: 'Husky',
  command: fromNpm.husky,
  hooksDir: '.husky/_',
  callsOthers: false,
  configure(repo) {
    for (const hook of HOOKS) repo.write(`.husky/${hook}`, `${note(hook)}\n`);
  },
  installArgs: [],
};

const lefthook: Manager = {
  name: 'Lefthook',
  command: fromNpm.lefthook,
  hooksDir: '.git/hooks',
  callsOthers: false,
  configure: (repo) => configureLefthook(repo),
  installArgs: ['install'],
};

/** JSON is YAML. */
export function configureLefthook(repo: TestRepo, more: object = {}): void {
  const commands = (hook: string) => ({ commands: { note: { run: note(hook) } } });
  const hooks = Object.fromEntries(HOOKS.map((hook) => [hook, commands(hook)]));
  repo.write('lefthook.yml', JSON.stringify({ ...hooks, ...more }));
}

const preCommit: Manager = {
  name: 'pre-commit',
  command: ensurePreCommit(),
  hooksDir: '.git/hooks',
  callsOthers: true,
  configure(repo) {
    const hooks = HOOKS.map((hook) => ({
      id: hook,
      name: hook,
      language: 'system',
      entry: `sh -c '${note(hook)}'`,
      stages: [hook],
      always_run: true,
      pass_filenames: false,
    }));
    repo.write('.pre-commit-config.yaml', JSON.stringify({ repos: [{ repo: 'local', hooks }] }));
  },
  installArgs: ['install', ...HOOKS.flatMap((hook) => ['--hook-type', hook])],
};

export const MANAGERS: readonly Manager[] = [husky, lefthook, preCommit];

/** Runs the manager's own command for people: what `npm install` or a new colleague does. */
export function installManager(repo: TestRepo, manager: Manager): HookResult {
  const [program = '', ...args] = manager.command ?? [];
  const result = repo.run(program, [...args, ...manager.installArgs]);
  if (result.code !== 0) throw new Error(`${manager.name}: ${result.stdout}${result.stderr}`);
  return result;
}

/** A ready repository, its manager configured and not yet installed; `calls` takes what was written down so far. */
export function withManager(repo: TestRepo, manager: Manager): { calls(): string[] } {
  const file = join(repo.scratch, 'calls');
  const bin = manager.command?.[0]?.replace(/\/[^/]+$/, '');
  repo.init().write('README.md', 'base\n').git('add', '.');
  repo.git('commit', '--quiet', '-m', 'init');
  // As in a shell where the manager is on the search path.
  repo.variables = { CALLS: file, PATH: `${repo.env.PATH}:${bin}` };
  manager.configure(repo);
  repo.git('add', '.');
  repo.git('commit', '--quiet', '-m', `Configure ${manager.name}`);
  return {
    calls() {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      writeFileSync(file, '');
      return text.split('\n').filter(Boolean);
    },
  };
}

/** Each hook of theirs, once, in the order git runs them. */
export const ONE_COMMIT = HOOKS.map((hook) => `theirs ${hook}`);
