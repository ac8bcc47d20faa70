import { basename, join, relative, sep } from 'node:path';
import { type ObjectId, parseSessionId } from '../base/ids.ts';
import { readCheckpoints } from '../checkpoint/read/checkpoint.ts';
import { listCheckpointIds, openCheckpoints } from '../checkpoint/read/store.ts';
import { listShadowBranches, METADATA_REF } from '../checkpoint/shadow-branch.ts';
import { NOTES_REF } from '../git/commit/links.ts';
import { readDiskUsage, readStoredSizes } from '../git/object/sizes.ts';
import { readRef, readRefs, readRefsBelow, readRevisions } from '../git/ref/refs.ts';
import { listWorktreeRoots } from '../git/worktree/worktrees.ts';
import { isSearchIndex, sizeOfUserIndex } from '../session/search-cache.ts';
import { sessionsDir } from '../session/tracking-file.ts';
import type { Work } from '../strategy/work.ts';
import { countNotes } from '../sync/notes.ts';
import { REMOVED_REFS, removedFolders } from '../worktree/keep.ts';
import { readRemoteTips } from './examine/own-refs.ts';
import { listQuietly, walk } from './verify/walk.ts';

/** What takes space, in the order in which it is told. */
export const USAGE_KINDS = [
  'checkpoints',
  'notes',
  'steps',
  'transcript-caches',
  'transcript-copies',
  'session-records',
  'snapshots',
  'structures',
  'search-index',
  'removed-worktrees',
  'logs',
] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

/** What one kind of thing takes. */
export interface UsageRow {
  readonly kind: UsageKind;
  /** On disk: of git objects as git stores them, of files their length. `undefined` where git cannot tell. */
  readonly bytes: number | undefined;
  /** Checkpoints, notes, branches, worktrees, or files. */
  readonly count: number;
}

/** What one session takes, by kind; what several sessions share counts for each of them. */
export interface SessionUsage {
  readonly id: string;
  readonly bytes: number;
  readonly byKind: Readonly<Partial<Record<UsageKind, number>>>;
}

export interface UsageReport {
  readonly rows: readonly UsageRow[];
  /** Of all that could be told. */
  readonly total: number;
  /** Largest first. */
  readonly sessions: readonly SessionUsage[];
  /** What `entire search --all` keeps of all folders, which is no part of the repository. */
  readonly userIndex: { readonly path: string; readonly bytes: number } | undefined;
}

/** Adds up what is kept, by kind and by session. */
class Sums {
  readonly kinds = new Map<UsageKind, { bytes: number; count: number }>();
  readonly sessions = new Map<string, Map<UsageKind, number>>();

  file(kind: UsageKind, sizeBytes: number, session: string | undefined): void {
    const sum = this.kinds.get(kind) ?? { bytes: 0, count: 0 };
    this.kinds.set(kind, { bytes: sum.bytes + sizeBytes, count: sum.count + 1 });
    this.ofSession(kind, sizeBytes, session);
  }

  ofSession(kind: UsageKind, sizeBytes: number, session: string | undefined): void {
    const id = parseSessionId(session);
    if (!id) return;
    const own = this.sessions.get(id) ?? new Map<UsageKind, number>();
    this.sessions.set(id, own.set(kind, (own.get(kind) ?? 0) + sizeBytes));
  }
}

/**
 * What we take in a repository and all its worktrees. Git objects count once, however many branches have them, and not at
 * all where the user's own commits have them too. Reads names, sizes and the metadata of checkpoints, and no transcript.
 */
export async function readUsage(work: Work): Promise<UsageReport> {
  const sums = new Sums();
  addCommonFiles(work.repo.commonDir, sums);
  for (const root of new Set([work.repo.worktreeRoot, ...listWorktreeRoots(work.repo)]))
    addWorktreeFiles(root, sums);
  const checkpoints = await readCheckpointUsage(work, sums);
  const steps = readStepUsage(work);
  const removed = readRemovedUsage(work);
  const rows = USAGE_KINDS.map((kind): UsageRow => {
    if (kind === 'checkpoints') return { kind, ...checkpoints };
    if (kind === 'notes') return { kind, ...readNotesUsage(work) };
    if (kind === 'steps') return { kind, ...steps };
    if (kind === 'removed-worktrees') return { kind, ...removed };
    return { kind, ...(sums.kinds.get(kind) ?? { bytes: 0, count: 0 }) };
  });
  const sessions = [...sums.sessions].map(([id, byKind]): SessionUsage => {
    const bytes = [...byKind.values()].reduce((sum, size) => sum + size, 0);
    return { id, bytes, byKind: Object.fromEntries(byKind) };
  });
  return {
    rows,
    total: rows.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
    sessions: sessions.sort((a, b) => b.bytes - a.bytes || (a.id < b.id ? -1 : 1)),
    userIndex: sizeOfUserIndex(),
  };
}

function addCommonFiles(commonDir: string, sums: Sums): void {
  for (const { file, sizeBytes } of walk(sessionsDir(commonDir)))
    sums.file('session-records', sizeBytes, sessionOf(basename(file)));
  const own = join(commonDir, 'entire');
  for (const { file, sizeBytes } of walk(own)) {
    const [folder = '', name = ''] = relative(own, file).split(sep);
    if (folder === 'transcripts') sums.file('transcript-caches', sizeBytes, name);
    else if (folder === 'replaced-logs') sums.file('transcript-copies', sizeBytes, name);
    else if (folder === 'structures') sums.file('structures', sizeBytes, undefined);
    else if (isSearchIndex(folder)) sums.file('search-index', sizeBytes, undefined);
    else if (folder === 'snapshots') sums.file('snapshots', sizeBytes, name.split('@')[0]);
    else
      sums.file('session-records', sizeBytes, RECORDS_OF_SESSIONS.has(folder) ? sessionOf(name) : undefined);
  }
}

/** Folders of `<common>/entire` with a file for each session; in the others files are named after agents, checkpoints and the like. */
export const RECORDS_OF_SESSIONS: ReadonlySet<string> = new Set([
  ...['archive', 'compaction-looks', 'compactions', 'forgotten', 'introductions', 'positions', 'private'],
  ...['reads', 'tasks', 'turns', 'user-lines'],
]);

/** Whose a file is, by its name: `<session>.json`, `<session>@<worktree>.files.claim-…`. */
const sessionOf = (name: string): string | undefined =>
  /^(.+?)(?:@.*)?\.(?:json|files)(?:\..*)?$/.exec(name)?.[1];

function addWorktreeFiles(root: string, sums: Sums): void {
  const dir = join(root, '.entire');
  for (const { file, sizeBytes } of walk(dir)) {
    const [folder = '', name = ''] = relative(dir, file).split(sep);
    if (folder === 'metadata') sums.file('transcript-copies', sizeBytes, name);
    else if (folder === 'logs') sums.file('logs', sizeBytes, undefined);
    else if (folder === 'tmp')
      sums.file('session-records', sizeBytes, /^(?:pre-prompt-)?(.+)\.jsonl?$/.exec(name)?.[1]);
  }
}

/** Here and as remotes had them; each session gets what its folders at the tip hold. */
async function readCheckpointUsage({ git, repo }: Work, sums: Sums): Promise<Omit<UsageRow, 'kind'>> {
  const store = openCheckpoints(git, repo.commonDir);
  const checkpoints = [...(await readCheckpoints(store, await listCheckpointIds(store))).values()];
  const slots = checkpoints.flatMap((checkpoint) => checkpoint.slots);
  const sizes = readStoredSizes(
    git,
    slots.flatMap(({ files }) => [...files.values()]),
  );
  const oids = new Map<string, Set<ObjectId>>();
  for (const { metadata, files } of slots)
    oids.set(metadata.sessionId, new Set([...(oids.get(metadata.sessionId) ?? []), ...files.values()]));
  for (const [session, own] of oids)
    sums.ofSession(
      'checkpoints',
      [...own].reduce((sum, oid) => sum + (sizes.get(oid) ?? 0), 0),
      session,
    );
  const tips = [...new Set([...readRefs(git, [METADATA_REF]).values(), ...readRemoteTips(git)])];
  return { bytes: readDiskUsage(git, tips), count: checkpoints.length };
}

/** What they are here; the same history is what remotes had of them, for the most part. */
function readNotesUsage({ git }: Work): Omit<UsageRow, 'kind'> {
  const tip = readRef(git, NOTES_REF);
  return tip
    ? { bytes: readDiskUsage(git, [tip]), count: countNotes(git, undefined, tip) }
    : { bytes: 0, count: 0 };
}

/** Without what the metadata branch holds already, and without the user's files as they were in the base commits. */
function readStepUsage({ git }: Work): Omit<UsageRow, 'kind'> {
  const branches = listShadowBranches(git);
  if (branches.length === 0) return { bytes: 0, count: 0 };
  const bases = branches.map(({ name }) => `${/^entire\/([0-9a-f]+)/i.exec(name)?.[1]}^{tree}`);
  const shared = readRevisions(git, [...new Set(['HEAD^{tree}', `${METADATA_REF}^{tree}`, ...bases])]);
  const bytes = readDiskUsage(
    git,
    branches.map(({ tip }) => tip),
    [...new Set(shared.values())],
  );
  return { bytes, count: branches.length };
}

/** What `worktree remove --force` kept: files, and commits without what a branch, tag or remote leads to as well. */
function readRemovedUsage({ git, repo }: Work): Omit<UsageRow, 'kind'> {
  const refs = readRefsBelow(git, [REMOVED_REFS]);
  const others = refs.size === 0 ? [] : [...readRefsBelow(git, ELSEWHERE).values()];
  const commits = readDiskUsage(git, [...new Set(refs.values())], [...new Set(others)]);
  const top = removedFolders(repo.commonDir);
  const folders = listQuietly(top);
  let files = 0;
  for (const { sizeBytes } of walk(top)) files += sizeBytes;
  const removals = [...refs.keys(), ...folders].map((name) => REMOVAL.exec(name)?.[0] ?? name);
  return { bytes: commits === undefined ? undefined : commits + files, count: new Set(removals).size };
}

const ELSEWHERE = ['refs/heads/', 'refs/tags/', 'refs/remotes/'];
/** The id of a removal, in what it keeps. */
const REMOVAL = /[0-9a-f]{12}(?=-worktree\/|$)/;
