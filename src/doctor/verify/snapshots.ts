import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { listNames } from '../../base/file/disk.ts';
import { listRecordIds, readRecord, recordFile } from '../../snapshot/record/record.ts';
import { blobFile } from '../../snapshot/store/blobs.ts';
import { hasContent, readBlob } from '../../snapshot/store/chunks.ts';
import { listStores } from '../../snapshot/store/collect.ts';
import { readReferences } from '../../snapshot/store/gc.ts';
import type { Problem, Verification } from './problem.ts';

/**
 * What is kept for undo: every record can be read, and every content it names is there; with `readData` each of them has the digest
 * that is its name.
 */
export function checkSnapshots({ work, readData, looked, report, step }: Verification): void {
  const stores = listStores(work.repo.commonDir);
  for (const [at, { store }] of stores.entries()) {
    step('Verifying what undo keeps', at, stores.length);
    const { problems, records, texts } = lookUntilSure(store, readData);
    looked.records += records;
    looked.texts += texts;
    problems.forEach(report);
  }
}

/** Nobody changes a store as often while we look. */
const MAX_LOOKS = 5;

/** Agents keep steps and gc removes some while we look: what is wrong is so at the next look, too. */
function lookUntilSure(store: string, readData: boolean): Seen {
  let seen = look(store, readData);
  for (let looks = 1; seen.problems.length > 0 && looks < MAX_LOOKS; looks++) {
    const before = new Set(seen.problems.map(nameOf));
    seen = look(store, readData);
    if (seen.problems.every((problem) => before.has(nameOf(problem)))) break;
  }
  return seen;
}

const nameOf = ({ code, where }: Problem): string => `${code} ${where}`;

interface Seen {
  readonly problems: readonly Problem[];
  readonly records: number;
  readonly texts: number;
}

function look(store: string, readData: boolean): Seen {
  const ids = listRecordIds(store);
  const problems = ids.filter((id) => !isReadable(store, id)).map((id) => unreadable(recordFile(store, id)));
  if (problems.length > 0) return { problems, records: ids.length, texts: 0 }; // what they name is not known
  try {
    return { records: ids.length, ...lookAtContents(store, readData) };
  } catch (error) {
    return { problems: [unreadable(store, describeError(error))], records: ids.length, texts: 0 };
  }
}

const unreadable = (where: string, detail?: string): Problem => ({
  code: 'snapshot-unreadable',
  where,
  detail,
});

function isReadable(store: string, id: string): boolean {
  try {
    readRecord(store, id);
    return true;
  } catch {
    return false;
  }
}

function lookAtContents(store: string, readData: boolean): Omit<Seen, 'records'> {
  const named = [...readReferences(store).keys()];
  const there = new Set(listNames(join(store, 'blobs')));
  const problems = named.flatMap((sha256): Problem[] => {
    const where = blobFile(store, sha256);
    if (!hasContent(there, sha256)) return [{ code: 'snapshot-content-missing', where }];
    if (!readData) return [];
    try {
      readBlob(store, sha256);
      return [];
    } catch (error) {
      return [{ code: 'snapshot-content-damaged', where, detail: describeError(error) }];
    }
  });
  return { problems, texts: readData ? named.length : 0 };
}
