import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { readHooksPathSetting } from '../../git/ref/refs.ts';
import { findHookManagers, type HookManager } from '../../hooks/git/hook-managers.ts';
import { locateHooksFolder } from '../../hooks/git/hooks-folder.ts';
import { findGitHooks, missingGitHooks, readScript, runningProgram } from '../../hooks/git/install.ts';
import { findGenerator, GIT_HOOKS, type GitHook } from '../../hooks/git/shims.ts';
import type { Patient } from '../patient.ts';
import { type Finding, found, foundSome } from './finding.ts';

/** Where git looks for hooks, and what stands there. */
export interface GitHookFacts {
  readonly dir: string;
  /** The folder belongs to this repository alone. */
  readonly isOwn: boolean;
  /** Something stands there that is no folder, such as `/dev/null`. */
  readonly isUnusable: boolean;
  /** `core.hooksPath`: which configuration sets it. */
  readonly setting: string | undefined;
  readonly hooks: readonly HookFacts[];
  readonly managers: readonly HookManager[];
}

export interface HookFacts {
  readonly hook: GitHook;
  /** There is a script. */
  readonly exists: boolean;
  /** It calls us, in whatever form. */
  readonly calls: boolean;
  readonly isExecutable: boolean;
  /** It is as we would write it today, apart from lines of the user's own. */
  readonly isCurrent: boolean;
  /** The hook manager that wrote it. */
  readonly generator: string | undefined;
}

export function readGitHooks({ repo, git, activation }: Patient): GitHookFacts {
  const { dir, isOwn } = locateHooksFolder(repo);
  const stat = disk.statSync(dir, { throwIfNoEntry: false });
  const place = {
    dir,
    isOwn,
    setting: readHooksPathSetting(git),
    managers: findHookManagers(repo.worktreeRoot),
  };
  if (stat && !stat.isDirectory()) return { ...place, isUnusable: true, hooks: [] };
  const isAbsolute = activation.kind === 'enabled' && activation.absoluteGitHookPath;
  const calling = new Set(findGitHooks(dir));
  const byManager = new Set(GIT_HOOKS.filter((hook) => isManaged(repo.worktreeRoot, place.managers, hook)));
  const wrong = new Set(missingGitHooks(dir, isAbsolute ? runningProgram() : undefined));
  return {
    ...place,
    isUnusable: false,
    hooks: GIT_HOOKS.map((hook) => {
      const file = join(dir, hook);
      const text = readScript(file);
      return {
        hook,
        exists: text !== undefined || disk.lstatSync(file, { throwIfNoEntry: false }) !== undefined,
        calls: calling.has(hook) || byManager.has(hook),
        isExecutable: isExecutable(file),
        isCurrent: !wrong.has(hook) || (byManager.has(hook) && !calling.has(hook)),
        generator: findGenerator(text ?? ''),
      };
    }),
  };
}

/** Whether a hook manager was told to call us, which its scripts then do. */
function isManaged(root: string, managers: readonly HookManager[], hook: GitHook): boolean {
  const files = managers.map(({ name, path }) => join(root, name === 'Husky' ? join(path, hook) : path));
  return files.some((file) => (readScript(file) ?? '').includes(`hooks git ${hook}`));
}

function isExecutable(file: string): boolean {
  const mode = disk.statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform === 'win32' || (mode & 0o111) !== 0;
}

export function judgeGitHooks(facts: GitHookFacts): Finding[] {
  const { dir, isOwn, hooks, setting, managers } = facts;
  if (facts.isUnusable) return [found('hooks-folder-unusable', [dir], { detail: setting })];
  if (!isOwn) {
    const silent = hooks.filter(({ calls, isExecutable }) => !calls || !isExecutable);
    if (silent.length === 0) return [];
    return [found('hooks-folder-foreign', [dir], { detail: setting })];
  }
  const named = (code: Finding['code'], which: readonly HookFacts[], detail?: string): Finding[] => {
    const files = which.map(({ hook }) => join(dir, hook));
    return foundSome(code, files, { detail, isFixable: true });
  };
  const taken = hooks.filter(({ exists, calls }) => exists && !calls);
  const ours = hooks.filter(({ calls }) => calls);
  const notices = managers.map(({ name, path }) => found('hook-manager', [path], { detail: name }));
  return [
    ...named(
      'git-hooks-missing',
      hooks.filter(({ exists }) => !exists),
    ),
    ...named('git-hooks-overwritten', taken, taken.find(({ generator }) => generator)?.generator),
    ...named(
      'git-hooks-not-executable',
      ours.filter(({ isExecutable }) => !isExecutable),
    ),
    ...named(
      'git-hooks-outdated',
      ours.filter(({ isExecutable, isCurrent }) => isExecutable && !isCurrent),
    ),
    ...notices,
  ];
}
