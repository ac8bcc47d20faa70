import { disk } from '../../base/file/disk.ts';
import { parseSessionId } from '../../base/ids.ts';
import { isObject } from '../../base/text/json.ts';
import { transcriptPlaces } from './session-home.ts';

/**
 * Finds the transcript of a conversation whose payload does not name it: the client has none to name at first, and moves it
 * later. `undefined` where the payload does, or there is none. Never throws.
 */
export function findTranscript(worktreeRoot: string, payload: unknown): string | undefined {
  if (!isObject(payload) || typeof payload.transcript_path === 'string') return undefined;
  const sessionId = parseSessionId(payload.conversation_id) ?? parseSessionId(payload.session_id);
  if (sessionId === undefined) return undefined;
  return transcriptPlaces(process.env, worktreeRoot, sessionId).find(isFile);
}

function isFile(path: string): boolean {
  try {
    return disk.statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // a folder that cannot be looked into holds nothing for us
  }
}
