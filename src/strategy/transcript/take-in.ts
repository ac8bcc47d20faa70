import { join } from 'node:path';
import * as z from 'zod/mini';
import { describeError, EntireError } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { writeBlobs } from '../../git/object/blobs.ts';
import { readRef } from '../../git/ref/refs.ts';
import { isLockDead, withSessionLock } from '../../session/lock.ts';
import type { Work } from '../work.ts';
import { type TranscriptIndex, transcriptCacheDir } from './index-file.ts';
import { type LiveTranscript, readBehind, readLive, readNextPiece, type TranscriptOwner } from './live.ts';
import { endOf } from './part.ts';
import type { TranscriptLimits } from './pieces.ts';
import { cut, type RedactedTranscript, redactLive } from './redacted.ts';
import { saveRedacted } from './save.ts';

/**
 * A transcript that is too long to be looked at in one go is taken in piece by piece, for as long as whoever waits has time: agents
 * end a hook after 30 or 60 seconds. What was taken in stays; the next hook, or a process of its own, goes on from there. Until
 * all is taken in, checkpoints have the transcript up to there, and the session remembers which are to be completed.
 */

/** How long an agent waits at the end of its turn. */
export const TURN_END_MS = 1_000;
/** How long somebody waits who commits. */
export const COMMIT_MS = 1_000;

/** So many bytes of chunks go to git at once. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** What is known of a transcript that is not taken in whole yet. */
export interface Unfinished {
  readonly sessionId: SessionId;
  readonly path: string;
  /** Bytes taken in, and bytes that there were. */
  readonly taken: number;
  readonly size: number;
}

const stored = z.object({ version: z.literal(1), path: z.string(), taken: z.number(), size: z.number() });

/** `<git-common-dir>/entire/transcripts/<session>/unfinished.json` */
const unfinishedFile = (dir: string): string => join(dir, 'unfinished.json');

/** What of a session's transcript waits; `undefined` where nothing does. Never throws. */
export function readUnfinished(commonDir: string, sessionId: SessionId): Unfinished | undefined {
  try {
    const text = readOwnText(unfinishedFile(transcriptCacheDir(commonDir, sessionId)), 'mark');
    if (text === undefined) return undefined;
    const { path, taken, size } = stored.parse(JSON.parse(text));
    return { sessionId, path, taken, size };
  } catch (error) {
    log('warn', 'what of a transcript waits is unreadable', {
      session_id: sessionId,
      error: describeError(error),
    });
    return undefined;
  }
}

/** The transcripts of which a part waits, of all sessions. Never throws. */
export function listUnfinished(commonDir: string): Unfinished[] {
  try {
    return listNames(join(commonDir, 'entire', 'transcripts')).flatMap((name) => {
      const id = parseSessionId(name);
      return (id && readUnfinished(commonDir, id)) ?? [];
    });
  } catch (error) {
    log('warn', 'transcripts that wait not listed', { error: describeError(error) });
    return [];
  }
}

const LOCK = 'taking-in' as SessionId;

/** Whether a process is at it. Never throws. */
export function isTakingIn(commonDir: string, sessionId: SessionId): boolean {
  const folder = join(transcriptCacheDir(commonDir, sessionId), `${LOCK}.lock`);
  return disk.existsSync(folder) && !isLockDead(folder);
}

/**
 * Takes in what came since the last look, for so long; the last piece is done whole. Nothing where that is little enough to be
 * looked at as it is, or where another process is at it. Not under the session's lock. Never throws.
 *
 * @returns whether all of it is taken in, or will be looked at as it is
 */
export async function takeIn(
  work: Work,
  owner: TranscriptOwner,
  budgetMs: number,
  limits?: TranscriptLimits,
): Promise<boolean> {
  const { commonDir } = work.repo;
  const { sessionId } = owner;
  const read = () => readLive(commonDir, owner, limits);
  const live = read();
  if (!live.rest && !hasUnchecked(live)) {
    forgetUnfinished(live.dir);
    return true;
  }
  try {
    const like = readRef(work.git, 'HEAD');
    if (!like) return false;
    const save = (transcript: RedactedTranscript) =>
      withSessionLock(work.sessions, sessionId, () => saveRedacted(transcript, like));
    const chunks = new ChunkWriter(work);
    const taking = {
      read,
      save,
      keep: (closed: readonly Buffer[]) => chunks.add(closed),
      deadline: Date.now() + budgetMs,
    };
    const take = async () => {
      const taken = await takePieces(taking);
      chunks.flush();
      if (taken.isWhole) forgetUnfinished(live.dir);
      else noteUnfinished(taken.live);
      log(
        'info',
        taken.isWhole ? 'transcript taken in' : 'a part of the transcript taken in: the rest waits',
        {
          session_id: sessionId,
          from: live.index.size,
          to: taken.live.index.size,
          size: endOf(taken.live),
        },
      );
      return taken.isWhole;
    };
    return await withSessionLock(live.dir, LOCK, take, { waitMs: 0 });
  } catch (error) {
    const isAnother = error instanceof EntireError && error.code === 'LOCKED';
    log(isAnother ? 'info' : 'warn', 'transcript not taken in', {
      session_id: sessionId,
      error: describeError(error),
    });
    return false;
  }
}

const hasUnchecked = ({ index }: LiveTranscript): boolean => index.checked < index.secrets.length;

/** How pieces are taken in. */
export interface Taking {
  /** The transcript as its index has it now. */
  readonly read: () => LiveTranscript;
  /** Takes redacted lines into the cache; `undefined` where another hook was faster. */
  readonly save: (transcript: RedactedTranscript) => Promise<TranscriptIndex | undefined>;
  /** Is given the chunks that will not change. */
  readonly keep: (closed: readonly Buffer[]) => void;
  /** No further piece is begun after it, in milliseconds since 1970. */
  readonly deadline: number;
}

/** Takes in one piece after the other; when it stops, no older line holds a secret that a later one gave away. @throws as `redactLive` */
export async function takePieces({
  read,
  save,
  keep,
  deadline,
}: Taking): Promise<{ live: LiveTranscript; isWhole: boolean }> {
  let live = read();
  let isEnd = false;
  while (live.rest && Date.now() < deadline) {
    const piece = readNextPiece(live);
    isEnd = piece === undefined; // a long last line that its client has not finished
    if (!piece) break;
    const transcript = await redactLive(piece, 'later');
    const { closed } = cut(transcript);
    const next = await save(transcript);
    if (!next) {
      const again = read();
      if (again.index.size <= live.index.size) break;
      live = again; // another hook was faster
      continue;
    }
    keep(closed);
    live = readBehind(live, next);
    collectGarbage();
  }
  if (hasUnchecked(live)) {
    const nothing = { tail: '', fresh: Buffer.alloc(0), rest: undefined, end: live.index.size };
    await save(await redactLive({ ...live, ...nothing }));
    live = read();
  }
  return { live, isWhole: !live.rest || isEnd };
}

/** Chunks that will not change go to git as they come: whoever stores the transcript names them. */
class ChunkWriter {
  private readonly work: Work;
  private waiting: Buffer[] = [];
  private bytes = 0;

  constructor(work: Work) {
    this.work = work;
  }

  add(chunks: readonly Buffer[]): void {
    this.waiting.push(...chunks);
    for (const chunk of chunks) this.bytes += chunk.length;
    if (this.bytes >= BATCH_BYTES) this.flush();
  }

  flush(): void {
    writeBlobs(this.work.git, this.waiting);
    this.waiting = [];
    this.bytes = 0;
  }
}

/** Pieces leave more behind than they need: without a word from us Bun lets it grow to several times that. */
function collectGarbage(): void {
  (globalThis as { Bun?: { gc(force: boolean): void } }).Bun?.gc(true);
}

function noteUnfinished({ dir, path, index, rest }: LiveTranscript): void {
  const text = JSON.stringify({ version: 1, path, taken: index.size, size: rest?.end ?? index.size });
  writeFileAtomic(unfinishedFile(dir), text);
}

function forgetUnfinished(dir: string): void {
  try {
    disk.rmSync(unfinishedFile(dir), { force: true });
  } catch (error) {
    log('debug', 'note of a transcript that waited not removed', { dir, error: describeError(error) });
  }
}
