import type { ObjectId } from '../base/ids.ts';
import { isDistinctive, isTelling, plainLine } from '../base/text/lines.ts';
import type { StoredSlot } from '../checkpoint/read/checkpoint.ts';
import type { BlamedLine } from '../git/commit/blame.ts';
import { linkedIds } from '../git/commit/links.ts';
import type { Git } from '../git/run.ts';
import type { BlamedCommit } from './blamed-commits.ts';
import type { FindElsewhere } from './classify.ts';
import { type BlamedSession, type Context, toSession } from './context.ts';
import { type Evidence, isSameLine, isWritten } from './evidence.ts';
import { findStrangers, type Stranger } from './strangers.ts';

/** Tells of the lines of a file in a commit which are a session's work for another commit. */
export type Others = (commit: ObjectId | undefined, path: string) => FindElsewhere<BlamedSession>;

/** How a commit came to be is known where its hook saw it being made; what a rebase or an amend made may hold others. */
export const SEEN: ReadonlySet<string | undefined> = new Set(['linked', 'no-session', 'no-overlap']);

export async function openOthers(
  git: Git,
  { store, checkpoints: stored, verdict, formerNames }: Context,
  lines: readonly BlamedLine[],
  commits: ReadonlyMap<ObjectId, BlamedCommit>,
  revision: string,
): Promise<Others> {
  const paths = new Map<ObjectId | undefined, Set<string>>();
  for (const { commit, path } of lines)
    paths.set(commit, new Set([...(paths.get(commit) ?? []), ...[path, ...formerNames(commit, path)]]));
  const places = [...paths].map(([commit, named]) => {
    const known = commit && commits.get(commit);
    const checkpoints = known ? linkedIds(known.links) : [];
    const seenAt = commit && verdict(commit)?.at;
    return { commit, committedAt: known?.committedAt, seenAt, checkpoints, paths: [...named] };
  });
  const strangers = await findStrangers(git, store, revision, places, stored);
  return (commit, path) => {
    const known = [path, ...formerNames(commit, path)].flatMap((name) => strangers(commit, name));
    const isSeen = commit === undefined || SEEN.has(verdict(commit)?.reason);
    // What it wrote is not all on record, so that any of the lines may be among it.
    const isDoubtful = !isSeen && known.some(({ evidence, isNear }) => !isNear && !evidence.isComplete);
    return (line, above, block) => {
      const isBlockOf = ({ evidence }: Stranger): boolean =>
        evidence.wayOf(line) !== 'file' && isBlockWritten(block, evidence);
      const isProof = (stranger: Stranger): boolean =>
        !stranger.isNear ||
        isDistinctive(line) ||
        isWrittenBelow(line, above, stranger.evidence) ||
        isBlockOf(stranger);
      const some = known.filter((stranger) => isWritten(line, stranger.evidence) && isProof(stranger));
      const ofBlock = some.filter(isBlockOf);
      const writers = ofBlock.length > 0 ? ofBlock : some;
      if (writers.length > 0)
        return {
          session: firstOf(writers.map(({ slot }) => slot)),
          isBlock: ofBlock.length > 0,
          mayHaveFound: writers.every(({ evidence, isNear }) => isNear || evidence.wayOf(line) === 'file'),
        };
      const isFrom = isDistinctive(line)
        ? known.flatMap(({ evidence }) => evidence.carried.get(plainLine(line)) ?? [])
        : [];
      if (isFrom.length > 0) return { session: undefined, isFrom };
      return isDoubtful ? { session: undefined } : undefined;
    };
  };
}

/** Whether a session wrote lines one below the other, as they are: a line that it wrote elsewhere is none of them, however much that tells. */
function isBlockWritten(block: readonly string[], evidence: Evidence): boolean {
  const telling = block.filter(isTelling);
  const isBelow = (line: string, at: number): boolean =>
    at === 0 || isWrittenBelow(line, telling[at - 1] as string, evidence);
  return telling.length > 0 && telling.every((line, at) => isWritten(line, evidence) && isBelow(line, at));
}

const isWrittenBelow = (line: string, above: string, { abovesOf }: Evidence): boolean =>
  abovesOf(line).some((one) => isSameLine(above, one));

/** Who had it first has written it: later ones carried it along. `undefined` where two did within one checkpoint. */
function firstOf(writers: readonly StoredSlot[]): BlamedSession | undefined {
  const [first, ...others] = writers.toSorted((a, b) => madeMs(a) - madeMs(b)) as [
    StoredSlot,
    ...StoredSlot[],
  ];
  const isShared = others.some(
    ({ checkpoint, metadata }) =>
      checkpoint === first.checkpoint && metadata.sessionId !== first.metadata.sessionId,
  );
  return isShared ? undefined : toSession(first, undefined);
}

const madeMs = ({ metadata }: StoredSlot): number => Date.parse(metadata.createdAt);
