import type { Random } from './random.ts';

/** What the lines of one session have in common. */
export interface Session {
  readonly id: string;
  readonly repo: string;
  readonly random: Random;
  /** `uuid` of the line before; each line names its parent. */
  parent: string | null;
  clock: number;
}

export interface Turn {
  readonly lines: string;
  /** The text of the last assistant message, which the stop hook is told as well. */
  readonly lastMessage: string;
}

type Json = Record<string, unknown>;

/** Complete turns of a session on files of the repository, about `bytes` long in all. */
export function renderHistory(session: Session, files: readonly string[], bytes: number): string {
  const turns: string[] = [];
  for (let total = 0; total < bytes; ) {
    const file = files[session.random.int(files.length)] ?? 'README.md';
    const size = 200 + session.random.int(4000);
    const turn = renderTurn(session, session.random.text(120), file, session.random.text(size));
    turns.push(turn.lines);
    total += turn.lines.length;
  }
  return turns.join('');
}

/** One turn in the shape Claude Code writes: prompt, words, a Write or an Edit, its result, last words. */
export function renderTurn(session: Session, prompt: string, file: string, content: string): Turn {
  const { random } = session;
  const path = `${session.repo}/${file}`;
  const toolUseId = `toolu_${random.hex(24)}`;
  const message = random.text(300);
  const edit = random.int(2) === 1;
  const input = edit
    ? { file_path: path, old_string: content.slice(0, 200), new_string: content, replace_all: false }
    : { file_path: path, content };
  const response = edit
    ? { filePath: path, oldString: content.slice(0, 200), newString: content, originalFile: content }
    : { type: 'update', filePath: path, content, structuredPatch: [], originalFile: content };
  const result = {
    tool_use_id: toolUseId,
    type: 'tool_result',
    content: `The file ${path} has been updated.`,
  };
  const lines = [
    userLine(session, prompt, { permissionMode: 'default' }),
    assistantLine(session, { type: 'text', text: random.text(400) }, 'tool_use'),
    assistantLine(
      session,
      { type: 'tool_use', id: toolUseId, name: edit ? 'Edit' : 'Write', input },
      'tool_use',
    ),
    userLine(session, [result], { toolUseResult: { ...response, userModified: false } }),
    assistantLine(session, { type: 'text', text: message }, 'end_turn'),
  ];
  return { lines: lines.join(''), lastMessage: message };
}

function userLine(session: Session, content: unknown, more: Json): string {
  return line(session, { type: 'user', message: { role: 'user', content }, ...more });
}

function assistantLine(session: Session, block: Json, stopReason: string): string {
  const { random } = session;
  const usage = {
    input_tokens: 3 + random.int(9),
    cache_creation_input_tokens: random.int(4000),
    cache_read_input_tokens: random.int(90_000),
    output_tokens: 20 + random.int(900),
    service_tier: 'standard',
  };
  const message = {
    id: `msg_${random.hex(24)}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: [block],
    stop_reason: stopReason,
    stop_sequence: null,
    usage,
  };
  return line(session, { message, requestId: `req_${random.hex(24)}`, type: 'assistant' });
}

function line(session: Session, fields: Json): string {
  const uuid = session.random.uuid();
  session.clock += 1000 + session.random.int(20_000);
  const whole = {
    parentUuid: session.parent,
    isSidechain: false,
    ...fields,
    uuid,
    timestamp: new Date(session.clock).toISOString(),
    userType: 'external',
    entrypoint: 'cli',
    cwd: session.repo,
    sessionId: session.id,
    version: '2.1.330',
    gitBranch: 'main',
  };
  session.parent = uuid;
  return `${JSON.stringify(whole)}\n`;
}
