import { join } from 'node:path';
import { type AgentName, parseAgentName } from '../../agents/names.ts';
import { describeError } from '../../base/errors.ts';
import { disk, listNames, lstatIfExists, reading, readTail, writtenMsOf } from '../../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { asObject, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { eventLogFolder, sessionsFolder } from '../home.ts';
import { eventsFile } from '../runs/events.ts';
import { parseRun, type RunFile, runFile } from '../runs/run-file.ts';
import { compareRunTails, parseRunId } from '../runs/run-id.ts';

/** A run, and when something last happened in it; 0 for never. */
export interface KeptRun extends RunFile {
  /** Its folder, absolute. */
  readonly path: string;
  readonly beganMs: number;
  readonly writtenMs: number;
}

/** Told of what cannot be listed, as a sentence. */
export type OnProblem = (problem: string) => void;

/** So much of a file is read; a later `run.json` may say more than today's. */
const HEAD_BYTES = 4096;

/** The runs of this machine, newest first by the time in their ids; what is no folder with the name of a run is passed over. */
export function listRuns(env: NodeJS.ProcessEnv, onProblem: OnProblem): KeptRun[] {
  const top = eventLogFolder(env);
  const names = namesIn(top, onProblem).flatMap((name) => {
    const id = parseRunId(name);
    return id ? [{ name, id }] : [];
  });
  names.sort((a, b) => compareRunTails(a.id.tail, b.id.tail));
  return names.flatMap(({ name, id }) => {
    const path = join(top, name);
    if (!isFolder(path)) return [];
    const run = parseRun(name, readEnds(runFile(path))?.head ?? '');
    return run ? [{ ...run, path, beganMs: id.at.getTime(), writtenMs: writtenMs(eventsFile(path)) }] : [];
  });
}

/** A session in a file of ours. */
export interface StoredSession {
  readonly sessionId: SessionId;
  readonly path: string;
  readonly writtenMs: number;
  readonly agent: AgentName | undefined;
  readonly agentSessionId: SessionId | undefined;
  readonly folder: string | undefined;
  readonly title: string | undefined;
  /** What it is called. */
  readonly branch: string | undefined;
  readonly startedAt: string | undefined;
  readonly isUnanswered: boolean;
}

const ENDING = '.json';

/** Where a session is stored, if it is in a file. */
export const storedFile = (env: NodeJS.ProcessEnv, sessionId: SessionId): string =>
  join(sessionsFolder(env), `${sessionId}${ENDING}`);

/** The session that a run was of; `undefined` where there is no such run. */
export function sessionOfRun(env: NodeJS.ProcessEnv, runId: string): SessionId | undefined {
  const path = parseRunId(runId) ? join(eventLogFolder(env), runId) : undefined;
  if (path === undefined || !isFolder(path)) return undefined;
  return parseRun(runId, readEnds(runFile(path))?.head ?? '')?.sessionId;
}

/** Sessions that are stored in files; of each its beginning and its end are read. */
export function listStored(env: NodeJS.ProcessEnv, onProblem: OnProblem): StoredSession[] {
  const top = sessionsFolder(env);
  return namesIn(top, onProblem).flatMap((name) => {
    const sessionId = name.endsWith(ENDING) ? parseSessionId(name.slice(0, -ENDING.length)) : undefined;
    const path = join(top, name);
    const ends = sessionId && readEnds(path);
    if (!ends) return [];
    const { head, tail } = ends;
    const { agent, agent_memory, cwd, title, branch, unanswered } =
      metadataIn(tail) ?? metadataIn(readMore(path)) ?? partOfMetadata(tail);
    const memory = asObject(agent_memory);
    return {
      sessionId,
      path,
      writtenMs: ends.writtenMs,
      agent: parseAgentName(asText(agent)),
      agentSessionId: parseSessionId(memory.session_id),
      folder: asText(memory.cwd) || asText(cwd) || undefined,
      title: asText(title) || firstPrompt(head),
      branch: asText(branch).trim() || undefined,
      startedAt: timeIn(tail),
      isUnanswered: unanswered === true,
    };
  });
}

/** What stands last in a session; `undefined` where it is longer than what was read. */
function metadataIn(tail: string): JsonObject | undefined {
  for (let at = tail.lastIndexOf('"metadata":'); at >= 0; at = tail.lastIndexOf('"metadata":', at - 1)) {
    const value = parseJson(`{${tail.slice(at)}`);
    if (isObject(value)) return asObject(value.metadata);
    if (at === 0) break;
  }
  return undefined;
}

/** Where all of it is not there, the ids that matter may be. */
function partOfMetadata(tail: string): JsonObject {
  const [, memory = ''] = /"agent_memory":(\{[^{}]*\})/.exec(tail) ?? [];
  const [, agent] = /"agent":"([a-z-]+)"/.exec(tail) ?? [];
  return { agent, agent_memory: parseJson(memory) };
}

function timeIn(tail: string): string | undefined {
  const [, seconds] = [...tail.matchAll(/"created_at":(\d+(?:\.\d+)?)/g)].at(-1) ?? [];
  const time = new Date(Number(seconds) * 1000);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** The content of the first message, as far as it is there. */
function firstPrompt(head: string): string | undefined {
  const [, start = ''] = /"role":"user","content":("(?:[^"\\]|\\.)*"?)/.exec(head) ?? [];
  const whole = start.length > 1 && start.endsWith('"') ? start : `${start.replace(/\\u?[\da-f]*$/, '')}"`;
  return asText(parseJson(whole)).replace(/\s+/g, ' ').trim() || undefined;
}

function namesIn(dir: string, onProblem: OnProblem): string[] {
  try {
    return listNames(dir);
  } catch (error) {
    onProblem(`${dir} cannot be read: ${describeError(error)}`);
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatIfExists(path)?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function writtenMs(file: string): number {
  try {
    const stat = lstatIfExists(file);
    return stat?.isFile() ? writtenMsOf(stat) : 0;
  } catch {
    return 0;
  }
}

interface Ends {
  readonly head: string;
  /** The end; all of it where the file is short. */
  readonly tail: string;
  readonly writtenMs: number;
}

const buffer = Buffer.alloc(HEAD_BYTES);

/** What compactions keep of files makes metadata longer than most are. */
const LONG_TAIL_BYTES = 256 * 1024;

/** More of a file's end; nothing of one that is no longer than what was read, or went away meanwhile. */
function readMore(file: string): string {
  try {
    return disk.lstatSync(file).size <= HEAD_BYTES ? '' : readTail(file, LONG_TAIL_BYTES);
  } catch {
    return '';
  }
}

/** A file's beginning and end; `undefined` for what is no file with something in it, or went away meanwhile. */
function readEnds(file: string): Ends | undefined {
  try {
    const stat = disk.lstatSync(file); // a pipe would never answer
    if (!stat.isFile() || stat.size === 0) return undefined;
    return reading(file, (fd) => {
      const read = (at: number): string =>
        buffer.toString('utf8', 0, disk.readSync(fd, buffer, 0, HEAD_BYTES, at));
      const head = read(0);
      const tail = stat.size <= HEAD_BYTES ? head : read(stat.size - HEAD_BYTES);
      return { head, tail, writtenMs: writtenMsOf(stat) };
    });
  } catch {
    return undefined;
  }
}
