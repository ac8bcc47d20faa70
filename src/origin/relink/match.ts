import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { isDistinctive, lettersIn } from '../../base/text/lines.ts';
import { type CommitEvidence, type FileEvidence, lineDigest } from '../../checkpoint/evidence.ts';
import { type FilePatch, openMoved, type Patch } from '../../git/commit/patch.ts';
import type { Claim } from './claim.ts';

/**
 * How it is known that a commit holds the work of a checkpoint, the strongest first. Nothing is concluded from messages, names, dates or
 * likeness.
 */
export type ProofKind =
  | 'commit' // it is the commit that the checkpoint was made for
  | 'tree' // it has the same tree, on the same parents
  | 'contents' // files go from the same contents to the same ones, in one step or over several commits
  | 'patch' // its patch is the same, white space included
  | 'lines'; // lines of that commit are among those it adds

/** What is found of a checkpoint in a commit. */
export interface Match {
  readonly claim: Claim;
  readonly proof: ProofKind;
  /** It is that commit as a whole; else it holds these lines, and who wrote them has not been asked. */
  readonly isWhole: boolean;
  readonly lines: readonly FoundLine[];
}

/** A line that a commit adds, and that stood in one of a checkpoint. */
export interface FoundLine {
  readonly text: string;
  /** In the commit of the checkpoint. */
  readonly path: string;
}

/**
 * Whether the commit of a checkpoint stands on a branch beside the one that is asked about: it was not rewritten, nor did that one come after
 * it, so that a line which both have may be chance.
 */
export type IsBeside = (own: ObjectId, asked: ObjectId) => boolean;

/** What is asked about claims. */
export interface MatchFacts {
  readonly isBeside: IsBeside;
  /** Git itself has said that the commits were made of these: then a shorter line proves something, too, where there is but one of it. */
  readonly isProposed: boolean;
}

/**
 * Makes what tells which checkpoints' work commits hold, by commit.
 *
 * @param claims all that there are: what two of them say proves neither
 */
export function openMatcher(
  claims: readonly Claim[],
  facts: MatchFacts,
): (patches: readonly Patch[]) => Map<ObjectId, Match[]> {
  const findWhole = openWholes(claims);
  const findSteps = openSteps(claims);
  return (patches) => {
    const found = new Map<ObjectId, Match[]>();
    const open: Patch[] = [];
    for (const patch of patches) {
      const whole = findWhole(patch);
      if (whole.length > 0) {
        found.set(patch.commit, whole);
        continue;
      }
      const isMoved = openMoved(patch);
      const steps = new Map(
        patch.files.map((file) => [file, matchSteps(file, findSteps(file), isMoved)] as const),
      );
      found.set(patch.commit, join([...steps.values()].flat()));
      open.push({ ...patch, files: patch.files.filter((file) => steps.get(file)?.length === 0) });
    }
    for (const [commit, matches] of matchLines(open, claims, facts))
      found.set(commit, join([...(found.get(commit) ?? []), ...matches]));
    return found;
  };
}

/** All that is found of one checkpoint in a commit, as one. */
function join(matches: readonly Match[]): Match[] {
  const byId = new Map<CheckpointId, Match>();
  for (const match of matches) {
    const { id } = match.claim.checkpoint;
    const known = byId.get(id);
    byId.set(id, known ? { ...known, lines: [...known.lines, ...match.lines] } : match);
  }
  return [...byId.values()];
}

/** Looks for commits that are another one as a whole. */
function openWholes(claims: readonly Claim[]): (patch: Patch) => Match[] {
  const byKey = new Map<string, Set<Claim>>();
  for (const claim of claims)
    for (const version of claim.versions)
      for (const { key } of keysOf(version)) byKey.set(key, (byKey.get(key) ?? new Set()).add(claim));
  const matches = (proof: ProofKind, key: string): Match[] =>
    [...(byKey.get(key) ?? [])].map((claim) => ({ claim, proof, isWhole: true, lines: [] }));
  return (patch) => {
    for (const { proof, key } of keysOf({ ...patch, patchIds: undefined, isPartial: false }))
      if (byKey.has(key)) return matches(proof, key);
    const ids = patch.ids();
    return ids ? matches('patch', patchKey(ids)) : [];
  };
}

const patchKey = ({ verbatim }: { readonly verbatim: string }): string => `patch ${verbatim}`;

type Facts = Pick<CommitEvidence, 'commit' | 'tree' | 'parents' | 'patchIds' | 'isPartial'> & {
  readonly files: readonly Pick<FileEvidence, 'path' | 'before' | 'after'>[];
};

/** By what a commit is known again as a whole, the strongest first. */
function keysOf({
  commit,
  tree,
  parents,
  patchIds,
  files,
  isPartial,
}: Facts): { proof: ProofKind; key: string }[] {
  const pairs = files.map(({ path, before, after }) => `${path}\0${before ?? ''}\0${after ?? ''}`).sort();
  const isComplete = files.length > 0 && !isPartial;
  return [
    { proof: 'commit', key: `commit ${commit}` },
    { proof: 'tree', key: `tree ${tree} ${parents.join(' ')}` },
    ...(isComplete ? [{ proof: 'contents', key: `contents ${pairs.join('\0')}` } as const] : []),
    ...(patchIds ? [{ proof: 'patch', key: patchKey(patchIds) } as const] : []),
  ];
}

/** What one commit of a checkpoint did to a file. */
interface Step {
  readonly claim: Claim;
  readonly file: FileEvidence;
}

/** More commits were never squashed into one that anybody looks at. */
const MAX_STEPS = 1_000;

/** Finds the commits that, one after the other, take a file from one content to another. */
function openSteps(claims: readonly Claim[]): (file: FilePatch) => readonly Step[] {
  const from = new Map<string, Step[]>();
  const keyOf = (path: string, blob: ObjectId | undefined): string => `${path}\0${blob ?? ''}`;
  for (const claim of claims)
    for (const { files } of claim.versions)
      for (const file of files) {
        const key = keyOf(file.path, file.before);
        from.set(key, [...(from.get(key) ?? []), { claim, file }]);
      }
  return ({ path, before, after }) => {
    const came = new Map<ObjectId | undefined, Step | undefined>([[before, undefined]]);
    const open = [before];
    for (let at = 0; at < open.length && at < MAX_STEPS && !(came.has(after) && at > 0); at++)
      for (const step of from.get(keyOf(path, open[at])) ?? [])
        if (!came.has(step.file.after)) {
          came.set(step.file.after, step);
          open.push(step.file.after);
        }
    const steps: Step[] = [];
    for (let step = came.get(after); step; step = came.get(step.file.before)) steps.push(step);
    return steps;
  };
}

/** What is left of such steps in the end: who is on the way there need not have left a line. */
function matchSteps(
  { path, added }: FilePatch,
  steps: readonly Step[],
  isMoved: (line: string) => boolean,
): Match[] {
  if (steps.length === 0) return [];
  const texts = new Map<string, string>();
  for (const text of added.flatMap(({ lines }) => lines)) {
    const digest = isMoved(text) ? undefined : lineDigest(text);
    if (digest !== undefined) texts.set(digest, text);
  }
  return steps.map(({ claim, file }) => {
    const digests = new Set(file.added.flatMap(({ lines }) => lines));
    const lines = [...digests].flatMap((digest) => {
      const text = digest === undefined ? undefined : texts.get(digest);
      return text === undefined ? [] : [{ text, path }];
    });
    return { claim, proof: 'contents', isWhole: false, lines };
  });
}

/** A line that some commit adds. */
interface AskedLine extends FoundLine {
  readonly commit: ObjectId;
  readonly above: string | undefined;
  readonly below: string | undefined;
}

/** Lines of claims that are among those that commits add. */
function matchLines(
  patches: readonly Patch[],
  claims: readonly Claim[],
  { isBeside, isProposed }: MatchFacts,
): Map<ObjectId, Match[]> {
  const asked = linesByDigest(patches, isProposed);
  const found = new Map<ObjectId, Match[]>();
  if (asked.size === 0) return found;
  for (const claim of claims)
    for (const version of claim.versions)
      for (const { commit, lines, isSure } of countIn(version, asked))
        if (isSure || !isBeside(version.commit, commit))
          found.set(commit, [...(found.get(commit) ?? []), { claim, proof: 'lines', isWhole: false, lines }]);
  return found;
}

/** A line with so many letters and digits that stands once in a commit is not one that stands everywhere. */
const SHORT = 8;

/** Tells which added lines prove something by their text. */
function openProving(patch: Patch, isProposed: boolean): (line: string) => boolean {
  const isMoved = openMoved(patch);
  const counts = new Map<string, number>();
  if (isProposed)
    for (const line of patch.files.flatMap(({ added }) => added.flatMap(({ lines }) => lines)))
      counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  const isOnce = (line: string): boolean => counts.get(line.trim()) === 1 && lettersIn(line) >= SHORT;
  return (line) => (isDistinctive(line) || isOnce(line)) && !isMoved(line);
}

function linesByDigest(patches: readonly Patch[], isProposed: boolean): Map<string, AskedLine[]> {
  const asked = new Map<string, AskedLine[]>();
  const digestOf = (line: string | undefined) => (line === undefined ? undefined : lineDigest(line));
  for (const patch of patches) {
    const isProving = openProving(patch, isProposed);
    for (const { path, added } of patch.files)
      for (const { lines, above, below } of added)
        lines.forEach((text, at) => {
          const digest = isProving(text) ? lineDigest(text) : undefined;
          if (digest === undefined) return;
          const beside = { above: digestOf(lines[at - 1] ?? above), below: digestOf(lines[at + 1] ?? below) };
          asked.set(digest, [...(asked.get(digest) ?? []), { commit: patch.commit, path, text, ...beside }]);
        });
  }
  return asked;
}

/** What one commit has of another's lines. */
interface Count {
  readonly commit: ObjectId;
  readonly lines: readonly FoundLine[];
  /** There are so many that it is no chance. */
  readonly isSure: boolean;
}

/** So many lines, each with one beside it that stood beside it there. */
const SURE = 3;

/** A line in another file proves nothing without the one beside it. */
function countIn(version: CommitEvidence, asked: ReadonlyMap<string, readonly AskedLine[]>): Count[] {
  const counts = new Map<ObjectId, { lines: Map<string, FoundLine>; beside: number }>();
  let total = 0;
  for (const { path, added } of version.files)
    for (const { lines, above, below } of added)
      lines.forEach((digest, at) => {
        if (digest === undefined) return;
        total++;
        for (const line of asked.get(digest) ?? []) {
          const isBeside =
            isSame(line.above, lines[at - 1] ?? above) || isSame(line.below, lines[at + 1] ?? below);
          if (line.path !== path && !isBeside) continue;
          const count = counts.get(line.commit) ?? { lines: new Map(), beside: 0 };
          count.lines.set(`${path}\0${digest}`, { text: line.text, path });
          if (isBeside) count.beside++;
          counts.set(line.commit, count);
        }
      });
  return [...counts].map(([commit, { lines, beside }]) => ({
    commit,
    lines: [...lines.values()],
    isSure: beside >= SURE || lines.size * 2 >= total,
  }));
}

const isSame = (a: string | undefined, b: string | undefined): boolean => a !== undefined && a === b;
