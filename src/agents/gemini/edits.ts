import { asObject, asObjects, asText, isObject } from '../../base/text/json.ts';
import { readPatch, replacedLines, wroteWhole } from '../shared/transcript/recorded-lines.ts';
import type { EditRecord, RecordedEdit } from '../shared/transcript/transcript.ts';
import { isPending, type Message, readMessages, type ToolCall, toolCalls } from './messages.ts';

export const SHELL = 'run_shell_command';

/** Tools that write the file they name; the last two are names of older versions. */
const EDIT_TOOLS: ReadonlySet<string> = new Set(['write_file', 'replace', 'edit_file', 'save_file']);

/** Runs a sub-agent and waits for it. Older versions have a tool for each, whose calls name the agent as well. */
const AGENT = 'invoke_agent';

/** Tools of the client that write no file of a project. */
const HARMLESS =
  /^(?:read_file|read_many_files|list_directory|glob|grep_search|search_file_content|google_web_search|web_fetch|write_todos|get_internal_docs|activate_skill|ask_user|(?:enter|exit)_plan_mode|update_topic|complete_task|(?:read|list)_mcp_resources?|tracker_\w+|list_background_processes|read_background_output)$/;

/** What tools wrote, line by line: the client notes the difference that each edit made to its file. */
export function readEdits(transcript: string): EditRecord {
  const messages = readMessages(transcript);
  const calls = [...uniqueCalls(messages)];
  const agents = calls.filter(isAgentCall).map(({ id }) => id);
  return {
    edits: calls.flatMap(editOf),
    agents: [...new Set(agents)].filter(Boolean),
    isComplete: calls.every(isAccounted) && !messages.some(isPending),
  };
}

/** Files that tools wrote. */
export const editedPaths = (messages: readonly Message[]): string[] =>
  messages.flatMap(toolCalls).flatMap((call) => (wrote(call) ? [pathOf(call)] : []));

export const isAgentCall = ({ name, fields }: ToolCall): boolean =>
  name === AGENT || asText(fields.agentId) !== '';

/** A call stands once in a message, and a message can be told of again under another id. */
function uniqueCalls(messages: readonly Message[]): Iterable<ToolCall> {
  const calls = messages.flatMap(toolCalls);
  return new Map(calls.map((call, at) => [call.id || `\0${at}`, call])).values();
}

/** Whether it is on record what a call did to the files of a project. */
const isAccounted = (call: ToolCall): boolean =>
  EDIT_TOOLS.has(call.name) || HARMLESS.test(call.name) || isAgentCall(call);

const wrote = (call: ToolCall): boolean => EDIT_TOOLS.has(call.name) && !call.failed && pathOf(call) !== '';

/** As the client found the file, else as the model named it. */
function pathOf({ args, fields }: ToolCall): string {
  const found = isObject(fields.resultDisplay) ? fields.resultDisplay.filePath : '';
  return [found, args.file_path, args.path, args.filename].map(asText).find(Boolean) ?? '';
}

function editOf(call: ToolCall): RecordedEdit[] {
  if (!wrote(call)) return [];
  const path = pathOf(call);
  const display = asObject(call.fields.resultDisplay);
  if (typeof display.fileDiff === 'string') return [{ path, ...readPatch(display.fileDiff), fragments: [] }];
  if (typeof call.args.content === 'string') return [wroteWhole(path, call.args.content)];
  const { old_string: before, new_string: after } = call.args;
  return [replacedLines(path, [{ before: asText(before), after: asText(after) }])];
}

/** Sub-agents that a message's calls worked with. */
export const agentIds = (message: Message): string[] =>
  asObjects(message.fields.toolCalls)
    .map(({ agentId }) => asText(agentId))
    .filter(Boolean);
