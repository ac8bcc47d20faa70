import type { ObjectId } from '../base/ids.ts';
import type { LinePlace } from '../git/commit/blame.ts';
import { readLog } from '../git/log.ts';
import type { Git } from '../git/run.ts';
import type { OriginLine } from './blame.ts';
import { findReplayed, isRevert } from './reason.ts';

/** A place that a line was in, and what is told of its commit. */
export interface TracedPlace extends LinePlace {
  readonly subject: string | undefined;
  /** It is in the history that the file was looked at in. */
  readonly isInHistory: boolean;
}

/** What is known of a line, one step after the other. */
export interface LineWhy {
  /** What brought it to where it is. */
  readonly brought: TracedPlace;
  /** The commit that this one takes back, or was replayed from, where git has noted it. */
  readonly reverts: string | undefined;
  readonly replays: string | undefined;
  /** Where its text came from, where git follows it further: it was moved, or laid out anew. */
  readonly moved: TracedPlace | undefined;
  /** Where it was led back to, since that place alone did not tell. */
  readonly ledBack: TracedPlace | undefined;
}

/**
 * Says of lines where they come from, step by step. Two processes, however many lines.
 *
 * @param revision whose history counts
 */
export function explainLines(
  git: Git,
  lines: readonly OriginLine[],
  revision: string,
): Map<OriginLine, LineWhy> {
  const places = lines.flatMap(({ commit, source, place }) => [commit, source.commit, place?.commit]);
  const oids = [...new Set(places.flatMap((oid) => oid ?? []))];
  const known = new Map(
    (readLog(git, { range: ['--no-walk=unsorted', ...oids] }) ?? []).map((row) => [row.oid, row]),
  );
  const outside = new Set(findOutside(git, oids, revision));
  const trace = ({ commit, path }: LinePlace): TracedPlace => ({
    ...{ commit, path },
    subject: commit && known.get(commit)?.subject,
    isInHistory: commit === undefined || !outside.has(commit),
  });
  return new Map(
    lines.map((line) => {
      const { commit, path, source, place } = line;
      const message = (commit && known.get(commit)?.message) ?? '';
      const named = findReplayed(message);
      const [reverts, replays] = isRevert(message) ? [named, undefined] : [undefined, named];
      const brought = { commit, path };
      const moved = isSame(source, brought) ? undefined : trace(source);
      const ledBack = place && !isSame(place, source) && !isSame(place, brought) ? trace(place) : undefined;
      return [line, { brought: trace(brought), reverts, replays, moved, ledBack }];
    }),
  );
}

const isSame = (a: LinePlace, b: LinePlace): boolean => a.commit === b.commit && a.path === b.path;

/** Those that the history does not have: the others of which it is made are. */
function findOutside(git: Git, oids: readonly ObjectId[], revision: string): ObjectId[] {
  if (oids.length === 0) return [];
  const rows = readLog(git, { range: [...oids, `^${revision}`] }) ?? [];
  const wanted = new Set<string>(oids);
  return rows.flatMap(({ oid }) => (wanted.has(oid) ? oid : []));
}
