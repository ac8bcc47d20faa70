import { join } from 'node:path';
import { listNames } from '../../base/disk.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { findCheckpointsOf } from '../../checkpoint/forget-history.ts';
import { listShadowBranches, METADATA_REF, readStepSessions } from '../../checkpoint/shadow-branch.ts';
import { readRef, readRefsBelow } from '../../git/refs.ts';
import { listStates, readStateIfReadable } from '../../session/state-store.ts';
import { listTombstones } from '../../session/tombstones.ts';
import { snapshotsDir } from '../../snapshot/blobs.ts';
import { listRecordIds, readRecord } from '../../snapshot/record.ts';
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
  /** Pushes that may have had it. */
  readonly pushed: readonly PushRecord[];
  /** Remotes that have the branch, as far as this clone knows. */
  readonly remotes: readonly string[];
  readonly transcript: string;
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
      const name = names.find((one) => named.length >= 4 && one.startsWith(named));
      return name ? [{ name, sessionId, turn: { store, record } }] : [];
    });
  });
  const found = [
    ...[...sessions].flatMap((id) =>
      named !== '' && id.startsWith(named) ? [{ name: id, sessionId: id }] : [],
    ),
    ...turns,
  ];
  const exact = found.filter(({ name }) => name === named);
  if (exact.length > 0) return exact;
  // Of a session of long ago the branch may be all there is.
  const whole = parseSessionId(named);
  if (found.length === 0 && whole && readRef(work.git, METADATA_REF))
    return findCheckpointsOf(work.git, METADATA_REF, whole).length > 0
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
  const checkpoints = tip ? findCheckpointsOf(git, METADATA_REF, sessionId).length : 0;
  const branches = listShadowBranches(git).filter(
    (branch) => branch.tip && readStepSessions(git, branch.tip)?.has(sessionId) !== false,
  );
  const target = turn
    ? { sessionId, turn: findTurnPart(work, sessionId, turn.store, readRecord(turn.store, turn.record)) }
    : { sessionId };
  const remotes = [...readRefsBelow(git, ['refs/remotes/', 'refs/entire/remotes/']).keys()].flatMap((ref) =>
    ref.startsWith('refs/entire/remotes/')
      ? ['the remote of checkpoints']
      : (/^refs\/remotes\/(.+)\/entire\/checkpoints\/v1$/.exec(ref)?.[1] ?? []),
  );
  return {
    target,
    checkpoints,
    branches: branches.length,
    pushed: checkpoints > 0 ? readPushes(repo.commonDir).filter(({ result }) => result !== 'failed') : [],
    remotes: [...new Set(remotes)],
    transcript: readStateIfReadable(work.sessions, sessionId)?.transcriptPath ?? '',
  };
}
