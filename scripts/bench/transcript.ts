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

/** Turns of about this size where nothing else is said. */
const DEFAULT_TURN_BYTES = 200_000;
const PARTS = ['AKI', 'AYRWQG5EJLPZLBYNP'];
/** A key that does not work, in the output of every longer turn's first command. */
const SECRET = PARTS.join('');

/** What may be kept of a transcript. */
export const redacted = (transcript: string): string => transcript.replaceAll(SECRET, 'REDACTED');

/** Complete turns of a session on files of the repository, about `bytes` long in all. */
export function renderHistory(
  session: Session,
  files: readonly string[],
  bytes: number,
  turnBytes: number,
): string {
  const turns: string[] = [];
  for (let total = 0; total < bytes; ) {
    const turn = renderTurn(session, {
      prompt: session.random.text(120),
      file: files[session.random.int(files.length)] ?? 'README.md',
      content: session.random.text(200 + session.random.int(4000)),
      bytes: Math.min(turnBytes || DEFAULT_TURN_BYTES, bytes - total),
    });
    turns.push(turn.lines);
    total += turn.lines.length;
  }
  return turns.join('');
}

interface TurnTexts {
  readonly prompt: string;
  readonly file: string;
  readonly content: string;
  /** Commands are run and files are read until the turn is about this long. */
  readonly bytes: number;
  /** The lines that an Edit put in, where `content` is the text around them as it was; else it may be a Write. */
  readonly added?: readonly string[];
}

/** One turn in the shape Claude Code writes: prompt, words, tools and results, a Write or an Edit, last words. */
export function renderTurn(session: Session, { prompt, file, content, bytes, added }: TurnTexts): Turn {
  const { random } = session;
  const lines = [userLine(session, prompt, { permissionMode: 'default' })];
  const message = random.text(300);
  const end = [
    assistantLine(session, { type: 'text', text: random.text(400) }, 'tool_use'),
    ...(added ? insertLines(session, file, content, added) : editLines(session, file, content)),
    assistantLine(session, { type: 'text', text: message }, 'end_turn'),
  ].join('');
  for (let total = end.length + 1000; total < bytes; ) {
    const step = lines.length === 1 ? commandLines(session, `KEY=${SECRET}\n`) : lookLines(session, file);
    lines.push(...step);
    total += step.join('').length;
  }
  return { lines: [...lines, end].join(''), lastMessage: message };
}

function editLines(session: Session, file: string, content: string): string[] {
  const { random } = session;
  const path = `${session.repo}/${file}`;
  const edit = random.int(2) === 1;
  const input = edit
    ? { file_path: path, old_string: content.slice(0, 200), new_string: content, replace_all: false }
    : { file_path: path, content };
  const response = edit
    ? { filePath: path, oldString: content.slice(0, 200), newString: content, originalFile: content }
    : { type: 'update', filePath: path, content, structuredPatch: [], originalFile: content };
  const result = `The file ${path} has been updated.`;
  return toolLines(session, edit ? 'Edit' : 'Write', input, result, { ...response, userModified: false });
}

/** An Edit as the client notes it: below a line there are others now. */
function insertLines(session: Session, file: string, above: string, added: readonly string[]): string[] {
  const path = `${session.repo}/${file}`;
  const [oldString, newString] = [above, [above, ...added].join('\n')];
  const input = { file_path: path, old_string: oldString, new_string: newString, replace_all: false };
  const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: added.length + 1 };
  const structuredPatch = [{ ...hunk, lines: [` ${above}`, ...added.map((text) => `+${text}`)] }];
  const response = { filePath: path, oldString, newString, structuredPatch, userModified: false };
  return toolLines(session, 'Edit', input, `The file ${path} has been updated.`, response);
}

/** Reads a file or runs a command: the client keeps each result twice. */
function lookLines(session: Session, file: string): string[] {
  const { random } = session;
  if (random.int(2) === 1) return commandLines(session, '');
  const path = `${session.repo}/${file}`;
  const content = random.text(500 + random.int(12_000));
  const response = { type: 'text', file: { filePath: path, content, numLines: 40, startLine: 1 } };
  return toolLines(session, 'Read', { file_path: path }, content, response);
}

function commandLines(session: Session, output: string): string[] {
  const { random } = session;
  const stdout = output + random.text(500 + random.int(12_000));
  const input = { command: `npm run ${random.text(40)}`, description: random.text(40) };
  return toolLines(session, 'Bash', input, stdout, { stdout, stderr: '', interrupted: false });
}

function toolLines(session: Session, name: string, input: Json, content: string, response: Json): string[] {
  const id = `toolu_${session.random.hex(24)}`;
  const result = { tool_use_id: id, type: 'tool_result', content };
  return [
    assistantLine(session, { type: 'tool_use', id, name, input }, 'tool_use'),
    userLine(session, [result], { toolUseResult: response }),
  ];
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
