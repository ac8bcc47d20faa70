import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type Payload, payload, transcriptLines } from './payloads.ts';

export interface HookResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a session runs: a repository that can run a hook. */
export interface SessionHost {
  readonly dir: string;
  readonly home: string;
  readonly places: { readonly repo: string; readonly home: string };
  hook(verb: string, input: string, options: { cwd: string }): HookResult;
}

/**
 * An agent session as the real client runs it: captured payloads through the real hooks, and a transcript that
 * grows by lines of the captured shapes. It edits real files.
 */
export class AgentSession {
  readonly transcript: string;
  private row = 0;
  private last: string | null = null;
  /** What the files that it writes held before, as the client tells its hooks. */
  private readonly before = new Map<string, string>();

  readonly repo: SessionHost;
  readonly id: string;
  /** Of the client, as its rows name it. */
  version: string | undefined;

  constructor(repo: SessionHost, id: string) {
    this.repo = repo;
    this.id = id;
    this.transcript = join(repo.home, '.claude', 'projects', '-repo', `${id}.jsonl`);
    mkdirSync(dirname(this.transcript), { recursive: true });
  }

  start(): HookResult {
    return this.hook('session-start', 'SessionStart-startup');
  }

  prompt(prompt: string, more: Payload = {}): HookResult {
    const result = this.hook('user-prompt-submit', 'UserPromptSubmit', { prompt, ...more });
    this.write({ type: 'user', message: { role: 'user', content: prompt } });
    return result;
  }

  /** A Write, as the client does it: the file, the transcript, the hook. */
  edit(path: string, content: string, more: Payload = {}): HookResult {
    this.editWithoutHook(path, content);
    return this.reportEdit(path, more);
  }

  /** A Read, which the client asks for before it edits a file that is there. */
  readFile(path: string): HookResult {
    return this.hook('post-file-read', 'PostToolUse-Read', {
      tool_input: { file_path: this.absolute(path) },
    });
  }

  /** What the transcript and the disk see of a Write whose hook did not run. */
  editWithoutHook(path: string, content: string): void {
    const file = this.absolute(path);
    mkdirSync(dirname(file), { recursive: true });
    this.seesBefore(path);
    writeFileSync(file, content);
    this.tool('Write', { file_path: file, content });
  }

  /** The client tells with an edit what the file was before. */
  seesBefore(path: string): void {
    const file = this.absolute(path);
    this.before.delete(file);
    if (existsSync(file)) this.before.set(file, readFileSync(file, 'utf8'));
  }

  reportEdit(path: string, more: Payload = {}): HookResult {
    const file = this.absolute(path);
    const before = this.before.get(file);
    const name = before === undefined ? 'PostToolUse-Write-create' : 'PostToolUse-Write-update';
    const captured = payload(name, this.repo.places);
    const toolInput = { ...(captured.tool_input as Payload), file_path: file };
    const told = before === undefined ? {} : { originalFile: before };
    const response = { ...(captured.tool_response as Payload), filePath: file, ...told };
    return this.hook('post-file-edit', name, { tool_input: toolInput, tool_response: response, ...more });
  }

  /** A change by a shell command that the client does not report as an edit. */
  shell(act: () => void): void {
    this.tool('Bash', { command: 'true' }, { act });
    this.hook('post-file-edit', 'PostToolUse-Bash');
  }

  deleteFile(path: string): void {
    this.shell(() => rmSync(this.absolute(path)));
  }

  stop(lastWords = 'Done.', more: Payload = {}): HookResult {
    this.say(lastWords);
    return this.hook('stop', 'Stop', { last_assistant_message: lastWords, ...more });
  }

  say(text: string): void {
    this.assistant([{ type: 'text', text }]);
  }

  end(): HookResult {
    return this.hook('session-end', 'SessionEnd-other');
  }

  hook(verb: string, captured: string, more: Payload = {}, options: { cwd?: string } = {}): HookResult {
    const base = payload(captured, this.repo.places);
    const cwd = options.cwd ?? this.repo.dir;
    const values = { ...base, session_id: this.id, transcript_path: this.transcript, cwd, ...more };
    return this.repo.hook(verb, JSON.stringify(values), { cwd });
  }

  /** A call and its answer: `act` is what it does in between, `answer` what the client says of it. */
  tool(
    name: string,
    input: Payload,
    { act, answer }: { act?: () => void; answer?: Payload | string } = {},
  ): void {
    const id = `toolu_${this.id.slice(0, 4)}${++this.row}`;
    this.assistant([{ type: 'tool_use', id, name, input }]);
    act?.();
    const failed = typeof answer === 'string' && { is_error: true };
    const content = [{ tool_use_id: id, type: 'tool_result', content: 'ok', ...failed }];
    this.write({
      type: 'user',
      message: { role: 'user', content },
      ...(answer && { toolUseResult: answer }),
    });
  }

  /** The captured transcript of a real session, under this session's id. */
  useCaptured(name: string): void {
    writeFileSync(this.transcript, `${transcriptLines(name, this.repo.places).join('\n')}\n`);
  }

  read(): string {
    return readFileSync(this.transcript, 'utf8');
  }

  private assistant(content: readonly unknown[]): void {
    const usage = {
      input_tokens: 100,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 7,
      output_tokens: 20,
    };
    this.write({
      type: 'assistant',
      message: { id: `msg_${this.id.slice(0, 4)}${++this.row}`, role: 'assistant', content, usage },
    });
  }

  /** A row of the transcript. */
  write(line: Payload): void {
    const common = {
      parentUuid: this.last,
      uuid: `${this.id.slice(0, 8)}-${++this.row}`,
      timestamp: new Date().toISOString(),
      cwd: this.repo.dir,
      sessionId: this.id,
      version: this.version,
    };
    this.last = common.uuid;
    appendFileSync(this.transcript, `${JSON.stringify({ ...common, ...line })}\n`);
  }

  private absolute(path: string): string {
    return isAbsolute(path) ? path : join(this.repo.dir, path);
  }
}
