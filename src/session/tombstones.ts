import { join } from 'node:path';
import * as z from 'zod/mini';
import { localDay } from '../base/clock.ts';
import { listNames } from '../base/file/disk.ts';
import { readOwnText } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { type CheckpointId, parseCheckpointId, parseSessionId, type SessionId } from '../base/ids.ts';

/**
 * What stands where something was forgotten: `<git-common-dir>/entire/forgotten/<session>.json`. When, and under which ids people
 * may still ask for it; no contents.
 */
export interface Tombstone {
  readonly sessionId: SessionId;
  /** The last time, in milliseconds since 1970. What the session does later is recorded. */
  readonly atMs: number;
  /** One that was killed is done again. */
  readonly isDone: boolean;
  /** The whole of the session up to then; else only turns of it. */
  readonly isWhole: boolean;
  /** Turns that were forgotten one by one. */
  readonly turns: readonly string[];
  /** Checkpoints that had something of it. */
  readonly checkpoints: readonly CheckpointId[];
  /** Files that it wrote: whose lines in them are nobody knows any more. */
  readonly paths: readonly string[];
}

const folder = (commonDir: string): string => join(commonDir, 'entire', 'forgotten');

const stored = z.object({
  version: z.literal(1),
  at_ms: z.number(),
  is_done: z.boolean(),
  is_whole: z.boolean(),
  turns: z.array(z.string()),
  checkpoints: z.array(z.string()),
  paths: z.optional(z.array(z.string())),
});

/** @throws the system error */
export function writeTombstone(commonDir: string, stone: Tombstone): void {
  const { sessionId, atMs, isDone, isWhole, turns, checkpoints, paths } = stone;
  const value = { version: 1, at_ms: atMs, is_done: isDone, is_whole: isWhole, turns, checkpoints, paths };
  writeFileAtomic(join(folder(commonDir), `${sessionId}.json`), JSON.stringify(value), { fsync: true });
}

/** `undefined` where nothing of the session was forgotten, or nobody can read what stands there. */
export function readTombstone(commonDir: string, sessionId: SessionId): Tombstone | undefined {
  try {
    const text = readOwnText(join(folder(commonDir), `${sessionId}.json`), 'record');
    if (text === undefined) return undefined;
    const value = stored.parse(JSON.parse(text));
    return {
      sessionId,
      atMs: value.at_ms,
      isDone: value.is_done,
      isWhole: value.is_whole,
      turns: value.turns,
      checkpoints: value.checkpoints.flatMap((id) => parseCheckpointId(id) ?? []),
      paths: value.paths ?? [],
    };
  } catch {
    return undefined;
  }
}

/** All of them, by the id of the session. */
export const listTombstones = (commonDir: string): Tombstone[] =>
  listNames(folder(commonDir))
    .sort()
    .flatMap((name) => {
      const id = name.endsWith('.json') ? parseSessionId(name.slice(0, -'.json'.length)) : undefined;
      return (id && readTombstone(commonDir, id)) ?? [];
    });

/** The day on which something was forgotten, as it is said to people: `2026-11-25`. */
export const dayOf = ({ atMs }: Pick<Tombstone, 'atMs'>): string => localDay(atMs);

/** Of the tombstones, the one for what a checkpoint has of a session; what the session did later is none of theirs. */
export const findStone = (
  stones: readonly Tombstone[],
  checkpoint: string,
  slot: { readonly sessionId: string; readonly createdAt: string },
): Tombstone | undefined =>
  stones.find(
    ({ sessionId, checkpoints, atMs }) =>
      sessionId === slot.sessionId &&
      (checkpoints as readonly string[]).includes(checkpoint) &&
      !(Date.parse(slot.createdAt) > atMs),
  );

/** The sessions of which a checkpoint lost something. */
export const findForgotten = (commonDir: string, checkpoint: string): Tombstone[] =>
  stonesOf(listTombstones(commonDir), checkpoint);

/** {@link findForgotten} among tombstones that were read. */
export const stonesOf = (stones: readonly Tombstone[], checkpoint: string): Tombstone[] =>
  stones.filter(({ checkpoints }) => (checkpoints as readonly string[]).includes(checkpoint));
