import * as z from 'zod/mini';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { parseRepoPath, type RepoPath } from '../../base/repo-path.ts';
import type { UserLinesRecord } from '../../session/record/user-lines.ts';
import { type Effect, parseRecord, type SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';

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
  /** Why it was clear from the beginning that nothing takes its place. */
  readonly refused?: string | undefined;
  /** By what is known then that is given up in it. */
  readonly abandoned?: readonly string[] | undefined;
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
  /** Sessions that went back along. */
  readonly others: readonly OtherMore[];
  /** Logs alone went back, and files stay: nothing that was said or done is left out of what is committed. */
  readonly isOfLogs?: boolean | undefined;
}

/** What going back changed in another session. */
export interface OtherMore extends Pick<RewindMore, 'sessionId' | 'state' | 'userLines' | 'files'> {
  /** The record in its store that says which of its turns were taken back, by its id, and as it stands there. */
  readonly record: { readonly id: string; readonly value: unknown };
}

/** The sessions beside its own that effects are about. */
export const othersOf = (effects: readonly { readonly note: unknown }[]): SessionId[] =>
  effects.flatMap(({ note }) => parseMore(note)?.others.map(({ sessionId }) => sessionId) ?? []);

/**
 * Whether a record in the store of a session that went along is the one that says so, whatever its id is by now: done again behind what
 * that session did meanwhile, it has another one.
 *
 * @param own the session that went back
 */
export function isNoteOf(own: SessionId, { record }: OtherMore): (noted: SnapshotRecord) => boolean {
  const { of } = parseRecord(record.id, record.value);
  return (noted) => noted.within === own && noted.of.join() === of.join();
}

/** Of those sessions, which records go when the effects are taken back: what they say of turns is over then. */
export const notesOfOthers = (
  effects: readonly Effect[],
): Array<readonly [SessionId, (record: SnapshotRecord) => boolean]> =>
  effects.flatMap(({ isBack, note }) => {
    const more = isBack ? undefined : parseMore(note);
    return more
      ? more.others.map((other) => [other.sessionId, isNoteOf(more.sessionId, other)] as const)
      : [];
  });

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
const known = z.optional(z.object({ since: z.string(), files: z.record(z.string(), userLines) }));
const stored = z.object({
  version: z.literal(1),
  session_id: z.string(),
  ref: z.string().check(z.regex(/^refs\/heads\/entire\/[0-9a-f-]+$/i)),
  target: z.string(),
  tip: z.string(),
  owned: paths,
  state: z.object({ before: text, after: text }),
  user_lines: known,
  files: paths,
  logs: z.optional(
    z.array(
      z.object({
        file: z.string(),
        kept: text,
        sha256: z.string(),
        bytes: z.optional(z.number()),
        next: text,
        refused: text,
        abandoned: z.optional(paths),
      }),
    ),
  ),
  of_logs: z.optional(z.boolean()),
  others: z.optional(
    z.array(
      z.object({
        session_id: z.string(),
        state: z.object({ before: text, after: text }),
        user_lines: known,
        files: paths,
        record: z.object({ id: z.string().check(z.regex(/^\d{13}-[0-9a-f]{12}$/)), value: z.unknown() }),
      }),
    ),
  ),
});

/** Whether the conversation alone went back, or came back: files and steps are what they were. */
export const isOfLogsAlone = ({ files, effects }: Pick<SnapshotRecord, 'files' | 'effects'>): boolean =>
  files.size === 0 && effects.length > 0 && effects.every(({ note }) => parseMore(note)?.isOfLogs === true);

/** As it stands in the record. */
export function toStoredMore(more: RewindMore): Record<string, unknown> {
  const { sessionId, userLines: lines, others, isOfLogs, ...rest } = more;
  return {
    ...{ version: 1, session_id: sessionId, ...rest, user_lines: toStoredLines(lines) },
    ...(isOfLogs && { of_logs: true }),
    ...(others.length > 0 && {
      others: others.map(({ sessionId: id, userLines: own, ...other }) => ({
        ...{ session_id: id, ...other, user_lines: toStoredLines(own) },
      })),
    }),
  };
}

const toStoredLines = (lines: UserLinesRecord | undefined) =>
  lines && { since: lines.since, files: Object.fromEntries(lines.files) };

/** Reads {@link toStoredMore}; `undefined` for what another operation left. */
export function parseMore(value: unknown): RewindMore | undefined {
  const { data } = stored.safeParse(value);
  const sessionId = parseSessionId(data?.session_id);
  if (!data || !sessionId) return undefined;
  const { version: _, session_id: __, user_lines: lines, others, of_logs: isOfLogs, ...rest } = data;
  return {
    ...rest,
    ...parseOwn({ ...rest, user_lines: lines }),
    sessionId,
    owned: toPaths(rest.owned),
    logs: rest.logs ?? [],
    isOfLogs,
    others: (others ?? []).flatMap(({ session_id: name, record, ...own }) => {
      const id = parseSessionId(name);
      return id ? [{ ...parseOwn(own), sessionId: id, record: { id: record.id, value: record.value } }] : [];
    }),
  };
}

const toPaths = (list: readonly string[]): RepoPath[] => list.flatMap((path) => parseRepoPath(path) ?? []);

type StoredOwn = Pick<z.infer<typeof stored>, 'state' | 'files' | 'user_lines'>;

const parseOwn = ({ state, files, user_lines: lines }: StoredOwn) => ({
  state: { before: state.before ?? '', after: state.after ?? '' },
  userLines: lines && { since: lines.since, files: new Map(Object.entries(lines.files)) },
  files: toPaths(files),
});
