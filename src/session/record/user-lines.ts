import { join } from 'node:path';
import * as z from 'zod/mini';
import { describeError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';

/** Lines that came and went. */
export interface Lines {
  readonly added: number;
  readonly removed: number;
}

/** What we know of the user's hand in one file. */
export interface UserLines {
  /** Blob that the session's steps had when we last looked; `''` where they had none. */
  readonly reference: string;
  /** Of the worktree file at that moment; `''` asks for another look. */
  readonly fingerprint: string;
  /** How the worktree file differed from the reference, whoever did it. */
  readonly measured: Lines;
  /** Of that, what the user did. */
  readonly user: Lines;
  /** Of that, what attributions in the state say already. */
  readonly taken: Lines;
  /** What the user did before, and the reference holds. */
  readonly settled: Lines;
}

/**
 * The user's lines, file by file, since a session's last condensation: `<git-common-dir>/entire/user-lines/<session>.json`.
 * The state has sums only, of which nobody can tell what a commit holds. Ours alone; losing it costs precision, not
 * data. Written under the session lock.
 */
export interface UserLinesRecord {
  /** The commit it counts from; another one than the state's means that it is old. */
  readonly since: string;
  readonly files: ReadonlyMap<string, UserLines>;
}

const recordFile = (commonDir: string, id: SessionId): string =>
  join(commonDir, 'entire', 'user-lines', `${id}.json`);

const count = z.int().check(z.nonnegative());
const lines = z.pipe(
  z.tuple([count, count]),
  z.transform(([added, removed]) => ({ added, removed })),
);
const stored = z.object({
  version: z.literal(1),
  since: z.string(),
  files: z.record(
    z.string(),
    z.object({
      reference: z.string(),
      fingerprint: z.string(),
      measured: lines,
      user: lines,
      taken: lines,
      settled: lines,
    }),
  ),
});

/** The record that counts from `since`; `undefined` when there is none. Never throws. */
export function readUserLines(commonDir: string, id: SessionId, since: string): UserLinesRecord | undefined {
  try {
    const text = readOwnText(recordFile(commonDir, id), 'record');
    if (text === undefined) return undefined;
    const value = stored.parse(JSON.parse(text));
    return value.since === since ? { since, files: new Map(Object.entries(value.files)) } : undefined;
  } catch (error) {
    log('warn', "unreadable record of the user's lines", { session_id: id, error: describeError(error) });
    return undefined;
  }
}

/** Replaces the record; one without files is removed. Never throws. */
export function writeUserLines(commonDir: string, id: SessionId, { since, files }: UserLinesRecord): void {
  const pair = ({ added, removed }: Lines) => [added, removed];
  const entries = [...files].map(([path, file]) => {
    const { reference, fingerprint, measured, user, taken, settled } = file;
    const counts = { measured: pair(measured), user: pair(user), taken: pair(taken), settled: pair(settled) };
    return [path, { reference, fingerprint, ...counts }] as const;
  });
  try {
    if (entries.length === 0) disk.rmSync(recordFile(commonDir, id), { force: true });
    else {
      const value = { version: 1, since, files: Object.fromEntries(entries) };
      writeFileAtomic(recordFile(commonDir, id), JSON.stringify(value));
    }
  } catch (error) {
    log('warn', "record of the user's lines not written", { session_id: id, error: describeError(error) });
  }
}

/** There is nothing left that they could be told apart in. Never throws. */
export const forgetUserLines = (commonDir: string, id: SessionId): void =>
  writeUserLines(commonDir, id, { since: '', files: new Map() });
