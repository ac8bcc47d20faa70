import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { EntireError } from '../base/errors.ts';
import { disk } from '../base/file/disk.ts';
import { readOwnText } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { type ObjectId, parseObjectId, type SessionId } from '../base/ids.ts';
import { isObject, omitEmpty } from '../base/text/json.ts';
import { withSessionLock } from '../session/lock.ts';

/** A file that was put into a worktree when it was made. */
export interface Carried {
  /** Relative to the worktree root. */
  readonly path: string;
  readonly sha256: string;
}

/** A worktree that we made. What git knows of it, git is asked for. */
export interface WorktreeEntry {
  /** Tells two that had the same name apart. */
  readonly id: string;
  /** Unique in its repository. */
  readonly name: string;
  /** Top of the worktree, absolute, physical. */
  readonly path: string;
  /** Git's common dir, absolute. */
  readonly repository: string;
  readonly branch: string;
  /** The commit that the branch was made at; `undefined` where it was there before. */
  readonly from: ObjectId | undefined;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  readonly carried: readonly Carried[];
  /** Keys of other versions, kept as they were. */
  readonly other: Readonly<Record<string, unknown>>;
}

const VERSION = 1;

const text = z.string();
const name = text.check(z.minLength(1));
const storedEntry = z.looseObject({
  id: name,
  name,
  path: name,
  repository: name,
  branch: z.nullish(text),
  from: z.nullish(text),
  created_at: z.nullish(text),
  carried: z.nullish(z.array(z.object({ path: name, sha256: text }))),
});
const stored = z.looseObject({ version: z.literal(VERSION), worktrees: z.array(storedEntry) });
const KNOWN = new Set(Object.keys(storedEntry.shape));

/** What the manifest says. */
export interface Manifest {
  readonly entries: readonly WorktreeEntry[];
  readonly other: Readonly<Record<string, unknown>>;
}

const EMPTY: Manifest = { entries: [], other: {} };

/** How a manifest that cannot be read is made anew. */
const REBUILD =
  'Git has the worktrees all the same: `entire worktree list --rebuild` sets the file aside and makes it anew from what git knows.';

/**
 * The manifest; empty where there is none.
 *
 * @throws {EntireError} `UNSUPPORTED` for one of a later version, `STATE_UNREADABLE` for one that is broken
 */
export function readManifest(file: string): Manifest {
  const json = readOwnText(file, 'record');
  return json === undefined ? EMPTY : parseManifest(json, file);
}

/** @param file for the message */
export function parseManifest(json: string, file: string): Manifest {
  const value = parse(json);
  const version = isObject(value) ? value.version : undefined;
  if (typeof version === 'number' && version > VERSION)
    throw new EntireError(
      'UNSUPPORTED',
      `${file} is of version ${version}, and this entire knows version ${VERSION} at most.`,
      { hint: 'Install the release that wrote it. Nothing was changed.' },
    );
  const result = stored.safeParse(value);
  if (!result.success) {
    const why = json.trim() === '' ? 'it is empty' : reasonOf(value, result.error);
    throw new EntireError('STATE_UNREADABLE', `${file} is not a manifest of worktrees: ${why}.`, {
      hint: REBUILD,
    });
  }
  const { version: _, worktrees, ...other } = result.data;
  return { entries: worktrees.map(toEntry), other };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function reasonOf(value: unknown, { issues }: z.core.$ZodError): string {
  if (value === undefined) return 'it is not JSON';
  const path = issues[0]?.path.join('.') ?? '';
  return path === '' ? 'it is not a JSON object' : `\`${path}\` is missing or of another kind`;
}

function toEntry(value: z.infer<typeof storedEntry>): WorktreeEntry {
  return {
    id: value.id,
    name: value.name,
    path: value.path,
    repository: value.repository,
    branch: value.branch ?? '',
    from: parseObjectId(value.from),
    createdAt: value.created_at ?? '',
    carried: value.carried ?? [],
    other: Object.fromEntries(Object.entries(value).filter(([key]) => !KNOWN.has(key))),
  };
}

export function renderManifest({ entries, other }: Manifest): string {
  const worktrees = entries.map((entry) => ({
    id: entry.id,
    name: entry.name,
    path: entry.path,
    repository: entry.repository,
    branch: omitEmpty(entry.branch),
    from: entry.from,
    created_at: omitEmpty(entry.createdAt),
    carried: entry.carried.map(({ path, sha256 }) => ({ path, sha256 })),
    ...entry.other,
  }));
  return `${JSON.stringify({ version: VERSION, worktrees, ...other }, undefined, 2)}\n`;
}

/** Beside the file; no session has this name there. */
const LOCK = 'index' as SessionId;
/** What is done under it takes milliseconds, and many agents may be started at once. */
const WAIT_MS = 15_000;

/**
 * Changes the manifest, while no other process does.
 *
 * @throws {EntireError} as {@link readManifest}, and `LOCKED`; nothing was changed then
 */
export async function updateManifest(
  file: string,
  change: (entries: readonly WorktreeEntry[]) => readonly WorktreeEntry[],
): Promise<void> {
  await locked(file, () => {
    const before = readManifest(file);
    const entries = change(before.entries);
    if (entries !== before.entries) write(file, { ...before, entries });
  });
}

/**
 * Makes a manifest that cannot be read anew; the old one stays beside it. One that can be read is only added to.
 *
 * @returns where the old one lies
 * @throws {EntireError} `UNSUPPORTED` for one of a later version, `LOCKED`
 */
export async function rebuildManifest(
  file: string,
  found: (known: readonly WorktreeEntry[]) => readonly WorktreeEntry[],
): Promise<string | undefined> {
  return locked(file, () => {
    let before = EMPTY;
    let aside: string | undefined;
    try {
      before = readManifest(file);
    } catch (error) {
      if (!(error instanceof EntireError) || error.code !== 'STATE_UNREADABLE') throw error;
      aside = `${file}.corrupt-${Date.now()}`;
      disk.renameSync(file, aside);
    }
    write(file, { ...before, entries: [...before.entries, ...found(before.entries)] });
    return aside;
  });
}

const locked = <T>(file: string, body: () => T): Promise<T> =>
  withSessionLock(dirname(file), LOCK, body, { waitMs: WAIT_MS });

const write = (file: string, manifest: Manifest): void =>
  writeFileAtomic(file, renderManifest(manifest), { fsync: true });

/** Longer names make paths that some systems refuse. */
const MAX_CHARACTERS = 100;

/**
 * Why a name is none for a worktree: it becomes a folder and, unless another is given, a branch. `undefined`: it is one.
 *
 * Letters of any script, digits, `.`, `_`, `-`; not at the beginning `.` or `-`; no `..`; not ending as git forbids it.
 */
export function findNameFault(name: string): string | undefined {
  if (name === '') return 'the name is missing';
  if (/[/\\]/.test(name)) return 'a name is that of one folder, without / or \\';
  if (name.startsWith('-')) return 'a name cannot begin with a dash';
  if (name.startsWith('.')) return 'a name cannot begin with a dot';
  if (name.includes('..')) return 'a name cannot hold two dots in a row';
  if (/\.(?:lock)?$/.test(name)) return 'a name cannot end with a dot or with .lock';
  if ([...name].length > MAX_CHARACTERS) return `a name has at most ${MAX_CHARACTERS} characters`;
  if (!/^[\p{L}\p{M}\p{N}._-]+$/u.test(name)) return 'a name is made of letters, digits, dots, dashes and _';
  return undefined;
}

/** What a folder and a ref are called for a worktree: by its name, as far as that is one; git and a manifest may have any. */
export function labelOf(name: string): string {
  const label = name.replace(/[^\p{L}\p{M}\p{N}._-]+|\.{2,}/gu, '-').replace(/^[-.]+/, '');
  return findNameFault(label) === undefined ? label : 'worktree';
}
