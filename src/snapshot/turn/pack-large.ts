import { type PathChange, partsOf } from '../record/snapshot-record.ts';
import { storeParts, WHOLE_BYTES } from '../store/chunks.ts';
import { readIfSound } from '../undo/proof.ts';
import type { LedgerEdit } from './ledger.ts';

/** Versions that hooks stored whole, and those of the record, become differences to each other. */
export function packLarge(store: string, edits: readonly LedgerEdit[], change: PathChange): void {
  const { before, after } = change;
  const versions = [
    before,
    ...edits.flatMap((edit) => [edit.before, edit.after]),
    ...partsOf(change).map((part) => part.before),
    after,
  ];
  let previous: string | undefined;
  for (const version of versions) {
    if (version?.kind !== 'file') continue;
    const bytes =
      version.size > WHOLE_BYTES && version.sha256 !== previous && readIfSound(store, version.sha256);
    if (bytes) storeParts(store, version.sha256, bytes, previous);
    previous = version.sha256;
  }
}
