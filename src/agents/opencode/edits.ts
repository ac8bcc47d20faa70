import { asList, asObject, asText, type JsonObject } from '../../base/text/json.ts';
import {
  absolute,
  envelopeEdits,
  moved,
  type Replacement,
  readPatch,
  replacedLines,
  wroteWhole,
} from '../shared/transcript/recorded-lines.ts';
import type { EditRecord, RecordedEdit } from '../shared/transcript/transcript.ts';
import { type Message, readMessages, type ToolCall, toolCalls } from './messages.ts';

/** Tools of the client that write no file. Those of other programs and of plugins may write any. */
const READING_TOOLS: ReadonlySet<string> = new Set(
  'read grep glob list ls webfetch websearch codesearch todowrite todoread question skill lsp plan_exit plan_enter invalid'.split(
    ' ',
  ),
);

/**
 * What tools wrote, line by line, from the differences that the client notes beside each call. Calls that failed wrote
 * nothing.
 */
export function readEdits(transcript: string): EditRecord {
  const edits: RecordedEdit[] = [];
  const agents: string[] = [];
  let isComplete = true;
  for (const message of readMessages(transcript)) {
    for (const call of toolCalls(message)) {
      if (call.tool === 'task') agents.push(call.id);
      else if (isEditTool(call.tool)) edits.push(...editsOf(call, folderOf(message)));
      else if (!READING_TOOLS.has(call.tool)) isComplete = false;
    }
  }
  return { edits, agents, isComplete };
}

/** Files that a message's tools wrote, absolute where the transcript allows it. */
export const filesTouched = (message: Message): string[] =>
  toolCalls(message).flatMap((call) => editsOf(call, folderOf(message)).map(({ path }) => path));

const isEditTool = (tool: string): boolean =>
  ['write', 'edit', 'multiedit', 'apply_patch', 'patch'].includes(tool);

const folderOf = ({ info }: Message): string => asText(asObject(info.path).cwd);

/** The client may have been stopped before it noted how a call went: the call may well have done its work. */
function editsOf(call: ToolCall, cwd: string): RecordedEdit[] {
  if (call.status === 'error' || !isEditTool(call.tool)) return [];
  const { input, metadata } = call;
  if (call.tool === 'apply_patch' || call.tool === 'patch') return patched(input, metadata, cwd);
  const path = absolute(asText(input.filePath), cwd);
  if (path === '') return [];
  if (call.tool === 'write') return [wroteWhole(path, asText(input.content), metadata.exists === false)];
  const difference = asText(metadata.diff);
  if (difference !== '') return [{ path, ...readPatch(difference), fragments: [] }];
  const asked = call.tool === 'edit' ? [input] : asList(input.edits).map(asObject);
  return [replacedLines(path, asked.map(replacement))];
}

/** What the tool says that it wrote; else what the envelope asked for. Of a moved file both names. */
function patched(input: JsonObject, metadata: JsonObject, cwd: string): RecordedEdit[] {
  const files = asList(metadata.files).map(asObject);
  if (files.length === 0) return envelopeEdits(asText(input.patchText), (path) => absolute(path, cwd));
  return files.flatMap((file) => {
    const [from, to] = [absolute(asText(file.filePath), cwd), absolute(asText(file.movePath), cwd)];
    const made = readPatch(asText(file.patch) || asText(file.diff));
    if (from === '') return to === '' ? [] : [{ path: to, ...made, fragments: [] }];
    return to === '' || to === from ? [{ path: from, ...made, fragments: [] }] : moved(from, to, made);
  });
}

const replacement = (edit: JsonObject): Replacement => ({
  before: asText(edit.oldString),
  after: asText(edit.newString),
});
