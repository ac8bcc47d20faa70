import { createHash } from 'node:crypto';
import type { ObjectId } from '../base/ids.ts';
import { type Change, type FileMode, readObjects } from '../git/objects.ts';
import { type Git, gitText, runGit, splitNul } from '../git/run.ts';
import { isTranscriptName, joinTranscript, renderHash } from './chunks.ts';
import { redactText, redactTranscript } from './redact.ts';

/** What today's rules would make of the texts in some branches, their history included. */
export interface ScrubbedRecords {
  /** New bytes of the blobs that change. */
  readonly blobs: ReadonlyMap<ObjectId, Buffer>;
  /** Texts looked at. */
  readonly looked: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Texts of sessions: in a checkpoint, or in the metadata folder of a shadow tree. Files of the worktree are none. */
const RECORD =
  /^(?:[0-9a-f]{2}\/[0-9a-f]{10}|\.entire\/metadata\/[^/]+)\/(?:[^/]+\/){0,3}(full\.jsonl(?:\.\d{3,})?|agent-[^/]+\.jsonl|\d{3,}-[^/]+\.json|prompt\.txt|context\.md|summary\.txt)$/;
const SLOT = /^[0-9a-f]{2}\/[0-9a-f]{10}\/\d+$/;
const BATCH_BYTES = 64 * 1024 * 1024;

/**
 * Looks at every text that the refs reach, each once. A secret that one of them gives away is replaced in all.
 *
 * @throws {EntireError} `REDACTION_FAILED`, `GIT_FAILED`
 */
export async function scrubRecords(git: Git, refs: readonly string[]): Promise<ScrubbedRecords> {
  const objects = listObjects(git, refs);
  const texts = objects.filter(({ path }) => RECORD.test(path));
  const learned = new Set<string>();
  for await (const { path, text } of readTexts(git, texts))
    if (isJsonName(path))
      for (const secret of (await redactTranscript(text, [])).learned) learned.add(secret);
  const known = [...learned];
  const blobs = new Map<ObjectId, Buffer>();
  const counts: Record<string, number> = {};
  for await (const { oid, path, text } of readTexts(git, texts)) {
    const redacted = await redactRecord(path, text, known, counts);
    if (redacted !== text) blobs.set(oid, Buffer.from(redacted));
  }
  const slots = objects.filter(({ path }) => SLOT.test(path)).map(({ oid }) => oid);
  for (const [oid, hash] of newHashes(git, slots, blobs)) blobs.set(oid, hash);
  return { blobs, looked: texts.length, counts };
}

const isJsonName = (path: string): boolean => /\.jsonl?(?:\.\d+)?$/.test(path);

async function redactRecord(
  path: string,
  text: string,
  known: readonly string[],
  counts: Record<string, number>,
): Promise<string> {
  if (!isJsonName(path)) {
    const redacted = await redactText(text, known);
    if (redacted !== text) counts.prompts = (counts.prompts ?? 0) + 1;
    return redacted;
  }
  const { text: redacted, counts: more } = await redactTranscript(text, known);
  for (const [rule, count] of Object.entries(more)) counts[rule] = (counts[rule] ?? 0) + count;
  return redacted;
}

interface Listed {
  readonly oid: ObjectId;
  readonly path: string;
}

function listObjects(git: Git, refs: readonly string[]): Listed[] {
  if (refs.length === 0) return [];
  const lines = gitText(git, ['rev-list', '--objects', ...refs, '--']).split('\n');
  return lines.flatMap((line) => {
    const space = line.indexOf(' ');
    return space === -1 ? [] : [{ oid: line.slice(0, space) as ObjectId, path: line.slice(space + 1) }];
  });
}

async function* readTexts(git: Git, listed: readonly Listed[]) {
  for (const batch of batchesOf(git, listed)) {
    const ids = batch.map(({ oid }) => oid);
    const found = readObjects(git, ids);
    for (const { oid, path } of batch) {
      const data = found.get(oid)?.data;
      const text = data?.toString('utf8');
      // Bytes that are no text would not come back as they were.
      if (data && text !== undefined && Buffer.from(text).equals(data)) yield { oid, path, text };
    }
  }
}

/** So that what is read at once fits into memory: other writers cut transcripts into much larger chunks. */
function batchesOf(git: Git, listed: readonly Listed[]): Listed[][] {
  if (listed.length === 0) return [];
  const input = listed.map(({ oid }) => `${oid}\n`).join('');
  const format = '--batch-check=%(objectsize)';
  const sizes = gitText(git, ['cat-file', format], { input }).split('\n').map(Number);
  const batches: Listed[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  listed.forEach((one, index) => {
    bytes += sizes[index] ?? 0;
    if (bytes > BATCH_BYTES) {
      batches.push([]);
      bytes = sizes[index] ?? 0;
    }
    batches.at(-1)?.push(one);
  });
  return batches;
}

/** `content_hash.txt` of the slots whose transcripts change. */
function newHashes(
  git: Git,
  slots: readonly ObjectId[],
  blobs: ReadonlyMap<ObjectId, Buffer>,
): Array<[ObjectId, Buffer]> {
  const hashes: Array<[ObjectId, Buffer]> = [];
  for (const [slot, { data: tree }] of readObjects(git, slots)) {
    const files = parseTree(tree, slot.length / 2);
    const old = files.find(({ path }) => path === 'content_hash.txt');
    const chunks = files.filter(({ path }) => isTranscriptName(path));
    if (!old || !chunks.some(({ oid }) => blobs.has(oid))) continue;
    const kept = readObjects(
      git,
      chunks.map(({ oid }) => oid),
    );
    const joined = joinTranscript(
      chunks.map(({ path, oid }) => ({
        name: path,
        data: blobs.get(oid) ?? kept.get(oid)?.data ?? Buffer.alloc(0),
      })),
    );
    hashes.push([old.oid, Buffer.from(renderHash(createHash('sha256').update(joined).digest('hex')))]);
  }
  return hashes;
}

/** A tree object: `<mode> <name> NUL <id>`, over and over. */
function parseTree(tree: Buffer, idBytes: number): Listed[] {
  const files: Listed[] = [];
  for (let at = 0; at < tree.length; ) {
    const nul = tree.indexOf(0, at);
    const path = tree.toString('utf8', tree.indexOf(0x20, at) + 1, nul);
    files.push({ path, oid: tree.toString('hex', nul + 1, nul + 1 + idBytes) as ObjectId });
    at = nul + 1 + idBytes;
  }
  return files;
}

/** The files at the tip of a branch whose blobs change. */
export function changesAt(git: Git, tip: ObjectId, blobs: ReadonlyMap<ObjectId, Buffer>): Change[] {
  return splitNul(runGit(git, ['ls-tree', '-r', '-z', '--full-tree', tip]).stdout).flatMap(
    (line): Change[] => {
      const [, mode = '', oid = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      const data = blobs.get(oid as ObjectId);
      return data ? [{ path, mode: mode as FileMode, data }] : [];
    },
  );
}
