import { join } from 'node:path';
import { closing, disk, O_CREAT, O_EXCL, O_WRONLY, writeAll } from '../../base/file/disk.ts';
import { newId, type ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { redactPrompts, redactTranscript } from '../../checkpoint/redact/redact.ts';
import { blobId } from '../../git/object/objects.ts';
import { identifyCache, type Redactions, readCache, type TranscriptIndex } from './index-file.ts';
import type { LiveTranscript } from './live.ts';
import { readSecrets, searchFor } from './secrets.ts';

/**
 * Redacts lines of the cache anew that hold a secret which later lines gave away: chunk by chunk, and the chunks stay cut where they
 * are, so that those without it are what they were. The corrected lines are a file of a new name; whoever writes an index
 * that names it makes it the cache.
 *
 * @throws {EntireError} `REDACTION_FAILED`, `STATE_UNREADABLE`; the system error
 */
export async function redactOlder(live: LiveTranscript, hidden: readonly string[]): Promise<LiveTranscript> {
  const { dir, index } = live;
  log('info', 'a secret was met that older lines hold: those are redacted again', { file: live.path });
  const known = [...new Set([...readSecrets(live, ' '), ...hidden])];
  const holds = searchFor(hidden);
  const lines = `redacted-${newId()}.jsonl`;
  const chunks: Array<readonly [string, number]> = [];
  let redactions = index.redactions;
  let size = 0;
  const rewrite = async (fd: number, start: number, end: number): Promise<Buffer> => {
    const bytes = readCache(dir, index, start, end);
    const isClean = !holds(bytes);
    const again = isClean ? undefined : await redactTranscript(bytes.toString('utf8'), known);
    if (again) redactions = addCounts(redactions, again.counts);
    const data = again ? Buffer.from(again.text) : bytes;
    writeAll(fd, data);
    size += data.length;
    return data;
  };
  const fd = disk.openSync(join(dir, lines), O_WRONLY | O_CREAT | O_EXCL, 0o600);
  try {
    let start = 0;
    for (const [oid, end] of index.chunks) {
      const data = await rewrite(fd, start, end);
      chunks.push([blobId(data, oid as ObjectId), size]);
      writeAll(fd, LINE_END);
      size += LINE_END.length;
      start = end + 1;
    }
    if (start < index.redacted) await rewrite(fd, start, index.redacted);
  } catch (error) {
    closing(fd, () => disk.rmSync(join(dir, lines), { force: true }));
    throw error;
  }
  disk.closeSync(fd);
  const prompts = index.prompts === '' ? '' : (await redactPrompts(index.prompts, known)).text;
  const next: TranscriptIndex = { ...index, lines, redacted: size, chunks, prompts, redactions };
  return { ...live, index: next, cacheFile: identifyCache(dir, next), replaced: index.lines };
}

const LINE_END = Buffer.from('\n');

/** Sums of what two parts of a transcript had replaced. */
export function addCounts(known: Redactions, more: Redactions): Redactions {
  const sums = { ...known };
  for (const [rule, count] of Object.entries(more)) sums[rule] = (sums[rule] ?? 0) + count;
  return sums;
}
