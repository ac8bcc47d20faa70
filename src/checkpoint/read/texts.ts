import { createHash, type Hash } from '../../base/hash.ts';
import type { ObjectId } from '../../base/ids.ts';
import { readFiles, readTree } from '../../git/object/objects.ts';
import type { Git } from '../../git/run.ts';
import { chunkIndex, chunkName, isTranscriptName, renderHash } from '../chunks.ts';
import { readBlobs } from './blobs.ts';
import type { StoredSlot } from './checkpoint.ts';
import type { CheckpointStore } from './store.ts';

/** Name of the transcript before it was one in JSON Lines. */
const LEGACY_TRANSCRIPT = 'full.log';

/** The file of a slot that has the prompts of its session. */
export const PROMPTS = 'prompt.txt';

/**
 * The prompts of each slot's session, from its beginning, as `prompt.txt` has them; none where it is missing or cannot be
 * read. One process for all slots; none where they were read along with the metadata.
 */
export function readPrompts(store: CheckpointStore, slots: readonly StoredSlot[]): Map<StoredSlot, string[]> {
  const oidOf = ({ files, texts }: StoredSlot): string =>
    texts.has(PROMPTS) ? '' : (files.get(PROMPTS) ?? '');
  const { found } = readBlobs(store.git, slots.map(oidOf).filter(Boolean));
  const textOf = (slot: StoredSlot): string =>
    slot.texts.get(PROMPTS) ?? found.get(oidOf(slot))?.data.toString('utf8') ?? '';
  return new Map(slots.map((slot) => [slot, splitPrompts(textOf(slot))]));
}

/** Prompts as they stand in `prompt.txt`. */
export function splitPrompts(text: string): string[] {
  const parts = text.split('\n\n---\n\n').map((part) => part.trim());
  return parts.filter((part) => /[^-\s]/.test(part));
}

/**
 * Transcripts of sub-agents, by the folder of the call that each worked for; of those that are stored.
 *
 * @param trees where they may be; the first that has one counts
 * @param folders with a slash at their ends
 */
export function readAgentTranscripts(
  git: Git,
  trees: readonly ObjectId[],
  folders: readonly string[],
): Map<string, string> {
  if (folders.length === 0) return new Map();
  const listed = trees.toReversed().flatMap((tree) => [...(readTree(git, tree, folders, true) ?? [])]);
  return readTexts(
    git,
    listed.flatMap(([path, { oid }]) =>
      AGENT_TRANSCRIPT.test(path) ? [[path.slice(0, path.lastIndexOf('/') + 1), oid] as const] : [],
    ),
  );
}

const AGENT_TRANSCRIPT = /\/tasks\/([^/]+)\/agent-[\w-]+\.jsonl$/;

/** The same by the call, whichever checkpoint has them. Looks through all that is stored. */
export function findAgentTranscripts(
  git: Git,
  trees: readonly ObjectId[],
  calls: ReadonlySet<string>,
): Map<string, string> {
  if (calls.size === 0) return new Map();
  const listed = trees.toReversed().flatMap((tree) => [...(readFiles(git, tree) ?? [])]);
  return readTexts(
    git,
    listed.flatMap(([path, { oid }]) => {
      const call = AGENT_TRANSCRIPT.exec(path)?.[1];
      return call !== undefined && calls.has(call) ? [[call, oid] as const] : [];
    }),
  );
}

function readTexts(
  git: Git,
  named: readonly (readonly [name: string, oid: ObjectId])[],
): Map<string, string> {
  const { found } = readBlobs(git, [...new Set(named.map(([, oid]) => oid))]);
  return new Map(
    named.flatMap(([name, oid]) => {
      const text = found.get(oid)?.data.toString('utf8');
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}

/** Folder of what is kept of a call that a sub-agent worked for, below that of its session or checkpoint. */
export const agentFolder = (folder: string, call: string): string => `${folder}/tasks/${call}/`;

/** A transcript as it was stored, its parts joined; empty where there is none. */
export interface StoredTranscript {
  readonly text: string;
  readonly bytes: Buffer;
  readonly problems: readonly string[];
}

/** The transcript among the files of a slot or a metadata folder; what is missing of it is named. One process. */
export function readTranscript(store: CheckpointStore, slot: Pick<StoredSlot, 'files'>): StoredTranscript {
  const names = [...slot.files.keys()].filter(isTranscriptName).sort((a, b) => chunkIndex(a) - chunkIndex(b));
  if (names.length === 0 && slot.files.has(LEGACY_TRANSCRIPT)) names.push(LEGACY_TRANSCRIPT);
  const { found } = readBlobs(store.git, [
    ...names.map((name) => slot.files.get(name) as ObjectId),
    ...(slot.files.has('content_hash.txt') ? [slot.files.get('content_hash.txt') as ObjectId] : []),
  ]);
  const data = (name: string): Buffer | undefined => found.get(slot.files.get(name) ?? '')?.data;
  const parts = names.flatMap((name) => data(name) ?? []);
  const bytes = parts.length === 1 ? (parts[0] as Buffer) : joinBytes(parts);
  const problems = [...gaps(names), ...names.filter((name) => !data(name)).map(unreadable)];
  const expected = data('content_hash.txt')?.toString('utf8').trim();
  if (problems.length === 0 && expected && names.length > 0 && !isHashOf(expected, bytes))
    problems.push('the transcript is not the one that content_hash.txt was made of');
  return {
    get text() {
      return bytes.toString('utf8'); // a string cannot be as long as a transcript can
    },
    bytes,
    problems,
  };
}

const NEWLINE = Buffer.from('\n');
const joinBytes = (parts: readonly Buffer[]): Buffer =>
  Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [NEWLINE, part])));

const isHashOf = (expected: string, bytes: Buffer): boolean =>
  isDigestOf(expected, createHash('sha256').update(bytes));

/**
 * Whether a line of `content_hash.txt` is the digest of what went into `hash`, which can be added to afterwards. Chunks of
 * older releases lost the last newline, the digest did not.
 */
export const isDigestOf = (expected: string, hash: Hash): boolean =>
  [hash.copy(), hash.copy().update(NEWLINE)].some((end) => expected === renderHash(end.digest('hex')));

const unreadable = (name: string): string => `${name} cannot be read: its object is damaged or missing`;

/** Parts of the transcript that must once have been between those that are there. */
function gaps(names: readonly string[]): string[] {
  const missing = findGaps(names);
  if (missing.length === 0) return [];
  const more = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  return [`the transcript lacks ${missing[0]}${more}`];
}

/** Names of the parts that are missing between those that are there. */
export function findGaps(names: readonly string[]): string[] {
  const numbers = new Set(names.map(chunkIndex));
  const last = Math.max(0, ...numbers);
  return Array.from({ length: Math.min(last, 100_000) }, (_, number) => number)
    .filter((number) => !numbers.has(number))
    .map(chunkName);
}
