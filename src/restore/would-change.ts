import type { RepoPath } from '../base/repo-path.ts';
import type { Repo } from '../git/locate.ts';
import { placeOf } from '../snapshot/place.ts';
import type { PathChange } from '../snapshot/record/snapshot-record.ts';
import { keepCurrent } from '../snapshot/restore.ts';
import type { UndoPlan } from '../snapshot/undo/undo.ts';
import type { RewindPreview } from './rewind/preview.ts';
import { toTarget } from './rewind/rewind.ts';

/** What going back would make of files: what they are now, and what they would be. */
export type WouldChange = ReadonlyMap<RepoPath, PathChange>;

/** Files that an undo or redo would change. */
export const changesOfPlan = ({ paths }: UndoPlan): WouldChange =>
  new Map(
    [...paths].flatMap(([path, { verdict, from, to }]) =>
      verdict === 'left' || verdict === 'already'
        ? []
        : [[path, { before: from, after: to, source: 'tool' }] as const],
    ),
  );

/** Files that a rewind would change. What is there now is kept in the session's store, as before a rewind. */
export function changesOfRewind(repo: Repo, preview: RewindPreview): WouldChange {
  const place = placeOf(repo, preview.sessionId);
  return new Map(
    preview.verdicts.flatMap((verdict) => {
      const target = toTarget(preview, verdict);
      if (!target) return [];
      const from = keepCurrent(place, target.path);
      const before = typeof from === 'string' ? undefined : from;
      return [[target.path, { before, after: target.to, source: 'tool' }] as const];
    }),
  );
}
