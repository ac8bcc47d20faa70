import type { ObjectId } from '../base/ids.ts';
import { type Travelling, trackingOf } from '../checkpoint/remote-refs.ts';
import { METADATA_REF } from '../checkpoint/shadow-branch.ts';
import { NOTES_REF } from '../git/commit/links.ts';
import { findBases, readFolders, treeOf } from '../git/object/trees.ts';
import { readRefs } from '../git/ref/refs.ts';
import type { Git } from '../git/run.ts';
import type { Destination, SyncPlace } from './destination.ts';

/** Where something is here, and what all places have of it, as far as we know. */
export interface Tip {
  readonly local: ObjectId | undefined;
  readonly known: ObjectId | undefined;
}

/** Of checkpoints, and of notes. */
export interface Tips extends Tip {
  readonly notes: Tip;
  /** What all places have of checkpoints wherever they keep them: no more than that leaves. */
  readonly left: ObjectId | undefined;
}

const NOWHERE = { places: [], record: 'branch' } as const;

/** Reads them with one process, where places agree. */
export function readTips(git: Git, to: Pick<Destination, 'places' | 'record'> | undefined): Tips {
  const { places, record }: { places: readonly SyncPlace[]; record: Destination['record'] } = to ?? NOWHERE;
  const tracking = (what: Travelling) => places.map((place) => trackingOf(place.trackingRef, what));
  const all = ([record, 'branch', 'notes'] as const).flatMap(tracking);
  const tips = readRefs(git, [METADATA_REF, NOTES_REF, ...all]);
  const known = (what: Travelling) =>
    findShared(git, [...new Set(tracking(what).map((ref) => tips.get(ref)))]);
  const there = known(record);
  return {
    ...{ local: tips.get(METADATA_REF), known: there },
    left: there ?? (record === 'ref' ? known('branch') : undefined),
    notes: { local: tips.get(NOTES_REF), known: known('notes') },
  };
}

/** The newest commit that is in all of several histories. */
function findShared(git: Git, tips: readonly (ObjectId | undefined)[]): ObjectId | undefined {
  const known = tips.flatMap((tip) => tip ?? []);
  if (known.length < tips.length) return undefined;
  return known.length > 1 ? findBases(git, ...known)[0] : known[0];
}

/** Whether a tip here has something that the remote, as we know it, has not. */
export function hasNews(git: Git, local: ObjectId, known: ObjectId | undefined): boolean {
  if (local === known) return false;
  if (known) return !findBases(git, local, known).includes(local);
  const tree = treeOf(git, local);
  return (readFolders(git, [tree]).get(tree)?.size ?? 0) > 0; // a branch that was only just begun
}

/** What is pushed each for itself. */
export type Item = 'record' | 'notes';

/** What the remote lacks, as far as we know. Notes go nowhere without checkpoints that they could name. */
export function listNews(git: Git, { local, known, notes }: Tips): Item[] {
  if (!local) return [];
  return [
    ...(hasNews(git, local, known) ? (['record'] as const) : []),
    ...(notes.local && hasNews(git, notes.local, notes.known) ? (['notes'] as const) : []),
  ];
}
