import type { ObjectId } from '../../base/ids.ts';

/**
 * Makes what tells whether one commit is below another: git comes to it by way of parents. What is asked of one commit is best asked one after the
 * other: all below it are marked once.
 *
 * @param graph the parents of each commit, in any order; those that are not in it are not gone beyond
 */
export function openIsBelow(
  graph: ReadonlyMap<ObjectId, readonly ObjectId[]>,
): (commit: ObjectId, other: ObjectId) => boolean {
  const places = new Map([...graph.keys()].map((commit, place) => [commit, place]));
  const above = [...graph.values()].map((parents) => parents.flatMap((parent) => places.get(parent) ?? []));
  // Not a set for each commit: thousands may be asked about.
  const marks = new Int32Array(above.length);
  let mark = 0;
  let last: ObjectId | undefined;
  const markFrom = (commit: ObjectId): void => {
    last = commit;
    mark++;
    const open = [...(above[places.get(commit) ?? -1] ?? [])];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (marks[place] === mark) continue;
      marks[place] = mark;
      open.push(...(above[place] ?? []));
    }
  };
  return (commit, other) => {
    if (commit === other) return false;
    const place = places.get(other);
    if (place === undefined) return false;
    if (commit !== last) markFrom(commit);
    return marks[place] === mark;
  };
}
