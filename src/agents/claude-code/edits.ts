import type { TimeSpan } from '../../base/clock.ts';
import {
  asList,
  asObject,
  asObjects,
  asText,
  isObject,
  type JsonObject,
  parseJson,
} from '../../base/text/json.ts';
import { isDistinctive } from '../../base/text/lines.ts';
import {
  absolute,
  type Replacement,
  readHunks,
  replacedLines,
  wroteWhole,
} from '../shared/transcript/recorded-lines.ts';
import type { EditRecord, RecordedEdit } from '../shared/transcript/transcript.ts';
import {
  bringsByGit,
  goesOnBehind,
  isAccounted,
  onlyReads,
  reportIn,
  type ShellCommand,
  watchedFrom,
} from './shell.ts';

/** A tool call that has not been answered yet. */
interface Call {
  readonly name: string;
  readonly input: JsonObject;
  readonly cwd: string;
  /** When it was made, in milliseconds since 1970; `NaN` where the row does not say. */
  readonly atMs: number;
}

/**
 * What tools wrote, line by line. The client notes the difference that each edit made to its file beside the tool's answer
 * (`toolUseResult`); where it did not, what the call asked for has to do. Calls that failed wrote nothing.
 */
export function readEdits(transcript: string): EditRecord {
  const calls = new Map<string, Call>();
  const edits: RecordedEdit[] = [];
  const agents: string[] = [];
  const spans: TimeSpan[] = [];
  let isBounded = true;
  const commands: (ShellCommand & Call)[] = [];
  let hasMore = false;
  for (const raw of transcript.split('\n')) {
    if (!TELLING.some((part) => raw.includes(part))) continue;
    const row = parseJson(raw);
    if (isObject(row) && row.type === 'attachment') edits.push(...hookEdits(row));
    if (!isObject(row) || !isObject(row.message)) continue;
    for (const block of asObjects(row.message.content)) {
      if (row.type === 'assistant' && block.type === 'tool_use') {
        const input = asObject(block.input);
        const id = asText(block.id);
        const atMs = Date.parse(asText(row.timestamp));
        const call = { name: asText(block.name), input, cwd: asText(row.cwd), atMs };
        const unanswered = calls.get(id);
        if (unanswered) edits.push(...editsOf(unanswered, {}));
        if (unanswered) isBounded = false;
        calls.set(id, call);
        if (!isTold(call.name)) hasMore = true;
      }
      if (row.type !== 'user' || block.type !== 'tool_result') continue;
      const id = asText(block.tool_use_id);
      const call = calls.get(id);
      calls.delete(id);
      if (!call) isBounded = false;
      if (!call) continue;
      const result = asObject(row.toolUseResult);
      const span = { fromMs: call.atMs, toMs: Date.parse(asText(row.timestamp)) };
      spans.push(span);
      if (!(span.fromMs <= span.toMs) || goesOn(call, result)) isBounded = false;
      if (AGENT_TOOLS.has(call.name)) agents.push(id);
      if (call.name === 'Bash') {
        const report = reportIn(result);
        edits.push(...shellEdits(report, call));
        if (report && report.moreFiles !== 0) hasMore = true;
        commands.push({ ...call, result: row.toolUseResult, version: asText(row.version) });
      } else if (block.is_error !== true) edits.push(...editsOf(call, result));
    }
  }
  // The client was stopped before the answer: the call may well have done its work.
  for (const [id, call] of calls) {
    edits.push(...editsOf(call, {}));
    if (call.name === 'Bash') hasMore = true;
    if (AGENT_TOOLS.has(call.name)) agents.push(id);
  }
  const isReporting = commands.some(({ result }) => reportIn(result));
  const writing = commands.filter((command) => !onlyReads(command));
  const isComplete = !hasMore && writing.every((command) => isAccounted(command, isReporting));
  const folders = [...new Set(writing.map(({ cwd }) => cwd))];
  const watched = folders.map(watchedFrom);
  return {
    ...{ edits, agents, isComplete },
    ...(isComplete && watched.length > 0 && { watched }),
    calls: isBounded && calls.size === 0 && !hasMore ? spans : undefined,
  };
}

/** Parts of rows that tell of edits; the others are not parsed. */
const TELLING = ['"tool_use', '"tool_result"', '"hook_additional_context"'];

/** The client (2.1.330) says so where a hook of the user, such as a formatter, changed a file right after an edit: what it wrote there, nobody knows. */
const HOOK_MODIFIED = /^PostToolUse hook modified (.+) after your edit\b/;

function hookEdits({ attachment, cwd }: JsonObject): RecordedEdit[] {
  const { type, content } = asObject(attachment);
  if (type !== 'hook_additional_context') return [];
  return asList(content).flatMap((text) => {
    const path = HOOK_MODIFIED.exec(asText(text))?.[1];
    return path === undefined ? [] : { path: absolute(path, asText(cwd)), lines: undefined, fragments: [] };
  });
}

/** Whether something of a call may be at work when it was answered. */
const goesOn = ({ name, input }: Call, result: JsonObject): boolean =>
  name === 'Bash'
    ? goesOnBehind(input, result)
    : input.run_in_background === true || result.backgroundTaskId !== undefined;

const AGENT_TOOLS: ReadonlySet<string> = new Set(['Agent', 'Task']);
const EDIT_TOOLS: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** Tools of the client, of all its versions, that write no file of a project. */
const QUIET_TOOLS: ReadonlySet<string> = new Set(
  `AskUserQuestion BashOutput CronCreate CronDelete CronList DeferredToolPlaceholder EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree
  Glob Grep KillBash KillShell LS LSP ListAgents ListMcpResourcesTool NotebookRead Read ReadMcpResourceTool ReportFindings ScheduleWakeup
  TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TodoRead TodoWrite ToolSearch WebFetch WebSearch`.split(
    /\s+/,
  ),
);

/** Whether it is told what a tool writes. Those of other programs (`mcp__…`), and those that a later version may have, tell nobody. */
const isTold = (name: string): boolean =>
  name === 'Bash' || EDIT_TOOLS.has(name) || AGENT_TOOLS.has(name) || QUIET_TOOLS.has(name);

function editsOf({ name, input, cwd }: Call, result: JsonObject): RecordedEdit[] {
  const path = absolute(asText(input.file_path) || asText(input.notebook_path), cwd);
  if (path === '') return [];
  switch (name.replace(/^mcp__acp__/, '')) {
    case 'Write':
      return [addedBy(path, result) ?? written(path, asText(input.content), result)];
    case 'Edit':
      return [addedBy(path, result) ?? replacedLines(path, [replacement(input)])];
    case 'MultiEdit':
      return [addedBy(path, result) ?? replacedLines(path, asObjects(input.edits).map(replacement))];
    case 'NotebookEdit':
      return [notebook(path, result)];
    default:
      return [];
  }
}

/** Where there is no difference, the file was new, or it was written as it was, or telling it took too long. */
function written(path: string, content: string, { originalFile: before, type }: JsonObject): RecordedEdit {
  if (typeof before !== 'string') return wroteWhole(path, content, type === 'create');
  return { ...replacedLines(path, [{ before, after: content }]), fragments: [] };
}

/**
 * Cells are not the lines of the file; which of them changed is told by the whole file, before and after, where it had the layout that the
 * client gives it. Laid out anew, all lines are other ones, whoever wrote them.
 */
function notebook(path: string, { original_file: before, updated_file: after }: JsonObject): RecordedEdit {
  const isKept =
    typeof before === 'string' && typeof after === 'string' && laidOut(before) === before.trimEnd();
  if (!isKept) return { path, lines: undefined, fragments: [] };
  return { ...replacedLines(path, [{ before, after }]), fragments: [] };
}

const laidOut = (notebook: string): string | undefined => {
  const value = parseJson(notebook);
  return value === undefined ? undefined : JSON.stringify(value, null, 1);
};

/** Lines that the client saw come into the file, and go. A new file has no difference. */
function addedBy(path: string, result: JsonObject): RecordedEdit | undefined {
  if (!Array.isArray(result.structuredPatch) || result.structuredPatch.length === 0) return undefined;
  return { path, ...readPieces(result.structuredPatch), fragments: [] };
}

const readPieces = (hunks: unknown) =>
  readHunks(asObjects(hunks).flatMap((hunk) => asList(hunk.lines).map(asText)));

function shellEdits(diff: JsonObject | undefined, { input, cwd }: Call): RecordedEdit[] {
  const command = asText(input.command);
  const brings = diff !== undefined && bringsByGit(command);
  return asObjects(diff?.files).map((file) => {
    const pieces = readPieces(file.hunks);
    return {
      path: absolute(asText(file.filePath), cwd),
      ...pieces,
      fragments: [],
      isByCommand: true,
      ...(brings && !saysAll(command, pieces.lines) && { isBroughtByGit: true }),
    };
  });
}

/** Whether the words of a command have all that it wrote, as one that prints a text into a file. */
function saysAll(command: string, lines: readonly string[] = []): boolean {
  const telling = lines.filter(isDistinctive);
  return telling.length > 0 && telling.every((line) => command.includes(line.trim()));
}

const replacement = (edit: JsonObject): Replacement => ({
  before: asText(edit.old_string),
  after: asText(edit.new_string),
});
