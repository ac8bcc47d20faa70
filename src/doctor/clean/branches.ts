import { join } from 'node:path';
import { now } from '../../base/clock.ts';
import type { ObjectId } from '../../base/ids.ts';
import { isShadowBranch, METADATA_REF, shadowBranch } from '../../checkpoint/shadow-branch.ts';
import { readLastCommit } from '../../git/ref/broken-ref.ts';
import { DEAD_REF_LOCK_MS, listRefLocks } from '../../git/ref/ref-failure.ts';
import { readRefsBelow } from '../../git/ref/refs.ts';
import { isPending, type SessionState } from '../../session/state.ts';
import { readPushes } from '../../sync/ledger.ts';
import { type Finding, foundSome } from '../examine/finding.ts';
import { judgeRef, listOwnRefs, type RefVerdict } from '../examine/own-refs.ts';
import type { Patient } from '../patient.ts';
import { findBrokenRefs } from '../verify/checkpoints.ts';

/** Refs of ours, and what should stand behind each. */
export interface BranchFacts {
  /** Below `refs/heads/entire/`, and `refs/heads/entire`; full names. */
  readonly refs: ReadonlyMap<string, ObjectId>;
  /** Short names of the shadow branches that sessions have work on; `undefined` where a state cannot be read. */
  readonly owned: ReadonlySet<string> | undefined;
  /** Those below `refs/entire/` that something was being made under, and what is to become of them. */
  readonly left: readonly { readonly ref: string; readonly verdict: RefVerdict }[];
  /** Those whose files say nothing that git understands, and whether their reflogs lead to a commit that is here. */
  readonly broken: readonly { readonly ref: string; readonly isRestorable: boolean }[];
  /** Locks at refs of ours, with their age. */
  readonly locks: readonly { readonly path: string; readonly ageMs: number }[];
  /** Pushes that were begun, and whose end is not on record, newest last. */
  readonly unknownPushes: readonly { readonly remote: string; readonly at: string; readonly to: string }[];
  readonly isEnabled: boolean;
}

/** Pushes that are looked at. */
const PUSHES = 20;

export function readBranches({ git, repo, activation, states }: Patient): BranchFacts {
  const refs = readRefsBelow(git, [
    ...['refs/heads/entire', 'refs/heads/entire/checkpoints', 'refs/heads/entire/'],
  ]);
  const listing = states();
  return {
    refs,
    owned:
      listing.unreadable.length > 0 ? undefined : new Set(listing.states.filter(hasBranch).map(branchOf)),
    left: listOwnRefs({ repo, git }, now().getTime()).map((one) => ({
      ref: one.ref,
      verdict: judgeRef(one),
    })),
    broken: findBrokenRefs({ repo, git }).map((ref) => ({
      ref,
      isRestorable: readLastCommit({ repo, git }, ref) !== undefined,
    })),
    locks: listRefLocks(
      ['refs/heads/entire', 'refs/entire', 'refs/notes'].map((name) => join(repo.commonDir, name)),
      // Other notes are other people's.
    ).filter(({ path }) => !/[\\/]refs[\\/]notes[\\/](?!entire\.lock$)/.test(path)),
    unknownPushes: readPushes(repo.commonDir)
      .slice(-PUSHES)
      .filter(({ result }) => result === 'unknown'),
    isEnabled: activation.kind === 'enabled',
  };
}

/** A session in a turn has none yet, or one that it goes on with. */
const hasBranch = (state: SessionState): boolean => isPending(state) || state.phase === 'active';
const branchOf = ({ baseCommit, worktreeId }: SessionState): string => shadowBranch(baseCommit, worktreeId);

export function judgeBranches(facts: BranchFacts): Finding[] {
  const names = [...facts.refs.keys()];
  const taken = names.filter((name) => ['refs/heads/entire', 'refs/heads/entire/checkpoints'].includes(name));
  const shadows = names
    .map((name) => name.replace('refs/heads/', ''))
    .filter((name) => isShadowBranch(name) && facts.owned?.has(name) === false);
  const left = facts.left.filter(({ verdict }) => verdict !== 'at-work' && verdict !== 'owed');
  const leftBelow = (place: string) => left.map(({ ref }) => ref).filter((ref) => ref.startsWith(place));
  const locks = facts.locks.filter(({ ageMs }) => ageMs > DEAD_REF_LOCK_MS).map(({ path }) => path);
  const pushes = facts.unknownPushes.map(({ at, remote, to }) => `${at} ${remote} ${to.slice(0, 12)}`);
  const broken = facts.broken.map(({ ref }) => ref);
  const isMissing =
    facts.isEnabled && taken.length === 0 && !facts.refs.has(METADATA_REF) && !broken.includes(METADATA_REF);
  return [
    ...foundSome('branch-name-taken', taken),
    ...foundSome('ref-broken', broken, { isFixable: facts.broken.some(({ isRestorable }) => isRestorable) }),
    ...foundSome('metadata-branch-missing', isMissing ? [METADATA_REF] : [], { isFixable: true }),
    ...foundSome('ref-lock', locks, { isFixable: true }),
    ...foundSome('shadow-branch-unowned', shadows),
    ...foundSome('auto-commit-left', leftBelow('refs/entire/auto/'), { isFixable: true }),
    ...foundSome('scrub-left', leftBelow('refs/entire/scrub/'), { isFixable: true }),
    ...foundSome('rewind-left', leftBelow('refs/entire/rewind/'), { isFixable: true }),
    ...foundSome('push-unknown', pushes),
  ];
}
