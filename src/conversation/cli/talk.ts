import type { Headless, HeadlessRequest, HeadlessSign } from '../../agents/shared/headless/headless.ts';
import type { OpenProgram, OpenProgramEnd } from '../../base/process/open-program.ts';

/** An agent that has said that the turn is over may tidy up; what it left in the background may not keep us. */
const LINGER_MS = 10_000;
/** An agent that is told to stop may finish what it is writing. */
const STOP_GRACE_MS = 5_000;

/** How long an agent may be quiet. */
export interface Patience {
  /** In the middle of a turn; 0 for ever. */
  readonly silenceMs: number;
  /** When it has answered, and has not heard all that was said: a command of its own it never says to have heard. */
  readonly hearingMs: number;
}

/**
 * What is said to a process and heard of it in one turn: when that is over, how long it is waited for, and how it is stopped. What the
 * signs mean for the session is its caller's.
 */
export class Talk {
  /** The agent has said that the turn is over. */
  hasEnded = false;
  isSilent = false;
  private isStopped = false;
  private hasExited = false;
  /** It has been told that nothing more is said. */
  private isLeaving = false;
  /** It has answered, and has not heard all that was said. */
  private isResting = false;
  /** What was said into the turn, and not heard yet. */
  private unheard: readonly string[] = [];
  private readonly headless: Headless;
  private readonly program: OpenProgram;
  private readonly patience: Patience;
  private timer: NodeJS.Timeout | undefined;

  constructor(headless: Headless, program: OpenProgram, patience: Patience) {
    this.headless = headless;
    this.program = program;
    this.patience = patience;
  }

  steer(message: string): boolean {
    const text = this.headless.steer?.(message);
    if (text === undefined || this.hasEnded) return false;
    this.program.write(text);
    this.unheard = [...this.unheard, message];
    return true;
  }

  /** Asks for an early end, and insists after a while: also where the process ends at once, and what it has started does not. */
  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    const text = this.headless.interrupt?.();
    if (text === undefined || this.hasExited) this.program.signal('SIGINT');
    else this.program.write(text);
    setTimeout(() => this.program.signal('SIGTERM'), STOP_GRACE_MS).unref();
    setTimeout(() => this.program.signal('SIGKILL'), 2 * STOP_GRACE_MS).unref();
  }

  /** @throws {LineTooLong} */
  async *signs(request: HeadlessRequest): AsyncGenerator<HeadlessSign> {
    const reader = this.headless.reader(request);
    try {
      this.wait();
      for await (const line of this.program.lines) {
        if (!this.hasEnded) this.stopWaiting(); // also while whoever listens takes their time
        for (const sign of reader.read(line)) yield* this.noting(sign);
        this.wait();
      }
      const { code, stderr }: OpenProgramEnd = await this.program.ended;
      this.hasExited = true;
      if (!this.hasEnded) for (const sign of reader.end?.(code, stderr) ?? []) yield* this.noting(sign);
    } finally {
      this.stopWaiting();
      if (!this.hasEnded) this.stop(); // it died, or whoever listened has turned away
      this.program.closeInput();
    }
  }

  private noting(sign: HeadlessSign): readonly HeadlessSign[] {
    if (sign.type === 'steered') return this.heard(sign.text).map((text) => ({ type: 'steered', text }));
    if (sign.type === 'end') {
      this.hasEnded ||= this.unheard.length === 0 || sign.failure !== undefined || this.isStopped;
      this.isResting = !this.hasEnded;
    }
    return [sign];
  }

  /** Which messages a text is that the agent has heard: it may have taken several for one. None for what nobody said. */
  private heard(text: string): readonly string[] {
    const { unheard } = this;
    const heard = plain(text);
    for (let from = 0; from < unheard.length; from += 1)
      for (let to = from + 1; to <= unheard.length; to += 1) {
        const said = unheard.slice(from, to);
        if (plain(said.join('\n')) !== heard) continue;
        this.unheard = [...unheard.slice(0, from), ...unheard.slice(to)];
        return said;
      }
    return [];
  }

  /** Waits for the next line: longer or shorter, as things are. */
  private wait(): void {
    const { silenceMs, hearingMs } = this.patience;
    if (this.hasEnded) this.bidFarewell();
    else if (this.isResting) this.after(hearingMs, () => this.bidFarewell());
    else if (silenceMs > 0)
      this.after(silenceMs, () => {
        this.isSilent = true;
        this.program.signal('SIGKILL');
      });
  }

  private bidFarewell(): void {
    if (this.isLeaving) return;
    this.hasEnded = true;
    this.isLeaving = true;
    this.program.closeInput();
    this.after(LINGER_MS, () => this.program.signal('SIGTERM'));
  }

  private after(ms: number, body: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(body, ms);
  }

  private stopWaiting(): void {
    clearTimeout(this.timer);
    this.isResting = false;
  }
}

/** A text without the white space that clients add or take away. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
