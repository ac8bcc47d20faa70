import { join } from 'node:path';
import * as z from 'zod/mini';
import { disk, listNames } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';

/**
 * What has to be known at the end of a private stretch, to leave it out: `<git-common-dir>/entire/pauses/<pause>/begin.json`, and
 * `<session>.json` beside it of each session whose hooks ran meanwhile. No contents. Gone with the stretch.
 */
export interface PauseBegin {
  /** Worktrees in which files may change, by their id. */
  readonly worktrees: ReadonlyMap<
    string,
    { readonly root: string; readonly paths: ReadonlyMap<string, string> }
  >;
  /** Where the transcripts ended. */
  readonly sessions: ReadonlyMap<SessionId, TranscriptEnd>;
}

export interface TranscriptEnd {
  readonly agentType: string;
  readonly transcriptPath: string;
  readonly bytes: number;
  /** Messages, of a transcript that is one document; else 0. */
  readonly items: number;
}

/** What became of a session in the stretch, by the last of its hooks that says. */
export interface SeenSession {
  readonly agentType: string;
  readonly transcriptPath: string;
  readonly phase: 'active' | 'idle' | 'ended' | undefined;
}

const folder = (commonDir: string, pause: string): string => join(commonDir, 'entire', 'pauses', pause);
const beginFile = (commonDir: string, pause: string): string => join(folder(commonDir, pause), 'begin.json');

const count = z.int().check(z.nonnegative());
const storedBegin = z.object({
  version: z.literal(1),
  worktrees: z.record(z.string(), z.object({ root: z.string(), paths: z.record(z.string(), z.string()) })),
  sessions: z.record(
    z.string(),
    z.object({ agent_type: z.string(), transcript_path: z.string(), bytes: count, items: count }),
  ),
});
const storedSeen = z.object({
  version: z.literal(1),
  agent_type: z.string(),
  transcript_path: z.string(),
  phase: z.optional(z.enum(['active', 'idle', 'ended'])),
});

/** @throws the system error */
export function writePauseBegin(commonDir: string, pause: string, { worktrees, sessions }: PauseBegin): void {
  const value = {
    version: 1,
    worktrees: Object.fromEntries(
      [...worktrees].map(([id, { root, paths }]) => [id, { root, paths: Object.fromEntries(paths) }]),
    ),
    sessions: Object.fromEntries(
      [...sessions].map(([id, { agentType, transcriptPath, bytes, items }]) => [
        id,
        { agent_type: agentType, transcript_path: transcriptPath, bytes, items },
      ]),
    ),
  };
  writeFileAtomic(beginFile(commonDir, pause), JSON.stringify(value), { fsync: true });
}

/** `undefined` where it is missing or broken: then the times of what was said are all there is. */
export function readPauseBegin(commonDir: string, pause: string): PauseBegin | undefined {
  try {
    const { worktrees, sessions } = storedBegin.parse(
      JSON.parse(readOwnText(beginFile(commonDir, pause), 'record') ?? 'null'),
    );
    return {
      worktrees: new Map(
        Object.entries(worktrees).map(([id, { root, paths }]) => [
          id,
          { root, paths: new Map(Object.entries(paths)) },
        ]),
      ),
      sessions: new Map(
        Object.entries(sessions).flatMap(([name, end]): Array<[SessionId, TranscriptEnd]> => {
          const id = parseSessionId(name);
          const { agent_type: agentType, transcript_path: transcriptPath, bytes, items } = end;
          return id ? [[id, { agentType, transcriptPath, bytes, items }]] : [];
        }),
      ),
    };
  } catch {
    return undefined;
  }
}

/** A hook of a session ran in the stretch. Replaces what the one before noted. @throws the system error */
export function noteSeen(commonDir: string, pause: string, id: SessionId, seen: SeenSession): void {
  const known = readSeen(commonDir, pause, id);
  const value = {
    version: 1,
    agent_type: seen.agentType,
    transcript_path: seen.transcriptPath || (known?.transcriptPath ?? ''),
    phase: seen.phase ?? known?.phase,
  };
  writeFileAtomic(join(folder(commonDir, pause), `${id}.json`), JSON.stringify(value));
}

function readSeen(commonDir: string, pause: string, id: SessionId): SeenSession | undefined {
  try {
    const value = storedSeen.parse(
      JSON.parse(readOwnText(join(folder(commonDir, pause), `${id}.json`), 'record') ?? 'null'),
    );
    return { agentType: value.agent_type, transcriptPath: value.transcript_path, phase: value.phase };
  } catch {
    return undefined;
  }
}

/** The sessions whose hooks ran in a stretch. */
export function listSeen(commonDir: string, pause: string): ReadonlyMap<SessionId, SeenSession> {
  const ids = listNames(folder(commonDir, pause)).flatMap((name) =>
    name === 'begin.json' || !name.endsWith('.json') ? [] : (parseSessionId(name.slice(0, -5)) ?? []),
  );
  return new Map(
    ids.flatMap((id): Array<[SessionId, SeenSession]> => {
      const seen = readSeen(commonDir, pause, id);
      return seen ? [[id, seen]] : [];
    }),
  );
}

/** The stretch is over, and what was needed for it is elsewhere. @throws the system error */
export const dropPauseNotes = (commonDir: string, pause: string): void =>
  disk.rmSync(folder(commonDir, pause), { recursive: true, force: true });

/** The same of all stretches, once none goes on. */
export const dropAllPauseNotes = (commonDir: string): void =>
  disk.rmSync(join(commonDir, 'entire', 'pauses'), { recursive: true, force: true });
