import type { Headless, HeadlessRequest, HeadlessSign } from '../agents/headless.ts';
import type { OpenProgram, OpenProgramEnd } from '../base/open-program.ts';

/** An agent that has said that the turn is over may tidy up; what it left in the background may not keep us. */
const LINGER_MS = 10_000;
/** An agent that is told to stop may finish what it is writing. */
const STOP_GRACE_MS = 5_000;
/** An agent that has heard what was said too late begins to answer: a command of its own it never says to have heard. */
const HEARING_MS = 20_000;

/** What is said to a process and heard of it in one turn. */
export class Talk {
  /** The agent has said that the turn is over. */
  hasEnded = false;
  isSilent = false;
  private isStopped = false;
  /** It has answered, and has not heard all that was said. */
  private isResting = false;
  /** What was said into the turn, and not heard yet. */
  private unheard: readonly string[] = [];
  private readonly headless: Headless;
  private readonly program: OpenProgram;
  private readonly silenceMs: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(headless: Headless, program: OpenProgram, silenceMs: number) {
    this.headless = headless;
    this.program = program;
    this.silenceMs = silenceMs;
  }

  steer(message: string): boolean {
    const text = this.headless.steer?.(message);
    if (text === undefined || this.hasEnded) return false;
    this.program.write(text);
    this.unheard = [...this.unheard, message];
    return true;
  }

  /** Asks for an early end, and insists after a while. */
  stop(): void {
    this.isStopped = true;
    const text = this.headless.interrupt?.();
    if (text === undefined) this.program.signal('SIGINT');
    else this.program.write(text);
    const insist = setTimeout(() => {
      this.program.signal('SIGTERM');
      setTimeout(() => this.program.signal('SIGKILL'), STOP_GRACE_MS).unref();
    }, STOP_GRACE_MS);
    void this.program.ended.then(() => clearTimeout(insist));
  }

  async *signs(request: HeadlessRequest): AsyncGenerator<HeadlessSign> {
    const reader = this.headless.reader(request);
    try {
      this.listen();
      for await (const line of this.program.lines) {
        const hadEnded = this.hasEnded;
        if (!hadEnded) this.listen();
        for (const sign of reader.read(line)) yield* this.noting(sign);
        if (this.hasEnded && !hadEnded) this.bidFarewell();
        else if (this.isResting) this.waitForHearing();
      }
      const { code, stderr }: OpenProgramEnd = await this.program.ended;
      if (!this.hasEnded) for (const sign of reader.end?.(code, stderr) ?? []) yield* this.noting(sign);
    } finally {
      clearTimeout(this.timer);
      this.program.closeInput();
      if (!this.hasEnded) this.stop(); // whoever listened has turned away
    }
  }

  private bidFarewell(): void {
    this.isResting = false;
    this.program.closeInput();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.program.signal('SIGTERM'), LINGER_MS);
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

  private waitForHearing(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.hasEnded = true;
      this.bidFarewell();
    }, HEARING_MS);
  }

  private listen(): void {
    this.isResting = false;
    clearTimeout(this.timer);
    if (this.silenceMs === 0) return;
    this.timer = setTimeout(() => {
      this.isSilent = true;
      this.program.signal('SIGKILL');
    }, this.silenceMs);
  }
}

/** A text without the white space that clients add or take away. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
