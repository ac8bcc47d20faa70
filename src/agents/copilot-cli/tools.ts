import { asList, asObject, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { patchedPaths } from '../shared/apply-patch.ts';
import { envelopeEdits, replacedLines, wroteWhole } from '../shared/transcript/recorded-lines.ts';
import type { EditRecord, RecordedEdit } from '../shared/transcript/transcript.ts';
import { parseEvents, type SessionEvent } from './events.ts';

/** A tool call: what it was asked for, and what came of it, each where the text tells it. */
interface ToolCall {
  readonly start: SessionEvent | undefined;
  readonly end: SessionEvent | undefined;
}

const EDIT_TOOLS: ReadonlySet<string> = new Set(['create', 'edit', 'str_replace_editor', 'apply_patch']);
const SHELL_TOOLS: ReadonlySet<string> = new Set(['bash', 'write_bash', 'powershell', 'write_powershell']);

function readToolCalls(text: string): ToolCall[] {
  const calls = new Map<string, ToolCall>();
  for (const event of parseEvents(text)) {
    const id = asText(event.data.toolCallId);
    if (id === '') continue;
    if (event.type === 'tool.execution_start') calls.set(id, { start: event, end: undefined });
    if (event.type === 'tool.execution_complete') calls.set(id, { start: calls.get(id)?.start, end: event });
  }
  return [...calls.values()];
}

/** Files that tools wrote, sub-agents' included: the client names them, and older ones in what they measure of a tool. */
export const readFilesTouched = (text: string): string[] => [
  ...new Set(readToolCalls(text).flatMap((call) => (call.end ? writtenBy(call.end) : wantedBy(call)))),
];

/** What a call wrote, also one that failed half-way. */
function writtenBy({ data }: SessionEvent): string[] {
  const edits = asList(data.fileEdits).flatMap((edit) => asText(asObject(edit).path) || []);
  if (edits.length > 0 || data.success !== true) return edits;
  const telemetry = asObject(data.toolTelemetry);
  const properties = asObject(telemetry.properties);
  if (properties.command === 'view') return [];
  const told = asText(asObject(telemetry.restrictedProperties).filePaths) || asText(properties.filePaths);
  return asList(parseJson(told)).flatMap((path) => asText(path) || []);
}

/** The client was stopped before the answer: the call may well have done its work. */
function wantedBy({ start }: ToolCall): string[] {
  const name = asText(start?.data.toolName);
  if (!EDIT_TOOLS.has(name)) return [];
  if (name === 'apply_patch') return patchedPaths(envelopeOf(start?.data.arguments));
  const args = parseArguments(start?.data.arguments);
  return args.command === 'view' ? [] : [asText(args.path)].filter(Boolean);
}

/** Which lines tools wrote. */
export function readEdits(text: string): EditRecord {
  const calls = readToolCalls(text);
  return {
    edits: calls.flatMap(editsOf),
    agents: [], // what sub-agents wrote stands in the same transcript
    isComplete: !calls.some(
      ({ start, end }) => isShell(start, end) || asText(start?.data.mcpServerName) !== '',
    ),
  };
}

export const ranShell = (text: string): boolean =>
  readToolCalls(text).some(({ start, end }) => isShell(start, end));

const isShell = (start: SessionEvent | undefined, end: SessionEvent | undefined): boolean =>
  SHELL_TOOLS.has(asText(start?.data.toolName)) ||
  isObject(start?.data.shellToolInfo) ||
  isObject(end?.data.shellExecution);

function editsOf(call: ToolCall): RecordedEdit[] {
  const files = call.end ? writtenBy(call.end) : wantedBy(call);
  if (files.length === 0) return [];
  const args = parseArguments(call.start?.data.arguments);
  const [file = ''] = files;
  switch (asText(call.start?.data.toolName)) {
    case 'create':
      return [wroteWhole(file, asText(args.file_text))];
    case 'apply_patch':
      return patched(call, files);
    case 'edit':
      return [
        seen(file, call.end) ??
          replacedLines(file, [{ before: asText(args.old_str), after: asText(args.new_str) }]),
      ];
    default:
      return files.map((path) => seen(path, call.end) ?? { path, lines: undefined, fragments: [] });
  }
}

/** What the client saw come into the file, and go. */
function seen(path: string, end: SessionEvent | undefined): RecordedEdit | undefined {
  const made = readDifference(asText(asObject(end?.data.result).detailedContent), path);
  return made && { path, ...made, fragments: [] };
}

/** What an envelope did, which names files as the model does, while the client names them absolute. */
function patched({ start, end }: ToolCall, files: readonly string[]): RecordedEdit[] {
  const at = (name: string): string => files.find((path) => isNamed(path, name)) ?? name;
  const asked = envelopeEdits(envelopeOf(start?.data.arguments), at).filter(({ path }) =>
    files.includes(path),
  );
  const others = files.filter((path) => asked.every((edit) => edit.path !== path));
  return [...asked, ...others.map((path) => seen(path, end) ?? { path, lines: undefined, fragments: [] })];
}

const isNamed = (path: string, name: string): boolean =>
  path === name || path.replaceAll('\\', '/').endsWith(`/${name.replace(/^(?:\.\/)+/, '')}`);

/** The arguments of a tool, from an object or its JSON text; none from anything else. */
export function parseArguments(given: unknown): JsonObject {
  return asObject(typeof given === 'string' ? parseJson(given) : given);
}

/** The envelope itself, or what is in an object around it. */
function envelopeOf(given: unknown): string {
  const args = parseArguments(given);
  return asText(args.input) || asText(args.patch) || asText(given);
}

/**
 * The lines that a difference of git's makes come into a file, and go; `undefined` when it tells nothing of that file. Hunks are
 * read by their counts: a line that looks like a header may be text.
 */
export function readDifference(
  difference: string,
  path: string,
): Pick<RecordedEdit, 'lines' | 'removed'> | undefined {
  const header = `+++ b${path.startsWith('/') ? '' : '/'}${path}`;
  const lines = difference.split('\n');
  const start = lines.findIndex((line, at) => line === header && lines[at - 1]?.startsWith('--- '));
  if (start === -1) return undefined;
  const added: string[] = [];
  const removed: string[] = [];
  for (let at = start + 1; at < lines.length; ) {
    const hunk = HUNK.exec(lines[at] ?? '');
    if (!hunk) break;
    let [gone, come] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    for (at++; at < lines.length && (gone > 0 || come > 0); at++) {
      const line = lines[at] ?? '';
      if (line.startsWith('\\')) continue;
      if (!line.startsWith('+')) gone--;
      if (!line.startsWith('-')) come--;
      if (line.startsWith('+')) added.push(line.slice(1));
      else if (line.startsWith('-')) removed.push(line.slice(1));
    }
  }
  // The client takes what stands behind the last line end for a line.
  for (const found of [added, removed]) if (found.at(-1) === '') found.pop();
  return { lines: added, ...(removed.length > 0 && { removed }) };
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
