import type { TurnEvent } from '../agents/shared/headless/headless.ts';
import type { Message } from '../agents/shared/session/message.ts';

/** What answers in a session: a coding agent that is driven headless ({@link CliAgent}), or anything that has these two. */
export interface Agent {
  /** Its name in records; of a coding agent the one in `entire enable --agent`. */
  readonly name: string;
  /**
   * Takes one turn: yields what happens until it is over. What it throws fails the turn; when the token is cancelled, it
   * returns as soon as it can, and what it yielded until then is kept.
   */
  run(turn: Turn): AsyncIterable<TurnEvent>;
  /**
   * Called when a session forks, for agents that keep anything of it themselves: returns what the fork is to have as
   * {@link Turn.memory}. Without it a fork begins with none.
   */
  fork?(memory: AgentMemory, env: Environment | undefined): AgentMemory | Promise<AgentMemory>;
}

/** What an agent has to remember of a session from turn to turn; stored with it as JSON. */
export type AgentMemory = Readonly<Record<string, unknown>>;

/** What a turn is about. */
export interface Turn {
  /** What the user says. */
  readonly message: string;
  /** The conversation before that; the system prompt is no part of it. */
  readonly messages: readonly Message[];
  readonly system: string | undefined;
  readonly sessionId: string;
  readonly env: Environment | undefined;
  readonly token: CancellationToken;
  /** What this agent remembered last; empty at first, and when the last turn was another agent's. */
  readonly memory: AgentMemory;
  /** Remembers something else from now on, also if the turn fails later. */
  remember(memory: AgentMemory): void;
  /**
   * Says that this turn can be steered: `body` gets each message that the user says from now on, and returns whether it takes
   * it. When the running turn hears it, the agent yields `steered`; what was not heard when the turn is over is said in a turn of
   * its own.
   */
  onSteer(body: (message: string) => boolean): void;
}

/** Where an agent works. */
export interface Environment {
  /** Its folder, absolute. Default: the current one. */
  readonly cwd?: string;
  /** The variables it sees. Default: those of this process. */
  readonly variables?: NodeJS.ProcessEnv;
}

/** Tells a running turn that nobody waits for it any more. One token for each turn. */
export class CancellationToken {
  private readonly controller = new AbortController();

  /** For whatever takes an `AbortSignal`. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isCancelled(): boolean {
    return this.controller.signal.aborted;
  }

  /** The second time it does nothing. */
  cancel(): void {
    this.controller.abort();
  }

  /** Runs `body` when the turn is cancelled; at once if it is already. */
  onCancel(body: () => void): void {
    if (this.isCancelled) body();
    else this.controller.signal.addEventListener('abort', body, { once: true });
  }
}
