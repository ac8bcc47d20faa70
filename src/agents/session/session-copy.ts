import { dirname, join } from 'node:path';
import type { SessionId } from '../../base/ids.ts';

/** A session that is begun as the copy of another. */
export interface SessionCopy {
  readonly sessionId: SessionId;
  /** Where its transcript goes, absolute. */
  readonly file: string;
  /** What the client needs beside it. */
  readonly beside?: { readonly file: string; readonly text: string };
}

/** Why the client would not go on with a copy: the end of a sentence. */
export interface NoCopy {
  readonly refused: string;
}

/** A copy beside the transcript, named after its session, of clients that name theirs so. */
export function copyBeside(transcript: string): SessionCopy {
  const sessionId = crypto.randomUUID() as string as SessionId;
  return { sessionId, file: join(dirname(transcript), `${sessionId}.jsonl`) };
}

/**
 * A UUID that begins with a time, of clients that tell by it when a session was begun.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.7
 */
export function newTimedId(at: Date): SessionId {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${crypto.randomUUID().slice(15)}` as SessionId;
}
