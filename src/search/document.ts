import type { ContentBlock, Message } from '../agents/shared/session/message.ts';
import { asList, asObject, asText, isObject, type JsonObject } from '../base/text/json.ts';
import { filesOfCall } from '../conversation/called-files.ts';
import { blocksIn, pairResults } from '../conversation/pair-results.ts';
import { isPrompt, textOf } from '../conversation/turn-messages.ts';

/** What a hit can be. The order is that of their numbers in the index. */
export const KINDS = ['prompt', 'answer', 'command', 'file'] as const;
export type Kind = (typeof KINDS)[number];

/** One thing that was said or done: what a search finds. */
export interface SearchDocument {
  readonly kind: Kind;
  /** Counted from 1 in what was read together; 0 for what stands before the first prompt. */
  readonly turn: number;
  /** In seconds since 1970; 0 where nothing says so. */
  readonly at: number;
  /** Nothing in the transcript says so: it is the time of its checkpoint. */
  readonly isGuessed?: boolean;
  /** Of a file: a tool wrote it. */
  readonly isWritten?: boolean;
  /** What is shown: the prompt, the answer, the command line, the path. */
  readonly text: string;
  /** What belongs to it, and counts less: of a command what it printed, of a file what was written into it. */
  readonly more: string;
}

/** Longer prompts and answers are cut: somebody pasted a file. */
const MAX_TEXT = 64 * 1024;
/** Of what a command printed, so much of its beginning and of its end; of what was written into a file the beginning. */
const MAX_OUTPUT = 2 * 1024;
const MAX_WRITTEN = 4 * 1024;
const MAX_COMMAND = 8 * 1024;

/**
 * Messages as documents. What a model thought, what tools read from files, and pictures are left out.
 *
 * @param roots folders that paths are shown from: who looks for a name does not mean those
 * @param turn how many turns came before
 */
export function documentsOf(
  messages: readonly Message[],
  roots: readonly string[],
  turn = 0,
): SearchDocument[] {
  const local = localTo(roots);
  const found: SearchDocument[] = [];
  const results = pairResults(messages);
  let turns = turn;
  for (const message of messages) {
    const at = typeof message.timestamp === 'number' ? Math.floor(message.timestamp) : 0;
    const text = cut(textOf(message.content), MAX_TEXT);
    const isSaid = message.role === 'user' && !message.compacted && !holdsResults(message);
    if (isPrompt(message)) turns += 1;
    const own = { turn: turns, at, more: '' };
    if (text.trim() !== '' && isSaid) found.push({ ...own, kind: 'prompt', text });
    if (text.trim() !== '' && message.role === 'assistant') found.push({ ...own, kind: 'answer', text });
    for (const block of blocksIn([message]))
      if (block.type === 'tool_use')
        found.push(...documentsOfCall(block, results.get(block), local).map((one) => ({ ...own, ...one })));
  }
  return found;
}

const holdsResults = ({ content }: Message): boolean =>
  typeof content !== 'string' && content.some(({ type }) => type === 'tool_result');

type Called = Pick<SearchDocument, 'kind' | 'text' | 'more' | 'isWritten'>;

/** Paths below one of some folders, from there on. */
function localTo(roots: readonly string[]): (path: string) => string {
  const longest = roots.filter(Boolean).toSorted((a, b) => b.length - a.length);
  return (path) => {
    const root = longest.find((one) => path.startsWith(`${one}/`));
    return root === undefined ? path : path.slice(root.length + 1);
  };
}

function documentsOfCall(
  call: ContentBlock,
  result: ContentBlock | undefined,
  local: (path: string) => string,
): Called[] {
  const tool = asText(call.name);
  const { read, modified } = filesOfCall(tool, call.input);
  const written = modified.length > 0 ? cut(writtenBy(call.input), MAX_WRITTEN) : '';
  const files = [...new Set([...modified, ...read])].map(
    (path, at): Called => ({
      kind: 'file',
      text: cut(local(path), MAX_COMMAND),
      more: at === 0 ? written : '',
      isWritten: modified.includes(path),
    }),
  );
  if (files.length > 0) return files;
  const text = cut(commandOf(tool, call.input), MAX_COMMAND);
  return text.trim() === '' ? [] : [{ kind: 'command', text, more: endsOf(asText(result?.content)) }];
}

/** Under these names tools of the agents we know have what they write. */
const WRITTEN = [
  'content',
  'new_string',
  'new_str',
  'newString',
  'file_text',
  'new_source',
  'patch',
  'patchText',
  'input',
];

function writtenBy(input: unknown): string {
  if (typeof input === 'string') return input;
  const given = asObject(input);
  const edits = asList(given.edits).flatMap((edit) => (isObject(edit) ? [writtenBy(edit)] : []));
  return [...WRITTEN.map((key) => asText(given[key])), ...edits].filter(Boolean).join('\n');
}

/** A shell command as it was run; of another tool its name and the short ones of its arguments. */
function commandOf(tool: string, input: unknown): string {
  const given = asObject(input);
  const command = given.command ?? given.cmd ?? given.script;
  if (typeof command === 'string') return command;
  if (Array.isArray(command)) return command.map(asText).join(' ');
  return [tool, ...argumentsIn(given)].join(' ');
}

/** Longer arguments are left out of a call. */
export const MAX_ARGUMENT = 1024;

const argumentsIn = (given: JsonObject): string[] =>
  Object.values(given).flatMap((value) =>
    typeof value === 'string' && value.length <= MAX_ARGUMENT ? [value] : [],
  );

/** The beginning of a long text, and its end, where errors stand. */
const endsOf = (text: string): string =>
  text.length <= 2 * MAX_OUTPUT
    ? text
    : `${cut(text, MAX_OUTPUT)}\n…\n${text.slice(text.length - MAX_OUTPUT).replace(/^[^\n]*\n/, '')}`;

/** The beginning of a text, without a half character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
