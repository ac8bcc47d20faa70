import { relative } from 'node:path';
import { isInfrastructurePath, type RepoPath, toRepoPath } from '../../base/repo-path.ts';
import { resolvePaths, searchRoot } from '../../context/aggregate/resolve-paths.ts';
import { renderWarning } from '../../context/config/warning.ts';
import { ContextPreset } from '../../context/preset/preset.ts';
import type { ContextPresetManager } from '../../context/preset/presets.ts';
import { physicalPath, type Repo } from '../../git/locate.ts';
import { gitFor } from '../../git/run.ts';
import { findIgnored } from '../../git/worktree/status.ts';
import { plain, warn } from '../ui/terminal.ts';

/** Where presets are looked for, and what is not shown of that. */
export interface PresetPlace {
  /** Of the worktree, physical. */
  readonly root: string;
  /** Which of paths below it git ignores. */
  readonly findIgnored: (paths: readonly RepoPath[]) => readonly string[];
  /** Takes sentences. */
  readonly warn: (sentence: string) => void;
}

/** That of a repository, for a command. */
export const presetPlace = (repo: Repo): PresetPlace => ({
  root: repo.worktreeRoot,
  findIgnored: (paths) => findIgnored(gitFor(repo), paths),
  warn: (sentence) => warn(plain(sentence)),
});

/**
 * The preset of that name, if there is one. Of one that comes with the repository only what lies within it is taken, without what
 * git and we keep there, what git ignores, and environments (`.env`), where people keep what is nobody's business: who writes a
 * repository does not choose which other files of the machine a model gets to see. Nothing outside is searched for it, either. What
 * somebody names on the command line is taken.
 */
export function findPreset(
  manager: ContextPresetManager,
  name: string,
  { root, findIgnored, warn }: PresetPlace,
): ContextPreset | undefined {
  const preset = manager.loadAll((warning) => warn(renderWarning(warning))).get(name);
  if (!preset || manager.scopeOf(name) !== 'project') return preset;
  const mayTake = (entry: string): boolean => {
    const why = whyNot(root, entry);
    if (why !== undefined) warn(`${entry}: ${why}, and is left out`);
    return why === undefined;
  };
  const files = preset.files.filter(({ path }) => mayTake(path));
  const screenshots = preset.screenshots.filter(mayTake);
  const found = [...files.map(({ path }) => path), ...screenshots].flatMap((entry) =>
    resolvePaths(root, entry),
  );
  const isPrivate = judgePrivate(root, found, findIgnored);
  const without = (entry: string): readonly string[] => {
    const paths = resolvePaths(root, entry);
    const left = paths.filter(isPrivate);
    if (left.length === 0) return [entry];
    for (const path of left)
      warn(
        `${relative(root, path)}: is ignored by git or an environment, and is left out; name it to show it`,
      );
    return paths.filter((path) => !isPrivate(path)).map((path) => relative(root, path));
  };
  return new ContextPreset({
    ...preset,
    files: files.flatMap((item) =>
      without(item.path).map((path) => (path === item.path ? item : item.with({ path }))),
    ),
    screenshots: screenshots.flatMap(without),
  });
}

/** Also by what a link leads to. */
function judgePrivate(
  root: string,
  found: readonly string[],
  findIgnored: PresetPlace['findIgnored'],
): (path: string) => boolean {
  const namesOf = (path: string): RepoPath[] =>
    [path, physicalPath(path)].flatMap((one) => toRepoPath(root, one) ?? []);
  const ignored = new Set(found.length > 0 ? findIgnored([...new Set(found.flatMap(namesOf))]) : []);
  return (path) => namesOf(path).some((name) => ignored.has(name) || isEnvironment(name));
}

/** `.env`, `.env.local`, `prod.env`, `.envrc`; not those that are there to be copied. */
const isEnvironment = (path: string): boolean => {
  const name = (path.split('/').at(-1) ?? '').toLowerCase();
  return (
    /^\.env(rc)?(\..*)?$|\.env$/.test(name) && !/\.(example|sample|template|dist|defaults|schema)$/.test(name)
  );
};

/** `..` as a name of its own, also among the choices of a pattern. */
const UPWARDS = /(?:^|[/\\{},|()])\.\.(?:$|[/\\{},|()])/;

function whyNot(root: string, entry: string): string | undefined {
  const from = searchRoot(root, entry);
  if (from !== undefined && (UPWARDS.test(entry) || !isWithin(root, from))) return OUT;
  const found = resolvePaths(root, entry).map((path) => toRepoPath(root, physicalPath(path)));
  if (found.includes(undefined)) return OUT;
  return found.some((path) => path !== undefined && isInfrastructurePath(path))
    ? 'is not a file of the project'
    : undefined;
}

const OUT = 'leads out of the repository';

const isWithin = (root: string, folder: string): boolean =>
  physicalPath(folder) === root || toRepoPath(root, physicalPath(folder)) !== undefined;
