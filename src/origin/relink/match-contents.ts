import type { ObjectId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import { type CommitEvidence, digestsIn, type FileEvidence, lineDigest } from '../../checkpoint/evidence.ts';
import type { FilePatch, Patch } from '../../git/commit/patch.ts';
import type { Claim } from './claim.ts';
import type { Match, ProofKind } from './match.ts';

/** Looks for commits that are another one as a whole. */
export function openWholes(claims: readonly Claim[]): (patch: Patch) => Match[] {
  // When there is a patch to hold against them: git is at work on more of those meanwhile.
  const read = once(() => {
    const byKey = new Map<string, Set<Claim>>();
    for (const claim of claims)
      for (const version of claim.versions)
        for (const { key } of keysOf(version)) byKey.set(key, (byKey.get(key) ?? new Set()).add(claim));
    return byKey;
  });
  const matches = (proof: ProofKind, key: string): Match[] =>
    [...(read().get(key) ?? [])].map((claim) => ({ claim, proof, isWhole: true, lines: [] }));
  return (patch) => {
    for (const { proof, key } of keysOf({ ...patch, patchIds: undefined, isPartial: false }))
      if (read().has(key)) return matches(proof, key);
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
  // A mode that changed has no content.
  const isComplete = files.length > 0 && !isPartial && files.every(({ before, after }) => before ?? after);
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

/** What was done to a file. */
interface Steps {
  readonly steps: readonly Step[];
  /** They lead to it; else it was once made so under another name, which need not be all that is to be said of it. */
  readonly isAll: boolean;
}

/** Finds the commits that, one after the other, take a file from one content to another. */
export function openSteps(claims: readonly Claim[]): (file: FilePatch) => Steps {
  const keyOf = (path: string, blob: ObjectId | undefined): string => `${path}\0${blob ?? ''}`;
  const read = once(() => {
    const from = new Map<string, Step[]>();
    const made = new Map<ObjectId, Step[]>();
    for (const claim of claims)
      for (const { files } of claim.versions)
        for (const file of files) {
          if (!file.before && !file.after) continue;
          const key = keyOf(file.path, file.before);
          const steps = from.get(key) ?? [];
          steps.push({ claim, file });
          from.set(key, steps);
          if (file.after && !file.before)
            made.set(file.after, [...(made.get(file.after) ?? []), { claim, file }]);
        }
    return { from, made };
  });
  return ({ path, before, after }) => {
    const { from, made } = read();
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
    if (steps.length > 0) return { steps, isAll: true };
    return { steps: after && !before ? (made.get(after) ?? []) : [], isAll: false };
  };
}

/** Tells which lines of a file such steps wrote: what they only carried there is another's, who is still to be found. */
export function openWrittenBy(steps: readonly Step[]): (line: string) => boolean {
  const read = once(() => new Set(steps.flatMap(({ file }) => digestsIn(file))));
  return (line) => {
    const digest = lineDigest(line);
    return digest === undefined || read().has(digest);
  };
}

/** What is left of such steps in the end: who is on the way there need not have left a line. */
export function matchSteps(
  { added }: FilePatch,
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
      return text === undefined ? [] : [{ text, path: file.path }];
    });
    return { claim, proof: 'contents', isWhole: false, lines };
  });
}
