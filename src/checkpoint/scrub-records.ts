import { sha256Of } from '../base/hash.ts';
import type { ObjectId } from '../base/ids.ts';
import { parseJson, renderPrettyJson } from '../base/text/json.ts';
import { type Change, type FileMode, readObjects } from '../git/object/objects.ts';
import { inBatchesBySize } from '../git/object/sizes.ts';
import { parseTreeObject } from '../git/object/tree-object.ts';
import { type Git, gitText, runGit, splitNul } from '../git/run.ts';
import { isTranscriptName, joinTranscript, renderHash } from './chunks.ts';
import { EVIDENCE_FILE, withoutFiles } from './evidence.ts';
import { type Redaction, redactName, redactPlain, redactPrompts, redactTranscript } from './redact/redact.ts';

/** What today's rules would make of the texts in some branches, their history included. */
export interface ScrubbedRecords {
  /** New bytes of the blobs that change. */
  readonly blobs: ReadonlyMap<ObjectId, Buffer>;
  /** Texts looked at, how many of them change, and objects of any kind that the repository lacks. */
  readonly texts: { readonly looked: number; readonly found: number; readonly missing: number };
  /** Places by the rule that has them replaced. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Texts of sessions: in a checkpoint, or in the metadata folder of a shadow tree, under whatever name other versions gave
 * them. Files of the worktree are none.
 */
const RECORD =
  /^(?:[0-9a-f]{2}\/[0-9a-f]{10}|\.entire\/metadata\/[^/]+)\/(?:[^/]+\/){0,3}(?!content_hash\.txt$)[^/]+\.(?:jsonl(?:\.\d{3,})?|json|txt|md|log)$/;
const SLOT = /^[0-9a-f]{2}\/[0-9a-f]{10}\/\d+$/;

/**
 * Looks at every text that the refs reach, each once. A secret that one of them gives away is replaced in all.
 *
 * @throws {EntireError} `REDACTION_FAILED`, `GIT_FAILED`
 */
export async function scrubRecords(git: Git, refs: readonly string[]): Promise<ScrubbedRecords> {
  const { objects, missing } = listObjects(git, refs);
  const texts = objects.filter(({ path }) => RECORD.test(path));
  const learned = new Set<string>();
  for await (const { path, text } of readTexts(git, texts))
    for (const secret of (await redactRecord(path, text, [])).learned) learned.add(secret);
  const known = [...learned];
  const blobs = new Map<ObjectId, Buffer>();
  const counts: Record<string, number> = {};
  for await (const { oid, path, text } of readTexts(git, texts)) {
    const { text: redacted, counts: more } = await redactRecord(path, text, known);
    for (const [rule, count] of Object.entries(more)) counts[rule] = (counts[rule] ?? 0) + count;
    if (redacted !== text) blobs.set(oid, Buffer.from(redacted));
  }
  const found = blobs.size;
  const slots = objects.filter(({ path }) => SLOT.test(path)).map(({ oid }) => oid);
  for (const [oid, hash] of newHashes(git, slots, blobs)) blobs.set(oid, hash);
  return { blobs, texts: { looked: texts.length, found, missing }, counts };
}

const isJsonName = (path: string): boolean => /\.(?:jsonl?(?:\.\d+)?|log)$/.test(path);

/** In `metadata.json` only what a summary says comes from a session; the rest are names and numbers. */
function redactRecord(path: string, text: string, known: readonly string[]): Promise<Redaction> {
  if (path.endsWith('/metadata.json')) return redactSummary(text, known);
  if (path.endsWith(`/${EVIDENCE_FILE}`)) return redactEvidence(text, known);
  if (isJsonName(path)) return redactTranscript(text, known);
  return /(?:prompt\.txt|context\.md)$/.test(path) ? redactPrompts(text, known) : redactPlain(text, known);
}

/** Digests are no keys; a name can have the shape of one. */
async function redactEvidence(text: string, known: readonly string[]): Promise<Redaction> {
  const redacted = withoutFiles(text, (path) => redactName(path) !== path);
  return redacted === undefined ? redactTranscript(text, known) : { text: redacted, learned: [], counts: {} };
}

async function redactSummary(text: string, known: readonly string[]): Promise<Redaction> {
  const metadata = parseJson(text);
  const untouched = { text, learned: [], counts: {} };
  if (typeof metadata !== 'object' || metadata === null || !('summary' in metadata)) return untouched;
  const before = JSON.stringify(metadata.summary);
  const redaction = await redactTranscript(before, known);
  if (redaction.text === before) return untouched;
  return { ...redaction, text: renderPrettyJson({ ...metadata, summary: parseJson(redaction.text) }) };
}

interface Listed {
  readonly oid: ObjectId;
  readonly path: string;
}

/** What is missing has no name: a damaged repository, or a partial clone, which is not to fetch for this. */
function listObjects(git: Git, refs: readonly string[]): { objects: Listed[]; missing: number } {
  if (refs.length === 0) return { objects: [], missing: 0 };
  const lines = gitText(git, ['rev-list', '--objects', '--missing=print', ...refs, '--']).split('\n');
  const objects = lines.flatMap((line) => {
    const space = line.indexOf(' ');
    return space === -1 ? [] : [{ oid: line.slice(0, space) as ObjectId, path: line.slice(space + 1) }];
  });
  return { objects, missing: lines.filter((line) => line.startsWith('?')).length };
}

async function* readTexts(git: Git, listed: readonly Listed[]) {
  const paths = new Map(listed.map(({ oid, path }) => [oid, path]));
  // Other writers cut transcripts into much larger chunks than we do.
  for (const batch of inBatchesBySize(git, [...paths.keys()])) {
    const found = readObjects(git, batch);
    for (const oid of batch) {
      const path = paths.get(oid) ?? '';
      const data = found.get(oid)?.data;
      const text = data?.toString('utf8');
      // Bytes that are no text would not come back as they were.
      if (data && text !== undefined && Buffer.from(text).equals(data)) yield { oid, path, text };
    }
  }
}

/** `content_hash.txt` of the slots whose transcripts change. */
function newHashes(
  git: Git,
  slots: readonly ObjectId[],
  blobs: ReadonlyMap<ObjectId, Buffer>,
): Array<[ObjectId, Buffer]> {
  const hashes: Array<[ObjectId, Buffer]> = [];
  for (const [slot, { data: tree }] of readObjects(git, slots)) {
    const files = parseTreeObject(tree, slot.length);
    const old = files.find(({ name }) => name === 'content_hash.txt');
    const chunks = files.filter(({ name }) => isTranscriptName(name));
    if (!old || !chunks.some(({ oid }) => blobs.has(oid))) continue;
    const kept = readObjects(
      git,
      chunks.map(({ oid }) => oid),
    );
    const joined = joinTranscript(
      chunks.map(({ name, oid }) => ({
        name,
        data: blobs.get(oid) ?? kept.get(oid)?.data ?? Buffer.alloc(0),
      })),
    );
    hashes.push([old.oid, Buffer.from(renderHash(sha256Of(joined)))]);
  }
  return hashes;
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
