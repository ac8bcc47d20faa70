import type { TurnEvent } from '../../agents/shared/headless/headless.ts';
import type { Message, TurnStop } from '../../agents/shared/session/message.ts';
import { nowInSeconds } from '../../base/clock.ts';
import { EntireError } from '../../base/errors.ts';
import type { Agent, Turn } from '../agent.ts';
import { CancellationToken } from '../agent.ts';
import { TurnMessages } from '../turn-messages.ts';

/** How a turn went. */
export interface TurnEnd {
  readonly messages: readonly Message[];
  readonly stopped: TurnStop | undefined;
  /** What the agent threw. */
  readonly failure: unknown;
  /** What was said into the turn and not heard. */
  readonly unheard: readonly string[];
}

/** An agent that does not return when its turn is cancelled is left alone after so long. */
const CANCEL_GRACE_MS = 10_000;

/** A turn from its beginning to its end, which always comes: an agent may fail or be deaf. */
export class RunningTurn {
  readonly token = new CancellationToken();
  private readonly agent: Agent;
  private readonly onEvent: (event: TurnEvent) => void;
  private readonly said = new TurnMessages(nowInSeconds);
  private readonly unheard: string[] = [];
  private hear: ((message: string) => boolean) | undefined;
  private isOver = false;

  constructor(agent: Agent, onEvent: (event: TurnEvent) => void) {
    this.agent = agent;
    this.onEvent = onEvent;
  }

  /** Says something into the turn; false when it cannot hear that. */
  steer(message: string): boolean {
    if (this.isOver || this.token.isCancelled || !this.hear?.(message)) return false;
    this.unheard.push(message);
    return true;
  }

  /** What came of it until now, marked as unfinished: none while nothing has happened. */
  soFar(): readonly Message[] {
    return this.said.isEmpty ? [] : this.said.end('unfinished');
  }

  /** Never throws. */
  async run(about: Omit<Turn, 'token' | 'onSteer'>): Promise<TurnEnd> {
    let failure: unknown;
    try {
      if (!this.token.isCancelled) await Promise.race([this.listen(about), this.deadline()]);
    } catch (error) {
      failure = error ?? new EntireError('AGENT_FAILED', `${this.agent.name} failed without a reason.`);
    }
    this.isOver = true;
    const stopped = this.token.isCancelled ? 'cancelled' : stopOf(failure);
    if (stopped === 'cancelled') failure = undefined; // what an agent throws then is a consequence
    return { messages: this.said.end(stopped), stopped, failure, unheard: this.unheard };
  }

  private async listen(about: Omit<Turn, 'token' | 'onSteer'>): Promise<void> {
    const onSteer = (body: (message: string) => boolean): void => {
      this.hear = body;
    };
    for await (const event of this.agent.run({ ...about, token: this.token, onSteer })) {
      if (this.isOver) return; // nobody waits any more
      this.said.take(event);
      if (event.type === 'steered') this.heard(event.text);
      this.onEvent(event);
    }
  }

  private heard(text: string): void {
    const at = this.unheard.indexOf(text);
    if (at !== -1) this.unheard.splice(at, 1);
  }

  private deadline(): Promise<void> {
    return new Promise((resolve) =>
      this.token.onCancel(() => void setTimeout(resolve, CANCEL_GRACE_MS).unref()),
    );
  }
}

function stopOf(failure: unknown): TurnStop | undefined {
  if (failure === undefined) return undefined;
  return failure instanceof EntireError && failure.code === 'AGENT_TIMED_OUT' ? 'timed-out' : 'failed';
}
