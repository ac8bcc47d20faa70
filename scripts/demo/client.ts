import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Payload, payload, transcriptLines } from '../../integration/support/agent/payloads.ts';
import type { World } from './world.ts';

/** One run of one hook, by the client or by git. */
export interface HookRun {
  /** The event and its matcher, or the name of the git hook. */
  readonly event: string;
  readonly command: string;
  readonly ms: number;
  /** What it printed on standard output, which the agent reads. */
  readonly reply: string;
}

/** A file of the client's project settings, as far as the client reads it to find its hooks. */
interface Settings {
  readonly hooks?: Readonly<Record<string, readonly Group[]>>;
}
interface Group {
  readonly matcher?: string;
  readonly hooks: readonly { readonly command: string }[];
}

/**
 * Stands in for Claude Code in one session that was captured from it: runs the hooks that the project's settings
 * name, with the captured payloads, and lets the captured transcript grow row by row. Writes the files, too.
 */
export class Client {
  readonly sessionId: string;
  readonly transcript: string;
  private readonly world: World;
  private readonly rows: readonly string[];
  private written = 0;

  constructor(world: World) {
    this.world = world;
    const start = this.captured('SessionStart-startup');
    this.sessionId = text(start.session_id);
    this.transcript = text(start.transcript_path);
    this.rows = transcriptLines('basic', this.places);
    mkdirSync(dirname(this.transcript), { recursive: true });
    appendFileSync(this.transcript, '');
  }

  captured(name: string): Payload {
    return payload(name, this.places);
  }

  /** Lets the transcript grow up to the first row that holds `part`, or, `before` it, up to the one above. */
  growTo(part: string, before?: 'before'): void {
    const at = this.rows.findIndex((row) => row.includes(part));
    if (at < 0) throw new Error(`the captured transcript has no row with ${part}`);
    this.append(before ? at : at + 1);
  }

  growToEnd(): void {
    this.append(this.rows.length);
  }

  /** Does to the disk what the payload of a Write or an Edit says was done. @throws when it does not fit */
  applyEdit(edit: Payload): void {
    const input = edit.tool_input as Payload;
    const path = text(input.file_path).slice(this.world.project.length + 1);
    if (edit.tool_name === 'Write') return this.world.write(path, text(input.content));
    const before = this.world.read(path);
    const { originalFile } = edit.tool_response as Payload;
    if (before !== originalFile) throw new Error(`${path} is not the file that was edited in the capture`);
    this.world.write(path, before.replace(text(input.old_string), text(input.new_string)));
  }

  /** Runs what the settings name for the event of a payload. @throws when there is nothing, or it fails */
  fire(captured: Payload): HookRun[] {
    const event = text(captured.hook_event_name);
    const tool = captured.tool_name === undefined ? '' : text(captured.tool_name);
    const file = join(this.world.project, '.claude', 'settings.json');
    const groups = (JSON.parse(readFileSync(file, 'utf8')) as Settings).hooks?.[event] ?? [];
    const runs = groups
      .filter(({ matcher = '' }) => matcher === '' || new RegExp(`^(?:${matcher})$`).test(tool))
      .flatMap(({ hooks }) => hooks.map(({ command }) => this.start(event, tool, command, captured)));
    if (runs.length === 0) throw new Error(`the settings name no hook for ${event} ${tool}`);
    return runs;
  }

  /** By way of the shell and with the payload on standard input, as the client does it. */
  private start(event: string, tool: string, command: string, captured: Payload): HookRun {
    const env = { CLAUDE_PROJECT_DIR: this.world.project };
    const run = this.world.run('sh', ['-c', command], { env, input: JSON.stringify(captured) });
    if (run.code !== 0) throw new Error(`${command}: exit ${run.code}\n${run.stderr}`);
    return { event: tool === '' ? event : `${event}[${tool}]`, command, ms: run.ms, reply: run.stdout };
  }

  private append(end: number): void {
    const rows = this.rows.slice(this.written, end);
    this.written = Math.max(this.written, end);
    appendFileSync(this.transcript, rows.map((row) => `${row}\n`).join(''));
  }

  private get places(): { repo: string; home: string } {
    return { repo: this.world.project, home: this.world.home };
  }
}

function text(value: unknown): string {
  if (typeof value !== 'string')
    throw new Error(`a captured payload has ${JSON.stringify(value)} for a text`);
  return value;
}
