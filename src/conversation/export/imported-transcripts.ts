import { join } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { createFileAtomic, writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { sha256Of } from '../../base/hash.ts';
import { parseSessionId, parseToolUseId, type SessionId } from '../../base/ids.ts';
import { asObject, asObjects, asText, parseJson } from '../../base/text/json.ts';
import { withSessionLock } from '../../session/lock.ts';
import { WAIT_MS } from '../storage/storage.ts';
import { bytesOf, type ExportedTranscript, type TranscriptOwner, toTranscript } from './envelope.ts';

/** What came with an imported session beside it. */
export interface Imported {
  readonly cliOrigin: string;
  readonly transcripts: readonly ExportedTranscript[];
}

/** `<folder>/<session id>/import.json`; names in it are those on disk. */
interface Manifest {
  readonly version: 1;
  readonly cli_origin: string;
  /** The bytes of each lie beside it, in a file that is named after their SHA-256. */
  readonly transcripts: readonly (TranscriptOwner & { readonly sha256: string })[];
}

const MANIFEST = 'import.json';
/** Beside the folders of sessions; no id begins so. */
const LOCKS = '.locks';

/**
 * Runs `body` while nobody else imports a session of that id, or deletes it.
 *
 * @param folder see {@link importsFolder}
 * @throws {EntireError} `LOCKED`; what `body` throws; the system error
 */
export function withImports<T>(folder: string, id: SessionId, body: () => Promise<T>): Promise<T> {
  const locks = join(folder, LOCKS);
  disk.mkdirSync(locks, { recursive: true, mode: 0o700 });
  return withSessionLock(locks, id, body, { waitMs: WAIT_MS });
}

/**
 * Keeps what came with a session; the manifest is written last.
 *
 * @param folder see {@link importsFolder}
 * @throws the system error
 */
export function keepImported(
  folder: string,
  id: SessionId,
  { cliOrigin, transcripts }: { cliOrigin: string; transcripts: readonly ExportedTranscript[] },
): void {
  disk.mkdirSync(join(folder, id), { recursive: true, mode: 0o700 });
  for (const transcript of transcripts)
    createFileAtomic(join(folder, id, transcript.sha256), bytesOf(transcript), { fsync: true });
  const manifest: Manifest = {
    version: 1,
    cli_origin: cliOrigin,
    transcripts: transcripts.map(({ agent, session_id, subagent_id, sha256 }) => ({
      agent,
      session_id,
      subagent_id,
      sha256,
    })),
  };
  writeFileAtomic(join(folder, id, MANIFEST), `${JSON.stringify(manifest)}\n`, { fsync: true });
}

/**
 * What came with a session; `undefined` for one that was not imported.
 *
 * @throws {EntireError} `STATE_UNREADABLE` where that is damaged, or of a later version
 */
export function readImported(folder: string, id: SessionId): Imported | undefined {
  const dir = join(folder, id);
  const text = readOwnText(join(dir, MANIFEST), 'record');
  if (text === undefined) return undefined;
  const { version, cli_origin, transcripts } = asObject(parseJson(text));
  if (version !== 1 || !Array.isArray(transcripts)) throw unreadable(join(dir, MANIFEST));
  return {
    cliOrigin: asText(cli_origin),
    transcripts: asObjects(transcripts).map((entry) => {
      const { agent, session_id, subagent_id, sha256: digest } = entry;
      const own = subagent_id === null ? null : parseToolUseId(subagent_id);
      const session = parseSessionId(session_id);
      if (!session || own === undefined || !/^[0-9a-f]{64}$/.test(asText(digest)))
        throw unreadable(join(dir, MANIFEST));
      const file = join(dir, asText(digest));
      const bytes = disk.readFileSync(file);
      if (sha256Of(bytes) !== digest) throw unreadable(file);
      return toTranscript({ agent: asText(agent), session_id: session, subagent_id: own }, bytes);
    }),
  };
}

/** Removes what came with a session; nothing where nothing did. @throws the system error */
export const removeImported = (folder: string, id: SessionId): void =>
  disk.rmSync(join(folder, id), { recursive: true, force: true });

const unreadable = (file: string): EntireError =>
  new EntireError('STATE_UNREADABLE', `${file} is damaged, or of a later version.`, {
    hint: 'Import the session again under another id (`--as`). Nothing was changed.',
  });
