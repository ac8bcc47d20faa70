import * as z from 'zod/mini';
import { sha256Of } from '../base/hash.ts';
import { type ObjectId, parseObjectId } from '../base/ids.ts';
import { parseJson, renderPrettyJson } from '../base/text/json.ts';
import { isTelling, plainLine } from '../base/text/lines.ts';
import { type AddedRun, openMoved, type Patch } from '../git/commit/patch.ts';
import { redactName } from './redact/redact.ts';

/** Beside the `metadata.json` of each session in a checkpoint. */
export const EVIDENCE_FILE = 'evidence.json';

/**
 * What a commit that a checkpoint was made for holds, so that its work is found again in others that were made of it, in any clone and at
 * any time: what is in here stands in the commit or its parents, as digests.
 */
export interface CommitEvidence {
  readonly commit: ObjectId;
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  /**
   * Ids of its patch, as `git patch-id` has them; see `git/commit/patch.ts` for how the patch is made. The verbatim one proves a link; the
   * stable one, which tells no white space, is for whoever compares with what git says by itself.
   */
  readonly patchIds: { readonly stable: string; readonly verbatim: string } | undefined;
  readonly files: readonly FileEvidence[];
  /** There was more than is stored: the files are not all of it. */
  readonly isPartial: boolean;
  /** The commit was amended: what the checkpoint counted was counted before that. */
  readonly isAmended?: boolean;
}

/** One file of it. */
export interface FileEvidence {
  readonly path: string;
  readonly before: ObjectId | undefined;
  readonly after: ObjectId | undefined;
  readonly added: readonly AddedEvidence[];
}

/**
 * Lines one below the other, each as its {@link lineDigest}; `undefined` for one that proves nothing by itself, and for one that the commit only
 * moved, or laid out anew.
 */
export interface AddedEvidence {
  readonly lines: readonly (string | undefined)[];
  readonly above: string | undefined;
  readonly below: string | undefined;
}

/** Nobody writes more by hand, nor does an agent: a commit that does holds what a program made. */
const MAX_FILES = 1_000;
const MAX_LINES = 10_000;
/** A commit that was amended is not another one: so many of its versions are kept. */
const MAX_VERSIONS = 8;

/**
 * A line without what a formatter decides, as 16 hexadecimal digits: so many that no two lines of a repository have the same by chance.
 */
export const lineDigest = (line: string): string | undefined =>
  isTelling(line) ? sha256Of(plainLine(line)).slice(0, 16) : undefined;

/** What a patch says of its commit. A file whose name has the shape of a key is left out. */
export function evidenceOf(patch: Patch): CommitEvidence {
  let left = MAX_LINES;
  const files: FileEvidence[] = [];
  let isPartial = false;
  const isMoved = openMoved(patch);
  for (const { path, before, after, added } of patch.files) {
    const count = added.reduce((sum, { lines }) => sum + lines.length, 0);
    if (files.length === MAX_FILES || count > left || redactName(path) !== path) {
      isPartial = true;
      continue;
    }
    left -= count;
    files.push({ path, before, after, added: added.map((run) => digestsOf(run, isMoved)) });
  }
  const { commit, tree, parents } = patch;
  const ids = patch.ids();
  // Both are made here, so that the patch itself is not kept for them.
  return { commit, tree, parents, patchIds: ids && { ...ids }, files, isPartial };
}

const digestsOf = ({ lines, above, below }: AddedRun, isMoved: (line: string) => boolean): AddedEvidence => ({
  lines: lines.map((text) => (isMoved(text) ? undefined : lineDigest(text))),
  above: above === undefined ? undefined : lineDigest(above),
  below: below === undefined ? undefined : lineDigest(below),
});

/** Stands for a line that proves nothing. */
const NOTHING = '-';

const version = z.object({
  commit: z.string(),
  tree: z.string(),
  parents: z.array(z.string()),
  patch_id: z.optional(z.object({ stable: z.string(), verbatim: z.string() })),
  files: z.array(
    z.object({
      path: z.string(),
      before: z.optional(z.string()),
      after: z.optional(z.string()),
      added: z.optional(
        z.array(
          z.object({
            lines: z.string(),
            above: z.optional(z.string()),
            below: z.optional(z.string()),
          }),
        ),
      ),
    }),
  ),
  partial: z.optional(z.boolean()),
  amended: z.optional(z.boolean()),
});

const file = z.object({ version: z.literal(1), commits: z.array(version) });

/** The versions of a commit, the oldest first, as they are stored. */
export const renderEvidence = (commits: readonly CommitEvidence[]): string =>
  renderPrettyJson({ version: 1, commits: commits.map(toStored) });

const toStored = ({ commit, tree, parents, patchIds, files, isPartial, isAmended }: CommitEvidence) => ({
  commit,
  tree,
  parents,
  patch_id: patchIds,
  files: files.map(({ path, before, after, added }) => ({
    path,
    before,
    after,
    added:
      added.length === 0
        ? undefined
        : added.map(({ lines, ...run }) => ({
            ...run,
            lines: lines.map((digest) => digest ?? NOTHING).join(' '),
          })),
  })),
  partial: isPartial || undefined,
  amended: isAmended || undefined,
});

/** What is stored of a commit; nothing where that cannot be read, or is of a form that a later release has. */
export const parseEvidence = (text: string | undefined): CommitEvidence[] =>
  (text === undefined ? undefined : understand(text)) ?? [];

/** `undefined` for a form that this version does not know. */
function understand(text: string): CommitEvidence[] | undefined {
  const parsed = file.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  return parsed.data.commits.flatMap(
    ({ commit, tree, parents, patch_id: patchIds, files, partial, amended }) => {
      const [oid, treeId] = [parseObjectId(commit), parseObjectId(tree)];
      if (!oid || !treeId) return [];
      return {
        ...{ commit: oid, tree: treeId, parents: parents.flatMap((id) => parseObjectId(id) ?? []), patchIds },
        files: files.map(({ path, before, after, added = [] }) => ({
          ...{ path, before: parseObjectId(before), after: parseObjectId(after) },
          added: added.map(({ lines, above, below }) => ({
            ...{ above, below },
            lines: lines.split(' ').map((digest) => (digest === NOTHING ? undefined : digest)),
          })),
        })),
        isPartial: partial === true,
        ...(amended === true && { isAmended: true }),
      };
    },
  );
}

/** The same without files that are not a session's: what else is in a commit is nobody's business here. */
export function ofSession(evidence: CommitEvidence, isOwn: (path: string) => boolean): CommitEvidence {
  const files = evidence.files.filter(({ path }) => isOwn(path));
  return { ...evidence, files, isPartial: evidence.isPartial || files.length < evidence.files.length };
}

/**
 * What is stored of a commit after it was amended: what it holds now, of the files that it held of the session, by whatever name, and what it was as far as
 * `isKept` says so. `undefined` where that is not this commit, or of a form that is not known.
 *
 * @param isVersion whether one of those that are stored is what was amended
 */
export function renewVersions(
  stored: string,
  next: CommitEvidence | undefined,
  { isVersion, isKept }: Record<'isVersion' | 'isKept', (version: CommitEvidence) => boolean>,
): string | undefined {
  const known = understand(stored);
  if (!known?.some(isVersion)) return undefined;
  const paths = new Set(known.flatMap(({ files }) => files.map(({ path }) => path)));
  const others = known.filter((version) => version.commit !== next?.commit && isKept(version));
  const newest = next ? [{ ...ofSession(next, openIsSame(known, next, paths)), isAmended: true }] : [];
  return renderEvidence([...others, ...newest].slice(-MAX_VERSIONS));
}

/** Tells which files of a newer version are known: by their names, or, where it took such names away, by what is in them. */
function openIsSame(
  known: readonly CommitEvidence[],
  next: CommitEvidence,
  paths: ReadonlySet<string>,
): (path: string) => boolean {
  const there = new Map(next.files.map((file) => [file.path, file]));
  const renamed = known.flatMap(({ files }) => files.filter(({ path }) => !there.get(path)?.after));
  // An empty file is like any other.
  const blobs = new Set(renamed.flatMap(({ after, added }) => (added.length > 0 && after ? [after] : [])));
  const lines = new Set(renamed.flatMap(digestsIn));
  return (path) => {
    if (paths.has(path)) return true;
    const file = there.get(path);
    if (!file?.after) return false;
    if (blobs.has(file.after)) return true;
    const own = digestsIn(file);
    return own.length > 0 && own.filter((digest) => lines.has(digest)).length * 2 >= own.length;
  };
}

/** The digests of the lines that a commit added to a file, less those that say nothing. */
export const digestsIn = ({ added }: FileEvidence): string[] =>
  added.flatMap((run) => run.lines.flatMap((digest) => digest ?? []));

/** What is stored of a commit, and a newer version of it: the same checkpoint belongs to both. A form that is not known stays as it is. */
export function addVersion(stored: string | undefined, next: CommitEvidence | undefined): string | undefined {
  const known = stored === undefined ? [] : understand(stored);
  if (!next || !known) return stored;
  const others = known.filter(({ commit }) => commit !== next.commit);
  return renderEvidence([...others, next].slice(-MAX_VERSIONS));
}

/** What is stored of a commit, without some files of it; as it is where it has none of them, and `undefined` where its form is not known. */
export function withoutFiles(stored: string, isGone: (path: string) => boolean): string | undefined {
  const known = understand(stored);
  if (!known?.some(({ files }) => files.some(({ path }) => isGone(path)))) return known && stored;
  return renderEvidence(known.map((commit) => ofSession(commit, (path) => !isGone(path))));
}
