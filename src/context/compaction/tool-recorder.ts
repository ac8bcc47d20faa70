import type { FileTracker } from './file-tracker.ts';

/** A call of a tool, told by whoever executed it. */
export interface RecordedToolCall {
  /** Its name, in the words of the agent; upper and lower case are one. */
  readonly tool: string;
  /** The files it names. For a patch: every path of its envelope, both names of a moved file (`patchedPaths`). */
  readonly paths: readonly string[];
  /** Whether the tool did what it was asked to. One that failed half-way did not. */
  readonly succeeded: boolean;
}

/**
 * Tools that work on the files they name, in lower case: those that the format documents first, then those of the
 * agents we know. `str_replace_editor` is missing on purpose: it reads or writes by what its argument says, and its
 * executor knows which.
 */
const TOOLS = {
  read: ['read_file', 'read', 'view', 'notebookread', 'mcp__acp__read'],
  modified: [
    'write_file',
    'edit_file',
    'replace_in_file',
    'apply_patch',
    ...['write', 'edit', 'multiedit', 'notebookedit', 'mcp__acp__write', 'mcp__acp__edit'],
    ...['create', 'replace', 'save_file', 'notebook_edit', 'patch', 'applypatch', 'strreplace', 'delete'],
  ],
} as const;

const KINDS = new Map<string, keyof typeof TOOLS>([
  ...TOOLS.read.map((tool) => [tool, 'read'] as const),
  ...TOOLS.modified.map((tool) => [tool, 'modified'] as const),
]);

/** What a tool does to the files it names; `undefined` for tools that read or write none by name (search, shell). */
export const toolKind = (tool: string): 'read' | 'modified' | undefined => KINDS.get(tool.toLowerCase());

/**
 * Records what a tool did to files. To be called by any executor after any tool: calls that failed and tools that read
 * or write no file by name record nothing.
 */
export function recordToolCall(tracker: FileTracker, { tool, paths, succeeded }: RecordedToolCall): void {
  const kind = toolKind(tool);
  if (kind === undefined || succeeded !== true) return; // callers without types may pass the tool's whole answer
  for (const path of paths) kind === 'read' ? tracker.recordRead(path) : tracker.recordModified(path);
}
