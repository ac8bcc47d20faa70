import { join } from 'node:path';
import { listNames } from '../base/disk.ts';
import { describeError } from '../base/errors.ts';
import { blobFile } from '../snapshot/blobs.ts';
import { hasContent, readBlob } from '../snapshot/chunks.ts';
import { listStores } from '../snapshot/collect.ts';
import { readReferences } from '../snapshot/gc.ts';
import { listRecordIds, readRecord } from '../snapshot/record.ts';
import type { Verification } from './verify-problem.ts';

/**
 * What is kept for undo: every record can be read, and every content it names is there; with `readData` each of them has the digest
 * that is its name.
 */
export function checkSnapshots({ work, readData, looked, report, step }: Verification): void {
  const stores = listStores(work.repo.commonDir);
  for (const [at, { store }] of stores.entries()) {
    step('Verifying what undo keeps', at, stores.length);
    const unreadable = listRecordIds(store).filter((id) => {
      looked.records++;
      try {
        readRecord(store, id);
        return false;
      } catch {
        return true;
      }
    });
    for (const id of unreadable)
      report({ code: 'snapshot-unreadable', where: join(store, 'snaps', `${id}.json`) });
    if (unreadable.length > 0) continue; // what it names is not known
    try {
      checkContents(store, readData, { looked, report });
    } catch (error) {
      report({ code: 'snapshot-unreadable', where: store, detail: describeError(error) });
    }
  }
}

function checkContents(
  store: string,
  readData: boolean,
  { looked, report }: Pick<Verification, 'looked' | 'report'>,
): void {
  const there = new Set(listNames(join(store, 'blobs')));
  for (const sha256 of readReferences(store).keys()) {
    if (readData) looked.texts++;
    const where = blobFile(store, sha256);
    if (!hasContent(there, sha256)) report({ code: 'snapshot-content-missing', where });
    else if (readData) {
      try {
        readBlob(store, sha256);
      } catch (error) {
        report({ code: 'snapshot-content-damaged', where, detail: describeError(error) });
      }
    }
  }
}
