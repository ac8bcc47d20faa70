import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AGENT_MARKERS, AGENTS, type AgentName, SESSION_VARIABLES } from '../../agents/names.ts';
import { agentOf, headlessAgents } from '../../agents/registry.ts';
import type {
  Headless,
  HeadlessFailure,
  HeadlessRequest,
  HeadlessSign,
  HeadlessStart,
  TurnEvent,
} from '../../agents/shared/headless/headless.ts';
import type { Message } from '../../agents/shared/session/message.ts';
import { describeError, EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { resolveProgram } from '../../base/process/find-program.ts';
import { type OpenProgram, openProgram } from '../../base/process/open-program.ts';
import { LineTooLong } from '../../base/text/lines.ts';
import { truncate } from '../../base/text/text.ts';
import { programPlaceAt } from '../../git/program-place.ts';
import type { Agent, AgentMemory, Environment, Turn } from '../agent.ts';
import { isPrompt, textOf } from '../turn-messages.ts';
import { type CliMemory, findUntold, memoryOf, readCliMemory, renderAgain, renderPrompt } from './memory.ts';
import { copyOwnSession, readOwnSession } from './own-session.ts';
import { type Patience, Talk } from './talk.ts';
import { splitUsage } from './usage.ts';

export interface CliAgentOptions {
  /** More arguments for the agent's own command, in its own words: a model, what it may do without asking. */
  readonly words?: readonly string[];
  /** Its program, where it is not the one of its name on PATH; and arguments that come first. */
  readonly command?: readonly [string, ...string[]];
  /** A turn in which nothing is heard of it for so long has failed; 0 for never. Default: half an hour. */
  readonly silenceMs?: number;
  /** What was said into a turn, and is not heard so long after the answer, is said again in a turn of its own. Default: 20 seconds. */
  readonly hearingMs?: number;
}

const SILENCE_MS = 30 * 60_000;
const HEARING_MS = 20_000;

/**
 * A coding agent of this machine, driven without a terminal: one process for each turn, which goes on with the agent's own
 * session. Where that is about another conversation (the session was compacted, imported, or another agent's), it begins a new
 * one and is told what was said.
 */
export class CliAgent implements Agent {
  readonly name: AgentName;
  /** Its name for people. */
  private readonly type: string;
  private readonly loadHeadless: () => Promise<Headless>;
  private readonly options: CliAgentOptions;
  private readonly patience: Patience;

  /** @throws {EntireError} `UNSUPPORTED` for an agent that cannot be driven without a terminal */
  constructor(name: AgentName, options: CliAgentOptions = {}) {
    const { loadHeadless } = agentOf(name);
    const { type } = AGENTS[name];
    if (!loadHeadless)
      throw new EntireError('UNSUPPORTED', `${type} cannot be driven without a terminal.`, {
        hint: `Those that can: ${headlessAgents().join(', ')}.`,
      });
    this.name = name;
    this.type = type;
    this.loadHeadless = loadHeadless;
    this.options = options;
    this.patience = {
      silenceMs: options.silenceMs ?? SILENCE_MS,
      hearingMs: options.hearingMs ?? HEARING_MS,
    };
  }

  /** @throws {EntireError} `NOT_FOUND` where its program is not to be had: nothing need be begun then */
  requireProgram(folder: string, env: NodeJS.ProcessEnv): void {
    const [program] = this.options.command ?? [AGENTS[this.name].program];
    try {
      resolveProgram(program, programPlaceAt(folder, env));
    } catch (cause) {
      throw new EntireError('NOT_FOUND', `${this.type} is not installed: ${describeError(cause)}`, {
        hint: INSTALL,
        cause,
      });
    }
  }

  async *run(turn: Turn): AsyncGenerator<TurnEvent> {
    const { known, untold } = findUntold(readCliMemory(turn.memory), turn.messages);
    const lost = untold.length === 0 && known ? this.lostWith(known, turn) : [];
    const prompt = lost.length > 0 ? renderAgain(lost, turn.message) : renderPrompt(untold, turn.message);
    if (yield* this.take(turn, known, prompt)) return;
    if (turn.token.isCancelled) return;
    yield { type: 'notice', text: `${this.type} has lost its own session, and is told of it.` };
    yield* this.take(turn, undefined, renderPrompt(turn.messages, turn.message));
  }

  /** What was said before the agent, whose last turn broke off, had written down what it was told. */
  private lostWith(known: CliMemory, { messages, env }: Turn): readonly Message[] {
    if (messages.at(-1)?.stopped === undefined) return [];
    const holds = readOwnSession(this.name, known, env?.variables ?? process.env);
    let from = messages.length;
    for (let at = known.told_at; at >= 0; at = messages.slice(0, from).findLastIndex(isPrompt)) {
      if (holds(textOf(messages[at]?.content ?? '')) !== false) break;
      from = at;
    }
    return messages.slice(from);
  }

  /** @returns false when the agent does not have the session that it was to go on with */
  private async *take(
    turn: Turn,
    known: CliMemory | undefined,
    prompt: string,
  ): AsyncGenerator<TurnEvent, boolean> {
    const cwd = turn.env?.cwd ?? process.cwd();
    const request: HeadlessRequest = {
      prompt,
      resume: known?.session_id,
      system: turn.system,
      words: this.options.words ?? [],
      cwd,
      file: join(tmpdir(), `entire-${crypto.randomUUID()}`, 'system.md'),
    };
    const headless = await this.loadHeadless();
    if (turn.token.isCancelled) return true;
    const start = headless.start(request);
    try {
      if (start.file !== undefined) writeTurnFile(request.file, start.file);
      return yield* this.follow(turn, known, request, { headless, start });
    } finally {
      if (start.file !== undefined) removeTurnFile(request.file);
    }
  }

  private async *follow(
    turn: Turn,
    known: CliMemory | undefined,
    request: HeadlessRequest,
    { headless, start }: { readonly headless: Headless; readonly start: HeadlessStart },
  ): AsyncGenerator<TurnEvent, boolean> {
    const program = this.open(start, request.cwd, turn.env?.variables ?? process.env);
    const talk = new Talk(headless, program, this.patience);
    program.write(start.input);
    if (start.staysOpen) turn.onSteer((message) => talk.steer(message));
    else program.closeInput();
    turn.token.onCancel(() => talk.stop());
    let memory: AgentMemory | undefined;
    let failure: HeadlessFailure | undefined;
    const remember = (sessionId: string): void => {
      memory = memoryOf(turn, sessionId, request.cwd, known);
      turn.remember(memory);
    };
    if (start.sessionId !== undefined) remember(start.sessionId);
    for await (const sign of this.signs(talk, request)) {
      if (sign.type === 'session') remember(sign.sessionId);
      else if (sign.type === 'say') program.write(sign.text);
      else if (sign.type === 'usage') {
        const { usage, sums } = splitUsage(headless, sign.usage, known);
        yield { ...sign, usage };
        if (memory) turn.remember({ ...memory, ...sums });
      } else if (sign.type !== 'end') yield sign;
      else failure = sign.failure;
    }
    if (turn.token.isCancelled) return true;
    if (failure?.hasNoSession && known) return false;
    if (failure) throw this.failed(failure);
    if (talk.hasEnded) return true;
    throw await this.died(talk, program);
  }

  private async *signs(talk: Talk, request: HeadlessRequest): AsyncGenerator<HeadlessSign> {
    try {
      yield* talk.signs(request);
    } catch (error) {
      if (!(error instanceof LineTooLong)) throw error;
      throw new EntireError('AGENT_FAILED', `${this.type} printed ${error.message}, and was stopped.`, {
        hint: KEPT,
      });
    }
  }

  /** The agent's own session is copied now: later it will have gone on. Where it cannot be, the fork tells what was said. */
  async fork(memory: AgentMemory, env: Environment | undefined): Promise<AgentMemory> {
    const own = readCliMemory(memory);
    const sessionId = own && copyOwnSession(this.name, own, env?.variables ?? process.env);
    return sessionId === undefined ? {} : { ...memory, session_id: sessionId };
  }

  private open(start: HeadlessStart, cwd: string, variables: NodeJS.ProcessEnv): OpenProgram {
    const [program, ...first] = this.options.command ?? [start.program];
    const env = { ...personsEnvironment(variables), ...start.env };
    const { forbidden } = programPlaceAt(cwd, variables);
    return openProgram({ program, args: [...first, ...start.args], cwd, env, forbidden });
  }

  private failed({ message, needsLogin }: HeadlessFailure): EntireError {
    if (!needsLogin) return new EntireError('AGENT_FAILED', `${this.type}: ${shorten(message)}`);
    return new EntireError('AGENT_FAILED', `${this.type} wants a login: ${shorten(message)}`, {
      hint: `Start ${this.type} by itself once, log in there, and say it again.`,
    });
  }

  /** Why a process ended in the middle of a turn. */
  private async died(talk: Talk, program: OpenProgram): Promise<EntireError> {
    if (talk.isSilent) {
      const minutes = Math.round(this.patience.silenceMs / 6_000) / 10;
      const message = `${this.type} was silent for ${minutes} minutes, and was stopped.`;
      return new EntireError('AGENT_TIMED_OUT', message, { hint: KEPT });
    }
    const { code, stderr, failure } = await program.ended;
    if (failure) return this.notStarted(failure);
    const how = code === undefined ? 'was killed' : `ended with ${code}`;
    const words = stderr.trim() === '' ? '' : `: ${shorten(stderr)}`;
    return new EntireError('AGENT_FAILED', `${this.type} ${how} in the middle of the turn${words}`, {
      hint: KEPT,
    });
  }

  private notStarted(cause: NodeJS.ErrnoException): EntireError {
    if (cause.code !== 'ENOENT')
      return new EntireError('AGENT_FAILED', `${this.type} could not be started: ${cause.message}`, {
        cause,
      });
    return new EntireError(
      'NOT_FOUND',
      `${this.type} is not installed, or its folder is gone: ${cause.message}`,
      {
        hint: INSTALL,
        cause,
      },
    );
  }
}

const INSTALL = 'Install it, or put it on PATH.';
const KEPT = 'What it did until then is kept; say it again to go on.';

/** A file for one turn, which nobody else can read. */
function writeTurnFile(file: string, text: string): void {
  try {
    disk.mkdirSync(dirname(file), { mode: 0o700 });
    disk.writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    removeTurnFile(file);
    throw new EntireError('WRITE_FAILED', 'the system prompt cannot be handed to the agent in a file.', {
      hint: `Is there room in ${tmpdir()}, and may you write there?`,
      cause,
    });
  }
}

const removeTurnFile = (file: string): void => disk.rmSync(dirname(file), { recursive: true, force: true });

const shorten = (text: string): string => truncate(text.trim(), 500, '...');

/** More variables that say that a process is a shell of an agent: clients refuse to start in one, or take it for theirs. */
const MORE = ['AGENT', 'CLAUDE_PROJECT_DIR', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SSE_PORT'] as const;

/** An environment in which an agent may be started, wherever we were: that of a person's shell. */
function personsEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign = new Set<string>([...AGENT_MARKERS, ...SESSION_VARIABLES, ...MORE]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.has(name)));
}
