import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import { linkedIds } from '../../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../../git/commit/trailers.ts';
import { readLog } from '../../git/log.ts';
import { BRANCHES_OF_PEOPLE, REMOTES_OF_PEOPLE } from '../../git/ref/people.ts';
import { type Git, runGit } from '../../git/run.ts';
import type { Claim } from './claim.ts';
import type { IsElsewhere } from './match.ts';

/** The commits of refs that people have, beside the one that is asked about, that name a checkpoint; none where one of them is its own. */
export type NamedBy = (claim: Claim, asked: ObjectId) => readonly ObjectId[];

interface Elsewhere {
  readonly isElsewhere: IsElsewhere;
  readonly namedBy: NamedBy;
}

/** Looks at every commit that people have, when it is asked first. */
export function openElsewhere(git: Git, claims: ReadonlyMap<CheckpointId, Claim>): Elsewhere {
  const read = once(() => {
    const owners = new Map<string, CheckpointId[]>();
    for (const [id, { versions }] of claims)
      for (const { commit } of versions) owners.set(commit, [...(owners.get(commit) ?? []), id]);
    const refs = [...BRANCHES_OF_PEOPLE, ...REMOTES_OF_PEOPLE, '--tags', 'HEAD'];
    const { stdout } = runGit(git, ['rev-list', ...refs, '--'], { okUnknown: true });
    const places = new Map<CheckpointId, Set<ObjectId>>();
    const put = (id: CheckpointId, commit: ObjectId) =>
      places.set(id, (places.get(id) ?? new Set()).add(commit));
    for (const oid of stdout.toString('latin1').split('\n'))
      for (const id of owners.get(oid) ?? []) put(id, oid as ObjectId);
    const named = readLog(git, { range: refs, containing: `${CHECKPOINT_TRAILER}: ` }) ?? [];
    for (const { oid, links } of named) for (const id of linkedIds(links)) put(id, oid);
    return places;
  });
  const othersOf = ({ checkpoint }: Claim, asked: ObjectId): ObjectId[] =>
    [...(read().get(checkpoint.id) ?? [])].filter((oid) => oid !== asked);
  return {
    isElsewhere: (claim, asked) => othersOf(claim, asked).length > 0,
    namedBy(claim, asked) {
      const others = othersOf(claim, asked);
      return claim.versions.some(({ commit }) => others.includes(commit)) ? [] : others;
    },
  };
}
