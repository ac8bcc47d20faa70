import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Payload, payload, transcriptLines } from './payloads.ts';
import type { AgentSession, HookResult } from './session.ts';

interface Options {
  readonly toolUseId?: string;
  readonly agentId?: string;
  /** Where the client keeps the transcript of a sub-agent. `nowhere`: it has none. */
  readonly layout?: 'folder' | 'beside' | 'nowhere';
  readonly type?: string;
  readonly description?: string;
}

/** A sub-agent as the real client runs it: captured payloads, a transcript of its own, edits of real files. */
export class SubAgent {
  readonly toolUseId: string;
  readonly agentId: string;
  readonly transcript: string;
  private readonly session: AgentSession;
  private readonly input: Payload;
  private readonly layout: 'folder' | 'beside' | 'nowhere';

  constructor(session: AgentSession, options: Options = {}) {
    this.session = session;
    this.toolUseId = options.toolUseId ?? 'toolu_01subagent';
    this.agentId = options.agentId ?? 'a7d87b8247861f00b';
    this.layout = options.layout ?? 'folder';
    this.input = { subagent_type: options.type ?? 'dev', description: options.description ?? 'Do the work' };
    const dir = dirname(session.transcript);
    const folder = this.layout === 'folder' ? join(dir, session.id, 'subagents') : dir;
    this.transcript = join(folder, `agent-${this.agentId}.jsonl`);
  }

  /** PreToolUse(Agent). */
  start(): HookResult {
    const { toolUseId, input } = this;
    this.session.write({
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'tool_use', id: toolUseId, name: 'Agent', input }] },
    });
    return this.session.hook('pre-task', 'PreToolUse-Agent', { tool_use_id: toolUseId, tool_input: input });
  }

  edit(path: string, content: string): HookResult {
    const file = join(this.session.repo.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    this.tool('Write', { file_path: file, content });
    return this.session.hook('post-file-edit', 'PostToolUse-Write-create-in-subagent', {
      tool_input: { file_path: file, content },
      agent_id: this.agentId,
    });
  }

  /** A shell command that the client does not report as an edit. */
  shell(act: () => void): void {
    act();
    this.tool('Bash', { command: 'true' });
    this.session.hook('post-file-edit', 'PostToolUse-Bash', { agent_id: this.agentId });
  }

  /** PostToolUse(TodoWrite), as a client sends it that names its sub-agents, or `{ agent_id: undefined }` does not. */
  todo(todos: readonly Payload[], more: Payload = { agent_id: this.agentId }): HookResult {
    return this.session.hook('post-todo', 'PostToolUse-TodoWrite', { tool_input: { todos }, ...more });
  }

  /** PostToolUse(Agent) of a tool call that was waited for. */
  finish(more: Payload = {}): HookResult {
    const captured = payload('PostToolUse-Agent-completed', this.session.repo.places);
    return this.session.hook('post-task', 'PostToolUse-Agent-completed', {
      tool_use_id: this.toolUseId,
      tool_input: this.input,
      tool_response: { ...(captured.tool_response as Payload), agentId: this.agentId },
      ...more,
    });
  }

  /** PostToolUse(Agent) of a sub-agent that goes on in the background. */
  launch(): HookResult {
    const captured = payload('PostToolUse-Agent-async_launched', this.session.repo.places);
    this.result();
    return this.session.hook('post-task', 'PostToolUse-Agent-async_launched', {
      tool_use_id: this.toolUseId,
      tool_input: this.input,
      tool_response: { ...(captured.tool_response as Payload), agentId: this.agentId },
    });
  }

  /** SubagentStop. */
  stop(lastWords = 'BG done.'): HookResult {
    this.row({
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: lastWords }] },
    });
    return this.session.hook('subagent-stop', 'SubagentStop', {
      agent_id: this.agentId,
      agent_type: this.input.subagent_type,
      agent_transcript_path: this.transcript,
      last_assistant_message: lastWords,
      background_tasks: this.running(),
    });
  }

  /** The `background_tasks` of a Stop while it runs. */
  running(): Payload[] {
    return [{ id: this.agentId, type: 'subagent', status: 'running', description: this.input.description }];
  }

  /** What the session's transcript says when the tool call returns. */
  result(uuid = `result-${this.toolUseId}`): void {
    const content = [{ tool_use_id: this.toolUseId, type: 'tool_result', content: 'ok' }];
    this.session.write({ type: 'user', uuid, message: { role: 'user', content } });
  }

  /** The captured transcript of a real sub-agent. */
  useCaptured(name: string): void {
    mkdirSync(dirname(this.transcript), { recursive: true });
    writeFileSync(this.transcript, `${transcriptLines(name, this.session.repo.places).join('\n')}\n`);
  }

  /** What current clients note beside the transcript. */
  note(): void {
    mkdirSync(dirname(this.transcript), { recursive: true });
    const note = { agentType: this.input.subagent_type, description: this.input.description };
    const text = JSON.stringify({ ...note, toolUseId: this.toolUseId, spawnDepth: 1 });
    writeFileSync(this.transcript.replace(/\.jsonl$/, '.meta.json'), text);
  }

  tool(name: string, input: Payload): void {
    this.row({
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_inner', name, input }] },
    });
  }

  row(line: Payload): void {
    if (this.layout === 'nowhere') return;
    mkdirSync(dirname(this.transcript), { recursive: true });
    const common = { isSidechain: true, agentId: this.agentId, cwd: this.session.repo.dir };
    appendFileSync(this.transcript, `${JSON.stringify({ ...common, ...line })}\n`);
  }
}
