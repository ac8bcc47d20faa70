import type { RepoPath } from '../base/repo-path.ts';
import type { PathChange, PathChanges } from '../git/commits.ts';
import type { TreeEntry } from '../git/objects.ts';

/** Files of a session, by how well we know what the agent made of them. */
export interface Touched {
  /** Saved by a step: the shadow tree has the agent's content. */
  readonly saved: ReadonlySet<RepoPath>;
  /** Written since the last step: only the name is known. */
  readonly fresh: ReadonlySet<RepoPath>;
  readonly all: readonly RepoPath[];
}

export interface OverlapInput {
  readonly touched: Touched;
  /** What is staged, or what the commit changed. */
  readonly changes: PathChanges;
  /** The session's shadow tree at those paths; `undefined` when it has no shadow branch. */
  readonly shadow: ReadonlyMap<string, TreeEntry> | undefined;
  /** Text of a blob; asked only for new files that differ from the agent's version. */
  readonly readText: (entry: TreeEntry) => string | undefined;
}

/** Paths of a commit that hold work of the session. */
export function findOverlap(input: OverlapInput): RepoPath[] {
  return input.touched.all.filter((path) => {
    const change = input.changes.get(path);
    return change !== undefined && overlaps(path, change, input);
  });
}

/**
 * A path that existed before always counts, deleted or changed, whatever became of the agent's lines. A new file
 * counts when it holds the agent's content; one that somebody replaced with something else does not.
 */
function overlaps(path: RepoPath, change: PathChange, { touched, shadow, readText }: OverlapInput): boolean {
  if (touched.fresh.has(path) || change.before !== undefined) return true;
  if (shadow === undefined) return true;
  const saved = shadow.get(path);
  if (!saved || !change.after) return false;
  if (saved.oid === change.after.oid) return true;
  const [agent, committed] = [readText(saved), readText(change.after)];
  return agent !== undefined && committed !== undefined && isPartOrExtension(agent, committed);
}

/**
 * Whether the committed text is what the agent wrote with lines left out, or holds more than half of its lines in
 * order. Blank lines do not count.
 */
export function isPartOrExtension(agent: string, committed: string): boolean {
  const agentLines = substantialLines(agent);
  const committedLines = substantialLines(committed);
  if (committedLines.length === 0 || agentLines.length === 0) return false;
  if (countInOrder(committedLines, agentLines) === committedLines.length) return true;
  return countInOrder(agentLines, committedLines) * 2 > agentLines.length;
}

/** Whether `part` is `whole` with lines left out, and some were. */
export function isProperPart(part: string, whole: string): boolean {
  const partLines = substantialLines(part);
  const wholeLines = substantialLines(whole);
  return partLines.length < wholeLines.length && countInOrder(partLines, wholeLines) === partLines.length;
}

const substantialLines = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');

/** How many of `wanted` are found in `lines`, each after the one before. Greedy: a wanted line not found is skipped. */
function countInOrder(wanted: readonly string[], lines: readonly string[]): number {
  const places = new Map<string, { readonly at: number[]; next: number }>();
  lines.forEach((line, index) => {
    const place = places.get(line);
    if (place) place.at.push(index);
    else places.set(line, { at: [index], next: 0 });
  });
  let after = -1;
  let found = 0;
  for (const line of wanted) {
    const place = places.get(line);
    if (!place) continue;
    while (place.next < place.at.length && (place.at[place.next] as number) <= after) place.next++;
    const index = place.at[place.next];
    if (index === undefined) continue;
    after = index;
    found++;
  }
  return found;
}
