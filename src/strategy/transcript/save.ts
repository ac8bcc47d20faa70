import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import {
  disk,
  listNames,
  naming,
  O_CREAT,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_WRONLY,
  writeAll,
} from '../../base/file/disk.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { blobId } from '../../git/object/objects.ts';
import { addCalls } from './calls.ts';
import { readRange } from './file.ts';
import {
  identifyIndex,
  isCacheName,
  readIndex,
  redactedFile,
  sweepTranscriptCaches,
  type TranscriptIndex,
  writeIndex,
} from './index-file.ts';
import { digestOfHead, digestOfTail, type LiveTranscript } from './live.ts';
import { countLines, lastIdentifier } from './part.ts';
import { readPieces } from './pieces.ts';
import { maskLines } from './private.ts';
import { cut, nextStart, type RedactedTranscript } from './redacted.ts';
import { noteTotals } from './totals.ts';

/**
 * Takes the new lines into the cache. Under the session lock; where another process was faster, its cache stays. A
 * failure costs the next hook time, and nothing else.
 *
 * @returns the index as it is now; `undefined` where it was not written
 */
export function saveRedacted(transcript: RedactedTranscript, like: ObjectId): TranscriptIndex | undefined {
  const { live, added } = transcript;
  noteTotals(live);
  const { index, dir, fresh } = live;
  if (live.path === '') return undefined;
  try {
    if (fresh.length === 0 && !live.replaced && transcript.checked === index.checked) return undefined;
    if (index.size > 0 && !isAsRead(live)) return undefined;
    if (!isAsFound(live)) return undefined; // rewritten since we looked
    if (index.size > 0) appendAt(redactedFile(dir, index), index.redacted, added.lines);
    else if (fresh.length === 0) return undefined;
    else {
      disk.rmSync(join(dir, 'index.json'), { force: true }); // an index never stands beside lines of another text
      writeFileAtomic(redactedFile(dir), added.lines);
    }
    const next = nextIndex(transcript, like);
    writeIndex(dir, next);
    if (index.size === 0) sweepTranscriptCaches(dir);
    dropOtherLines(dir, next, live.replaced);
    return next;
  } catch (error) {
    log('warn', 'transcript cache not written', { dir, error: describeError(error) });
    return undefined;
  }
}

function isAsRead({ dir, index, indexFile }: LiveTranscript): boolean {
  if (indexFile !== '' && identifyIndex(dir) === indexFile) return true;
  const current = readIndex(dir);
  return current.size === index.size && current.tail === index.tail;
}

function isAsFound({ path, index, fresh, end, isShort, limits, mask }: LiveTranscript): boolean {
  if (!isShort) return maskLines(mask, readRange(path, index.size, end)).equals(fresh);
  for (const piece of readPieces(path, index.size, end, limits, mask)) return piece.bytes.equals(fresh);
  return false;
}

function nextIndex(transcript: RedactedTranscript, like: ObjectId): TranscriptIndex {
  const { live, added, calls, secrets, checked } = transcript;
  const { index, path, fresh, end: size } = live;
  const items = index.items + countLines(fresh);
  let end = nextStart(index) - 1;
  const closed = cut(transcript).closed.map((data): [string, number] => {
    end += 1 + data.length;
    return [blobId(data, like), end];
  });
  return {
    size,
    head: digestOfHead(path, size),
    tail: digestOfTail(path, size),
    items,
    identifier: lastIdentifier({ ...live, tail: '' }),
    marks: fresh.length === 0 ? index.marks : [...index.marks, [items, size]],
    lines: index.lines,
    redacted: index.redacted + added.lines.length,
    chunks: [...index.chunks, ...closed],
    prompts: transcript.settledPrompts,
    // The unfinished last line may be taken back, and had its call replace an older one.
    calls:
      live.tail === ''
        ? calls
        : addCalls(index.calls, live.format.readCalls(fresh.toString('utf8')), index.items),
    agents: transcript.agents.filter(([item]) => item < items),
    redactions: transcript.redactions,
    secrets,
    checked,
  };
}

function appendAt(file: string, position: number, bytes: Buffer): void {
  if (bytes.length === 0) return;
  const fd = disk.openSync(file, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    naming(file, () => writeAll(fd, bytes, position));
  } finally {
    disk.closeSync(fd);
  }
}

/** Lines that are no longer the cache's, also those of a hook that ended in the middle. */
function dropOtherLines(dir: string, { lines }: TranscriptIndex, replaced: string | undefined): void {
  for (const name of listNames(dir))
    if (isCacheName(name) && name !== lines && (name === replaced || isOld(join(dir, name))))
      disk.rmSync(join(dir, name), { force: true });
}

/** Another hook may be about to make it its own. */
const AT_WORK_MS = 10 * 60 * 1000;

function isOld(file: string): boolean {
  const stat = disk.lstatSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > AT_WORK_MS;
}
