import { afterEach, expect, test } from 'vitest';
import { type disk, replaceDisk } from '../../base/file/disk.ts';
import { askOnTerminal, hasTerminal } from './terminal.ts';

let restore = () => {};
afterEach(() => {
  restore();
  restore = () => {};
});

/** Puts a terminal there, or none; returns the paths that were opened and the descriptors that were closed. */
function terminal(present: boolean): { opened: string[]; closed: number[] } {
  const calls = { opened: [] as string[], closed: [] as number[] };
  restore = replaceDisk({
    openSync: ((path: string, flags: string) => {
      calls.opened.push(`${path} ${flags}`);
      if (!present) throw Object.assign(new Error('ENXIO: no such device'), { code: 'ENXIO' });
      return 99;
    }) as typeof disk.openSync,
    closeSync: (fd) => void calls.closed.push(fd),
  });
  return calls;
}

test('a terminal can be opened for both directions, and is closed again', () => {
  const calls = terminal(true);
  expect(hasTerminal({})).toBe(true);
  expect(calls).toEqual({ opened: ['/dev/tty r+'], closed: [99] });
});

test('without one nobody sits there', () => {
  terminal(false);
  expect(hasTerminal({})).toBe(false);
});

test.each(['CLAUDECODE', 'GEMINI_CLI', 'CODEX_CI'])(
  'in the shell of an agent (%s) nobody sits there',
  (name) => {
    const calls = terminal(true);
    expect(hasTerminal({ [name]: '1' })).toBe(false);
    expect(calls.opened).toEqual([]);
    expect(hasTerminal({ [name]: '' })).toBe(true);
  },
);

test.each([
  ['1', true],
  ['0', false],
  ['yes', false],
])('ENTIRE_TEST_TTY=%s answers, whatever is there', (value, expected) => {
  terminal(!expected);
  expect(hasTerminal({ ENTIRE_TEST_TTY: value, CLAUDECODE: '1' })).toBe(expected);
});

test('a question, and a line for an answer', () => {
  const calls = terminal(true);
  let asked = '';
  replaceDisk({
    writeSync: ((_: number, text: string) => {
      asked += text;
    }) as never,
    readSync: ((_: number, buffer: Buffer) => buffer.write('n\n')) as never,
  });
  expect(askOnTerminal('Link? ')).toBe('n\n');
  expect(asked).toBe('Link? ');
  expect(calls.closed).toEqual([99]);
});

test('a terminal that is not there, or goes away, answers nothing', () => {
  terminal(false);
  expect(askOnTerminal('Link? ')).toBe('');
  const calls = terminal(true);
  replaceDisk({
    writeSync: (() => {
      throw new Error('EIO');
    }) as never,
  });
  expect(askOnTerminal('Link? ')).toBe('');
  expect(calls.closed).toEqual([99]);
});
