import { describeError, EntireError } from '../../base/errors.ts';
import type { Session } from '../../conversation/session.ts';
import type { ChatView } from './chat/view.ts';
import * as text from './text.ts';

const MIN_PAUSE_MS = 1_000;
/** A save writes all of the session: of the time of a turn it takes a twentieth at most. */
const PAUSE_FOR_EACH = 20;

/** A session that is kept as it goes: a failure to keep it is told, and ends nothing. */
export class SavedSession {
  session: Session;
  /** Whether what was said last is kept. */
  isSafe = true;
  /** What is done when a turn has ended. */
  onTurn: () => void = () => {};
  private readonly view: ChatView;
  private due: NodeJS.Timeout | undefined;
  private pauseMs = MIN_PAUSE_MS;

  constructor(session: Session, view: ChatView) {
    this.session = session;
    this.view = view;
  }

  /** Something has happened in a turn: it is kept soon, so that a kill loses little of it. */
  saveSoon(): void {
    this.due ??= setTimeout(() => void this.save(), this.pauseMs).unref();
  }

  /** Never throws. Where another process has gone on with the session, what was said here becomes a fork of it. */
  async save(): Promise<void> {
    clearTimeout(this.due);
    this.due = undefined;
    const begun = performance.now();
    await this.trySave();
    this.pauseMs = Math.max(MIN_PAUSE_MS, PAUSE_FOR_EACH * (performance.now() - begun));
  }

  private async trySave(): Promise<void> {
    try {
      await this.session.save();
      this.isSafe = true;
    } catch (error) {
      if (!(error instanceof EntireError) || error.code !== 'SESSION_MOVED') return this.fail(error);
      if (!this.session.isRunning) return this.saveFork(); // else when the turn is over
    }
  }

  private async saveFork(): Promise<void> {
    const parent = this.session.sessionId;
    try {
      this.session = await this.session.fork();
      await this.session.save();
      this.isSafe = true;
      this.view.note(text.movedTo(this.session.sessionId, parent));
    } catch (error) {
      // A turn that was asked for meanwhile runs first; the save behind it makes the fork.
      if (!(error instanceof EntireError) || error.code !== 'SESSION_BUSY') this.fail(error);
    }
  }

  private fail(error: unknown): void {
    if (this.isSafe) this.view.note(text.notSaved(describeError(error))); // once is enough
    this.isSafe = false;
  }
}
