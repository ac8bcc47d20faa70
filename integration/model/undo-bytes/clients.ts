import type { AgentName } from '../../../src/agents/names.ts';
import { type Encoding, type Insertion, insert } from './contents.ts';

/** What an agent does to a file with one call of a tool. */
export interface Call {
  /** As the agent names it. */
  readonly file: string;
  readonly cwd: string;
  readonly sessionId: string;
  readonly before: Buffer | undefined;
  readonly encoding: Encoding;
  /** A line, or all of it anew. */
  readonly wish: Insertion | string;
}

/** What came of it. */
export interface Called {
  /** What the file is then; `undefined` where the tool removes it. */
  readonly after: Buffer | undefined;
  readonly payload: Record<string, unknown>;
}

/** A tool of an agent, as its client runs it and tells of it. */
export interface Client {
  readonly agent: AgentName;
  readonly tool: string;
  /** Whether its hook is told what the file was. */
  readonly tells: boolean;
  call(call: Call): Called;
  /** What its hook for reading gets. */
  read?(call: Pick<Call, 'file' | 'cwd' | 'sessionId'>): Record<string, unknown>;
}

const base = ({ sessionId, cwd }: Pick<Call, 'sessionId' | 'cwd'>) => ({
  session_id: sessionId,
  cwd,
  transcript_path: '',
});
const withLf = (text: string): string => text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '');

/** A client that edits bytes, or an encoding that it finds out. */
const exactly = ({ before, encoding, wish }: Call): Buffer =>
  typeof wish === 'string' ? encoding.encode(wish) : insert(before ?? Buffer.alloc(0), wish, encoding);

/** A client that knows UTF-8, and UTF-16LE by its mark. What it cannot read is lost. */
function asText({ before, wish }: Call): { told: string | null; after: Buffer } {
  const isWide = before !== undefined && before[0] === 0xff && before[1] === 0xfe;
  const text = before?.toString(isWide ? 'utf16le' : 'utf8');
  const [first = 0, all = 0] = [text?.split('\r\n').length, text?.split('\n').length];
  const told = text === undefined ? null : withLf(text);
  const next = typeof wish === 'string' ? wish : insert(Buffer.from(told ?? ''), wish, PLAIN).toString();
  const ended = first > all / 2 && all > 1 ? next.replaceAll('\n', '\r\n') : next;
  return { told, after: isWide ? Buffer.from(`\uFEFF${ended}`, 'utf16le') : Buffer.from(ended) };
}

const PLAIN: Encoding = {
  name: '',
  mark: Buffer.alloc(0),
  unit: 1,
  encode: (text) => Buffer.from(text),
  decode: (bytes) => bytes.toString(),
};

const readOf = (tool: string, key: string) => (call: Pick<Call, 'file' | 'cwd' | 'sessionId'>) => ({
  ...base(call),
  tool_name: tool,
  tool_input: { [key]: call.file },
});

const claude = (tool: 'Write' | 'Edit' | 'MultiEdit'): Client => ({
  agent: 'claude-code',
  tool,
  tells: true,
  read: readOf('Read', 'file_path'),
  call(call) {
    const { told, after } = asText(call);
    const type = told === null ? 'create' : 'update';
    const tool_response = { type, filePath: call.file, originalFile: told };
    return {
      after,
      payload: { ...base(call), tool_name: tool, tool_input: { file_path: call.file }, tool_response },
    };
  },
});

const shellOfClaude: Client = {
  agent: 'claude-code',
  tool: 'Bash',
  tells: false,
  call: (call) => ({
    after: exactly(call),
    payload: {
      ...base(call),
      tool_name: 'Bash',
      tool_input: { command: 'true' },
      tool_response: { bashEditDiff: { changedFiles: [call.file], moreFiles: 0, files: [] } },
    },
  }),
};

/** The texts that an edit of a file put in the place of others, with a line around: what the model named. */
function swapOf(before: string | null, after: string): Record<string, string> {
  if (before === null) return {};
  const [old, put] = [before.split(/(?<=\n)/), after.split(/(?<=\n)/)];
  const isSame = (at: number) => old.at(at) !== undefined && old.at(at) === put.at(at);
  let [first, last] = [0, -1];
  while (isSame(first)) first++;
  while (first - last - 1 < Math.min(old.length, put.length) && isSame(last)) last--;
  const part = (lines: string[]) => lines.slice(Math.max(0, first - 1), lines.length + last + 2).join('');
  return { old_string: part(old), new_string: part(put) };
}

const gemini = (tool: 'write_file' | 'replace'): Client => ({
  agent: 'gemini',
  tool,
  tells: true,
  read: readOf('read_file', 'file_path'),
  call(call) {
    const { told, after } = asText(call);
    const returnDisplay = { filePath: call.file, isNewFile: told === null, originalContent: told ?? '' };
    return {
      after,
      payload: {
        ...base(call),
        tool_name: tool,
        tool_input: { file_path: call.file, ...(tool === 'replace' && swapOf(told, textIn(after))) },
        tool_response: { returnDisplay },
      },
    };
  },
});

const qwen = (tool: 'write_file' | 'edit'): Client => ({
  agent: 'qwen-code',
  tool,
  tells: true,
  read: readOf('read_file', 'file_path'),
  call(call) {
    const { before, encoding } = call;
    const originalContent = before
      ? withLf(isAscii(before) ? before.toString() : encoding.decode(before))
      : null;
    const llmContent = before ? 'Successfully overwrote file' : 'Successfully created file';
    const tool_response = { llmContent, returnDisplay: { originalContent } };
    const after = exactly(call);
    const next = withLf(isAscii(after) ? after.toString() : encoding.decode(after));
    const tool_input = { file_path: call.file, ...(tool === 'edit' && swapOf(originalContent, next)) };
    return { after, payload: { ...base(call), tool_name: tool, tool_input, tool_response } };
  },
});

/** What {@link asText} reads in a file. */
const textIn = (bytes: Buffer): string =>
  withLf(bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString());

const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte > 0 && byte < 0x80);

/** Our plugins read the file themselves: exact bytes where they are UTF-8, else nothing. */
function readByPlugin(before: Buffer | undefined): string | null | undefined {
  if (before === undefined) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(before);
  } catch {
    return undefined;
  }
}

const plugin = (agent: 'pi' | 'opencode', tool: string): Client => ({
  agent,
  tool,
  tells: true,
  read: (call) => ({
    ...base(call),
    tool_name: 'read',
    path: call.file,
    tool_input: { filePath: call.file },
  }),
  call: (call) => ({
    after: exactly(call),
    payload: {
      ...base(call),
      tool_name: tool,
      path: call.file,
      tool_input: { filePath: call.file },
      before: readByPlugin(call.before),
    },
  }),
});

/** An envelope that says the truth: all lines there were, and all there are. */
function patch(call: Call, kind = call.before ? 'Update' : 'Add'): string {
  const { file, before, encoding } = call;
  // What another client wrote in its own encoding is read byte by byte.
  const isAlike = !before || /row|agent|user|shell/.test(encoding.decode(before));
  const linesOf = (sign: string, bytes: Buffer): string =>
    withLf(isAlike ? encoding.decode(bytes) : bytes.toString('latin1'))
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${sign}${line}\n`)
      .join('');
  const hunk =
    kind === 'Delete' ? '' : `${before ? `@@\n${linesOf('-', before)}` : ''}${linesOf('+', exactly(call))}`;
  return `*** Begin Patch\n*** ${kind} File: ${file}\n${hunk}*** End Patch\n`;
}

/** Clients that say which file, and nothing of what it was. */
const quiet = (agent: AgentName, tool: string, about: (call: Call) => Record<string, unknown>): Client => ({
  agent,
  tool,
  tells: false,
  call: (call) => ({ after: exactly(call), payload: { ...base(call), tool_name: tool, ...about(call) } }),
});

const remover: Client = {
  agent: 'codex',
  tool: 'apply_patch, Delete File',
  tells: false,
  call: (call) => ({
    after: undefined,
    payload: { ...base(call), tool_name: 'apply_patch', tool_input: { command: patch(call, 'Delete') } },
  }),
};

export const CLIENTS: readonly Client[] = [
  ...(['Write', 'Edit', 'MultiEdit'] as const).map(claude),
  shellOfClaude,
  ...(['write_file', 'replace'] as const).map(gemini),
  ...(['write_file', 'edit'] as const).map(qwen),
  ...['write', 'edit'].map((tool) => plugin('pi', tool)),
  ...['write', 'edit', 'multiedit'].map((tool) => plugin('opencode', tool)),
  quiet('opencode', 'apply_patch', (call) => ({ tool_input: { patchText: patch(call) } })),
  quiet('codex', 'apply_patch', (call) => ({ tool_input: { command: patch(call) } })),
  remover,
  ...['create', 'edit', 'str_replace_editor'].map((tool) =>
    quiet('copilot-cli', tool, (call) => ({
      toolName: tool,
      toolArgs: { path: call.file },
      sessionId: call.sessionId,
    })),
  ),
  quiet('copilot-cli', 'apply_patch', (call) => ({
    toolName: 'apply_patch',
    toolArgs: patch(call),
    sessionId: call.sessionId,
  })),
  quiet('cursor', 'afterFileEdit', (call) => ({
    hook_event_name: 'afterFileEdit',
    conversation_id: call.sessionId,
    file_path: call.file,
  })),
  ...['Create', 'Edit', 'MultiEdit', 'Write'].map((tool) =>
    quiet('factoryai-droid', tool, (call) => ({ tool_input: { file_path: call.file } })),
  ),
  quiet('factoryai-droid', 'ApplyPatch', (call) => ({ tool_input: { input: patch(call) } })),
];
