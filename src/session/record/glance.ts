import { join } from 'node:path';
import { disk, lstatIfExists } from '../../base/file/disk.ts';
import { readOwnIfUsable } from '../../base/file/small-file.ts';
import type { SessionId } from '../../base/ids.ts';
import { asList, asText, isObject, parseJson } from '../../base/text/json.ts';
import { readFilesTouched, sessionsDir, trackingFile } from '../tracking-file.ts';

/** What a status line tells of a session, from its own files alone: neither other sessions nor its length matter. */
export interface SessionGlance {
  readonly sessionId: SessionId;
  /** As metadata names it; empty before its first prompt. */
  readonly agentType: string;
  /** Since the last commit of its work. */
  readonly steps: number;
  /** That it touched, and that no commit took. */
  readonly files: number;
}

/** `undefined` for a session that nothing is known of. Without the lock, and without a schema library. */
export function glanceAt(commonDir: string, id: SessionId): SessionGlance | undefined {
  const dir = sessionsDir(commonDir);
  const state =
    readOwnIfUsable(join(dir, `${id}.json`), 'record') ??
    readOwnIfUsable(join(commonDir, 'entire', 'archive', `${id}.json`), 'record');
  const value = state === undefined ? undefined : parseJson(state);
  const tracked = readTracked(dir, id);
  if (!isObject(value))
    return tracked.length === 0 ? undefined : { ...NEW, sessionId: id, files: tracked.length };
  const { checkpoint_count: steps } = value;
  const known = asList(value.files_touched).filter((path) => typeof path === 'string');
  return {
    sessionId: id,
    agentType: asText(value.agent_type),
    steps: typeof steps === 'number' && steps > 0 ? steps : 0,
    files: new Set([...known, ...tracked]).size,
  };
}

const NEW = { agentType: '', steps: 0 };

/** Claims stand beside it only while a hook of the session is at work, or was killed; to find them takes a look at all sessions. */
function readTracked(dir: string, id: SessionId): readonly string[] {
  if (lstatIfExists(join(dir, `${id}.lock`)) !== undefined) return readFilesTouched(dir, id);
  const file = trackingFile(dir, id);
  if (!disk.existsSync(file)) return [];
  return (readOwnIfUsable(file, 'list') ?? '').split('\n').filter((line) => line !== '');
}
