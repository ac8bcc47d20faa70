import { patchedPaths } from '../agents/shared/apply-patch.ts';
import type { ContentBlock, Message } from '../agents/shared/session/message.ts';
import { asList, asObject, asObjects, asText, isObject, type JsonObject } from '../base/text/json.ts';
import { FileTracker } from '../context/compaction/file-tracker.ts';
import { toolKind } from '../context/compaction/tool-recorder.ts';
import { blocksIn, pairResults } from './pair-results.ts';

/** Files that a call of a tool works on by name, as the model named them; each once. */
export interface CalledFiles {
  readonly read: readonly string[];
  readonly modified: readonly string[];
}

/**
 * The files of a call, read from its arguments as all clients write them: the file that it names, those of an `apply_patch` envelope,
 * wherever it stands (of a moved file both names), and those of an item of Codex. None for tools that name none.
 */
export function filesOfCall(tool: string, input: unknown): CalledFiles {
  const envelope = envelopeIn(tool, input);
  if (envelope !== undefined) return { read: [], modified: patchedPaths(envelope) };
  const given = asObject(input);
  const items = notedChanges(given).flatMap(({ path, movedTo }) => [path, ...(movedTo ? [movedTo] : [])]);
  if (items.length > 0) return { read: [], modified: [...new Set(items)] };
  const path = pathIn(given);
  const kind = path === '' ? undefined : kindOf(tool, given);
  return { read: kind === 'read' ? [path] : [], modified: kind === 'modified' ? [path] : [] };
}

/** The files of all calls but those of which it is on record that they failed. */
export function filesOfMessages(messages: readonly Message[]): FileTracker {
  const tracker = new FileTracker();
  const results = pairResults(messages);
  for (const block of blocksIn(messages)) {
    if (block.type !== 'tool_use' || hasFailed(results.get(block))) continue;
    const { read, modified } = filesOfCall(asText(block.name), block.input);
    for (const path of read) tracker.recordRead(path);
    for (const path of modified) tracker.recordModified(path);
  }
  return tracker;
}

const hasFailed = (result: ContentBlock | undefined): boolean => Boolean(result?.is_error);

/** Tools that read or write by what their argument says. */
const EDITORS: ReadonlySet<string> = new Set(['str_replace_editor', 'str_replace_based_edit_tool']);

/** A tool of an MCP server that is named after files does what others of its name do. */
const OF_SERVER = /^mcp__.+__(?=\w*file$)/;

const kindOf = (tool: string, { command }: JsonObject): 'read' | 'modified' | undefined =>
  EDITORS.has(tool) ? (command === 'view' ? 'read' : 'modified') : toolKind(tool.replace(OF_SERVER, ''));

/** Under these names the tools of the agents we know have the file they work on. */
const PATH_KEYS = ['file_path', 'filePath', 'path', 'notebook_path', 'filename', 'absolute_path'] as const;

/** The file that arguments name; empty where they name none. */
export const pathIn = (input: JsonObject): string =>
  PATH_KEYS.map((key) => asText(input[key])).find((path) => path !== '') ?? '';

/** The envelope of a patch among a tool's arguments, or among the words of a command that applies it. */
export function envelopeIn(tool: string, input: unknown): string | undefined {
  const { command, cmd, patchText, input: inner, patch } = asObject(input);
  const texts = [input, command, cmd, patchText, inner, patch, ...asList(command)].map(asText);
  const isApplied = /patch/i.test(tool) || texts.some((text) => /\bapply_patch\b/.test(text));
  return isApplied ? texts.find((text) => /^\*\*\* Begin Patch\s*$/m.test(text)) : undefined;
}

/** What Codex notes of one file. */
export interface NotedChange {
  readonly path: string;
  readonly kind: FileChangeKind;
  readonly movedTo: string | undefined;
  /** Its difference or its text, which `codex exec` does not tell. */
  readonly detail: JsonObject;
}

export type FileChangeKind = 'add' | 'update' | 'delete';
const CHANGE_KINDS: ReadonlySet<unknown> = new Set<FileChangeKind>(['add', 'update', 'delete']);

/** The files of an item of Codex: by their names in a session's log, a list in what `codex exec` prints. */
export function notedChanges({ changes }: JsonObject): NotedChange[] {
  const noted = Array.isArray(changes)
    ? asObjects(changes).map((change): [string, JsonObject] => [asText(change.path), change])
    : Object.entries(asObject(changes)).map(([path, change]): [string, JsonObject] => [
        path,
        asObject(change),
      ]);
  return noted.flatMap(([path, detail]): NotedChange[] => {
    const told = isObject(detail.kind) ? detail.kind : detail;
    const kind = detail === told ? (detail.type ?? detail.kind) : told.type;
    if (path === '' || !CHANGE_KINDS.has(kind)) return [];
    const movedTo = asText(told.move_path);
    const isMoved = movedTo !== '' && movedTo !== path;
    return [{ path, kind: kind as FileChangeKind, movedTo: isMoved ? movedTo : undefined, detail }];
  });
}
