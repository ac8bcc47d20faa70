import { createHash, type Hash } from '../../base/hash.ts';
import type { ObjectId } from '../../base/ids.ts';
import { isJson } from '../../base/text/json.ts';
import { chunkIndex, isTranscriptName } from '../../checkpoint/chunks.ts';
import { isDigestOf } from '../../checkpoint/read/texts.ts';
import { inBatchesBySize } from '../../git/object/sizes.ts';
import type { Verification } from './problem.ts';
import { readAll } from './trees.ts';

/** A file of a checkpoint, or of a step's metadata folder. */
export interface StoredText {
  readonly path: string;
  readonly oid: ObjectId;
  /** As problems name it. */
  readonly where: string;
}

/** One session's transcript: its parts in order, and what its digest is said to be. */
interface Transcript {
  readonly parts: readonly StoredText[];
  readonly hash: StoredText | undefined;
}

/**
 * Reads every text, each object once, and holds transcripts against `content_hash.txt`. What \`entire scrub\` or a later
 * stop replaced has a new digest beside it, so that the two always agree.
 */
export async function readTexts(verification: Verification, texts: readonly StoredText[]): Promise<void> {
  const transcripts = gather(texts);
  const chunks = new Set(transcripts.flatMap(({ parts }) => parts.map(({ oid }) => oid)));
  const others = texts.filter(({ oid }) => !chunks.has(oid));
  const small = await readSmall(verification, others);
  await readTranscripts(verification, transcripts, small);
}

/** By the folder they lie in. */
function gather(texts: readonly StoredText[]): Transcript[] {
  const folders = new Map<string, StoredText[]>();
  for (const text of texts) {
    const dir = text.path.slice(0, text.path.lastIndexOf('/') + 1);
    folders.set(dir, [...(folders.get(dir) ?? []), text]);
  }
  const nameOf = ({ path }: StoredText): string => path.slice(path.lastIndexOf('/') + 1);
  return [...folders.values()].flatMap((own) => {
    const parts = own
      .filter((text) => isTranscriptName(nameOf(text)))
      .sort((a, b) => chunkIndex(a.path) - chunkIndex(b.path));
    return parts.length > 0 ? [{ parts, hash: own.find((text) => nameOf(text) === 'content_hash.txt') }] : [];
  });
}

/** What is no transcript; returns the lines of digests by object. */
async function readSmall(
  verification: Verification,
  texts: readonly StoredText[],
): Promise<ReadonlyMap<ObjectId, string>> {
  const { work, look, looked, report, step } = verification;
  const byOid = new Map(texts.map((text) => [text.oid, text]));
  const digests = new Map<ObjectId, string>();
  let done = 0;
  for (const batch of inBatchesBySize(work.git, [...byOid.keys()])) {
    for (const { name, data } of await readAll(
      look,
      batch.map((oid) => ({ name: oid })),
    )) {
      const text = byOid.get(name);
      if (!text) continue;
      if (typeof data === 'string') report({ code: `object-${data}`, where: text.where });
      else if (/\.json$/.test(text.path) && !isJson(data.toString('utf8')))
        report({ code: 'json-invalid', where: text.where });
      else if (/\.jsonl$/.test(text.path)) reportLine(verification, text, data);
      else if (text.path.endsWith('content_hash.txt')) digests.set(name, data.toString('utf8').trim());
    }
    done += batch.length;
    step('Reading texts', done, byOid.size);
  }
  looked.texts += byOid.size;
  return digests;
}

/**
 * Transcripts in the order of their parts: one that grew begins with the parts of its older self, whose digest goes on.
 * Each part is so read once for all checkpoints that share it.
 */
async function readTranscripts(
  verification: Verification,
  transcripts: readonly Transcript[],
  digests: ReadonlyMap<ObjectId, string>,
): Promise<void> {
  const { look, looked, report, step } = verification;
  const key = ({ parts }: Transcript): string => parts.map(({ oid }) => oid).join(' ');
  const ordered = transcripts.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  const seen = new Set<ObjectId>();
  let stack: Array<{ readonly oid: ObjectId; readonly hash: Hash | undefined }> = [];
  for (const [index, { parts, hash: stored }] of ordered.entries()) {
    step('Reading transcripts', index, ordered.length);
    const shared = parts.findIndex(({ oid }, at) => stack[at]?.oid !== oid);
    stack = stack.slice(0, shared === -1 ? parts.length : shared);
    for (const part of parts.slice(stack.length)) {
      const [read] = await readAll(look, [{ name: part.oid }]);
      const data = read?.data ?? 'missing';
      if (!seen.has(part.oid)) {
        seen.add(part.oid);
        if (typeof data === 'string') report({ code: `object-${data}`, where: part.where });
        else reportLine(verification, part, data);
      }
      const before = stack.at(-1);
      const isWhole = typeof data !== 'string' && (before === undefined || before.hash !== undefined);
      stack.push({ oid: part.oid, hash: isWhole ? extend(before?.hash, data as Buffer) : undefined });
    }
    const expected = stored && digests.get(stored.oid);
    const digest = stack.at(-1)?.hash;
    if (stored && expected !== undefined && digest && !isDigestOf(expected, digest))
      report({ code: 'hash-wrong', where: stored.where });
  }
  looked.texts += seen.size;
}

const extend = (before: Hash | undefined, data: Buffer): Hash =>
  before ? before.copy().update('\n').update(data) : createHash('sha256').update(data);

function reportLine({ report }: Verification, { where }: StoredText, data: Buffer): void {
  const line = findBadLine(data.toString('utf8'));
  if (line !== undefined) report({ code: 'line-invalid', where, detail: `line ${line}` });
}

/** The first line that is no JSON; `undefined` where there is none, or the whole is one JSON document, as Gemini writes it. */
export function findBadLine(text: string): number | undefined {
  const bad = text.split('\n').findIndex((line) => line.trim() !== '' && !isJson(line));
  return bad === -1 || isJson(text) ? undefined : bad + 1;
}
