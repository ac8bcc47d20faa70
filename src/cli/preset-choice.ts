import { isInfrastructurePath, toRepoPath } from '../base/repo-path.ts';
import { resolvePaths, searchRoot } from '../context/aggregate/resolve-paths.ts';
import { ContextPreset } from '../context/context-preset.ts';
import type { ContextPresetManager } from '../context/context-presets.ts';
import { renderWarning } from '../context/context-warning.ts';
import { physicalPath } from '../git/locate.ts';

/**
 * The preset of that name, if there is one. Of one that comes with the repository only what lies within it is taken, without what
 * git and we keep there: who writes a repository does not choose which other files of the machine a model gets to see. Nothing
 * outside is searched for it, either.
 *
 * @param root of the worktree, physical
 * @param warn takes sentences
 */
export function findPreset(
  manager: ContextPresetManager,
  root: string,
  name: string,
  warn: (sentence: string) => void,
): ContextPreset | undefined {
  const preset = manager.loadAll((warning) => warn(renderWarning(warning))).get(name);
  if (!preset || manager.scopeOf(name) !== 'project') return preset;
  const mayTake = (entry: string): boolean => {
    const why = whyNot(root, entry);
    if (why !== undefined) warn(`${entry}: ${why}, and is left out`);
    return why === undefined;
  };
  return new ContextPreset({
    ...preset,
    files: preset.files.filter(({ path }) => mayTake(path)),
    screenshots: preset.screenshots.filter(mayTake),
  });
}

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
