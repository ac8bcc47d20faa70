import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import type { SessionHome } from '../../agents/shared/session/session-home.ts';
import { disk, lstatIfExists } from '../../base/file/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import { physicalPath } from '../../git/locate.ts';

/** What is known of where a session's transcript belongs. */
export interface TargetFacts {
  readonly home: SessionHome;
  readonly env: NodeJS.ProcessEnv;
  /** The worktree the session is to go on in. */
  readonly folder: string;
  readonly sessionId: SessionId;
  /** As shared metadata has it, relative to a home folder: anybody may have written it. */
  readonly recorded: string;
  /** Where this machine's own state says that it lies; empty when it does not say. */
  readonly known: string;
  /** The worktree that the state names is there. */
  readonly isHome: boolean;
  /** Going back: the log of a client lies at `known`, whatever this shell says of its folder. */
  readonly isLive?: boolean;
}

/**
 * Where a transcript is restored to: where this machine's own session has it; else where the metadata says, if that is a
 * clean path to this session's file in the agent's folder for this worktree; else where the agent looks for it when it is
 * started in this worktree. A path of another machine, or of a worktree that is gone, leads to a folder that the agent
 * does not look into from here. Where the client had another folder (its environment named one, or ours does) than it has when it is
 * started now, a session that goes on is looked for in the latter; one that goes back is cut where it lies.
 */
export function chooseTarget(facts: TargetFacts): string {
  const { home, env, folder, sessionId, recorded, known, isHome, isLive } = facts;
  const isOwn = (file: string): boolean => isAbsolute(file) && home.isTranscriptOf(file, sessionId);
  const isReached = isLive === true || !home.isOnly(env) || isReachedBelow(home.root(env), known);
  if (isHome && isOwn(known) && isReached) return known;
  const shared = isClean(recorded) ? join(env.HOME || homedir(), recorded) : '';
  const isFitting = isBelow(home.root(env), shared) && home.isKeptFor(env, shared, folder);
  return isFitting && isOwn(shared) ? shared : home.transcript(env, folder, sessionId);
}

/** A link may lead to the folder, and either name be the one that is known. */
const isReachedBelow = (root: string, file: string): boolean =>
  isBelow(root, file) || isBelow(physicalPath(root), physicalPath(file));

/** Whether every part of a relative path names a file or folder of its own. */
const isClean = (path: string): boolean =>
  !/[\0-\x1f\x7f\\]/.test(path) && path.split('/').every((part) => !['', '.', '..'].includes(part));

const isBelow = (root: string, file: string): boolean =>
  file.startsWith(root.endsWith(sep) ? root : root + sep);

/**
 * The file that a write to `file` would change, links followed; `undefined` when it is none, or when a link leads out of
 * the agent's folder, so that somebody else would decide what is overwritten.
 */
export function resolveTarget(file: string, root: string): string | undefined {
  const folder = physicalPath(dirname(file));
  const named = join(folder, basename(file));
  const stat = lstatIfExists(named);
  if (stat?.isSymbolicLink() && !disk.existsSync(named)) return undefined;
  const actual = stat?.isSymbolicLink() ? physicalPath(named) : named;
  if (stat && !disk.statSync(actual).isFile()) return undefined;
  // What the state of this machine says may lie elsewhere; a link on the way to it is the user's own.
  const isInside = !isBelow(root, file) || isBelow(physicalPath(root), actual);
  return isInside && (actual === named || isBelow(physicalPath(root), actual)) ? actual : undefined;
}
