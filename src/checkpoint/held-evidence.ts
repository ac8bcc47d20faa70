import type { ObjectId } from '../base/ids.ts';
import type { Patch } from '../git/commit/patch.ts';
import {
  type CommitEvidence,
  type FileEvidence,
  lineDigest,
  parseEvidence,
  renderEvidence,
} from './evidence.ts';

/** What commits that people have hold, or their parents: it is shown there anyway. */
export interface Held {
  readonly paths: ReadonlySet<string>;
  readonly blobs: ReadonlySet<string>;
  readonly lines: ReadonlySet<string>;
  readonly trees: ReadonlySet<string>;
}

/** What such commits hold, as far as they touched it. */
export function heldBy(patches: readonly Patch[]): Held {
  const held = {
    paths: new Set<string>(),
    blobs: new Set<string>(),
    lines: new Set<string>(),
    trees: new Set<string>(),
  };
  const addLine = (line: string | undefined): void => {
    const digest = line === undefined ? undefined : lineDigest(line);
    if (digest !== undefined) held.lines.add(digest);
  };
  for (const { tree, files } of patches) {
    held.trees.add(tree);
    for (const { path, before, after, added, removed } of files) {
      held.paths.add(path);
      for (const blob of [before, after]) if (blob) held.blobs.add(blob);
      for (const line of removed) addLine(line);
      for (const { lines, above, below } of added) for (const line of [...lines, above, below]) addLine(line);
    }
  }
  return held;
}

/** What is stored of commits, without what none that people have holds. The same text where that is nothing. */
export function onlyHeld(stored: string, isLiving: (commit: ObjectId) => boolean, held: Held): string {
  const versions = parseEvidence(stored);
  const kept = versions.flatMap((version) => {
    const rest = isLiving(version.commit) ? version : cut(version, held);
    return rest === version || rest.files.length > 0 ? rest : [];
  });
  const isSame = kept.length === versions.length && kept.every((version, at) => version === versions[at]);
  return isSame ? stored : renderEvidence(kept);
}

/** A patch and a tree are digests of all that is in them: they go with any part of it. */
function cut(version: CommitEvidence, held: Held): CommitEvidence {
  const isTreeHeld = version.tree !== undefined && held.trees.has(version.tree);
  const files = version.files.flatMap((file) => (held.paths.has(file.path) ? cutFile(file, held) : []));
  const isWhole =
    files.length === version.files.length && files.every((file, at) => file === version.files[at]);
  if (isWhole && isTreeHeld) return version;
  const { commit, parents } = version;
  return {
    ...{ commit, files, isPartial: version.isPartial || !isWhole },
    ...(isTreeHeld ? { tree: version.tree, parents } : { tree: undefined, parents: [] }),
    patchIds: isWhole && isTreeHeld ? version.patchIds : undefined,
  };
}

function cutFile(file: FileEvidence, { blobs, lines }: Held): FileEvidence {
  const isHeld = (digest: string | undefined): boolean => digest === undefined || lines.has(digest);
  const hasBlobs = [file.before, file.after].every((blob) => blob === undefined || blobs.has(blob));
  const all = file.added.flatMap((run) => [...run.lines, run.above, run.below]);
  if (hasBlobs && all.every(isHeld)) return file;
  const only = (digest: string | undefined) => (isHeld(digest) ? digest : undefined);
  const added = file.added.map(({ lines, above, below }) => ({
    ...{ lines: lines.map(only), above: only(above), below: only(below) },
  }));
  // One of them alone would say that the file was new, or was removed.
  const ids = hasBlobs ? file : { before: undefined, after: undefined };
  return { path: file.path, before: ids.before, after: ids.after, added };
}
