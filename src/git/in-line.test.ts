import { expect, test, vi } from 'vitest';
import { openLine } from './in-line.ts';

/** Something that is over when it is told to be. */
function task(begun: string[], name: string) {
  let end = (): void => {};
  const over = new Promise<string>((resolve) => {
    end = () => resolve(name);
  });
  const begin = (): Promise<string> => {
    begun.push(name);
    return over;
  };
  return { begin, end };
}

test('what runs aside begins in its order, when what goes first is over', async () => {
  const begun: string[] = [];
  const [first, second, third] = [task(begun, 'first'), task(begun, 'second'), task(begun, 'third')];
  const { inLine } = openLine(1);
  const all = [first, second, third].map((one) => inLine(one.begin));
  expect(begun).toEqual(['first']);
  first.end();
  expect(await all[0]).toBe('first');
  expect(begun).toEqual(['first', 'second']);
  second.end();
  third.end();
  expect(await Promise.all(all)).toEqual(['first', 'second', 'third']);
});

test('what fails lets the next one begin; what takes long does not hold it up', async () => {
  vi.useFakeTimers();
  try {
    const begun: string[] = [];
    const [slow, next] = [task(begun, 'slow'), task(begun, 'next')];
    const { inLine } = openLine(1);
    await expect(inLine(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    void inLine(slow.begin);
    void inLine(next.begin);
    expect(begun).toEqual(['slow']);
    vi.advanceTimersByTime(1_000);
    expect(begun).toEqual(['slow', 'next']);
  } finally {
    vi.useRealTimers();
  }
});

test('who waits leaves its processor to the line', async () => {
  const begun: string[] = [];
  const [first, second, third] = [task(begun, 'first'), task(begun, 'second'), task(begun, 'third')];
  const { inLine, whileIdle } = openLine(1);
  const all = [first, second, third].map((one) => inLine(one.begin));
  const waited = whileIdle(all[0] as Promise<string>);
  expect(begun).toEqual(['first', 'second']);
  first.end();
  expect(await waited).toBe('first');
  second.end();
  third.end();
  expect(await Promise.all(all)).toEqual(['first', 'second', 'third']);
  void inLine(task(begun, 'fourth').begin);
  void inLine(task(begun, 'fifth').begin);
  expect(begun).toEqual(['first', 'second', 'third', 'fourth']);
});

test('what cannot even begin fails, and lets the next one begin', async () => {
  const begun: string[] = [];
  const next = task(begun, 'next');
  const { inLine } = openLine(1);
  const broken = inLine(() => {
    throw new Error('no');
  });
  const waited = inLine(next.begin);
  await expect(broken).rejects.toThrow('no');
  expect(begun).toEqual(['next']);
  next.end();
  expect(await waited).toBe('next');
});
