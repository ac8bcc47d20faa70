import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceClock } from '../../base/clock.ts';
import { startProgress } from './progress.ts';

let ms = 0;
let putBack = (): void => {};

beforeEach(() => {
  ms = Date.parse('2026-01-01T00:00:00Z');
  putBack = replaceClock(() => new Date(ms));
});
afterEach(() => putBack());

function stream(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
}

/** A step every `pauseMs`, `count` times. */
function walk(out: ReturnType<typeof stream>, count: number, pauseMs: number, env: NodeJS.ProcessEnv = {}) {
  const progress = startProgress(out, env);
  for (let at = 1; at <= count; at++) {
    ms += pauseMs;
    progress.step('reading', at, count);
  }
  progress.end();
  return out.written;
}

describe('progress', () => {
  test.each([true, false])('what is over within a second says nothing (terminal: %s)', (isTTY) => {
    expect(walk(stream(isTTY), 9, 100)).toEqual([]);
  });

  test('on a terminal one line is drawn again and again, and gone at the end', () => {
    expect(walk(stream(true), 3, 600)).toEqual([
      '\r\x1b[Kreading: 2 of 3',
      '\r\x1b[Kreading: 3 of 3',
      '\r\x1b[K',
    ]);
  });

  test('a terminal is drawn on ten times in a second at most', () => {
    expect(walk(stream(true), 3_000, 1)).toHaveLength(22); // two seconds after the first, and the end
  });

  test('elsewhere there are plain lines, one in five seconds', () => {
    expect(walk(stream(false), 12, 1_000)).toEqual([
      'reading: 1 of 12\n',
      'reading: 6 of 12\n',
      'reading: 11 of 12\n',
    ]);
  });

  test.each([{ ACCESSIBLE: '1' }, { TERM: 'dumb' }])('so where %o asks for it', (env) => {
    expect(walk(stream(true), 2, 1_000, env)).toEqual(['reading: 1 of 2\n']);
  });

  test('a line is cut to the terminal, and what would command it is dropped', () => {
    const out = stream(true, 24);
    const progress = startProgress(out, {});
    ms += 2_000;
    progress.step('reading \x1b]0;title\x07a file\nwith a long name');
    expect(out.written).toEqual(['\r\x1b[Kreading a file with a…']);
  });

  test('what is over says no more', () => {
    const out = stream(true);
    const progress = startProgress(out, {});
    progress.end();
    ms += 2_000;
    progress.step('late');
    progress.end();
    expect(out.written).toEqual([]);
  });
});
