import type { Found } from './victim.ts';

/**
 * When to kill a command, in milliseconds after its start. It reads for most of its time: what earlier kills found tells when
 * it begins to change something, and most kills come after that. Machines are not always as fast: it goes on learning.
 */
export class Moments {
  private beginsMs: number;
  private endsMs: number;

  /** @param usualMs how long it takes when nobody kills it */
  constructor(usualMs: number) {
    this.beginsMs = usualMs * 0.6;
    this.endsMs = usualMs;
  }

  choose(random: () => number): number {
    const from = random() < 0.25 ? 0 : this.beginsMs;
    return from + random() * (this.endsMs * 1.05 - from);
  }

  /** @param found `undefined`: it was not killed */
  learn(ms: number, found: Found | undefined): void {
    if (found === undefined || found === 'over') this.endsMs = (this.endsMs + ms) / 2;
    if (found === 'not begun') this.beginsMs = Math.max(this.beginsMs, ms);
    else this.beginsMs = Math.min(this.beginsMs, ms * 0.95);
    this.endsMs = Math.max(this.endsMs, this.beginsMs * 1.25);
  }
}
