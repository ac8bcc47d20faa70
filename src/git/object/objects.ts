import { resolve } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { createHash } from '../../base/hash.ts';
import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { requireRoom } from '../../base/room.ts';
import { refFailure } from '../ref/ref-failure.ts';
import { type Git, inBatches, MAX_NAMED, runGit, splitNul } from '../run.ts';
import { writeBulkTree } from './bulk-tree.ts';

export type FileMode = '100644' | '100755' | '120000' | '160000';

export interface TreeEntry {
  readonly mode: string;
  readonly oid: ObjectId;
}

/** Whether it is a commit of another repository, which has no content here. */
export const isSubmodule = ({ mode }: TreeEntry): boolean => mode === '160000';

/** Whether a path is the same on both sides, mode and content; also where it is on neither. */
export const isSameEntry = (a: TreeEntry | undefined, b: TreeEntry | undefined): boolean =>
  a?.oid === b?.oid && a?.mode === b?.mode;

/** One path of a commit to be: a blob that exists, bytes that become one, or nothing any more. */
export type Change =
  | { readonly path: string; readonly mode: FileMode; readonly oid: ObjectId }
  | { readonly path: string; readonly mode: FileMode; readonly data: string | Uint8Array }
  | { readonly path: string; readonly removed: true };

/** Gives a path what a tree has at it, or takes it away. */
export const toChange = (path: string, entry: TreeEntry | undefined): Change =>
  entry ? { path, mode: entry.mode as FileMode, oid: entry.oid } : { path, removed: true };

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface NewCommit {
  /** Full ref name. */
  readonly ref: string;
  /** The tip that the caller built on; `undefined` when the ref must not exist yet. */
  readonly parent: ObjectId | undefined;
  /** Tree to start from where there is no parent. Empty when left out. */
  readonly startTree?: ObjectId | undefined;
  readonly changes: readonly Change[];
  readonly message: string;
  readonly author: Identity;
  /** As git stores them, `<seconds> <zone>`; now when left out. */
  readonly dates?: { readonly author: string; readonly committer: string };
}

/**
 * Writes blobs, the trees along the changed paths, a commit, and moves the ref, with one `git fast-import`. The cost
 * is that of the changed paths, whatever else the tree holds.
 *
 * fast-import refuses a ref that moved meanwhile, since the new commit would not contain its tip, and runs none of
 * the user's commit hooks.
 *
 * @throws {EntireError} `REF_MOVED` when another process moved the ref, `REF_LOCKED` while one holds it; nothing
 *   changed then
 * @see https://git-scm.com/docs/git-fast-import
 */
export function writeCommit(git: Git, commit: NewCommit): ObjectId {
  const parts: Array<string | Uint8Array> = [
    `feature done\ncommit ${commit.ref}\nmark :1\n${renderPeople(commit)}`,
    ...renderData(commit.message),
  ];
  const { startTree, changes } = startFrom(git, commit);
  if (commit.parent) parts.push(`from ${commit.parent}\n`);
  if (startTree) parts.push(`M 040000 ${startTree} ""\n`);
  for (const change of changes) parts.push(...renderChange(change));
  parts.push('\nget-mark :1\ndone\n');

  const options = [`--date-format=${commit.dates ? 'raw' : 'now'}`];
  return runFastImport(git, parts, {
    options,
    count: commit.changes.length,
    what: `${commit.ref} could not be moved`,
  });
}

/** What {@link runFastImport} needs to know besides the input. */
interface Import {
  readonly options: readonly string[];
  /** Paths that change. */
  readonly count: number;
  /** What did not work when it fails. */
  readonly what: string;
}

/**
 * Runs a `git fast-import` whose input ends with `get-mark` and `done`.
 *
 * @returns the object of that mark
 * @throws {EntireError} `REF_MOVED`, `REF_LOCKED`, `GIT_FAILED`
 */
export function runFastImport(
  git: Git,
  parts: ReadonlyArray<string | Uint8Array>,
  { options, count, what }: Import,
): ObjectId {
  const args = [...storage(count), 'fast-import', '--quiet', '--done', '--depth=0', ...options];
  const input = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  requireRoom(git.cwd, input.length);
  // Exit code 1 with the commit written means that the ref was not moved.
  const { code, stdout, stderr } = importing(git, () =>
    runGit(git, args, { input, okCodes: [0, 1], noHooks: true }),
  );
  const oid = parseObjectId(stdout.toString('latin1').trim());
  if (code !== 0 || !oid) throw refFailure(what, stderr);
  return oid;
}

/** With more changes than this, a tree is made of them first. */
const BULK_FROM = 2000;

function startFrom(
  git: Git,
  { parent, startTree, changes }: NewCommit,
): { startTree: ObjectId | undefined; changes: readonly Change[] } {
  if (changes.length < BULK_FROM) return { startTree: parent ? undefined : startTree, changes };
  const bulk = changes.flatMap((change) => ('data' in change ? [] : change));
  const rest = changes.filter((change) => 'data' in change);
  return { startTree: writeBulkTree(git, parent ?? startTree, bulk), changes: rest };
}

/** With more changes than this, one pack is better than as many loose objects. */
const PACK_FROM = 1000;

/**
 * Left to itself git keeps imports of a hundred objects and more as they came, and even `git gc` copies them
 * uncompressed. Few are unpacked into loose objects, which are compressed then; many are compressed as they come.
 */
function storage(count: number): string[] {
  if (count >= PACK_FROM) return ['-c', 'pack.compression=1'];
  return ['-c', 'pack.compression=0', '-c', `fastimport.unpackLimit=${2 ** 31 - 1}`];
}

/** Takes away the report that a fast-import which gives up writes into `.git`; what it says is in our error, too. */
export function importing<T>(git: Git, body: () => T): T {
  try {
    return body();
  } catch (error) {
    const report = /dumping crash report to (.*fast_import_crash_\d+)/.exec(String(error))?.[1];
    if (report) disk.rmSync(resolve(git.cwd, report), { force: true });
    throw error;
  }
}

/** Times a writer starts again: because another process moved the ref; because one holds it, which git waits for. */
const MAX_TRIES = { REF_MOVED: 20, REF_LOCKED: 5 };

/**
 * Starts again, from the ref's new tip, while other processes move it.
 *
 * @throws {EntireError} `REF_MOVED` or `REF_LOCKED` at last
 */
export function retryWhenMoved<T>(attempt: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return attempt();
    } catch (error) {
      const code = error instanceof EntireError ? error.code : undefined;
      if ((code !== 'REF_MOVED' && code !== 'REF_LOCKED') || tries >= MAX_TRIES[code]) throw error;
    }
  }
}

/** One change as fast-import reads it. */
export function renderChange(change: Change): Array<string | Uint8Array> {
  const path = quotePath(change.path);
  if ('removed' in change) return [`D ${path}\n`];
  if ('oid' in change) return [`M ${change.mode} ${change.oid} ${path}\n`];
  return [`M ${change.mode} inline ${path}\n`, ...renderData(change.data)];
}

/** A content as fast-import reads it. */
export function renderData(content: string | Uint8Array): Array<string | Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return [`data ${bytes.length}\n`, bytes, '\n'];
}

/** C-style quoting, as fast-import and hash-object read it. */
export function quotePath(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** With `now` git itself fills in the time and the zone. */
const renderPeople = ({ author: who, dates }: NewCommit): string =>
  (dates ? `author ${renderPerson(who)} ${dates.author}\n` : '') +
  `committer ${renderPerson(who)} ${dates?.committer ?? 'now'}\n`;

/** Somebody as fast-import reads it. */
export const renderPerson = ({ name, email }: Identity): string =>
  `${[name, email].map((text) => text.replace(/[<>\n\0]/g, '').trim()).join(' <')}>`;

/** The id git gives to a blob; the algorithm follows the length of `like`, an id of the same repository. */
export function blobId(content: string | Uint8Array, like: ObjectId): ObjectId {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') as ObjectId;
}

/**
 * Looks up paths in a tree or commit; folders come back as entries of mode `040000`, or with `recursive` as the
 * files below them. `undefined` when `treeish` does not exist.
 */
export function readTree(
  git: Git,
  treeish: string,
  paths: readonly string[],
  recursive = false,
): Map<string, TreeEntry> | undefined {
  if (paths.length > MAX_NAMED) return readWholeTree(git, treeish, paths, recursive);
  const entries = new Map<string, TreeEntry>();
  for (const batch of inBatches(paths)) {
    const listed = listTree(git, [...(recursive ? ['-r'] : []), treeish, '--', ...batch]);
    if (listed === undefined) return undefined;
    for (const [path, entry] of listed) entries.set(path, entry);
  }
  return entries;
}

/** All files of a tree or commit; `undefined` when it does not exist. */
export const readFiles = (git: Git, treeish: string): Map<string, TreeEntry> | undefined =>
  listTree(git, ['-r', treeish]);

/** What {@link readTree} reads, from one listing of everything: linear in the tree and in the paths. */
function readWholeTree(
  git: Git,
  treeish: string,
  paths: readonly string[],
  recursive: boolean,
): Map<string, TreeEntry> | undefined {
  const listed = listTree(git, ['-r', ...(recursive ? [] : ['-t']), treeish]);
  if (listed === undefined) return undefined;
  const wanted = new Set(paths);
  const isBelow = (path: string): boolean => {
    const first = recursive ? path.indexOf('/') : path.lastIndexOf('/'); // else `folder/` is what lies right in it
    for (let end = first; end !== -1; end = path.indexOf('/', end + 1))
      if (wanted.has(path.slice(0, end + 1)) || (recursive && wanted.has(path.slice(0, end)))) return true;
    return false;
  };
  return new Map([...listed].filter(([path]) => wanted.has(path) || isBelow(path)));
}

function listTree(git: Git, args: readonly string[]): Map<string, TreeEntry> | undefined {
  const { code, stdout } = runGit(git, ['ls-tree', '-z', '--full-tree', ...args], { okUnknown: true });
  if (code !== 0) return undefined;
  const entries = new Map<string, TreeEntry>();
  for (const line of splitNul(stdout)) {
    const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (mode && oid && path) entries.set(path, { mode, oid: oid as ObjectId });
  }
  return entries;
}

/** Objects by the names they were asked for with. */
export type ReadObjects = Map<string, { readonly oid: ObjectId; readonly data: Buffer }>;

/** Reads objects by name (`<oid>`, `<rev>:<path>`), all with one process; those that do not exist are left out. */
export function readObjects(git: Git, names: readonly string[]): ReadObjects {
  const asked = names.filter((name) => !name.includes('\n'));
  if (asked.length === 0) return new Map();
  const { stdout } = runGit(git, ['cat-file', '--batch'], {
    input: asked.map((name) => `${name}\n`).join(''),
  });
  return parseBatch(asked, stdout);
}

/** What `cat-file --batch` answers to the names that it was given, one after the other. */
export function parseBatch(asked: readonly string[], stdout: Buffer): ReadObjects {
  const found: ReadObjects = new Map();
  let at = 0;
  for (const name of asked) {
    const lineEnd = stdout.indexOf(0x0a, at);
    const answer = parseAnswer(stdout.toString('latin1', at, lineEnd));
    at = lineEnd + 1;
    if (!answer) continue;
    found.set(name, { oid: answer.oid, data: stdout.subarray(at, at + answer.size) });
    at += answer.size + 1;
  }
  return found;
}

/** Reads the line that stands before an object in the output of `cat-file`; `undefined` for "<name> missing". */
export function parseAnswer(line: string): { oid: ObjectId; size: number } | undefined {
  const [, oid, size] = /^([0-9a-f]+) \w+ (\d+)$/.exec(line) ?? [];
  return oid && size !== undefined ? { oid: oid as ObjectId, size: Number(size) } : undefined;
}
