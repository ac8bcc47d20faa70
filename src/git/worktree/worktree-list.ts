import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { locateRepo, physicalPath } from '../locate.ts';
import { runPatiently } from '../patient.ts';
import type { Git } from '../run.ts';
import { listLinkedRoots } from './worktrees.ts';

/** A worktree as git knows it. */
export interface Worktree {
  /** Its top, absolute, physical where it is there. Of a bare repository its own folder. */
  readonly root: string;
  /** Empty for the main one. */
  readonly worktreeId: string;
  /** Its own git folder. */
  readonly gitDir: string;
  /** The first one: of a bare repository there is nothing checked out in it. */
  readonly isMain: boolean;
  readonly isBare: boolean;
  /** `undefined` before the first commit. */
  readonly head: ObjectId | undefined;
  /** Short name; `undefined` where HEAD is detached. */
  readonly branch: string | undefined;
  /** Why it is locked; empty where nobody said why, `undefined` where it is not. */
  readonly locked: string | undefined;
  /** Its folder is gone, or holds no `.git`. */
  readonly isMissing: boolean;
  /** In its folder is another repository. */
  readonly isForeign: boolean;
}

/**
 * All worktrees of a repository, the main one first.
 *
 * @throws {EntireError} `GIT_FAILED`
 * @see https://git-scm.com/docs/git-worktree#_porcelain_format
 */
export function listWorktrees(git: Git, commonDir: string): Worktree[] {
  const ids = new Map([...listLinkedRoots({ commonDir })].map(([id, root]) => [physicalPath(root), id]));
  return parseWorktrees(readPorcelain(git)).map((one, at) => describe(one, at === 0, commonDir, ids));
}

/** `-z` came with git 2.36; what lists of older ones get wrong are paths of several lines, which we make none of. */
function readPorcelain(git: Git): string {
  const args = ['worktree', 'list', '--porcelain'];
  const { code, stdout } = runPatiently(git, [...args, '-z'], { okCodes: [0, 129] });
  if (code === 0) return stdout.toString('utf8');
  return runPatiently(git, args).stdout.toString('utf8').replaceAll('\n', '\0');
}

/** One record of the list: what each attribute says, `''` where it says nothing. */
type Listed = ReadonlyMap<string, string>;

/** Cuts the list into records: attributes end with NUL, records with one more. */
export function parseWorktrees(porcelain: string): Listed[] {
  return porcelain.split('\0\0').flatMap((record) => {
    const attributes = record.split('\0').filter(Boolean);
    const pairs = attributes.map((line): [string, string] => {
      const at = line.indexOf(' ');
      return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
    });
    return pairs[0]?.[0] === 'worktree' ? [new Map(pairs)] : [];
  });
}

function describe(
  listed: Listed,
  isMain: boolean,
  commonDir: string,
  ids: ReadonlyMap<string, string>,
): Worktree {
  const root = physicalPath(listed.get('worktree') ?? '');
  const worktreeId = isMain ? '' : (ids.get(root) ?? '');
  const head = parseObjectId(listed.get('HEAD'));
  const isBare = listed.has('bare');
  const gitDir = isMain ? commonDir : join(commonDir, 'worktrees', worktreeId);
  const isMissing = listed.has('prunable') || !disk.existsSync(isBare ? root : join(root, '.git'));
  return {
    root,
    worktreeId,
    gitDir,
    isMain,
    isBare,
    head: head && /^0+$/.test(head) ? undefined : head,
    branch: listed.get('branch')?.replace(/^refs\/heads\//, ''),
    locked: listed.get('locked'),
    isMissing,
    isForeign: !isMain && !isMissing && locateRepo(root)?.gitDir !== gitDir,
  };
}
