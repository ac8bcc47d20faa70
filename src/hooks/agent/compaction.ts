import type { EventBase } from '../../agents/event.ts';
import { transcriptFormatOf } from '../../agents/registry.ts';
import type { Compacted } from '../../agents/shared/transcript/transcript.ts';
import { describeError } from '../../base/errors.ts';
import { readTail } from '../../base/file/disk.ts';
import { log } from '../../base/log.ts';
import { asList, asText, type JsonObject } from '../../base/text/json.ts';
import {
  isFileId,
  type LastUsed,
  type Remembered,
  renderRemembered,
} from '../../context/compaction/after-compaction.ts';
import { CompactionMetadata } from '../../context/compaction/compaction.ts';
import { extractFileIds } from '../../context/file-ids.ts';
import { readUnmerged } from '../../git/commit/commits.ts';
import { withSessionLock } from '../../session/lock.ts';
import { keepCompaction, knownBytes, readCompaction } from '../../session/record/compactions.ts';
import { totalTokens } from '../../session/state.ts';
import { readRange, transcriptSize } from '../../strategy/transcript/file.ts';
import type { Work } from '../../strategy/work.ts';
import { byLastUse, readWorkedFiles, type WorkedFiles } from '../../strategy/worked-files.ts';
import { outlineFiles } from './outline-files.ts';

/** So many tokens may a reminder have, of the context that was just made short. */
const BUDGET_TOKENS = 2_000;
/** So much of a transcript is looked through for ids of files, if there is more since the last compaction. */
const MAX_TRANSCRIPT_BYTES = 8 << 20;
/** The newest ids are kept. */
const MAX_IDS = 50;
/** The last call of the model stands within so much of a transcript. */
const LAST_CALL_BYTES = 256 << 10;
/** What a client writes after a compaction, its summary included, before the model is called. */
const FIRST_CALL_BYTES = 1 << 20;

/**
 * The context of a session is about to be compacted: keeps which files it worked with, and the ids of files that it named.
 *
 * @param done what its transcript says of the compaction, where that is over
 */
export function noteCompaction(
  work: Work,
  event: EventBase,
  agentType: string,
  done?: Compacted,
): JsonObject {
  const { commonDir } = work.repo;
  const kept = readCompaction(commonDir, event.sessionId) ?? {};
  const files = readWorkedFiles(work, event.sessionId);
  const told = readTranscript(event.transcriptPath, kept, agentType);
  const metadata = CompactionMetadata.fromDict(kept).merge(
    new CompactionMetadata({
      readFiles: files.read,
      modifiedFiles: files.modified,
      ...(done ?? { tokensBefore: told.tokens }),
    }),
  );
  const noted = {
    ...metadata.toDict(),
    compacted: kept.compacted === true,
    ...lastUsed(kept, files),
    file_ids: [...new Set([...idsIn(kept), ...told.ids])].slice(-MAX_IDS),
    transcript_path: event.transcriptPath ?? '',
    transcript_bytes: told.bytes,
  };
  keepCompaction(commonDir, event.sessionId, noted);
  log('info', 'files noted', { read: files.read.length, modified: files.modified.length });
  return noted;
}

/** The files of before and of since, in the order of their last use. */
function lastUsed(kept: JsonObject, { latest }: WorkedFiles): JsonObject {
  const before = lastUsedIn(kept);
  return {
    last_read: byLastUse([...before.read, ...latest.read]),
    last_modified: byLastUse([...before.modified, ...latest.modified]),
  };
}

/** What is known of a compaction that is over. */
interface Known {
  /** What its transcript says of it, unless the model was told of it; left out where a hook says that it is over. */
  readonly find?: () => Compacted | undefined;
  /** The model may have been told of the same one before. */
  readonly isRepeated?: boolean;
}

/** What the agent is told once its context is short; the empty text where the session worked with no file. Never throws. */
export async function remindOfFiles(
  work: Work,
  event: EventBase,
  agentType: string,
  known: Known = {},
): Promise<string> {
  try {
    // Commands of a shell that end at the same moment find the same compaction.
    const kept = known.find
      ? await withSessionLock(work.sessions, event.sessionId, () => claim(work, event, agentType, known))
      : claim(work, event, agentType, known);
    if (kept === undefined) return '';
    const latest = lastUsedIn(kept);
    const remembered: Remembered = {
      metadata: CompactionMetadata.fromDict(kept),
      latest,
      outlines: await outlineFiles(work.repo.worktreeRoot, latest.modified.toReversed()),
      conflicts: conflictsIn(work),
      fileIds: idsIn(kept),
    };
    return renderRemembered(remembered, BUDGET_TOKENS);
  } catch (error) {
    log('warn', 'no reminder of files after the compaction', { error: describeError(error) });
    return '';
  }
}

/** What the model is to be told of, as told from now on; `undefined` where another hook has told it meanwhile. */
function claim(work: Work, event: EventBase, agentType: string, known: Known): JsonObject | undefined {
  const done = known.find?.();
  if (known.find && done === undefined) return undefined;
  const kept = recallCompaction(work, event, agentType, done, known.isRepeated === true);
  keepCompaction(work.repo.commonDir, event.sessionId, { ...kept, compacted: true, reminded: true });
  return kept;
}

/** What was noted before the compaction. Clients that say nothing then still say that they go on after it. */
function recallCompaction(
  work: Work,
  event: EventBase,
  agentType: string,
  done: Compacted | undefined,
  isRepeated: boolean,
): JsonObject {
  const noted = readCompaction(work.repo.commonDir, event.sessionId);
  const isTold = noted?.reminded === true || done !== undefined;
  if (noted === undefined || (isTold && !isRepeated)) return noteCompaction(work, event, agentType, done);
  if (!isRepeated) return noted;
  const files = readWorkedFiles(work, event.sessionId);
  const since = new CompactionMetadata({ readFiles: files.read, modifiedFiles: files.modified });
  const lists = CompactionMetadata.fromDict(noted).merge(since).toDict();
  return { ...noted, ...lists, ...lastUsed(noted, files) };
}

/**
 * A turn after a compaction is over: keeps how long the context was when the model was called first. Looked for once; where the
 * transcript does not say, nobody knows. Never throws.
 */
export function completeCompaction(work: Work, event: EventBase, agentType: string): void {
  try {
    const { commonDir } = work.repo;
    const kept = readCompaction(commonDir, event.sessionId);
    if (!kept) return;
    const metadata = CompactionMetadata.fromDict({
      ...kept,
      tokens_after: kept.tokens_after ?? findTokensAfter(event, kept, agentType),
    });
    keepCompaction(commonDir, event.sessionId, { ...kept, ...metadata.toDict(), completed: true });
  } catch (error) {
    log('warn', 'compaction not completed', { error: describeError(error) });
  }
}

function findTokensAfter(
  { transcriptPath: path }: EventBase,
  kept: JsonObject,
  agentType: string,
): number | undefined {
  const format = transcriptFormatOf(agentType);
  const size = path === undefined ? undefined : transcriptSize(path, format);
  if (path === undefined || size === undefined || asText(kept.transcript_path) !== path) return undefined;
  const from = Number(kept.transcript_bytes);
  const said = readRange(path, from, Math.min(size, from + FIRST_CALL_BYTES));
  const calls = format.readCalls(said.toString('utf8'));
  const usage = calls.find(({ isSummary }) => !isSummary)?.usage;
  return usage && totalTokens({ ...usage, outputTokens: 0 });
}

function conflictsIn({ git }: Work): string[] {
  try {
    return readUnmerged(git);
  } catch (error) {
    log('warn', 'conflicts not looked for after a compaction', { error: describeError(error) });
    return [];
  }
}

const idsIn = ({ file_ids: ids }: JsonObject): string[] => textsIn(ids).filter(isFileId);

/** Files by their last use; by the first where it was not noted, as in what an earlier release kept. */
const lastUsedIn = (kept: JsonObject): LastUsed => ({
  read: textsIn(kept.last_read ?? kept.read_files),
  modified: textsIn(kept.last_modified ?? kept.modified_files),
});

const textsIn = (value: unknown): string[] =>
  asList(value).filter((text): text is string => typeof text === 'string');

interface Told {
  readonly ids: readonly string[];
  /** Of the context, as the last call of the model counted them. */
  readonly tokens: number | undefined;
  readonly bytes: number;
}

/** What a transcript says, from where it was looked through the last time. */
function readTranscript(path: string | undefined, kept: JsonObject, agentType: string): Told {
  try {
    const format = transcriptFormatOf(agentType);
    const bytes = path === undefined ? 0 : (transcriptSize(path, format) ?? 0);
    if (path === undefined || bytes === 0) return { ids: [], tokens: undefined, bytes: 0 };
    const from = knownBytes(kept, path, bytes);
    const said = readTail(path, Math.min(bytes - from, MAX_TRANSCRIPT_BYTES));
    // Within JSON a line end is a backslash and a letter, which would be the beginning of the word that follows.
    const ids = extractFileIds(said.replace(/\\[nrtbf]/g, ' ')).filter(isFileId);
    const calls = format.readCalls(readTail(path, LAST_CALL_BYTES));
    const last = calls.findLast(({ isSummary }) => !isSummary)?.usage;
    return { ids, tokens: last && totalTokens(last), bytes };
  } catch (error) {
    log('info', 'transcript not read at a compaction', { error: describeError(error) });
    return { ids: [], tokens: undefined, bytes: 0 };
  }
}
