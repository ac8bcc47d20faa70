import { join } from 'node:path';
import { readUserText } from '../base/file/small-file.ts';
import type { ObjectId } from '../base/ids.ts';
import { type CheckpointStore, checkpointsAt } from '../checkpoint/read/store.ts';
import { METADATA_REF, REMOTE_METADATA_REF } from '../checkpoint/shadow-branch.ts';
import { readBranchName } from '../git/commit/commits.ts';
import type { Repo } from '../git/locate.ts';
import { defaultBranchOf } from '../git/ref/default-branch.ts';
import { readRefFiles } from '../git/ref/ref-files.ts';
import { readHead, readRefsBelow } from '../git/ref/refs.ts';
import { type Git, gitFor } from '../git/run.ts';

/** What is checked out, and where its checkpoints are. */
export interface Branch {
  readonly repo: Repo;
  readonly git: Git;
  readonly store: CheckpointStore;
  /** `undefined` before the first commit. */
  readonly head: ObjectId | undefined;
  /** Short name; `undefined` when HEAD is detached. */
  readonly name: string | undefined;
  readonly isDefault: boolean;
  /** Tips of the default branch, here and on `origin`, as far as there are any. */
  readonly defaults: readonly ObjectId[];
  /** Tips of all branches below `entire/`, by their short names. */
  readonly shadows: ReadonlyMap<string, ObjectId>;
}

const ORIGIN = 'refs/remotes/origin/';
const HEADS = 'refs/heads/';

/**
 * Looks at the refs. No process as a rule.
 *
 * @param other a branch to look at as if it was checked out
 */
export function readBranch(repo: Repo, other?: { readonly name: string; readonly head: ObjectId }): Branch {
  const git = gitFor(repo);
  const named = originHead(repo);
  const names = [...new Set([...(named ? [named] : []), 'main', 'master'])];
  const wanted = [...names.flatMap((name) => [HEADS + name, ORIGIN + name]), REMOTE_METADATA_REF];
  const asked = [`${HEADS}entire/`, ...wanted];
  const refs = readRefFiles(repo, asked) ?? readRefsBelow(git, asked);
  const name = other?.name ?? readBranchName(git, repo.gitDir);
  const main = defaultBranchOf(named, (ref) => refs.has(ref), name);
  const shadows = [...refs].flatMap(
    ([ref, tip]): Array<[string, ObjectId]> =>
      ref.startsWith(`${HEADS}entire/`) && ref !== METADATA_REF ? [[ref.slice(HEADS.length), tip]] : [],
  );
  return {
    repo,
    git,
    store: checkpointsAt(git, repo.commonDir, refs),
    head: other?.head ?? readHead(git, repo),
    name,
    isDefault: name !== undefined && name === main,
    defaults: main ? [refs.get(HEADS + main), refs.get(ORIGIN + main)].flatMap((tip) => tip ?? []) : [],
    shadows: new Map(shadows),
  };
}

/** The branch that HEAD of `origin` names, from the file git keeps it in. */
const originHead = ({ commonDir }: Repo): string | undefined =>
  /^ref: refs\/remotes\/origin\/(.+?)\s*$/.exec(
    readUserText(join(commonDir, 'refs', 'remotes', 'origin', 'HEAD'), 'git') ?? '',
  )?.[1];
