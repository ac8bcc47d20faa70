import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';

/** A program that owns the git hooks of a repository and may write its own over ours. */
export interface HookManager {
  readonly name: 'Husky' | 'Lefthook' | 'pre-commit' | 'Overcommit' | 'hk';
  /** What gave it away, relative to the worktree root. */
  readonly path: string;
}

const LEFTHOOK = ['', '.'].flatMap((dot) =>
  ['', '-local'].flatMap((local) =>
    ['yml', 'yaml', 'json', 'toml'].map((kind) => `${dot}lefthook${local}.${kind}`),
  ),
);
const HK = ['', '.config/'].flatMap((dir) => ['hk.pkl', 'hk.local.pkl'].map((file) => dir + file));

const SIGNS: readonly [HookManager['name'], readonly string[]][] = [
  ['Husky', ['.husky/']],
  ['Lefthook', LEFTHOOK],
  ['pre-commit', ['.pre-commit-config.yaml']],
  ['Overcommit', ['.overcommit.yml']],
  ['hk', HK],
];

/** Looks for hook managers by their files alone. */
export function findHookManagers(root: string): HookManager[] {
  return SIGNS.flatMap(([name, paths]) => {
    const path = paths.find((candidate) => disk.existsSync(join(root, candidate)));
    return path === undefined ? [] : [{ name, path }];
  });
}
