import { EntireError } from '../../base/errors.ts';
import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { type Git, runGit } from '../run.ts';
import { type Identity, readObjects, type TreeEntry } from './objects.ts';
import { isFolder, parseTreeObject } from './tree-object.ts';

/**
 * One folder of a tree, by name. A name is bytes, one character for each (`latin1`): whatever somebody else wrote
 * there goes through unchanged.
 */
export type Entries = ReadonlyMap<string, TreeEntry>;

/** Reads folders, each alone, all with one process. @throws {EntireError} `GIT_FAILED` when one is missing */
export function readFolders(git: Git, oids: readonly ObjectId[]): Map<ObjectId, Entries> {
  const wanted = [...new Set(oids)];
  const found = readObjects(git, wanted);
  return new Map(
    wanted.map((oid) => {
      const object = found.get(oid);
      if (!object) throw new EntireError('GIT_FAILED', `tree ${oid} is missing in this repository`);
      return [
        oid,
        new Map(parseTreeObject(object.data, oid.length).map(({ name, ...entry }) => [name, entry])),
      ];
    }),
  );
}

/** Writes folders, all with one process; the ids come back in the same order. */
export function writeFolders(git: Git, folders: readonly Entries[]): ObjectId[] {
  if (folders.length === 0) return [];
  const typeOf = (entry: TreeEntry) =>
    isFolder(entry) ? 'tree' : entry.mode === '160000' ? 'commit' : 'blob';
  const line = (name: string, entry: TreeEntry) =>
    `${entry.mode.padStart(6, '0')} ${typeOf(entry)} ${entry.oid}\t${name}\0`;
  const text = folders.map((folder) => [...folder].map(([name, entry]) => line(name, entry)).join(''));
  const input = Buffer.from(text.map((part) => `${part}\0`).join(''), 'latin1');
  const { stdout } = runGit(git, ['mktree', '-z', '--missing', '--batch'], { input });
  return stdout.toString('latin1').trim().split('\n') as ObjectId[];
}

/** Writes contents as they are, all with one process; the ids come back in the same order. */
export function writeBlobs(git: Git, contents: readonly string[]): ObjectId[] {
  if (contents.length === 0) return [];
  const parts = contents.map((content, index) => {
    const bytes = Buffer.byteLength(content);
    return `blob\nmark :${index + 1}\ndata ${bytes}\n${content}\nget-mark :${index + 1}\n`;
  });
  const args = ['-c', `fastimport.unpackLimit=${2 ** 31 - 1}`, 'fast-import', '--quiet', '--done'];
  const { stdout } = runGit(git, args, { input: `feature done\n${parts.join('')}done\n`, noHooks: true });
  return stdout.toString('latin1').trim().split('\n') as ObjectId[];
}

/** Writes a commit, and moves no ref. The message is taken byte for byte; nobody signs it. */
export function writeMerge(
  git: Git,
  commit: { tree: ObjectId; parents: readonly ObjectId[]; message: string; author: Identity },
): ObjectId {
  const { name, email } = commit.author;
  const env = {
    ...git.env,
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
  const parents = commit.parents.flatMap((parent) => ['-p', parent]);
  const { stdout } = runGit({ ...git, env }, ['commit-tree', commit.tree, ...parents], {
    input: commit.message,
    noHooks: true,
  });
  return stdout.toString('latin1').trim() as ObjectId;
}

/** The tree of a commit. @throws {EntireError} `GIT_FAILED` */
export function treeOf(git: Git, commit: ObjectId): ObjectId {
  return runGit(git, ['rev-parse', '--verify', `${commit}^{tree}`])
    .stdout.toString('latin1')
    .trim() as ObjectId;
}

/** Where histories part: several commits where they were merged crosswise, none where they never met. */
export function findBases(git: Git, ...tips: readonly ObjectId[]): ObjectId[] {
  const { stdout } = runGit(git, ['merge-base', '--octopus', '--all', ...tips], { okCodes: [0, 1] });
  return stdout
    .toString('latin1')
    .split('\n')
    .flatMap((line) => parseObjectId(line) ?? []);
}
