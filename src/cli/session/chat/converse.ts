import { createInterface } from 'node:readline';
import type { SavedSession } from '../saved-session.ts';
import * as text from '../text.ts';
import type { ChatView } from './view.ts';

/**
 * A conversation in a terminal, until somebody leaves. A line is a message, and steers while a turn is running; Ctrl-C
 * cancels the turn, and leaves the second time.
 */
export function converse(saved: SavedSession, view: ChatView, first: string): Promise<void> {
  const keyboard = createInterface({ input: process.stdin, output: process.stdout, prompt: text.PROMPT });
  let isLeaving = false;
  let isWarned = false;

  const ask = (): void => {
    if (!isLeaving && !saved.session.isRunning) keyboard.prompt();
  };
  const take = (message: string): void => {
    void saved.session.queue(message); // the view tells how it ends
    void saved.save();
  };
  saved.onTurn = () => void saved.save().then(ask);
  const leave = (): void => {
    void saved.session.cancelAll();
    keyboard.close();
  };

  keyboard.on('line', (line) => {
    view.hold(false);
    isWarned = false;
    if (line.trim() === '') return ask();
    if (!saved.session.isRunning) return take(line);
    if (!saved.session.steer(line)) view.note(text.QUEUED);
  });
  keyboard.on('SIGINT', () => {
    view.hold(false);
    if (isWarned) return leave();
    isWarned = true;
    view.note(saved.session.isRunning ? text.CANCELLING : text.LEAVES);
    saved.session.cancel();
    ask();
  });
  process.stdin.on('keypress', () => view.hold(saved.session.isRunning && keyboard.line !== ''));

  if (first === '') ask();
  else take(first);
  return new Promise((resolve) => {
    keyboard.on('close', () => {
      isLeaving = true;
      process.on('SIGINT', leave); // the terminal passes Ctrl-C on by itself again
      view.hold(false);
      void saved.session
        .idle()
        .then(() => saved.save())
        .then(() => view.end(saved.session.sessionId))
        .finally(() => process.off('SIGINT', leave))
        .then(resolve);
    });
  });
}
