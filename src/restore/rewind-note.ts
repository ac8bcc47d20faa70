import * as z from 'zod/mini';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import { parseRepoPath, type RepoPath } from '../base/repo-path.ts';
import type { UserLinesRecord } from '../session/user-lines.ts';

/** A log that going back replaces. */
export interface ReplacedLog {
  readonly file: string;
  /** Where the one before is kept; `undefined` where there was none. */
  readonly kept?: string | undefined;
  /** SHA-256 of what takes its place. */
  readonly sha256: string;
  /** So many bytes of the kept one take its place; `undefined` where it is another text. */
  readonly bytes?: number | undefined;
  /** Where that other text is kept. */
  readonly next?: string | undefined;
}

/**
 * What going back to a step changes besides files of the worktree: kept in the record of the operation, so that it can be
 * finished by another process, and taken back.
 */
export interface RewindMore {
  readonly sessionId: SessionId;
  /** The shadow branch, and the step it is to end with, apart from later steps of other sessions. */
  readonly ref: string;
  readonly target: string;
  /** Its tip before. */
  readonly tip: string;
  /** Paths of the session that no other session wrote. */
  readonly owned: readonly RepoPath[];
  /** The state, whole. Empty for a session without one. */
  readonly state: { readonly before: string; readonly after: string };
  /** The user's lines before, as far as there was a record of them. */
  readonly userLines: UserLinesRecord | undefined;
  /** Files that the session had, saved or not, before. */
  readonly files: readonly RepoPath[];
  readonly logs: readonly ReplacedLog[];
}

const text = z.optional(z.string());
const paths = z.array(z.string());
const lines = z.object({ added: z.number(), removed: z.number() });
const userLines = z.object({
  reference: z.string(),
  fingerprint: z.string(),
  measured: lines,
  user: lines,
  taken: lines,
  settled: lines,
});
const stored = z.object({
  version: z.literal(1),
  session_id: z.string(),
  ref: z.string().check(z.regex(/^refs\/heads\/entire\/[0-9a-f-]+$/i)),
  target: z.string(),
  tip: z.string(),
  owned: paths,
  state: z.object({ before: text, after: text }),
  user_lines: z.optional(z.object({ since: z.string(), files: z.record(z.string(), userLines) })),
  files: paths,
  logs: z.optional(
    z.array(
      z.object({
        file: z.string(),
        kept: text,
        sha256: z.string(),
        bytes: z.optional(z.number()),
        next: text,
      }),
    ),
  ),
});

/** As it stands in the record. */
export function toStoredMore(more: RewindMore): Record<string, unknown> {
  const { sessionId, userLines: known, ...rest } = more;
  const lost = known && { since: known.since, files: Object.fromEntries(known.files) };
  return { version: 1, session_id: sessionId, ...rest, user_lines: lost };
}

/** Reads {@link toStoredMore}; `undefined` for what another operation left. */
export function parseMore(value: unknown): RewindMore | undefined {
  const { data } = stored.safeParse(value);
  const sessionId = parseSessionId(data?.session_id);
  if (!data || !sessionId) return undefined;
  const { version: _, session_id: __, user_lines: known, ...rest } = data;
  const toPaths = (list: readonly string[]) => list.flatMap((path) => parseRepoPath(path) ?? []);
  return {
    ...rest,
    sessionId,
    owned: toPaths(rest.owned),
    state: { before: rest.state.before ?? '', after: rest.state.after ?? '' },
    userLines: known && { since: known.since, files: new Map(Object.entries(known.files)) },
    files: toPaths(rest.files),
    logs: rest.logs ?? [],
  };
}
