import type { ObjectId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import { type Git, runGit } from '../../git/run.ts';
import type { Claim } from './claim.ts';

/** Whether the commit of a checkpoint was made on top of the one that is asked about, as far as it is known: then that was not made of it. */
export type IsAbove = (claim: Claim, asked: ObjectId) => boolean;

/** One process, when it is asked first: it looks at the histories of all commits that checkpoints were made for. */
export function openIsAbove(git: Git, claims: Iterable<Claim>): IsAbove {
  const read = once(() =>
    readGraph(
      git,
      [...claims].flatMap(({ versions }) => versions.map(({ commit }) => commit)),
    ),
  );
  return ({ versions }, asked) =>
    versions.length > 0 && versions.every(({ commit }) => descends(read(), commit, asked));
}

/** By commit, its place (those on top of it come before it) and its parents. */
type Graph = ReadonlyMap<string, { readonly place: number; readonly parents: readonly string[] }>;

function readGraph(git: Git, commits: readonly ObjectId[]): Graph {
  const args = ['rev-list', '--topo-order', '--parents', '--ignore-missing', '--stdin'];
  const input = commits.map((commit) => `${commit}\n`).join('');
  const rows = runGit(git, args, { input }).stdout.toString('latin1').split('\n');
  return new Map(
    rows.map((row, place) => {
      const [commit = '', ...parents] = row.split(' ');
      return [commit, { place, parents }];
    }),
  );
}

function descends(graph: Graph, from: ObjectId, asked: ObjectId): boolean {
  const end = graph.get(asked)?.place ?? -1;
  if (from === asked || (graph.get(from)?.place ?? Infinity) > end) return false;
  const seen = new Set<string>([from]);
  for (const commit of seen) {
    if (commit === asked) return true;
    for (const parent of graph.get(commit)?.parents ?? [])
      if ((graph.get(parent)?.place ?? Infinity) <= end) seen.add(parent);
  }
  return false;
}
