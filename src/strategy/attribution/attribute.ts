import type { AttributionCounts } from '../../checkpoint/initial-attribution.ts';
import type { LineDiff } from './line-diff.ts';

/** What is known of the user's lines from the starts of the prompts. */
export interface KnownUserLines {
  readonly added: number;
  readonly removed: number;
  readonly addedPerFile: ReadonlyMap<string, number>;
}

/** A commit and a session, in lines. */
export interface AttributionInput {
  readonly user: KnownUserLines;
  /** Files the session touched: what its steps added to the base, and how the commit differs from its last step. */
  readonly touched: ReadonlyMap<string, { readonly work: number; readonly after: LineDiff }>;
  /** Lines that the commit adds to files which nobody's session touched. */
  readonly others: ReadonlyMap<string, number>;
}

/**
 * Who wrote what a commit holds, as v0.4.4 counts. What the user changed before a prompt is part of what the next step
 * holds, and taken off the agent's work; what differs after the last step is the user's. A line of the user's own that
 * they replaced is `self`, and costs the agent nothing.
 */
export function attribute({ user, touched, others }: AttributionInput): AttributionCounts {
  const work = sum([...touched.values()].map((file) => file.work));
  const postAdded = sum([...touched.values()].map(({ after }) => after.added));
  const postRemoved = sum([...touched.values()].map(({ after }) => after.removed));
  const knownIn = (isTouched: boolean): number =>
    sum([...user.addedPerFile].flatMap(([path, lines]) => (touched.has(path) === isTouched ? lines : [])));

  const agent = Math.max(0, work - knownIn(true));
  const elsewhere = Math.max(0, sum([...others.values()]) - knownIn(false));
  const added = user.added + postAdded + elsewhere;
  const removed = user.removed + postRemoved;
  const modified = Math.min(added, removed);
  const self = sum(
    [...touched].map(([path, { after }]) => Math.min(after.removed, user.addedPerFile.get(path) ?? 0)),
  );
  const pureAdded = added - modified;
  const pureRemoved = removed - modified;
  const net = agent + pureAdded - pureRemoved;
  const total = net > 0 ? net : agent;
  const agentIn = Math.max(0, agent - pureRemoved - Math.max(0, modified - self));
  return {
    agentLines: agentIn,
    humanAdded: pureAdded,
    humanModified: modified,
    humanRemoved: pureRemoved,
    totalCommitted: total,
    agentPercentage: total === 0 ? 0 : (agentIn / total) * 100,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
