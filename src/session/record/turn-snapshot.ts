import { join } from 'node:path';
import * as z from 'zod/mini';
import { now } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { isChangedAfter } from '../../base/file/change-time.ts';
import { disk, lstatInWorktree, makePlainFolder } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { omitEmpty, renderPrettyJson } from '../../base/text/json.ts';
import type { Status } from '../../git/worktree/status.ts';
import { type ClientProcess, parseClientProcess } from '../client-process.ts';

/** What a turn began with: `.entire/tmp/pre-prompt-<session-id>.json` (format of v0.4.4). */
export interface PrePrompt {
  readonly untrackedFiles: readonly string[];
  readonly lastTranscriptIdentifier: string;
  /** Transcript item where the turn begins. */
  readonly stepTranscriptStart: number;
}

const prePromptFile = (root: string, id: SessionId) => join(root, '.entire', 'tmp', `pre-prompt-${id}.json`);

/** RFC 3339, UTC, whole seconds. */
export const timestamp = (): string => `${now().toISOString().slice(0, 19)}Z`;

/** Replaces the snapshot; where that fails, the turn goes on without it. Never throws. */
export function writePrePrompt(root: string, id: SessionId, snapshot: PrePrompt): void {
  const json = renderPrettyJson({
    session_id: id,
    timestamp: timestamp(),
    untracked_files: snapshot.untrackedFiles,
    last_transcript_identifier: omitEmpty(snapshot.lastTranscriptIdentifier),
    step_transcript_start: omitEmpty(snapshot.stepTranscriptStart),
  });
  // Of use to v0.4.4 and as a second opinion; the turn goes on without it.
  try {
    makePlainFolder(root, '.entire', 'tmp');
    writeFileAtomic(prePromptFile(root, id), json);
  } catch (error) {
    log('warn', 'no pre-prompt snapshot', { session_id: id, error: describeError(error) });
  }
}

const storedPrePrompt = z.object({
  untracked_files: z.nullish(z.array(z.string())),
  last_transcript_identifier: z.nullish(z.string()),
  step_transcript_start: z.nullish(z.number()),
  last_transcript_line_count: z.nullish(z.number()), // legacy
});

/** The snapshot of the running turn; `undefined` when there is none that can be read. */
export function readPrePrompt(root: string, id: SessionId): PrePrompt | undefined {
  const file = prePromptFile(root, id);
  try {
    const text = readOwnText(file, 'record');
    if (text === undefined) return undefined;
    const value = storedPrePrompt.parse(JSON.parse(text));
    return {
      untrackedFiles: value.untracked_files ?? [],
      lastTranscriptIdentifier: value.last_transcript_identifier ?? '',
      stepTranscriptStart: value.step_transcript_start || value.last_transcript_line_count || 0,
    };
  } catch (error) {
    log('warn', 'unreadable pre-prompt snapshot', { file, error: describeError(error) });
    return undefined;
  }
}

/** The turn is over. @throws the system error */
export function removePrePrompt(root: string, id: SessionId): void {
  disk.rmSync(prePromptFile(root, id), { force: true });
}

/**
 * What was different from HEAD when we last looked (at the prompt, then at each stop), so that the user's own edits
 * are not taken for the agent's: `<git-common-dir>/entire/turns/<session-id>.json`. Ours alone; losing it costs
 * precision, not data.
 */
export interface TurnBaseline {
  /** Turn of the state it belongs to; another one means that v0.4.4 began the turn, and this is old. */
  readonly turnId: string;
  /** When it was taken, in milliseconds since 1970. */
  readonly takenAtMs: number;
  /** Transcript items that were there. */
  readonly items: number;
  /** Items that were there at the last commit since then that took work of the session. */
  readonly condensedItems?: number;
  /** Fingerprint of each path; `''` of what was changed since then, and left by a commit. */
  readonly paths: ReadonlyMap<string, string>;
  /** What ran the hook with which the turn began; none where that cannot be told. */
  readonly client?: ClientProcess | undefined;
}

const baselineFile = (commonDir: string, id: SessionId) => join(commonDir, 'entire', 'turns', `${id}.json`);

/** What differs from HEAD now. `items`: how many the transcript has. */
export function takeBaseline(root: string, status: Status, turnId: string, items: number): TurnBaseline {
  return { turnId, takenAtMs: now().getTime(), items, paths: fingerprints(root, [...status.changes.keys()]) };
}

/** The fingerprint of each path. */
export function fingerprints(root: string, paths: readonly string[]): Map<string, string> {
  return new Map(paths.map((path) => [path, fingerprint(root, path)]));
}

/** Replaces the baseline. @throws the system error */
export function writeBaseline(commonDir: string, id: SessionId, baseline: TurnBaseline): void {
  const { turnId, takenAtMs, items, condensedItems, paths, client } = baseline;
  const value = {
    version: 2,
    turn_id: turnId,
    taken_at_ms: takenAtMs,
    items,
    condensed_items: condensedItems,
    paths: Object.fromEntries(paths),
    client,
  };
  writeFileAtomic(baselineFile(commonDir, id), JSON.stringify(value));
}

/** What some paths are now is what the turn began with. @throws the system error */
export function rememberFingerprints(
  commonDir: string,
  id: SessionId,
  baseline: TurnBaseline,
  root: string,
  paths: readonly string[],
): void {
  const known = new Map([...baseline.paths, ...fingerprints(root, paths)]);
  writeBaseline(commonDir, id, { ...baseline, paths: known });
}

const storedBaseline = z.object({
  version: z.literal(2),
  turn_id: z.string(),
  taken_at_ms: z.number(),
  items: z.number(),
  condensed_items: z.optional(z.number()),
  paths: z.record(z.string(), z.string()),
  client: z.pipe(z.optional(z.unknown()), z.transform(parseClientProcess)),
});

/** The baseline of a session's running turn; `undefined` when there is none, or one of an earlier turn. */
export function readBaseline(commonDir: string, id: SessionId, turnId: string): TurnBaseline | undefined {
  try {
    const text = readOwnText(baselineFile(commonDir, id), 'record');
    if (text === undefined) return undefined;
    const value = storedBaseline.parse(JSON.parse(text));
    if (value.turn_id !== turnId) return undefined;
    return {
      turnId,
      takenAtMs: value.taken_at_ms,
      items: value.items,
      ...(value.condensed_items === undefined ? {} : { condensedItems: value.condensed_items }),
      paths: new Map(Object.entries(value.paths)),
      ...(value.client ? { client: value.client } : {}),
    };
  } catch (error) {
    log('warn', 'unreadable turn baseline', { session_id: id, error: describeError(error) });
    return undefined;
  }
}

/** Nobody goes on with the session. @throws the system error */
export function removeBaseline(commonDir: string, id: SessionId): void {
  disk.rmSync(baselineFile(commonDir, id), { force: true });
}

/** A baseline for which what changed since another one, up to some time, has yet to be looked at. */
export function withChangesUntil(
  untilMs: number,
  since: Pick<TurnBaseline, 'paths'> | undefined,
  current: TurnBaseline,
  root: string,
): TurnBaseline {
  const paths = new Map(
    [...current.paths].flatMap(([path, now]): Array<[string, string]> => {
      const was = since?.paths.get(path);
      if (was === now || isChangedAfter(root, path, untilMs)) return [[path, now]];
      return was === undefined ? [] : [[path, was]];
    }),
  );
  return { ...current, paths };
}

/** Paths whose state differs from the baseline. */
export function changedSince(
  baseline: Pick<TurnBaseline, 'paths'>,
  root: string,
  status: Status,
): RepoPath[] {
  return [...status.changes.keys()].filter((path) => hasChanged(baseline, root, path));
}

/** Whether a path's state differs from the baseline. */
export const hasChanged = (baseline: Pick<TurnBaseline, 'paths'>, root: string, path: string): boolean =>
  baseline.paths.get(path) !== fingerprint(root, path);

/** What can be told without a baseline, where v0.4.4 began: files that are new since then, or gone. */
export const newOrGone = (status: Status, untrackedAtStart: readonly string[]): RepoPath[] => {
  const known = new Set(untrackedAtStart);
  return [...status.changes].flatMap(([path, kind]) =>
    kind === 'modified' || known.has(path) ? [] : [path],
  );
};

/** Mode, size and time of modification: what changes when a file is written, not when it is staged. Reads no file. */
function fingerprint(root: string, path: string): string {
  const stat = lstatInWorktree(root, path);
  return stat ? `${stat.mode.toString(8)}:${stat.size}:${stat.mtimeMs}` : 'missing';
}
