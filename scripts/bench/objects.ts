import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from './timing.ts';
import { environment, git, type World } from './world.ts';

/** Real bytes of the files below `.git/objects`. */
export interface ObjectBytes {
  readonly loose: number;
  /** Packs with their indexes. */
  readonly packs: number;
}

export function measureObjects(repo: string): ObjectBytes {
  const dir = join(repo, '.git/objects');
  let loose = 0;
  let packs = 0;
  for (const folder of readdirSync(dir)) {
    const bytes = folderBytes(join(dir, folder));
    if (/^[0-9a-f]{2}$/.test(folder)) loose += bytes;
    else packs += bytes;
  }
  return { loose, packs };
}

const folderBytes = (dir: string): number =>
  readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);

/** Who needs an object, and what it is. */
export const OBJECT_KINDS = [
  "the user's history",
  'checkpoints: transcripts',
  'checkpoints: other files',
  'checkpoints: trees and commits',
  'not reachable: blobs',
  'not reachable: trees and commits',
  'pack indexes, second copies',
] as const;
type ObjectKind = (typeof OBJECT_KINDS)[number];
/** Bytes of each kind. */
export type ObjectKinds = ReadonlyMap<ObjectKind, number>;

/** What the bytes of {@link measureObjects} are made of. */
export function sortObjects(world: World, repo: string): ObjectKinds {
  const users = listReachable(world, repo, 'main');
  const checkpoints = listReachable(world, repo, 'entire/checkpoints/v1');
  const kinds = new Map<ObjectKind, number>(OBJECT_KINDS.map((kind) => [kind, 0]));
  const { loose, packs } = measureObjects(repo);
  let rest = loose + packs;
  const format = '--batch-check=%(objectname) %(objecttype) %(objectsize:disk)';
  for (const line of git(world, repo, 'cat-file', '--batch-all-objects', format).split('\n')) {
    const [oid = '', type = '', size = '0'] = line.split(' ');
    const kind = kindOf(type, users.has(oid), checkpoints.get(oid));
    kinds.set(kind, (kinds.get(kind) ?? 0) + Number(size));
    rest -= Number(size);
  }
  return kinds.set('pack indexes, second copies', rest);
}

function kindOf(type: string, isUsers: boolean, path: string | undefined): ObjectKind {
  if (isUsers) return "the user's history";
  if (path === undefined)
    return type === 'blob' ? 'not reachable: blobs' : 'not reachable: trees and commits';
  if (type !== 'blob') return 'checkpoints: trees and commits';
  return path.includes('/full.jsonl') ? 'checkpoints: transcripts' : 'checkpoints: other files';
}

/** Object ids with a path each; none where there is no such branch. */
function listReachable(world: World, repo: string, branch: string): Map<string, string> {
  if (git(world, repo, 'for-each-ref', `refs/heads/${branch}`) === '') return new Map();
  const lines = git(world, repo, 'rev-list', '--objects', branch, '--').split('\n');
  return new Map(
    lines.map((line) => [line.slice(0, line.search(/ |$/)), line.slice(line.search(/ |$/) + 1)]),
  );
}

/** Files of a commit, all with one process. ASCII only. */
export function readFiles(world: World, repo: string, commit: string, paths: readonly string[]): string[] {
  const input = paths.map((path) => `${commit}:${path}\n`).join('');
  const options = { cwd: repo, env: environment(world), input };
  const { stdout } = timed('git', ['cat-file', '--batch'], options);
  let at = 0;
  return paths.map((path) => {
    const [head = '', size] = /^[0-9a-f]+ blob (\d+)\n/.exec(stdout.slice(at, at + 100)) ?? [];
    if (size === undefined) throw new Error(`${commit} has no file ${path}`);
    const start = at + head.length;
    at = start + Number(size) + 1;
    return stdout.slice(start, at - 1);
  });
}
