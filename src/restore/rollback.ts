import { now, renderUtc } from '../base/clock.ts';
import { type RepoPath, sortedUnique } from '../base/repo-path.ts';
import { isSameEntry, type TreeEntry } from '../git/object/objects.ts';
import type { PromptAttribution } from '../session/record/prompt-attribution.ts';
import type { Lines, UserLines, UserLinesRecord } from '../session/record/user-lines.ts';
import type { SessionState, TokenUsage } from '../session/state.ts';

/** What a session leaves behind when it goes back. */
export interface Abandoned {
  /** Its steps after the target; checkpoints of tasks are none. */
  readonly steps: number;
  /** What the model read and wrote after the target, as far as the transcript tells. */
  readonly usage: TokenUsage | undefined;
  /** Files the session has at the target: see {@link filesAt}. */
  readonly files: readonly RepoPath[];
}

/** The state as it was at the target: what came after it is no more, and no commit carries it forward. */
export function rollBackState(state: SessionState, { steps, usage, files }: Abandoned): SessionState {
  const checkpointCount = Math.max(0, state.checkpointCount - steps);
  return {
    ...state,
    checkpointCount,
    filesTouched: sortedUnique(files),
    promptAttributions: attributionsUpTo(state.promptAttributions, checkpointCount),
    pendingPromptAttribution: undefined,
    tokenUsage: subtractUsage(state.tokenUsage, usage),
    // A commit hook that looked before sees that there is something new.
    lastInteractionTime: renderUtc(now()),
  };
}

const attributionsUpTo = (attributions: readonly PromptAttribution[], step: number): PromptAttribution[] =>
  attributions.filter(({ checkpointNumber }) => checkpointNumber <= step);

/** Field by field; never below nothing. */
export function subtractUsage(
  from: TokenUsage | undefined,
  usage: TokenUsage | undefined,
): TokenUsage | undefined {
  if (!from || !usage) return from;
  const less = (key: Exclude<keyof TokenUsage, 'subagentTokens'>): number =>
    Math.max(0, from[key] - usage[key]);
  const subagentTokens = subtractUsage(from.subagentTokens, usage.subagentTokens);
  return {
    inputTokens: less('inputTokens'),
    cacheCreationTokens: less('cacheCreationTokens'),
    cacheReadTokens: less('cacheReadTokens'),
    outputTokens: less('outputTokens'),
    apiCallCount: less('apiCallCount'),
    ...(subagentTokens ? { subagentTokens } : {}),
  };
}

/**
 * Files that are the session's at the target: of those it is known to have written, the ones that the target has otherwise
 * than HEAD; and those it has now that could not be put back.
 */
export function filesAt(
  paths: readonly RepoPath[],
  trees: { readonly target: ReadonlyMap<string, TreeEntry>; readonly head: ReadonlyMap<string, TreeEntry> },
  left: { readonly touched: readonly RepoPath[]; readonly paths: ReadonlySet<RepoPath> },
): RepoPath[] {
  const changed = paths.filter((path) => !isSameEntry(trees.target.get(path), trees.head.get(path)));
  return sortedUnique([...changed, ...left.touched.filter((path) => left.paths.has(path))]);
}

const NO_LINES: Lines = { added: 0, removed: 0 };

/**
 * The record of the user's lines, as far as the attributions that are left have them. What they do not have is measured
 * again at the next prompt, and counts then.
 */
export function rollBackUserLines(
  { since, files }: UserLinesRecord,
  attributions: readonly PromptAttribution[],
): UserLinesRecord {
  const isNone = attributions.length === 0;
  const removed = attributions.some(({ userLinesRemoved }) => userLinesRemoved > 0);
  const next = [...files].map(([path, file]) => {
    const added = attributions.reduce(
      (sum, { userAddedPerFile }) => sum + (userAddedPerFile.get(path) ?? 0),
      0,
    );
    const limit = (lines: Lines, most: number): Lines =>
      isNone ? NO_LINES : { added: Math.min(lines.added, most), removed: removed ? lines.removed : 0 };
    const settled = limit(file.settled, added);
    const taken = limit(file.user, added - settled.added);
    return [path, { ...file, settled, ...restart(file, taken) }] as const;
  });
  return { since, files: new Map(next) };
}

/** As if nobody had seen the user's lines that are not `taken`. */
const restart = ({ measured, user }: UserLines, taken: Lines): Omit<UserLines, 'reference' | 'settled'> => ({
  fingerprint: '',
  measured: {
    added: Math.max(0, measured.added - (user.added - taken.added)),
    removed: Math.max(0, measured.removed - (user.removed - taken.removed)),
  },
  user: taken,
  taken,
});
