/** Everything that can go wrong in a way we foresaw. The code is stable; the sentence is for people. */
export type ErrorCode =
  | 'AGENT_FAILED'
  | 'AGENT_TIMED_OUT'
  | 'BAD_FLAGS'
  | 'COMMIT_REFUSED'
  | 'CONFIG_UNREADABLE'
  | 'CONSENT_MISSING'
  | 'DIRTY'
  | 'FILE_REFUSED'
  | 'GIT_FAILED'
  | 'HOOK_INPUT'
  | 'IMPORT_REFUSED'
  | 'INDEX_LOCKED'
  | 'INVALID_ID'
  | 'LOCKED'
  | 'NOT_A_REPO'
  | 'NOT_FOUND'
  | 'NOTHING_TO_UNDO'
  | 'NO_CONVERSATION'
  | 'NO_REMOTE'
  | 'PLUGIN_FAILED'
  | 'REDACTION_FAILED'
  | 'REF_LOCKED'
  | 'REF_MOVED'
  | 'REMOTE_FAILED'
  | 'SESSION_BUSY'
  | 'SESSION_EXISTS'
  | 'SESSION_TOO_LARGE'
  | 'SESSION_MOVED'
  | 'SNAPSHOT_DAMAGED'
  | 'STATE_UNREADABLE'
  | 'SUMMARY_FAILED'
  | 'UNDO_CONFLICT'
  | 'UNDO_UNFINISHED'
  | 'UNSUPPORTED'
  | 'WORKTREE_REFUSED'
  | 'WRITE_FAILED';

/** A failure we foresaw. Printed as one line and a hint; anything else is a bug and keeps its stack. */
export class EntireError extends Error {
  override readonly name = 'EntireError'; // set by hand: bundlers rename classes
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** What is no regular file of a bearable size, or leads where it must not. */
export class FileRefused extends EntireError {
  readonly file: string;
  /** As the end of a sentence that begins with the file: `it is …`. */
  readonly reason: string;

  constructor(file: string, reason: string) {
    super('FILE_REFUSED', `${file} is not read: it is ${reason}.`, {
      hint: 'Look at what stands there, and put a regular file in its place or remove it.',
    });
    this.file = file;
    this.reason = reason;
  }
}

/** The `code` of a Node system error (`ENOENT`, `EACCES` …), or `undefined`. */
export function errnoOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** One line for a log: the message of an error and of its causes. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describeError(error.cause)}`;
}
