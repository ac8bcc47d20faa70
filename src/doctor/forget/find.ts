import { join } from 'node:path';
import { listNames } from '../../base/file/disk.ts';
import { beginningWith, MIN_BEGINNING, parseSessionId, type SessionId } from '../../base/ids.ts';
import { findCheckpointsOf } from '../../checkpoint/forget-history.ts';
import { listTracked } from '../../checkpoint/remote-refs.ts';
import {
  listRemoteSteps,
  listShadowBranches,
  METADATA_REF,
  type RemoteSteps,
  readStepSessions,
} from '../../checkpoint/shadow-branch.ts';
import { readRef, readRevisions } from '../../git/ref/refs.ts';
import type { Git } from '../../git/run.ts';
import { listStates, readStateIfReadable } from '../../session/state-store.ts';
import { listTombstones } from '../../session/tombstones.ts';
import { listRecordIds, readRecord } from '../../snapshot/record/record.ts';
import { snapshotsDir } from '../../snapshot/store/blobs.ts';
import type { Work } from '../../strategy/work.ts';
import { type PushRecord, readPushes } from '../../sync/ledger.ts';
import type { ForgetTarget } from './forget.ts';
import { findTurnPart } from './turn.ts';

/** Something that can be forgotten. */
export interface Found {
  readonly name: string;
  readonly sessionId: SessionId;
  readonly turn?: { readonly store: string; readonly record: string };
}

/** What forgetting would take away, and what it cannot. */
export interface ForgetPlan {
  readonly target: ForgetTarget;
  readonly checkpoints: number;
  /** Temporary branches with steps of the session. */
  readonly branches: number;
  /** Pushes that took it along, or may have. */
  readonly pushed: readonly PushOfSession[];
  /** Remotes that have something of it, as far as this clone knows. */
  readonly remotes: readonly string[];
  /** Those of them that have it at a ref, not on a branch. */
  readonly atRefs: readonly string[];
  /** Step branches that remotes have with something of it, as far as this clone knows. */
  readonly pushedSteps: ReadonlyArray<Pick<RemoteSteps, 'remote' | 'branch'>>;
  readonly transcript: string;
}

/** A push of which something is to be forgotten. */
export interface PushOfSession extends PushRecord {
  /** It had something of the session, and the remote took it; else one of the two is not known. */
  readonly isSure: boolean;
}

/** Sessions and turns that are named so, or begin so. One that is named in full counts alone. */
export function findTargets(work: Work, named: string): Found[] {
  const { commonDir } = work.repo;
  const stores = listNames(snapshotsDir(commonDir));
  const sessions = new Set<SessionId>([
    ...listStates(work.sessions).states.flatMap(({ sessionId }) => parseSessionId(sessionId) ?? []),
    ...stores.flatMap((name) => parseSessionId(name.split('@')[0]) ?? []),
    ...listTombstones(commonDir).map(({ sessionId }) => sessionId),
  ]);
  const turns = stores.flatMap((name): Found[] => {
    const sessionId = parseSessionId(name.split('@')[0]);
    if (!sessionId) return [];
    const store = join(snapshotsDir(commonDir), name);
    return listRecordIds(store).flatMap((record) => {
      const names = record.startsWith(named) ? [record] : [turnIdOf(store, record)];
      const name = names.find((one) => named.length >= MIN_BEGINNING && one.startsWith(named));
      return name ? [{ name, sessionId, turn: { store, record } }] : [];
    });
  });
  const found = [
    ...beginningWith([...sessions], named, MIN_BEGINNING).map((id) => ({ name: id, sessionId: id })),
    ...turns,
  ];
  const exact = found.filter(({ name }) => name === named);
  if (exact.length > 0) return exact;
  // Of a session of long ago the branch may be all there is.
  const whole = parseSessionId(named);
  if (found.length === 0 && whole && readRef(work.git, METADATA_REF))
    return findCheckpointsOf(work.git, [METADATA_REF], whole).length > 0
      ? [{ name: whole, sessionId: whole }]
      : [];
  return found;
}

function turnIdOf(store: string, record: string): string {
  try {
    const { kind, turnId } = readRecord(store, record);
    return kind === 'turn' ? turnId : '';
  } catch {
    return ''; // `entire verify` names it
  }
}

/** @throws {EntireError} `NOT_FOUND`, `SNAPSHOT_DAMAGED` */
export function planForget(work: Work, { sessionId, turn }: Found): ForgetPlan {
  const { git, repo } = work;
  const tip = readRef(git, METADATA_REF);
  const checkpoints = tip ? findCheckpointsOf(git, [METADATA_REF], sessionId).length : 0;
  const branches = listShadowBranches(git).filter(
    (branch) => branch.tip && readStepSessions(git, branch.tip)?.has(sessionId) !== false,
  );
  const target = turn
    ? { sessionId, turn: findTurnPart(work, sessionId, turn.store, readRecord(turn.store, turn.record)) }
    : { sessionId };
  const has = (...range: string[]): boolean => findCheckpointsOf(git, range, sessionId).length > 0;
  const there = listTracked(git).filter(({ ref }) => has(ref));
  const remotes = there.map(({ remote }) => remote ?? 'the remote of checkpoints');
  const atRefs = there.flatMap(({ what, remote }) => (what === 'ref' && remote !== undefined ? remote : []));
  return {
    target,
    checkpoints,
    branches: branches.length,
    pushed: findPushesOf(git, repo.commonDir, has),
    ...{ remotes: [...new Set(remotes)], atRefs },
    pushedSteps: findPushedSteps(git, sessionId, turn && target.turn?.stretch.fromMs),
    transcript: readStateIfReadable(work.sessions, sessionId)?.transcriptPath ?? '',
  };
}

/**
 * Step branches that remotes have, as far as this clone knows, with steps that a session made at a time or later: the transcript in them
 * has all that was said up to then. One that cannot be read may have some.
 */
const findPushedSteps = (
  git: Git,
  session: SessionId,
  fromMs: number | undefined,
): ForgetPlan['pushedSteps'] =>
  listRemoteSteps(git).flatMap(({ remote, branch, tip }) =>
    readStepSessions(git, tip, fromMs)?.has(session) === false ? [] : [{ remote, branch }],
  );

/** What a push sent is what lies between the two tips; nobody can tell of tips that are gone, and they count. */
function findPushesOf(git: Git, commonDir: string, has: (...range: string[]) => boolean): PushOfSession[] {
  const sent = readPushes(commonDir).filter(({ result }) => result !== 'failed');
  const name = (tip: string): string => `${tip}^{commit}`;
  const there = readRevisions(
    git,
    sent.flatMap(({ from, to }) => [to, from ?? []].flat().map(name)),
  );
  return sent.flatMap((push) => {
    const [from, to] = [push.from && there.get(name(push.from)), there.get(name(push.to))];
    if (!to) return [{ ...push, isSure: false }];
    const had = from ? has(to, `^${from}`) : has(to);
    return had ? [{ ...push, isSure: push.result === 'pushed' }] : [];
  });
}
