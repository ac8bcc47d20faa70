/**
 * Ignored folders and files that programs make again by themselves: dependencies, output of builds, caches. Names alone say so,
 * at any depth: what somebody wrote by hand and had ignored (`.env`, notes, a local database) has others.
 */
const FOLDERS = new Set([
  ...['node_modules', 'bower_components', 'jspm_packages', '.pnpm-store', '.yarn', 'vendor'],
  ...['dist', 'build', 'out', 'output', 'target', 'bin', 'obj', 'lib64', '_build', 'cmake-build-debug'],
  ...['.next', '.nuxt', '.output', '.svelte-kit', '.astro', '.vercel', '.turbo', '.parcel-cache', '.vite'],
  ...['.cache', 'coverage', '.nyc_output', 'htmlcov', 'storybook-static', '.docusaurus', '.angular'],
  ...['__pycache__', '.venv', 'venv', '.tox', '.nox', '.mypy_cache', '.pytest_cache', '.ruff_cache', '.eggs'],
  ...['.gradle', '.kotlin', '.dart_tool', 'Pods', 'DerivedData', '.build', '.terraform', '.bundle', 'deps'],
  ...['tmp', 'temp', 'log', 'logs'],
]);
/** In a folder of any name: git tells of one by itself only where the folder as a whole is not ignored, but the project's. */
const SECRETS = /^\.env(?:\.|$)/;
const FILES =
  /^(?:\.DS_Store|Thumbs\.db|\.eslintcache|\.coverage)$|\.(?:log|tmp|pyc|pyo|o|obj|a|so|dylib|dll|exe|class|tsbuildinfo|swp)$/;

/** What we keep below `.entire` of a worktree, which nobody writes by hand. */
const OURS = /^\.entire\/(?:tmp|logs|metadata)(?:\/|$)/;
/** What Husky puts there at each installation, and our hooks among it. */
const OF_HUSKY = /^\.husky\/_(?:\/|$)/;

/**
 * Whether a path is of what we or Husky put there. Before `npm install` nothing tells git to ignore the folder of Husky, and our hooks
 * stand in it since the first prompt.
 */
export const isOurs = (path: string): boolean => OURS.test(path) || OF_HUSKY.test(path);

/**
 * Whether an ignored path is nothing to lose; that of a folder ends in `/`.
 *
 * @param tracked folders with tracked files: what a project keeps in `bin` or `log` itself, no build makes
 */
export function isRemade(path: string, tracked: ReadonlySet<string>): boolean {
  if (isOurs(path)) return true;
  const names = path.split('/');
  const file = names.pop() ?? ''; // empty for a folder
  if (SECRETS.test(file)) return false;
  const isOutput = (name: string, at: number): boolean =>
    (FOLDERS.has(name) || name.endsWith('.egg-info')) && !tracked.has(names.slice(0, at + 1).join('/'));
  return names.some(isOutput) || FILES.test(file);
}
