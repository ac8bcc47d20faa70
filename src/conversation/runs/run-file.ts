import { join } from 'node:path';
import type { AgentName } from '../../agents/names.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { asText, isObject, parseJson } from '../../base/text/json.ts';
import { parseRunId } from './run-id.ts';

/** What a run says of itself, in `run.json`. */
export interface RunFile {
  readonly runId: SessionId;
  /** The session that was talked in: of a session's first run it is the run's own id. */
  readonly sessionId: SessionId;
  readonly cliOrigin: AgentName;
  /** Where the agent worked, absolute. */
  readonly folder: string | undefined;
  /** The first prompt of the run, on one line. */
  readonly title: string | undefined;
  /** RFC 3339. */
  readonly startedAt: string | undefined;
  /** The agent's own id of the session. */
  readonly agentSessionId: SessionId | undefined;
}

/** A later one means that the fields have another meaning: then only what the run's id says is taken. */
const VERSION = 1;

export const runFile = (folder: string): string => join(folder, 'run.json');

export const renderRun = (run: RunFile): string =>
  `${JSON.stringify({
    version: VERSION,
    run_id: run.runId,
    session_id: run.sessionId,
    cli_origin: run.cliOrigin,
    folder: run.folder,
    title: run.title,
    started_at: run.startedAt,
    agent_session_id: run.agentSessionId,
  })}\n`;

/**
 * Reads `run.json`. Its id and agent are those of the folder's name, whatever the text says, which may be broken or missing.
 *
 * @returns `undefined` when the name is not that of a run
 */
export function parseRun(name: string, text: string): RunFile | undefined {
  const id = parseRunId(name);
  if (!id) return undefined;
  const value = parseJson(text);
  const told = isObject(value) && value.version === VERSION ? value : {};
  const runId = name as SessionId;
  return {
    runId,
    sessionId: parseSessionId(told.session_id) ?? runId,
    cliOrigin: id.agent,
    folder: asText(told.folder) || undefined,
    title: asText(told.title) || undefined,
    startedAt: asText(told.started_at) || id.at.toISOString(),
    agentSessionId: parseSessionId(told.agent_session_id),
  };
}
