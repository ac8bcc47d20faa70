import { toolDetail } from '../agents/shared/transcript/message-blocks.ts';
import { asList, asObject, asText, type JsonObject } from '../base/text/json.ts';
import { filesOfCall, pathIn } from './called-files.ts';
import type { FileChange } from './export/file-changes.ts';
import type { ToolItem } from './export/outline.ts';

/** One thing that a call of a tool did, whatever its client calls the tool. */
export type Act =
  | FileAct
  | { readonly kind: 'read' | 'list'; readonly path: string }
  /** A command as it was run; of a script all of its lines. */
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'search'; readonly what: string; readonly where: string }
  | { readonly kind: 'find' | 'fetch' | 'agent'; readonly what: string }
  /** What is none of these, by its own name. */
  | { readonly kind: 'other'; readonly name: string; readonly what: string };

/** A file that was written. */
export interface FileAct {
  readonly kind: 'edit' | 'write' | 'delete' | 'move';
  readonly path: string;
  readonly movedTo?: string;
  /** Lines that came and went; `undefined` where the call does not tell. */
  readonly lines?: { readonly added: number; readonly removed: number };
  /** Lines of a whole file of which it is not known what it held before. */
  readonly size?: number;
}

/** What a call did, from its arguments as all clients write them. Of one that failed, what it was to do, without lines. */
export function actsOf(tool: Pick<ToolItem, 'name' | 'given' | 'changes' | 'result' | 'failed'>): Act[] {
  const { name, given, changes, failed } = tool;
  const input = asObject(given);
  if (changes.length > 0) return changes.map((change) => fileAct(tool, change, failed));
  const command = commandIn(name, input);
  if (command !== '') return [{ kind: 'run', command }];
  const { read, modified } = filesOfCall(name, given);
  if (modified.length > 0)
    return modified.map((path) => ({ kind: DELETES.test(name) ? 'delete' : 'edit', path }));
  if (read.length > 0) return read.map((path) => ({ kind: 'read', path }));
  return [otherAct(name, input, given)];
}

/** Words of tools that make a file, and of what they return; others may write over one that was there. */
const CREATES = /^create$/i;
const CREATED = /\bcreated\b|\bnew file\b/i;

function fileAct(
  { name, given, result = '' }: Pick<ToolItem, 'name' | 'given' | 'result'>,
  { path, kind, movedTo, lines }: FileChange,
  failed: boolean,
): FileAct {
  const input = asObject(given);
  const count = (sign: string): number => lines.filter((line) => line.sign === sign).length;
  const [added, removed] = [count('+'), count('-')];
  if (kind === 'delete') return { kind: 'delete', path };
  const isWhole =
    kind === 'add' ||
    [input.content, input.contents, input.file_text].some((text) => typeof text === 'string');
  // A cell takes the place of one that nobody tells.
  const isTold = !failed && lines.length > 0 && input.new_source === undefined;
  const isNew = kind === 'add' || CREATES.test(name) || CREATED.test(result.slice(0, MAX_HEAD));
  const told = !isTold ? {} : isWhole && !isNew ? { size: added } : { lines: { added, removed } };
  if (movedTo !== undefined) return { kind: 'move', path, movedTo, ...told };
  return { kind: isWhole ? 'write' : 'edit', path, ...told };
}

/** Where a result says in its first words what became of the call. */
const MAX_HEAD = 400;

const DELETES = /^delete/i;

const SHELLS = /shell|bash|^sh$|^exec|terminal|^run(?!.*agent)|powershell|command/i;

/** The command of a shell; empty for other tools. */
function commandIn(tool: string, { command, cmd, script, commands }: JsonObject): string {
  if (!SHELLS.test(tool)) return '';
  const given = command ?? cmd ?? script ?? commands;
  if (typeof given === 'string') return given;
  const words = asList(given).map(asText);
  const [shell = '', option = '', line] = words;
  // A shell that is given one command.
  if (line !== undefined && /^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(shell) && /^-\w*c$/.test(option)) return line;
  return words.join(' ');
}

const SEARCHES = /grep|search|ripgrep|^rg$/i;
const FINDS = /glob|^find|file_search/i;
const LISTS = /^(?:ls|list|list_?dir(?:ectory)?|list_?files|read_folder)$/i;
const FETCHES = /fetch|browse|open_?url/i;
const AGENTS = /^(?:task|agent|spawn_agent|delegate|run_?subagent|dispatch_agent|invoke_agent)$/i;

function otherAct(name: string, input: JsonObject, given: unknown): Act {
  const first = (...keys: readonly string[]): string =>
    keys.map((key) => asText(input[key])).find((text) => text !== '') ?? '';
  const pattern = first('pattern', 'query', 'regex', 'search_term');
  const path =
    pathIn(input) || first('dir_path', 'directory', 'folder', 'target_directory', 'directory_path');
  if (AGENTS.test(name)) return { kind: 'agent', what: first('description', 'name', 'message', 'prompt') };
  if (LISTS.test(name)) return { kind: 'list', path: path || '.' };
  if (FETCHES.test(name)) return { kind: 'fetch', what: first('url', 'prompt') };
  if (FINDS.test(name) && pattern !== '') return { kind: 'find', what: pattern };
  const isSearch = SEARCHES.test(name) && !/^tool_?search$/i.test(name);
  if (isSearch && pattern !== '')
    return { kind: 'search', what: pattern, where: /web/i.test(name) ? 'the web' : path };
  return { kind: 'other', name, what: toolDetail(name, given, ['cmd', 'filePath', 'path', 'query', 'url']) };
}

/** What a command says of its end, as clients write it above its output, or below. */
const EXIT =
  /^[[<]?(?:shellId: \S+ )?(?:(?:Process |Command )?(?:exited|completed) with (?:exit )?code|Exit code)[: ]+(-?\d+)/im;
const MAX_TAIL = 200;

/** The exit code of a command, where its client tells it. */
export function exitCodeOf(result: string | undefined): number | undefined {
  if (result === undefined) return undefined;
  const parts =
    result.length > MAX_HEAD + MAX_TAIL ? [result.slice(0, MAX_HEAD), result.slice(-MAX_TAIL)] : [result];
  const found = parts.map((part) => EXIT.exec(part)?.[1]).find((code) => code !== undefined);
  return found === undefined ? undefined : Number(found);
}
