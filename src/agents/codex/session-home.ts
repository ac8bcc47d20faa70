import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { SessionId } from '../../base/ids.ts';
import type { SessionHome } from '../shared/session/session-home.ts';
import { newTimedId } from '../shared/session/session-home.ts';
import {
  findText,
  isLines,
  type KeptFile,
  type Look,
  listKept,
  newestFirst,
  pathsIn,
} from '../shared/transcript/kept-transcripts.ts';

/**
 * Codex's transcripts: `<home>/sessions/<year>/<month>/<day>/rollout-<time>-<session>.jsonl`, where `<home>` is
 * `CODEX_HOME`, else `~/.codex`. Of what project a session is, no name says. A client that knows a session looks for
 * its rollout where it put it; any other finds it by its id, wherever it lies below `sessions`.
 * `ENTIRE_TEST_CODEX_PROJECT_DIR` stands in for the folder of every day.
 */
export const codexSessionHome: SessionHome = {
  isAgentsOwn: true,
  root: (env) => testFolder(env) ?? sessionsFolder(env),
  isOnly: () => true,

  transcript(env, _folder, sessionId, startedAt) {
    const told = startedAt && rolloutName(startedAt, sessionId, LOCAL);
    const { day, name } = rolloutNames(sessionId)[0] ?? told ?? rolloutName(new Date(), sessionId, LOCAL);
    return join(testFolder(env) ?? join(sessionsFolder(env), day), name);
  },

  isTranscriptOf: (file, sessionId) => isRolloutOf(basename(file), sessionId),

  isKeptFor(env, file) {
    const root = testFolder(env) ?? sessionsFolder(env);
    const day = dirname(file).slice(root.length + 1);
    return file.startsWith(root + sep) && (testFolder(env) ? day === '' : DAY.test(sep + day));
  },

  list(env, limit, folder, look) {
    const files = look?.isThorough ? [...newestRollouts(env, look)].sort(byTime) : newestRollouts(env, look);
    return listKept(files, { limit, folder, look }, (path, head) => {
      const [meta = ''] = head.split('\n');
      if (!meta.includes('"session_meta"') || SUB_AGENT.test(meta)) return undefined;
      return { sessionId: basename(path, '.jsonl').slice(PREFIX.length), folder: findText(meta, 'cwd') };
    });
  },

  copy(transcript, startedAt) {
    const sessionId = newTimedId(startedAt);
    const { day, name } = rolloutName(startedAt, sessionId, LOCAL);
    const dir = dirname(transcript);
    return { sessionId, file: join(DAY.test(dir) ? join(dir, '../../..', day) : dir, name) };
  },

  resumeCommand: (sessionId: SessionId) => ['codex', 'resume', sessionId],
};

const byTime = (a: KeptFile, b: KeptFile): number => b.writtenMs - a.writtenMs;

/** The end of a folder of rollouts. */
const DAY = /[\\/]\d{4}[\\/]\d\d[\\/]\d\d$/;
const PREFIX = 'rollout-2026-11-21T10-44-16-';
const SUB_AGENT = /"thread_source"\s*:\s*"subagent"|"parent_thread_id"\s*:\s*"/;

/** Rollouts, newest day first. A session of an older day that goes on is found in its place among the old ones,
 * unless all are looked at. */
function* newestRollouts(env: NodeJS.ProcessEnv, look: Look | undefined): Generator<KeptFile> {
  const isRollout = (name: string) => name.startsWith('rollout-') && isLines(name);
  const below = (dir: string, digits: RegExp) =>
    pathsIn(dir, (name) => digits.test(name), look)
      .sort()
      .reverse();
  const test = testFolder(env);
  if (test !== undefined) return yield* newestFirst(pathsIn(test, isRollout, look));
  for (const year of below(sessionsFolder(env), /^\d{4}$/))
    for (const month of below(year, /^\d\d$/))
      for (const day of below(month, /^\d\d$/)) yield* newestFirst(pathsIn(day, isRollout, look));
}

const testFolder = (env: NodeJS.ProcessEnv): string | undefined =>
  env.ENTIRE_TEST_CODEX_PROJECT_DIR ? resolve(env.ENTIRE_TEST_CODEX_PROJECT_DIR) : undefined;

/** Codex's own folder, absolute. */
export const codexHome = (env: NodeJS.ProcessEnv): string =>
  env.CODEX_HOME ? resolve(env.CODEX_HOME) : join(env.HOME || homedir(), '.codex');

const sessionsFolder = (env: NodeJS.ProcessEnv): string => join(codexHome(env), 'sessions');

const isRolloutOf = (name: string, sessionId: string): boolean =>
  /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-$/.test(name.slice(0, -`${sessionId}.jsonl`.length)) &&
  name.endsWith(`-${sessionId}.jsonl`);

/** Where below `sessions` a rollout lies. */
export interface RolloutName {
  /** `2026/11/21` */
  readonly day: string;
  readonly name: string;
}

/**
 * What the rollout of a session may be called, the likeliest first; none where its id tells no time. The id is a UUID of
 * version 7, which begins with the milliseconds since 1970; the file is named a moment later, by the wall clock of the
 * machine. A session of another machine has that one's wall clock, or as often as not UTC.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.7
 */
export function rolloutNames(id: string): RolloutName[] {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/.exec(id) ?? [];
  if (high === undefined || low === undefined) return [];
  const startedMs = Number.parseInt(high + low, 16);
  return [LOCAL, UTC].flatMap((clock) =>
    [0, 1000].map((later) => rolloutName(new Date(startedMs + later), id, clock)),
  );
}

type Clock = (date: Date) => readonly [number, number, number, number, number, number];
const LOCAL: Clock = (date) => [
  date.getFullYear(),
  date.getMonth() + 1,
  date.getDate(),
  date.getHours(),
  date.getMinutes(),
  date.getSeconds(),
];
const UTC: Clock = (date) => [
  date.getUTCFullYear(),
  date.getUTCMonth() + 1,
  date.getUTCDate(),
  date.getUTCHours(),
  date.getUTCMinutes(),
  date.getUTCSeconds(),
];

function rolloutName(date: Date, id: string, clock: Clock): RolloutName {
  const [year, month, day, ...time] = clock(date).map((part) => String(part).padStart(2, '0'));
  return {
    day: join(year ?? '', month ?? '', day ?? ''),
    name: `rollout-${year}-${month}-${day}T${time.join('-')}-${id}.jsonl`,
  };
}
