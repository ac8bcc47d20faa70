import { join } from 'node:path';
import * as z from 'zod/mini';
import { disk, listNames } from '../base/file/disk.ts';
import { readOwnIfUsable } from '../base/file/small-file.ts';
import { isTemporaryName, writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { parseObjectId } from '../base/ids.ts';
import { parseJson } from '../base/text/json.ts';
import type { Worktree } from '../git/worktree/worktree-list.ts';
import type { Kept } from './keep.ts';
import type { Move } from './sessions.ts';

/** A removal that was begun: whoever comes by after it was killed brings the worktree back, or ends it. */
export interface Removal {
  readonly id: string;
  /** What the worktree is called. */
  readonly name: string;
  /** Its top, absolute, physical. */
  readonly root: string;
  readonly worktreeId: string;
  /** Of its entry in the manifest. */
  readonly entryId: string | undefined;
  /** The name that its folder has meanwhile; `undefined` where it keeps its own. */
  readonly aside: string | undefined;
  readonly branch: string | undefined;
  /** Set once all that would be lost is kept: from then on it is ended, and before brought back. */
  readonly done:
    | {
        readonly kept: Kept;
        readonly moves: readonly Move[];
        /** Where the branch stood that is to go as well. */
        readonly branchTip: string | undefined;
      }
    | undefined;
}

const text = z.string();
const optional = z.optional(text);
const stored = z.object({
  version: z.literal(1),
  name: text,
  root: text,
  worktree_id: text,
  entry_id: optional,
  aside: optional,
  branch: optional,
  done: z.optional(
    z.object({
      ...{ ref: optional, commit: optional, refs: z.array(text), folder: optional, autostash: optional },
      moves: z.array(z.object({ path: text, to: text })),
      branch_tip: optional,
    }),
  ),
});

const removalsDir = (commonDir: string): string => join(commonDir, 'entire', 'removals');
const fileOf = (commonDir: string, id: string): string => join(removalsDir(commonDir), `${id}.json`);

/** In the worktree's own git folder, whose name another worktree has once this one is gone: the id of its removal. */
const markOf = (gitDir: string): string => join(gitDir, 'entire-removing');

export const markRemoval = ({ gitDir }: Worktree, { id }: Removal): void =>
  writeFileAtomic(markOf(gitDir), `${id}\n`);

export const unmarkRemoval = ({ gitDir }: Worktree): void => disk.rmSync(markOf(gitDir), { force: true });

/** The worktree that a removal is about, as long as git has it. */
export const findMarked = (
  worktrees: readonly Worktree[],
  { id, worktreeId }: Removal,
): Worktree | undefined =>
  worktrees.find(
    (one) =>
      !one.isMain &&
      one.worktreeId === worktreeId &&
      readOwnIfUsable(markOf(one.gitDir), 'mark')?.trim() === id,
  );

/** @throws the system error */
export function writeRemoval(commonDir: string, removal: Removal): void {
  const { id, name, root, worktreeId: worktree_id, entryId: entry_id, aside, branch, done } = removal;
  const more = done && { ...done.kept, moves: done.moves, branch_tip: done.branchTip };
  const value = { version: 1, name, root, worktree_id, entry_id, aside, branch, done: more };
  writeFileAtomic(fileOf(commonDir, id), `${JSON.stringify(value)}\n`, { fsync: true });
}

export const dropRemoval = (commonDir: string, { id }: Removal): void =>
  disk.rmSync(fileOf(commonDir, id), { force: true });

/** What a removal that was killed was about to write. Only under the lock of removals. */
export function dropUnfinished(commonDir: string): void {
  const dir = removalsDir(commonDir);
  for (const name of listNames(dir)) if (isTemporaryName(name)) disk.rmSync(join(dir, name), { force: true });
}

/** Removals that were begun, and not ended. What cannot be read `entire verify` names. */
export const readRemovals = (commonDir: string): Removal[] =>
  listNames(removalsDir(commonDir)).flatMap((file) => {
    const [, id] = /^([0-9a-f]{12})\.json$/.exec(file) ?? [];
    const json = id && readOwnIfUsable(fileOf(commonDir, id), 'mark');
    const { data } = stored.safeParse(json && parseJson(json));
    if (!id || !data) return [];
    const { name, root, worktree_id: worktreeId, entry_id: entryId, aside, branch, done } = data;
    return { id, name, root, worktreeId, entryId, aside, branch, done: done && toDone(done) };
  });

function toDone(value: NonNullable<z.infer<typeof stored>['done']>): Removal['done'] {
  const { moves, branch_tip: branchTip, ref, refs, folder } = value;
  const [commit, autostash] = [parseObjectId(value.commit), parseObjectId(value.autostash)];
  return { kept: { ref, refs, folder, commit, autostash }, moves, branchTip };
}
