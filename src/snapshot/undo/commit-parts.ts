import type { ObjectId } from '../../base/ids.ts';
import { isSameEntry, type TreeEntry } from '../../git/object/objects.ts';
import type { ChangePart } from '../record/snapshot-record.ts';
import { type FileState, type GitMode, MISSING } from '../store/file-state.ts';

/** What a commit of a turn made of a path; `undefined` where there was, or is, no file. */
export interface CommitPart {
  readonly commit: ObjectId;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** A state as git has it; `undefined` for what is no file, such as a submodule. */
export function toState(entry: TreeEntry | undefined): FileState | undefined {
  if (!entry) return MISSING;
  return isGitFile(entry.mode) ? { kind: 'git', oid: entry.oid, mode: entry.mode } : undefined;
}

const isGitFile = (mode: string): mode is GitMode => ['100644', '100755', '120000'].includes(mode);

/** What somebody else made of a path before, between and behind commits of a turn: from which version to which. */
export function gapsOf(
  was: TreeEntry | undefined,
  commits: readonly CommitPart[],
  head: TreeEntry | undefined,
): Array<readonly [from: TreeEntry | undefined, to: TreeEntry | undefined]> {
  const from = [was, ...commits.map(({ after }) => after)];
  const to = [...commits.map(({ before }) => before), head];
  return from.map((entry, at) => [entry, to[at]] as const).filter(([one, other]) => !isSameEntry(one, other));
}

/**
 * What commits made of a path, and what no commit has yet, as changes: what the one left is what the next one goes on from, or somebody
 * else changed it in between, and that is in none of them.
 *
 * @param start what the first of them found
 * @param head what HEAD has
 * @param left what there is in the end; `isCommitted`: that is what HEAD has
 */
export function chainParts(
  commits: readonly CommitPart[],
  start: FileState | undefined,
  head: TreeEntry | undefined,
  { left, isCommitted }: { readonly left: FileState; readonly isCommitted: boolean },
): ChangePart[] {
  const links: Array<{ before: FileState | undefined; tip: TreeEntry | undefined }> = [];
  for (const [at, { before, after }] of commits.entries()) {
    const last = links.at(-1);
    if (last && isSameEntry(last.tip, before)) last.tip = after;
    else links.push({ before: at === 0 ? start : toState(before), tip: after });
  }
  const isAtHead = isSameEntry(links.at(-1)?.tip, head);
  const parts = links.map(({ before, tip }, at): ChangePart => {
    const after = isAtHead && at === links.length - 1 ? left : (toState(tip) ?? left);
    return { before, after, isDoubtful: false };
  });
  if (!isAtHead && !isCommitted) parts.push({ before: toState(head), after: left, isDoubtful: false });
  return parts;
}
