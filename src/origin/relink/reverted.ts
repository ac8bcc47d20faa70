import { groupBy } from '../../base/group-by.ts';
import type { ObjectId } from '../../base/ids.ts';
import { lineDigest } from '../../checkpoint/evidence.ts';
import { streamPatches } from '../../git/commit/patch-stream.ts';
import { type LogRow, readLog } from '../../git/log.ts';
import type { Git } from '../../git/run.ts';
import { openIsBelow } from './ancestry.ts';
import type { BroughtBack } from './match.ts';

const REVERTS = /\bThis reverts commit ([0-9a-f]{7,64})\b/g;
const SUBJECT = /^(Revert|Reapply) "(.*)"$/;

/**
 * What commits may bring back. Git says so in their messages; that counts only for commits below them, and their lines have to be there. One
 * that was rebased has another id than the message says: then the newest with the subject that it names are looked at. No process where no
 * message says so, else two.
 */
export async function readReverted(git: Git, rows: readonly LogRow[]): Promise<BroughtBack> {
  const reverting = rows.filter(({ message }) => message.search(REVERTS) !== -1);
  if (reverting.length === 0) return new Map();
  // Of those below them, whatever else there is in this clone: another one finds the same.
  const all = readLog(git, { range: reverting.map(({ oid }) => oid) }) ?? [];
  const isBelow = openIsBelow(new Map(all.map(({ oid, parents }) => [oid, parents])));
  const find = openReverted(all.filter(({ parents }) => parents.length < 2));
  const wanted = new Map(reverting.map((row) => [row.oid, find(row, (oid) => isBelow(row.oid, oid))]));
  const asked = [...new Map([...wanted.values()].flat().map((row) => [row.oid, row])).values()];
  const removed = new Map<ObjectId, readonly string[]>();
  const questions = asked.map(({ oid, parents }) => ({ commit: oid, parent: parents[0] }));
  for await (const patches of streamPatches(git, questions))
    for (const { commit, files } of patches)
      removed.set(
        commit,
        files.flatMap((file) => file.removed.flatMap((line) => lineDigest(line) ?? [])),
      );
  return new Map(
    [...wanted].map(([oid, of]) => [oid, new Set(of.flatMap((row) => removed.get(row.oid) ?? []))]),
  );
}

/** A script gives hundreds of commits one subject: the newest may be meant. */
const MAX_NAMESAKES = 10;
/** Git names no commit by less. */
const SHORTEST = 7;

/** Makes what finds the commits that one says it reverts. @param rows the newest first */
function openReverted(
  rows: readonly LogRow[],
): (row: LogRow, isBelow: (oid: ObjectId) => boolean) => LogRow[] {
  const byStart = groupBy(rows, ({ oid }) => oid.slice(0, SHORTEST));
  const bySubject = groupBy(rows, ({ subject }) => subject);
  return ({ message, subject }, isBelow) => {
    const ids = [...message.matchAll(REVERTS)].map(([, id]) => id as string);
    const found = ids.flatMap((id) =>
      (byStart.get(id.slice(0, SHORTEST)) ?? []).filter(({ oid }) => oid.startsWith(id) && isBelow(oid)),
    );
    if (found.length >= ids.length) return found;
    const [, word, name] = SUBJECT.exec(subject) ?? [];
    if (name === undefined) return found;
    const former = word === 'Reapply' ? `Revert "${name}"` : name;
    const namesakes: LogRow[] = [];
    for (const row of bySubject.get(former) ?? []) {
      if (namesakes.length === MAX_NAMESAKES) break;
      if (isBelow(row.oid)) namesakes.push(row);
    }
    return [...new Set([...found, ...namesakes])];
  };
}
