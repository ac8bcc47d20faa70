import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { isDistinctive, isTelling, lettersIn } from '../../base/text/lines.ts';
import type { LinkPlace } from '../../git/commit/links.ts';
import { openMoved, type Patch, readPatches } from '../../git/commit/patch.ts';
import type { Git } from '../../git/run.ts';
import { type CommitEvidence, EVIDENCE_FILE, lineDigest, parseEvidence } from '../evidence.ts';
import { readBlobs } from './blobs.ts';
import type { StoredCheckpoint } from './checkpoint.ts';

/** A commit that names a checkpoint whose files it does not have. */
export interface Named {
  readonly commit: ObjectId;
  readonly parent: ObjectId | undefined;
  readonly checkpoint: Pick<StoredCheckpoint, 'id' | 'slots'>;
  readonly place: LinkPlace;
}

/**
 * Tells whether a commit holds the work of a checkpoint all the same, under other names, by what is stored with it: who renames a file and
 * amends, squashes or resets leaves no trace of the old name. Two processes; none where nothing is asked.
 */
export function openHeld(git: Git, asked: readonly Named[]): (commit: ObjectId, id: CheckpointId) => boolean {
  const oidsOf = ({ slots }: Named['checkpoint']) =>
    slots.flatMap(({ files }) => files.get(EVIDENCE_FILE) ?? []);
  const oids = [...new Set(asked.flatMap(({ checkpoint }) => oidsOf(checkpoint)))];
  if (oids.length === 0) return () => false;
  const { found } = readBlobs(git, oids);
  const evidence = new Map(oids.map((oid) => [oid, parseEvidence(found.get(oid)?.data.toString('utf8'))]));
  const judged = asked.map((one) => {
    const oids = oidsOf(one.checkpoint).filter((oid) => found.has(oid));
    const versions = oids.flatMap((oid) => evidence.get(oid) ?? []);
    return { ...one, versions };
  });
  const open = judged.filter(({ versions }) => versions.some(({ files }) => files.length > 0));
  const parents = new Map(open.map(({ commit, parent }) => [commit, parent]));
  const patches = new Map(
    readPatches(
      git,
      [...parents].map(([commit, parent]) => ({ commit, parent })),
    ).map((patch) => [patch.commit, contentOf(patch)]),
  );
  const held = new Set(
    open.flatMap(({ commit, checkpoint, place, versions }) => {
      const content = patches.get(commit);
      const isHeld = content && versions.some((version) => holds(content, version, place));
      return isHeld ? [`${commit} ${checkpoint.id}`] : [];
    }),
  );
  return (commit, id) => held.has(`${commit} ${id}`);
}

/** What a commit brings that it does not take out elsewhere. */
interface Content {
  /** Each with whether anything in it tells it from what stands in any repository. */
  readonly blobs: ReadonlyMap<ObjectId, boolean>;
  /** By digest, the line, and the digests of those right beside it. */
  readonly lines: ReadonlyMap<string, { readonly text: string; readonly beside: ReadonlySet<string> }>;
}

function contentOf(patch: Patch): Content {
  const isMoved = openMoved(patch);
  const before = new Set(patch.files.map((file) => file.before));
  const blobs = new Map<ObjectId, boolean>();
  const lines = new Map<string, { text: string; beside: Set<string> }>();
  for (const { after, added } of patch.files) {
    const texts = added.flatMap((run) => run.lines);
    if (after && !before.has(after)) blobs.set(after, texts.some(isDistinctive));
    for (const run of added) {
      const telling = run.lines
        .filter(isTelling)
        .map((text) => ({ text, digest: lineDigest(text) as string }));
      telling.forEach(({ text, digest }, at) => {
        if (isMoved(text)) return;
        const line = lines.get(digest) ?? { text, beside: new Set() };
        for (const next of [telling[at - 1], telling[at + 1]]) if (next) line.beside.add(next.digest);
        lines.set(digest, line);
      });
    }
  }
  return { blobs, lines };
}

/** A line with fewer letters and digits proves nothing, wherever it stands. */
const SHORT = 8;

/** So many lines, each beside one that it stood beside there, are no chance. */
const SURE = 3;

/** Anybody can copy a trailer, with a line or two; nobody copies a note, which was written where a line was proof. */
function holds({ blobs, lines }: Content, { files, isPartial }: CommitEvidence, place: LinkPlace): boolean {
  const isOnly = files.length === 1 && !isPartial;
  if (
    files.some(
      ({ after, added }) => after && (blobs.get(after) || (isOnly && added.length > 0 && blobs.has(after))),
    )
  )
    return true;
  const all = new Set<string>();
  const found = new Set<string>();
  const beside = new Set<string>();
  for (const { added } of files)
    for (const run of added) {
      const digests = run.lines.flatMap((digest) => digest ?? []);
      digests.forEach((digest, at) => {
        all.add(digest);
        const line = lines.get(digest);
        if (!line || lettersIn(line.text, SHORT) < SHORT) return;
        if (place === 'note' || isDistinctive(line.text)) found.add(digest);
        if ([digests[at - 1], digests[at + 1]].some((next) => next !== undefined && line.beside.has(next)))
          beside.add(digest);
      });
    }
  if (found.size === 0) return false;
  return place === 'note' || beside.size >= SURE || (found.size > 1 && found.size * 2 >= all.size);
}
