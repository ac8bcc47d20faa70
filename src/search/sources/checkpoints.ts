import { agentOfType, messageReaderOf, transcriptFormatOf } from '../../agents/registry.ts';
import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { readBlobs } from '../../checkpoint/read/blobs.ts';
import { readCheckpoints, type StoredSlot } from '../../checkpoint/read/checkpoint.ts';
import { lookInto, readShards, readTaskFolders } from '../../checkpoint/read/folders.ts';
import { ownLines, type Parts, readParts, wholeText } from '../../checkpoint/read/parts.ts';
import type { CheckpointStore } from '../../checkpoint/read/store.ts';
import { splitPrompts } from '../../checkpoint/read/texts.ts';
import { redactPrompts, redactTranscript } from '../../checkpoint/redact/redact.ts';
import { parseTaskCheckpoint } from '../../checkpoint/task-files.ts';
import type { Git } from '../../git/run.ts';
import { documentsOf, type SearchDocument } from '../document.ts';
import type { Source } from './source.ts';
import { asPartOf } from './sub-agents.ts';

/** The folders of all checkpoints, by their ids: as long as one has the same object, it holds the same. One process. */
export async function listFolders(store: CheckpointStore): Promise<Map<CheckpointId, ObjectId>> {
  const found = new Map<CheckpointId, ObjectId>();
  if (store.tips.length === 0) return found;
  await lookInto(store.git, async (look) => {
    for (const tip of store.tips) {
      const shards = await readShards(look, tip, (name) => /^[0-9a-f]{2}$/.test(name));
      for (const [shard, folder] of shards ?? [])
        for (const { name, mode, oid } of folder?.values() ?? []) {
          const id =
            mode === '40000' && /^[0-9a-f]{10}$/.test(name) ? ((shard + name) as CheckpointId) : undefined;
          if (id && !found.has(id)) found.set(id, oid);
        }
    }
  });
  return found;
}

/** A session in a checkpoint, and what was read of it. */
export interface ReadSlot {
  readonly source: Source;
  readonly documents: readonly SearchDocument[];
}

/** So many checkpoints are looked at together. */
const AT_ONCE = 200;

/**
 * Reads checkpoints: of each session what it did since the checkpoint before. Stored texts are redacted, by the rules of that time; today's
 * are applied to them, too. What cannot be read has its prompts at least, or nothing.
 *
 * @param rules which redact
 * @param onEach hears how many are done
 */
export async function* readSlots(
  store: CheckpointStore,
  folders: ReadonlyMap<CheckpointId, ObjectId>,
  { rules, roots }: { readonly rules: string; readonly roots: readonly string[] },
  onEach: (done: number) => void,
): AsyncGenerator<ReadSlot> {
  const ids = [...folders.keys()];
  let done = 0;
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const read = await readCheckpoints(store, ids.slice(at, at + AT_ONCE), ['prompt.txt']);
    const slots = [...read.values()].flatMap((checkpoint) => checkpoint.slots);
    const tasks = await readTasks(store, [...read.keys()]);
    for (const parts of readParts(store, slots))
      for (const [slot, own] of parts) {
        onEach(++done);
        yield {
          source: toSource(slot, folders.get(slot.checkpoint) ?? '', rules),
          documents: await documentsIn(slot, own, tasks.get(slot.checkpoint) ?? [], {
            git: store.git,
            roots,
          }),
        };
      }
  }
}

/** The transcript of a sub-agent in a checkpoint. */
interface StoredTask {
  readonly session: string;
  readonly oid: ObjectId;
}

/** The sub-agents of checkpoints. Of one that the remote has, too, those that are here. */
async function readTasks(
  store: CheckpointStore,
  ids: readonly CheckpointId[],
): Promise<Map<CheckpointId, readonly StoredTask[]>> {
  const folders = new Map<CheckpointId, readonly ReadonlyMap<string, ObjectId>[]>();
  await lookInto(store.git, async (look) => {
    for (const tip of store.tips)
      for (const [id, found] of await readTaskFolders(look, tip, ids))
        if (!folders.has(id)) folders.set(id, found);
  });
  const notes = [...folders.values()].flat().flatMap((files) => files.get('checkpoint.json') ?? []);
  const { found } = notes.length > 0 ? readBlobs(store.git, notes) : { found: undefined };
  const tasksIn = (files: ReadonlyMap<string, ObjectId>): StoredTask[] => {
    const note = found?.get(files.get('checkpoint.json') ?? '')?.data.toString('utf8');
    const session = parseTaskCheckpoint(note ?? '')?.sessionId;
    const transcripts = [...files].filter(([name]) => /^agent-[\w-]+\.jsonl$/.test(name));
    return session === undefined ? [] : transcripts.map(([, oid]) => ({ session, oid }));
  };
  return new Map([...folders].map(([id, all]) => [id, all.flatMap(tasksIn)]));
}

const toSource = ({ checkpoint, index, metadata }: StoredSlot, folder: string, rules: string): Source => ({
  key: `checkpoint:${checkpoint}/${index}`,
  state: folder,
  session: metadata.sessionId,
  agent: metadata.agent,
  ...{ rules, checkpoint, folder: '', sizeBytes: 0 },
});

async function documentsIn(
  slot: StoredSlot,
  parts: Parts,
  tasks: readonly StoredTask[],
  { git, roots }: { readonly git: Git; readonly roots: readonly string[] },
): Promise<SearchDocument[]> {
  const { agent, checkpointTranscriptStart, createdAt } = slot.metadata;
  const at = Math.floor((Date.parse(createdAt) || 0) / 1000);
  const format = transcriptFormatOf(agent);
  const isDocument = format.isDocument?.(wholeText(parts)) ?? false;
  const own = isDocument
    ? format.sliceItems(wholeText(parts), checkpointTranscriptStart)
    : ownLines(slot, parts);
  const readMessages = messageReaderOf(agentOfType(agent));
  const { text, learned } = await redactTranscript(own, []);
  const said = documentsOf(readMessages(text), roots);
  const last = said.at(-1)?.turn ?? 0;
  const found = [...said];
  const ofSession = tasks.filter(({ session }) => session === slot.metadata.sessionId);
  const blobs =
    ofSession.length > 0
      ? readBlobs(
          git,
          ofSession.map(({ oid }) => oid),
        ).found
      : undefined;
  for (const { oid } of ofSession) {
    const task = await redactTranscript(blobs?.get(oid)?.data.toString('utf8') ?? '', learned);
    found.push(...asPartOf(said, documentsOf(readMessages(task.text), roots), last));
  }
  const guessed = { at, isGuessed: true };
  const dated = found.map((document) => (document.at > 0 ? document : { ...document, ...guessed }));
  if (dated.length > 0) return dated;
  // Of a transcript that is gone, or of a format that nobody reads, prompts are kept apart.
  const prompts = await redactPrompts(slot.texts.get('prompt.txt') ?? '', []);
  return splitPrompts(prompts.text).map((prompt, turn) => ({
    kind: 'prompt',
    turn: turn + 1,
    ...guessed,
    text: prompt,
    more: '',
  }));
}
