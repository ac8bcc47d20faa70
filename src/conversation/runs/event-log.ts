import { dirname, join } from 'node:path';
import type { AgentName } from '../../agents/names.ts';
import { now, renderUtc } from '../../base/clock.ts';
import { EntireError } from '../../base/errors.ts';
import { disk, O_APPEND, O_CREAT, O_EXCL, O_WRONLY, writeAll } from '../../base/file/disk.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { shortenLine } from '../../base/text/text.ts';
import { eventLogFolder } from '../home.ts';
import { requireId } from '../storage/storage.ts';
import { eventsFile, type RunEvent } from './events.ts';
import { type RunFile, renderRun, runFile } from './run-file.ts';
import { parseRunId } from './run-id.ts';

/** What a run begins with. */
export interface RunStart {
  /** From `mintRunId`. */
  readonly runId: SessionId;
  /** The session that is talked in: the run's own id where it is a new one. */
  readonly sessionId: string;
  readonly agent: AgentName;
  /** Where the agent works, absolute. */
  readonly folder: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** So much of a prompt is the title of a run. */
const TITLE_BYTES = 200;

/**
 * Writes down what happens in a run, as it happens: a folder below `~/.entire/eventlog` with `run.json` and `events.jsonl`. A
 * kill loses the line that is being written, at most.
 *
 * Nothing is made before the first event. No method throws: a conversation does not end because its log cannot be
 * written. `failure` says why it could not.
 */
export class EventLog {
  /** The folder of the run, absolute. */
  readonly folder: string;
  /** The first thing that went wrong. */
  failure: Error | undefined;
  private run: RunFile;
  private fd: number | undefined;
  private isClosed = false;
  private isCutShort = false;

  /** @throws {EntireError} `INVALID_ID` for an id that is none of a run of this agent, or of a session */
  static open({ runId, sessionId, agent, folder, env }: RunStart): EventLog {
    if (parseRunId(runId)?.agent !== agent)
      throw new EntireError('INVALID_ID', `no run of ${agent}: ${JSON.stringify(runId)}`);
    const run = { runId, sessionId: requireId(sessionId), cliOrigin: agent, folder };
    const unknown = { title: undefined, startedAt: renderUtc(now()), agentSessionId: undefined };
    return new EventLog(join(eventLogFolder(env), runId), { ...run, ...unknown });
  }

  private constructor(folder: string, run: RunFile) {
    this.folder = folder;
    this.run = run;
  }

  /** One line, in one write. The first prompt is the run's title. */
  append(event: RunEvent): void {
    const isTitle = event.type === 'prompt' && this.run.title === undefined;
    const title = isTitle ? shortenLine(event.text, TITLE_BYTES) : '';
    this.trying(() => {
      const fd = this.begin();
      const line = Buffer.from(`${JSON.stringify({ at: renderUtc(now()), ...event })}\n`);
      const bytes = this.isCutShort ? Buffer.concat([Buffer.from('\n'), line]) : line;
      this.isCutShort = true;
      writeAll(fd, bytes);
      this.isCutShort = false;
    });
    if (title !== '') this.note({ title });
  }

  /** Notes that the conversation goes on as another session of ours: a fork. */
  noteSession(id: string): void {
    const sessionId = parseSessionId(id);
    if (sessionId !== undefined && sessionId !== this.run.sessionId) this.note({ sessionId });
  }

  /** Notes the agent's own id of the session, so that a listing knows both for one. */
  noteAgentSession(id: string): void {
    const agentSessionId = parseSessionId(id);
    if (agentSessionId !== undefined && agentSessionId !== this.run.agentSessionId)
      this.note({ agentSessionId });
  }

  close(): void {
    const { fd } = this;
    this.fd = undefined;
    this.isClosed = true;
    if (fd !== undefined) this.trying(() => disk.closeSync(fd));
  }

  private note(known: Partial<RunFile>): void {
    this.run = { ...this.run, ...known };
    if (this.fd !== undefined) this.trying(() => writeFileAtomic(runFile(this.folder), renderRun(this.run)));
  }

  private begin(): number {
    if (this.isClosed) throw new EntireError('WRITE_FAILED', 'the log of this run is closed.');
    if (this.fd !== undefined) return this.fd;
    disk.mkdirSync(dirname(this.folder), { recursive: true, mode: 0o700 });
    disk.mkdirSync(this.folder, { mode: 0o700 });
    const fd = disk.openSync(eventsFile(this.folder), O_APPEND | O_CREAT | O_EXCL | O_WRONLY, 0o600);
    this.fd = fd;
    this.note({}); // what happens is worth more than what it is of, which the folder's name tells as well
    return fd;
  }

  private trying(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }
}
