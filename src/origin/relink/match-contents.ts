import { groupBy } from '../../base/group-by.ts';
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

/** What one commit of a checkpoint did to a file, also under another name that it gave it. */
interface Step {
  readonly claim: Claim;
  readonly file: FileEvidence;
}

/** More commits were never squashed into one that anybody looks at. */
const MAX_STEPS = 1_000;
/** Where a commit takes away and makes so many files of one content that there are more pairs, nobody says which has got the name of which. */
const MOST_PAIRS = 100;

/** What was done to a file. */
interface Steps {
  readonly steps: readonly Step[];
  /** They lead to it; else it was once made so under another name, which need not be all that is to be said of it. */
  readonly isAll: boolean;
}

const keyOf = (path: string, blob: ObjectId | undefined): string => `${path}\0${blob ?? ''}`;

/** Finds the commits that, one after the other, take a file from one content to another, or one that is taken away to another name. */
export function openSteps(claims: readonly Claim[]): (patch: Patch) => (file: FilePatch) => Steps {
  const read = once(() => readKnown(claims));
  return ({ files }) => {
    const gone = files.flatMap(({ path, before, after }) => (before && !after ? keyOf(path, before) : []));
    const named = once(() => {
      const { changes, names } = read();
      return follow(gone, (key) => [...(changes.get(key) ?? []), ...(names.get(key) ?? [])]);
    });
    return ({ path, before, after }) => {
      const { changes, made } = read();
      const end = keyOf(path, after);
      const own = follow([keyOf(path, before)], (key) => changes.get(key) ?? [], end);
      const ways = [own, ...(gone.length > 0 && after ? [named()] : [])];
      const steps = [...new Set(ways.flatMap((way) => wayTo(end, way)))];
      if (steps.length > 0) return { steps, isAll: true };
      return { steps: after && !before ? (made.get(after) ?? []) : [], isAll: false };
    };
  };
}

interface Known {
  /** By a file and its content, what commits made of it. */
  readonly changes: ReadonlyMap<string, readonly Step[]>;
  /** By a file that commits took away, those of the same content that they made. */
  readonly names: ReadonlyMap<string, readonly Step[]>;
  /** By content, who made a new file of it. */
  readonly made: ReadonlyMap<ObjectId, readonly Step[]>;
}

function readKnown(claims: readonly Claim[]): Known {
  const changes = new Map<string, Step[]>();
  const names = new Map<string, Step[]>();
  const made = new Map<ObjectId, Step[]>();
  const put = <Key, Value>(all: Map<Key, Value[]>, key: Key, value: Value): void => {
    const known = all.get(key);
    if (known) known.push(value);
    else all.set(key, [value]);
  };
  for (const claim of claims)
    for (const { files } of claim.versions) {
      const alike = new Map<ObjectId, Step[]>();
      for (const file of files) {
        const { path, before, after } = file;
        if (!before && !after) continue;
        const step = { claim, file };
        put(changes, keyOf(path, before), step);
        if (!after || before) continue;
        put(made, after, step);
        put(alike, after, step);
      }
      const gone = files.filter(({ before, after }) => before && !after);
      for (const [content, those] of groupBy(gone, ({ before }) => before)) {
        const steps = (content && alike.get(content)) || [];
        if (steps.length * those.length > MOST_PAIRS) continue;
        for (const { path } of those) for (const step of steps) put(names, keyOf(path, content), step);
      }
    }
  return { changes, names, made };
}

/** How each file with its content came about: by what, and from which. */
type Ways = ReadonlyMap<string, { readonly step: Step; readonly from: string } | undefined>;

/** Follows what was made of some files, the shortest way to each. @param end nothing is followed beyond it */
function follow(starts: readonly string[], stepsFrom: (key: string) => readonly Step[], end?: string): Ways {
  const ways = new Map<string, { readonly step: Step; readonly from: string } | undefined>(
    starts.map((start) => [start, undefined]),
  );
  const open = [...starts];
  for (let at = 0; at < open.length && at < MAX_STEPS && !(end !== undefined && ways.has(end)); at++) {
    const from = open[at] as string;
    for (const step of stepsFrom(from)) {
      const to = keyOf(step.file.path, step.file.after);
      if (ways.has(to)) continue;
      ways.set(to, { step, from });
      open.push(to);
    }
  }
  return ways;
}

function wayTo(end: string, ways: Ways): Step[] {
  const steps: Step[] = [];
  for (let way = ways.get(end); way; way = ways.get(way.from)) steps.push(way.step);
  return steps;
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
