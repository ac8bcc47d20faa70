import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import type { Replaced } from '../../base/file/swaps.ts';
import { parseSessionId, parseToolUseId, type SessionId } from '../../base/ids.ts';
import { asObject, asObjects, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { AgentEvent, EventBase, FileEdit, FileRead, Rejected } from '../event.ts';
import { type PatchTold, readPatch } from '../shared/apply-patch.ts';
import { describeBadId, NOT_AN_OBJECT, replacedTexts, text } from '../shared/payload.ts';

/**
 * Translates the payload of one hook verb. `undefined` when the verb or the payload stands for no event: what a
 * sub-agent is asked and when it stops is told under an id of its own, and is told again in the words of its session.
 *
 * Hooks get `camelCase` where the settings name their event so, and `snake_case` with Claude's names for tools where
 * they name it as Claude does, as VS Code wants it. Both are read.
 *
 * @see https://docs.github.com/en/copilot/reference/hooks-reference
 */
export function parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined {
  if (!isObject(payload)) return NOT_AN_OBJECT;
  if (isOfAnotherEvent(verb, payload)) return undefined;
  switch (verb) {
    case 'post-file-edit':
      return parseFileEdit(payload);
    case 'post-shell':
      return parseShellCommand(payload);
    case 'subagent-start':
    case 'subagent-stop':
      return parseSubagent(verb, payload);
  }
  if (isOfSubagent(payload)) return undefined;
  const base = parseBase(payload);
  if ('rejected' in base) return base;
  switch (verb) {
    case 'session-start':
      return { type: 'SessionStart', ...base, source: text(payload.source), mayBeInTurn: true };
    case 'user-prompt-submitted':
      return { type: 'TurnStart', ...base, prompt: text(payload.prompt) ?? '' };
    case 'agent-stop':
      return {
        type: 'TurnEnd',
        ...base,
        lastAssistantMessage: undefined,
        transcriptMark: markOf(payload),
        runningAgents: undefined,
      };
    case 'session-end':
      // Without a terminal every turn ends like this, also one that is followed by another.
      return { type: 'SessionEnd', ...base, mayGoOn: payload.reason === 'complete' };
    case 'pre-compact':
      return { type: 'Compaction', ...base };
    default:
      return undefined;
  }
}

/** Copilot CLI's hooks. */
export const copilotHooks = { parseFileEdit, parseFileRead, parseHookInput };

/**
 * The client notes in the transcript that it runs this hook, with the time that it also tells the hook. It does so up to
 * a tenth of a second later, and with it what it has kept back until then.
 */
function markOf({ timestamp }: JsonObject): string | undefined {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp;
  return Number.isSafeInteger(time) ? `"timestamp":${time}` : undefined;
}

/** What every payload tells. Most name no transcript: it lies where the client keeps it. */
function parseBase(payload: JsonObject, given: unknown = idOf(payload)): EventBase | Rejected {
  const sessionId = parseSessionId(given);
  if (sessionId === undefined) return { rejected: describeBadId(given, 'sessionId') };
  return {
    sessionId,
    cwd: text(payload.cwd),
    transcriptPath: pathOf(payload) ?? transcriptOf(process.env, sessionId),
  };
}

/** Where the client keeps the transcript of a session. `ENTIRE_TEST_COPILOT_PROJECT_DIR` stands in for its folder. */
export const transcriptOf = (env: NodeJS.ProcessEnv, sessionId: string): string =>
  join(sessionsFolder(env), sessionId, 'events.jsonl');

/** The folder that all sessions lie below. */
export const sessionsFolder = (env: NodeJS.ProcessEnv): string =>
  env.ENTIRE_TEST_COPILOT_PROJECT_DIR
    ? resolve(env.ENTIRE_TEST_COPILOT_PROJECT_DIR)
    : join(clientHome(env), 'session-state');

/** The client's own folder: `COPILOT_HOME`, else `~/.copilot`. */
export const clientHome = (env: NodeJS.ProcessEnv): string =>
  env.COPILOT_HOME ? resolve(env.COPILOT_HOME) : join(env.HOME || homedir(), '.copilot');

/** Sub-agents have a parent; older clients gave them the id of the tool call that they work for. */
const isOfSubagent = (payload: JsonObject): boolean =>
  parentOf(payload) !== undefined || (text(idOf(payload)) ?? '').startsWith('toolu_');

/**
 * A sub-agent begins or stops. Its tool call is named nowhere, so that its own id stands for it. One that was begun by
 * another sub-agent comes under an id that means nothing; whose it is shows in where the transcript lies.
 */
function parseSubagent(
  verb: 'subagent-start' | 'subagent-stop',
  payload: JsonObject,
): AgentEvent | Rejected | undefined {
  const agentId = parseToolUseId(payload.agentId ?? payload.agent_id);
  const transcript = pathOf(payload);
  const owner = transcript === undefined ? idOf(payload) : basename(dirname(transcript));
  if (agentId === undefined || text(owner)?.startsWith('toolu_')) return undefined;
  const base = parseBase(payload, owner);
  if ('rejected' in base) return base;
  const task = {
    ...base,
    toolUseId: agentId,
    subagentType: text(payload.agentType ?? payload.agent_type) ?? '',
    description: '',
    agentId,
  };
  if (verb === 'subagent-start') return { type: 'SubagentStart', ...task };
  return {
    type: 'SubagentEnd',
    ...task,
    subagentTranscriptPath: undefined,
    lastAssistantMessage: text(payload.response),
    transcriptMark: markOf(payload),
  };
}

/** Tools that write the files they name, in the client's words and in Claude's. */
const EDIT_TOOLS: ReadonlySet<string> = new Set([
  'create',
  'edit',
  'str_replace_editor',
  'apply_patch',
  'Write',
  'Edit',
  'MultiEdit',
]);

/**
 * Translates what comes after a tool. `undefined` when the tool changed no file that it names, and for a sub-agent
 * that another one began: nothing says which session that is, and the scan at the end of the turn finds its files.
 */
export function parseFileEdit(payload: unknown): FileEdit | Rejected | undefined {
  if (!isObject(payload)) return NOT_AN_OBJECT;
  const tool = text(payload.toolName ?? payload.tool_name) ?? '';
  if (!EDIT_TOOLS.has(tool)) return undefined;
  const given = payload.toolArgs ?? payload.tool_input;
  const { paths, replaced, moved } = readEdit(tool, parseIfJson(given));
  if (paths.length === 0) return undefined;
  const base = parseWorker(payload);
  if (base === undefined || 'rejected' in base) return base;
  return {
    type: 'FileEdit',
    ...base,
    tool,
    paths,
    isShell: false,
    agentId: parseToolUseId(payload.agentId ?? payload.agent_id),
    before: undefined,
    replaced,
    moved,
  };
}

/** The client's word and Claude's. */
const READ_TOOLS: ReadonlySet<string> = new Set(['view', 'Read']);

/**
 * Translates what comes after a tool that shows a file, sub-agents' included. It shows folders, too, and nothing says which it was.
 * A call that failed has an event of its own.
 */
export function parseFileRead(payload: unknown): FileRead | Rejected | undefined {
  if (!isObject(payload)) return NOT_AN_OBJECT;
  if (!READ_TOOLS.has(text(payload.toolName ?? payload.tool_name) ?? '') || isFailure(payload))
    return undefined;
  const paths = namedPaths(payload.toolArgs ?? payload.tool_input);
  if (paths.length === 0) return undefined;
  const base = parseWorker(payload);
  return base === undefined || 'rejected' in base ? base : { type: 'FileRead', ...base, paths };
}

/** Older clients say so here; of the event for failures the error is told. */
function isFailure(payload: JsonObject): boolean {
  const { resultType = 'success' } = asObject(payload.toolResult);
  return resultType !== 'success' || payload.error !== undefined;
}

const SHELLS: ReadonlySet<string> = new Set(['bash', 'powershell', 'Bash', 'PowerShell']);

/** A command of a sub-agent in the background may outlive every turn: it is told, too. */
function parseShellCommand(payload: JsonObject): AgentEvent | Rejected | undefined {
  if (!SHELLS.has(text(payload.toolName ?? payload.tool_name) ?? '')) return undefined;
  const base = parseWorker(payload);
  if (base === undefined || 'rejected' in base) return base;
  return { type: 'ShellCommand', ...base, isSubagent: parentOf(payload) !== undefined };
}

/** The session that a tool was used for, by itself or by a sub-agent that it began. */
function parseWorker(payload: JsonObject): EventBase | Rejected | undefined {
  const parent = parentOf(payload);
  const base = parseBase(payload, parent ?? idOf(payload));
  if ('rejected' in base) return base;
  const isKnown = parent === undefined ? !isOfSubagent(payload) : isSession(base.sessionId);
  return isKnown ? base : undefined;
}

/** Only sessions have folders of their own. */
const isSession = (id: SessionId): boolean => disk.existsSync(dirname(transcriptOf(process.env, id)));

/** What a JSON text stands for; anything else as it is. */
const parseIfJson = (given: unknown): unknown =>
  typeof given === 'string' ? (parseJson(given) ?? given) : given;

/** The arguments of `apply_patch` may be the envelope itself; those of other tools are an object, or its JSON text. */
function readEdit(tool: string, args: unknown): PatchTold {
  if (tool === 'apply_patch') return readPatch(patchIn(args));
  const input = asObject(args);
  const paths = input.command === 'view' ? [] : namedPaths(input);
  return { paths, replaced: replacedBy(tool, input), moved: new Map() };
}

function patchIn(args: unknown): string {
  const patch = isObject(args) ? (args.input ?? args.patch) : args;
  return typeof patch === 'string' ? patch : '';
}

/** The texts that a tool replaced. */
function replacedBy(tool: string, input: JsonObject): ReadonlyMap<string, Replaced> {
  const edits = tool === 'MultiEdit' ? asObjects(input.edits) : [input];
  const swaps = edits.map(
    (edit) => [edit.old_str ?? edit.old_string, edit.new_str ?? edit.new_string] as const,
  );
  return replacedTexts(namedPaths(input)[0] ?? '', swaps);
}

function namedPaths(given: unknown): string[] {
  const args = asObject(parseIfJson(given));
  return [text(args.path) ?? text(args.file_path) ?? text(args.filePath) ?? []].flat();
}

/** Which verb each event is for, by the names that payloads may give it. */
const EVENTS: Readonly<Record<string, string>> = {
  sessionstart: 'session-start',
  userpromptsubmit: 'user-prompt-submitted',
  userpromptsubmitted: 'user-prompt-submitted',
  stop: 'agent-stop',
  agentstop: 'agent-stop',
  sessionend: 'session-end',
  precompact: 'pre-compact',
  subagentstart: 'subagent-start',
  subagentstop: 'subagent-stop',
};

/** VS Code names the event in its payloads, and may run a hook for one that is not its own. */
function isOfAnotherEvent(verb: string, payload: JsonObject): boolean {
  const event = text(payload.hookEventName ?? payload.hook_event_name)?.toLowerCase();
  if (event === undefined) return false;
  const own = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined;
  return own === undefined ? Object.values(EVENTS).includes(verb) : own !== verb;
}

const idOf = (payload: JsonObject): unknown => payload.sessionId ?? payload.session_id;
const parentOf = (payload: JsonObject): unknown => payload.parentAgentId ?? payload.parent_agent_id;
const pathOf = (payload: JsonObject): string | undefined =>
  text(payload.transcriptPath ?? payload.transcript_path);
