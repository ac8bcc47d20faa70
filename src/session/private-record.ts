import { join } from 'node:path';
import * as z from 'zod/mini';
import { EntireError } from '../base/errors.ts';
import { listNames } from '../base/file/disk.ts';
import { readOwnText } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import { parseRepoPath, type RepoPath } from '../base/repo-path.ts';

/**
 * What may not be recorded afterwards: `<git-common-dir>/entire/private/<session>.json` of a session that had private
 * stretches, or went back in a transcript that could not be cut, and `@<worktree>.json` of a worktree. No contents: times, and digests by which it is known again.
 */
export interface PrivateRecord {
  readonly stretches: readonly Stretch[];
  /** Digests of lines, ids and words that were said in them (`strategy/transcript/private.ts`). */
  readonly keys: ReadonlySet<string>;
  /** Of a worktree: files that changed in a stretch, and what they were at its end. */
  readonly paths: ReadonlyMap<RepoPath, string>;
  /** What rewinds gave up and could not cut out of the transcript, as `keys`, by the rewind. */
  readonly abandoned: ReadonlyMap<string, readonly string[]>;
}

/** In milliseconds since 1970, both ends included. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** Nothing was recorded of it, or somebody had it forgotten. */
  readonly what: 'paused' | 'forgotten';
  /** The session went on in it: a hook of it ran, or its transcript grew. */
  readonly isActive?: boolean;
}

export const NOTHING_PRIVATE: PrivateRecord = {
  ...{ stretches: [], keys: new Set(), paths: new Map(), abandoned: new Map() },
};

const folder = (commonDir: string): string => join(commonDir, 'entire', 'private');
const fileOf = (commonDir: string, name: string): string => join(folder(commonDir), `${name}.json`);
/** `@` cannot stand in a session id. */
const ofWorktree = (worktreeId: string): string => `@${worktreeId}`;

const stored = z.object({
  version: z.literal(1),
  stretches: z.array(
    z.object({
      from_ms: z.number(),
      to_ms: z.number(),
      what: z.enum(['paused', 'forgotten']),
      active: z.optional(z.boolean()),
    }),
  ),
  keys: z.array(z.string()),
  paths: z.optional(z.record(z.string(), z.string())),
  abandoned: z.optional(z.record(z.string(), z.array(z.string()))),
});

/** Of a session; `undefined` where it never had a private stretch. @throws {EntireError} `STATE_UNREADABLE` */
export const readPrivate = (commonDir: string, id: SessionId): PrivateRecord | undefined =>
  read(fileOf(commonDir, id));

/** {@link readPrivate} of a worktree. */
export const readPrivateOfWorktree = (commonDir: string, worktreeId: string): PrivateRecord | undefined =>
  read(fileOf(commonDir, ofWorktree(worktreeId)));

function read(file: string): PrivateRecord | undefined {
  const text = readOwnText(file, 'record');
  if (text === undefined) return undefined;
  try {
    const { stretches, keys, paths, abandoned } = stored.parse(JSON.parse(text));
    return {
      stretches: stretches.map(({ from_ms, to_ms, what, active }) => ({
        ...{ fromMs: from_ms, toMs: to_ms, what },
        ...(active === true && { isActive: true }),
      })),
      keys: new Set(keys),
      paths: new Map(
        Object.entries(paths ?? {}).filter(([path]) => parseRepoPath(path)) as [RepoPath, string][],
      ),
      abandoned: new Map(Object.entries(abandoned ?? {})),
    };
  } catch (cause) {
    // Who cannot know what was private stores nothing.
    throw new EntireError('STATE_UNREADABLE', `${file} cannot be read: nothing is stored of its session`, {
      cause,
    });
  }
}

/** Replaces the record of a session. @throws the system error */
export const writePrivate = (commonDir: string, id: SessionId, record: PrivateRecord): void =>
  write(fileOf(commonDir, id), record);

/** {@link writePrivate} of a worktree. */
export const writePrivateOfWorktree = (commonDir: string, worktreeId: string, record: PrivateRecord): void =>
  write(fileOf(commonDir, ofWorktree(worktreeId)), record);

function write(file: string, { stretches, keys, paths, abandoned }: PrivateRecord): void {
  const value = {
    version: 1,
    stretches: stretches.map(({ fromMs, toMs, what, isActive }) => ({
      ...{ from_ms: fromMs, to_ms: toMs, what },
      ...(isActive && { active: true }),
    })),
    keys: [...keys],
    ...(paths.size > 0 && { paths: Object.fromEntries(paths) }),
    ...(abandoned.size > 0 && { abandoned: Object.fromEntries(abandoned) }),
  };
  writeFileAtomic(file, JSON.stringify(value), { fsync: true });
}

/** Sessions and worktrees with a record. */
export function listPrivate(commonDir: string): { sessions: SessionId[]; worktrees: string[] } {
  const names = listNames(folder(commonDir)).flatMap((name) =>
    name.endsWith('.json') ? name.slice(0, -5) : [],
  );
  return {
    sessions: names.flatMap((name) => parseSessionId(name) ?? []),
    worktrees: names.flatMap((name) => (name.startsWith('@') ? name.slice(1) : [])),
  };
}
