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
