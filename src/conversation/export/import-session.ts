import { EntireError } from '../../base/errors.ts';
import { sha256Of } from '../../base/hash.ts';
import type { SessionId } from '../../base/ids.ts';
import { importsFolder } from '../home.ts';
import type { SessionData } from '../session-data.ts';
import { requireId, type Storage } from '../storage/storage.ts';
import { type ExportEnvelope, type ExportedTranscript, renderEnvelope } from './envelope.ts';
import { exportKept } from './export-session.ts';
import { keepImported, removeImported, withImports } from './imported-transcripts.ts';

export interface ImportOptions {
  /** Where the session is kept. */
  readonly storage: Storage;
  /** Keeps it under this id. */
  readonly as?: string | undefined;
  /** Where the transcripts that come with it are kept. Default: `~/.entire/imports`. */
  readonly importsDirectory?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface ImportOutcome {
  readonly sessionId: SessionId;
  /**
   * `imported`, or `unchanged` when it was there already. `forked`: its id was taken by something else, so that it has another
   * one, the same for the same file; the session of its own id is its parent.
   */
  readonly outcome: 'imported' | 'unchanged' | 'forked';
}

/** Forks of one file that were each gone on with. */
const MAX_FORKS = 1000;

/**
 * Keeps an exported session as one of ours; replaces nothing.
 *
 * @throws {EntireError} `SESSION_EXISTS` when the id of `as` is taken by something else; `INVALID_ID`; what
 * {@link Storage.save} throws
 */
export async function importSession(
  envelope: ExportEnvelope,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { session } = envelope;
  const own = requireId(options.as ?? session.session_id);
  const renamed = { ...session, session_id: own };
  const first = await keepUnlessTaken(envelope, renamed, options);
  if (first) return { sessionId: own, outcome: first };
  if (options.as !== undefined)
    throw new EntireError('SESSION_EXISTS', `another session is kept under ${own}.`, {
      hint: 'Choose another id for `--as`. Nothing was written.',
    });
  const digest = sha256Of(renderEnvelope(envelope));
  for (let attempt = 0; attempt < MAX_FORKS; attempt += 1) {
    const id = requireId(forkId(`${digest} ${attempt}`));
    const fork = { ...session, session_id: id, parent_id: own };
    const outcome = await keepUnlessTaken(envelope, fork, options);
    if (outcome) return { sessionId: id, outcome: outcome === 'imported' ? 'forked' : outcome };
  }
  throw new EntireError('SESSION_EXISTS', `${own} and its forks are taken by other sessions.`, {
    hint: 'Give it an id with `--as`. Nothing was written.',
  });
}

/** @returns `undefined` when something else is kept under the id */
async function keepUnlessTaken(
  envelope: ExportEnvelope,
  session: SessionData,
  options: ImportOptions,
): Promise<'imported' | 'unchanged' | undefined> {
  const { importsDirectory = importsFolder(options.env) } = options;
  const id = requireId(session.session_id);
  return withImports(importsDirectory, id, () => keepLocked(envelope, session, importsDirectory, options));
}

async function keepLocked(
  { cli_origin, transcripts }: ExportEnvelope,
  session: SessionData,
  folder: string,
  options: ImportOptions,
): Promise<'imported' | 'unchanged' | undefined> {
  const id = requireId(session.session_id);
  const kept = await exportKept(id, options);
  if (kept && !isSame(kept, session, transcripts)) return undefined;
  if (kept && (kept.transcripts.length > 0 || transcripts.length === 0)) return 'unchanged';
  if (!kept) removeImported(folder, id); // of a session that was deleted
  try {
    keepImported(folder, id, { cliOrigin: cli_origin, transcripts });
    if (!kept) await options.storage.save(id, session, null);
    return 'imported';
  } catch (error) {
    removeImported(folder, id);
    // A chat that began under this id meanwhile was first.
    if (error instanceof EntireError && error.code === 'SESSION_MOVED') return undefined;
    throw error;
  }
}

/** Whether what is kept is the session, with all transcripts or none. */
function isSame(
  kept: ExportEnvelope,
  session: SessionData,
  transcripts: readonly ExportedTranscript[],
): boolean {
  if (JSON.stringify(kept.session) !== JSON.stringify(session)) return false;
  const known = new Set(kept.transcripts.map(({ sha256 }) => sha256));
  return known.size === 0 || transcripts.every(({ sha256 }) => known.has(sha256));
}

/** A UUID that is made of a text: the eighth version is for that. @see https://www.rfc-editor.org/rfc/rfc9562#section-5.8 */
function forkId(text: string): string {
  const hex = sha256Of(text);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ];
  return parts.join('-');
}
