import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import { chunkIndex, isTranscriptName } from '../../checkpoint/chunks.ts';
import { checkpointDir } from '../../checkpoint/metadata-branch.ts';
import { parseMetadata } from '../../checkpoint/read/metadata.ts';
import { parseRoot } from '../../checkpoint/read/root.ts';
import { findGaps } from '../../checkpoint/read/texts.ts';
import type { Problem } from './problem.ts';

/** One checkpoint as it is listed. */
export interface CheckpointFacts {
  readonly id: CheckpointId;
  /** By path in its folder. */
  readonly files: ReadonlyMap<string, ObjectId>;
  /** What a file says; `undefined` where its object cannot be had, which is told elsewhere. */
  text(path: string): string | undefined;
}

/** What of a problem the judgement knows: the caller puts the branch and the folder in front of `where`. */
type Found = Problem;

const SLOT = /^(0|[1-9]\d{0,5})\//;

/** Holds a checkpoint's folder against its own metadata. No text but metadata is needed. */
export function judgeCheckpoint(facts: CheckpointFacts): Found[] {
  const { files } = facts;
  const numbers = [...new Set([...files.keys()].flatMap((path) => SLOT.exec(path)?.[1] ?? []))].map(Number);
  const json = facts.text('metadata.json');
  const root = json === undefined ? undefined : parseRoot(json, checkpointDir(facts.id));
  if (root && root.sessions === undefined && numbers.length === 0) return judgeSlot(facts, '', json ?? ''); // before there were slots
  const found: Found[] = [];
  if (!files.has('metadata.json')) found.push({ code: 'metadata-missing', where: 'metadata.json' });
  for (const detail of root?.problems ?? [])
    found.push({ code: 'metadata-invalid', where: 'metadata.json', detail });
  if (root && json !== undefined) found.push(...judgeListed(facts, root.sessions ?? [], numbers, json));
  const unread = [...files.keys()].flatMap((path) => /^unread-[0-9a-f]{12}(?=\/)/.exec(path)?.[0] ?? []);
  for (const where of new Set(unread)) found.push({ code: 'session-unread', where });
  for (const number of numbers) {
    const path = `${number}/metadata.json`;
    const own = facts.text(path);
    if (!files.has(path)) found.push({ code: 'metadata-missing', where: path });
    found.push(...judgeSlot(facts, `${number}/`, own));
  }
  return found;
}

/** What the root lists and what is there. */
function judgeListed(
  { id, files }: CheckpointFacts,
  listed: readonly number[],
  present: readonly number[],
  json: string,
): Found[] {
  const missing = listed.filter((number) => !present.includes(number));
  const surplus = present.filter((number) => !listed.includes(number));
  const value = parseJson(json);
  const sessions: unknown[] = isObject(value) && Array.isArray(value.sessions) ? value.sessions : [];
  const named = sessions.flatMap((session) =>
    isObject(session) ? [session.prompt, session.context].filter((path) => typeof path === 'string') : [],
  );
  const folder = `/${checkpointDir(id)}/`;
  // Whose session is missing as a whole is said once.
  const isGone = (path: string) => missing.includes(Number(SLOT.exec(path)?.[1] ?? -1));
  const lost = named
    .filter((path) => path !== '' && path.startsWith(folder))
    .map((path) => path.slice(folder.length));
  return [
    ...missing.map((number): Found => ({ code: 'session-missing', where: `${number}` })),
    ...surplus.map((number): Found => ({ code: 'session-unlisted', where: `${number}` })),
    ...lost
      .filter((path) => !files.has(path) && !isGone(path))
      .map((where): Found => ({ code: 'file-missing', where })),
  ];
}

function judgeSlot({ id, files }: CheckpointFacts, dir: string, json: string | undefined): Found[] {
  const where = `${dir}metadata.json`;
  const found: Found[] = [];
  if (json !== undefined) {
    const { metadata, problems } = parseMetadata(json, id);
    found.push(...problems.map((detail): Found => ({ code: 'metadata-invalid', where, detail })));
    if (problems.length === 0 && !isSessionName(metadata.sessionId))
      found.push({ code: 'session-id-invalid', where, detail: metadata.sessionId });
  }
  const names = [...files.keys()].flatMap((path) => (path.startsWith(dir) ? path.slice(dir.length) : []));
  return [
    ...found,
    ...judgeChunks(names).map((problem) => ({ ...problem, where: `${dir}${problem.where}` })),
  ];
}

/** Whether all parts of a transcript are there, by the names in its folder. */
export function judgeChunks(names: readonly string[]): Found[] {
  const chunks = names.filter(isTranscriptName).sort((a, b) => chunkIndex(a) - chunkIndex(b));
  if (chunks.length === 0)
    return names.includes('content_hash.txt') && !names.includes('full.log')
      ? [{ code: 'file-missing', where: 'full.jsonl' }]
      : [];
  return findGaps(chunks).map((where) => ({ code: 'chunk-missing', where }));
}

/** What agents may call a session; wider than what we build names from. */
export const isSessionName = (id: string): boolean => id !== '' && !/[/\\\0\n]/.test(id);
