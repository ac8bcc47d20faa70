import { join } from 'node:path';
import { transcriptFormatOf } from '../../agents/registry.ts';
import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { sha256Of } from '../../base/hash.ts';
import type { ObjectId, SessionId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import {
  chunkName,
  cutTranscript,
  isTranscriptName,
  joinTranscript,
  renderHash,
} from '../../checkpoint/chunks.ts';
import { EVIDENCE_FILE, withoutFiles } from '../../checkpoint/evidence.ts';
import type { SlotMaker } from '../../checkpoint/forget-history.ts';
import { renderSlot } from '../../checkpoint/metadata-json.ts';
import { among } from '../../checkpoint/read/listed.ts';
import { metadataDir } from '../../checkpoint/shadow-branch.ts';
import { type Change, readObjects } from '../../git/object/objects.ts';
import type { Git } from '../../git/run.ts';
import { listWorktreeRoots } from '../../git/worktree/worktrees.ts';
import type { Stretch } from '../../session/private-record.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { listRecordIds, readRecord, removeRecord } from '../../snapshot/record/record.ts';
import type { SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { listMarks } from '../../snapshot/record/step-marks.ts';
import { keepNumber } from '../../snapshot/record/turn-records.ts';
import { gcBlobs } from '../../snapshot/store/gc.ts';
import { readRange, transcriptSize } from '../../strategy/transcript/file.ts';
import { dropTranscriptCache } from '../../strategy/transcript/index-file.ts';
import { isSaidInPrivate, type Mask, maskTranscript, trimMasked } from '../../strategy/transcript/private.ts';
import { keysOfItems } from '../../strategy/transcript/private-keys.ts';
import { PROMPT_SEPARATOR } from '../../strategy/transcript/redacted.ts';
import { renderContext } from '../../strategy/transcript/slot-texts.ts';
import { saveState, type Work } from '../../strategy/work.ts';

/** A turn, by all that it is known by. */
export interface TurnPart {
  readonly id: string;
  readonly store: string;
  readonly stretch: Stretch;
  readonly keys: readonly string[];
  /** Steps on a shadow branch that were made of it. */
  readonly steps: ReadonlySet<ObjectId>;
  /** Files that no other turn of the session has. */
  readonly onlyPaths: ReadonlySet<string>;
  readonly makeSlot: (git: Git, mask: Mask) => SlotMaker;
}

/**
 * A turn of a session, from the record that undo has of it.
 *
 * @throws {EntireError} `NOT_FOUND` where its transcript is gone: then nobody knows what was said in it
 */
export function findTurnPart(
  work: Work,
  sessionId: SessionId,
  store: string,
  record: SnapshotRecord,
): TurnPart {
  const state = readStateIfReadable(work.sessions, sessionId);
  const { path, items } = record.transcript;
  const format = transcriptFormatOf(state?.agentType ?? '');
  const size = transcriptSize(path, format) ?? 0;
  if (size === 0)
    throw new EntireError(
      'NOT_FOUND',
      `the transcript of session ${sessionId} is gone: ${path || 'no path'}`,
      {
        hint: 'What was said in one turn cannot be told any more; the whole session can be forgotten.',
      },
    );
  const { keys, fromMs, toMs } = keysOfItems(format, readRange(path, 0, size), items);
  const steps = listMarks(store).flatMap(({ step, last }) => (last === record.id ? [step] : []));
  return {
    id: record.id,
    store,
    stretch: { fromMs, toMs, what: 'forgotten' },
    keys,
    steps: new Set(steps),
    onlyPaths: onlyIn(store, record),
    makeSlot: (git, mask) => slotMaker(git, mask, format, onlyIn(store, record)),
  };
}

/** Files that no other turn of the session has. */
function onlyIn(store: string, record: SnapshotRecord): Set<string> {
  const others = listRecordIds(store).filter((id) => id !== record.id);
  const kept = new Set(others.flatMap((id) => [...readRecord(store, id).files.keys()] as string[]));
  return new Set([...record.files.keys()].filter((path) => !kept.has(path)));
}

/** Takes the record of a turn away, what only it names, and what was kept of its words. */
export function forgetTurnHere(
  work: Work,
  sessionId: SessionId,
  { id, store }: TurnPart,
  mask: Mask | undefined,
): { stores: number; files: number } {
  const { commonDir, worktreeRoot } = work.repo;
  let files = 0;
  const ids = listRecordIds(store);
  if (ids.includes(id)) {
    const own = readRecord(store, id);
    const gone = onlyIn(store, own);
    keepNumber(store, own);
    for (const other of ids) {
      const record = other === id ? own : readRecord(store, other);
      if (other !== id && !record.of.includes(id)) continue;
      for (const ledger of record.ledgers)
        disk.rmSync(join(store, 'edits', `${ledger}.jsonl`), { force: true });
      removeRecord(store, other);
      files++;
    }
    const state = readStateIfReadable(work.sessions, sessionId);
    if (state)
      saveState(work, {
        ...state,
        firstPrompt: isSaidInPrivate(mask, state.firstPrompt) ? '' : state.firstPrompt,
        filesTouched: state.filesTouched.filter((path: RepoPath) => !gone.has(path)),
      });
    files += gcBlobs(store, { isNow: true }).files;
  }
  const format = transcriptFormatOf(readStateIfReadable(work.sessions, sessionId)?.agentType ?? '');
  for (const root of new Set([worktreeRoot, ...listWorktreeRoots(work.repo)])) {
    const copy = join(root, metadataDir(sessionId), 'full.jsonl');
    const size = transcriptSize(copy, undefined) ?? 0;
    if (size > 0) writeFileAtomic(copy, maskTranscript(mask, format, readRange(copy, 0, size)));
  }
  dropTranscriptCache(commonDir, sessionId);
  return { stores: 1, files };
}

/** What is kept of the commit, without files that only the turn had. */
function evidenceWithout(
  git: Git,
  files: Parameters<SlotMaker>[1],
  isGone: (path: string) => boolean,
): { path: string; data: string }[] {
  const stored = files.find(({ path }) => path === EVIDENCE_FILE);
  const data = stored && readObjects(git, [stored.oid]).get(stored.oid)?.data;
  // What a later release has written nobody here can take a part out of.
  const rest = data && withoutFiles(data.toString('utf8'), isGone);
  return rest === undefined ? [] : [{ path: EVIDENCE_FILE, data: rest }];
}

/** The slot of a session without what is private: transcript, prompts, the digest of them; a summary goes as a whole. */
function slotMaker(git: Git, mask: Mask, format: TranscriptFormat, gone: ReadonlySet<string>): SlotMaker {
  return async (metadata, files) => {
    const chunks = files.filter(({ path }) => isTranscriptName(path));
    const objects = readObjects(
      git,
      chunks.map(({ oid }) => oid),
    );
    const text = joinTranscript(
      chunks.map(({ path, oid }) => ({ name: path, data: objects.get(oid)?.data ?? Buffer.alloc(0) })),
    );
    const masked = trimMasked(mask, maskTranscript(mask, format, Buffer.from(text)).toString('utf8'));
    if (masked === text) return { metadata, files: files.map((file) => file as Change) };
    const bytes = Buffer.from(masked);
    const prompts = format.readPrompts(masked);
    const { summary: _, ...other } = metadata.other;
    const isGone = among(gone);
    const next = {
      ...metadata,
      filesTouched: metadata.filesTouched.filter((name) => !isGone(name)),
      other,
    };
    const hash = renderHash(sha256Of(bytes));
    const made: Array<{ path: string; data: string | Uint8Array }> = [
      ...cutTranscript(bytes).map(({ start, end }, at) => ({
        path: chunkName(at),
        data: bytes.subarray(start, end),
      })),
      { path: 'content_hash.txt', data: hash },
      { path: 'metadata.json', data: renderSlot(next) },
      ...evidenceWithout(git, files, isGone),
      ...(prompts.length === 0
        ? []
        : [
            { path: 'prompt.txt', data: prompts.join(PROMPT_SEPARATOR) },
            { path: 'context.md', data: renderContext(prompts) },
          ]),
    ];
    return { metadata: next, files: made.map((file) => ({ ...file, mode: '100644' })) };
  };
}
