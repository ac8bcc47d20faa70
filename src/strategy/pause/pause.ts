import { join } from 'node:path';
import { now } from '../../base/clock.ts';
import { EntireError } from '../../base/errors.ts';
import { newId, type SessionId } from '../../base/ids.ts';
import { withSessionLock } from '../../session/lock.ts';
import {
  type Pause,
  type PauseScope,
  readPauses,
  setPausesAside,
  writePauses,
} from '../../session/record/pause.ts';
import { dropAllPauseNotes, dropPauseNotes, writePauseBegin } from '../../session/record/pause-notes.ts';
import type { Work } from '../work.ts';
import { lookBefore } from './begin.ts';
import { closeStretch } from './end.ts';

/** `<git-common-dir>/entire/pauses.lock` */
const LOCK = 'pauses' as SessionId;
const WAIT_MS = 10_000;

const locked = <T>({ repo }: Work, body: () => T | Promise<T>): Promise<T> =>
  withSessionLock(join(repo.commonDir, 'entire'), LOCK, body, { waitMs: WAIT_MS });

const isSame = (a: PauseScope, b: PauseScope): boolean =>
  a.kind === 'worktree'
    ? b.kind === 'worktree' && a.worktreeId === b.worktreeId
    : b.kind === 'session' && a.sessionId === b.sessionId;

/**
 * Begins a private stretch; one that goes on already stays as it is.
 *
 * @throws {EntireError} `STATE_UNREADABLE` where the record of pauses is broken: then everything is paused
 */
export function beginPause(work: Work, scope: PauseScope): Promise<{ pause: Pause; isNew: boolean }> {
  return locked(work, async () => {
    const pauses = knownPauses(work);
    const known = pauses.find((pause) => isSame(pause.scope, scope));
    if (known) return { pause: known, isNew: false };
    const pause: Pause = { id: newId(), atMs: now().getTime(), scope };
    writePauseBegin(work.repo.commonDir, pause.id, await lookBefore(work, scope));
    writePauses(work.repo.commonDir, [...pauses, pause]);
    return { pause, isNew: true };
  });
}

/**
 * Ends a private stretch.
 *
 * @returns the pause that is over; `undefined` where there was none
 * @throws {EntireError} `LOCKED`; then the stretch goes on
 */
export function endPause(work: Work, scope: PauseScope): Promise<Pause | undefined> {
  return locked(work, async () => {
    const pauses = knownPauses(work);
    const pause = pauses.find((one) => isSame(one.scope, scope));
    if (!pause) return undefined;
    await close(work, pauses, pause);
    return pause;
  });
}

async function close(work: Work, pauses: readonly Pause[], pause: Pause): Promise<void> {
  const { commonDir } = work.repo;
  await closeStretch(work, pause);
  writePauses(
    commonDir,
    pauses.filter((one) => one !== pause),
  );
  dropPauseNotes(commonDir, pause.id);
}

function knownPauses({ repo }: Work): readonly Pause[] {
  const pauses = readPauses(repo.commonDir);
  if (pauses !== 'unreadable') return pauses;
  throw new EntireError('STATE_UNREADABLE', 'the record of pauses cannot be read', {
    hint: 'Nothing is recorded here until it is gone: `entire pause --end --all` sets it aside.',
  });
}

/** Ends every private stretch of the repository; a record that cannot be read is set aside. */
export function endAllPauses(work: Work): Promise<readonly Pause[]> {
  return locked(work, async () => {
    const { commonDir } = work.repo;
    const pauses = readPauses(commonDir);
    if (pauses === 'unreadable') setPausesAside(commonDir);
    else for (const [at, pause] of pauses.entries()) await close(work, pauses.slice(at), pause);
    dropAllPauseNotes(commonDir);
    return pauses === 'unreadable' ? [] : pauses;
  });
}
