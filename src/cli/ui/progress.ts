import { now } from '../../base/clock.ts';
import { collapse } from '../../base/text/text.ts';
import { plain } from './terminal.ts';
import { cutTo } from './width.ts';

/** Nobody has to be told about what is over within this time. */
const QUIET_MS = 1_000;
/** Between two pictures on a terminal. */
const REDRAW_MS = 100;
/** Between two lines elsewhere, as in the log of a build. */
const LINE_MS = 5_000;

/** Tells a waiting person, on stderr, how far something has come. */
export interface Progress {
  /**
   * What is being done now, and how much of it is done: `3 of 10`. Cheap: may be called for each of thousands of things.
   * Text from elsewhere is made safe to print.
   */
  step(what: string, done?: number, total?: number): void;
  /** It is over, in whichever way: takes the line off the terminal. May be called twice. */
  end(): void;
}

/** Where progress is told; replaced in tests. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/**
 * Starts telling. What is over within a second says nothing. On a terminal one line is drawn again and again, and gone
 * at the end; elsewhere, and where `ACCESSIBLE` is set, there are plain lines, one in five seconds at most.
 *
 * Pictures come with {@link Progress.step}, and in between where the work waits for something: work that is
 * synchronous is seen only as often as it calls that.
 */
export function startProgress(
  stream: ProgressStream = process.stderr,
  env: NodeJS.ProcessEnv = process.env,
): Progress {
  const draws = stream.isTTY === true && !env.ACCESSIBLE && env.TERM !== 'dumb';
  const startedAt = now().getTime();
  let shownAt: number | undefined;
  let current = '';
  let shown = '';
  let isOver = false;

  const show = (): void => {
    const at = now().getTime();
    const pause = draws ? REDRAW_MS : LINE_MS;
    if (isOver || current === '' || current === shown) return;
    if (at - startedAt < QUIET_MS || (shownAt !== undefined && at - shownAt < pause)) return;
    const width = Math.max(20, (stream.columns ?? 80) - 1); // a full line would wrap, and could not be taken back
    stream.write(draws ? `\r\x1b[K${cutTo(current, width)}` : `${current}\n`);
    shownAt = at;
    shown = current;
  };
  const timer = setInterval(show, 250);
  timer.unref();

  return {
    step(what, done, total) {
      if (isOver) return;
      current = collapse(plain(renderStep(what, done, total)));
      show();
    },
    end() {
      clearInterval(timer);
      if (draws && shownAt !== undefined && !isOver) stream.write('\r\x1b[K');
      isOver = true;
    },
  };
}

/** {@link startProgress} for as long as `body` runs. */
export async function withProgress<T>(body: (progress: Progress) => T | Promise<T>): Promise<T> {
  const progress = startProgress();
  try {
    return await body(progress);
  } finally {
    progress.end();
  }
}

function renderStep(what: string, done: number | undefined, total: number | undefined): string {
  if (done === undefined) return `${what} …`;
  return total === undefined ? `${what}: ${done}` : `${what}: ${done} of ${total}`;
}
