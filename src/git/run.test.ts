import { expect, test } from 'vitest';
import { byHalves } from './run.ts';

/** Fails where one of `bad` is among the items; counts its calls. */
function worker(bad: ReadonlySet<number>) {
  let calls = 0;
  const act = (items: readonly number[]): string[] => {
    calls++;
    const wrong = items.find((item) => bad.has(item));
    if (wrong !== undefined) throw new Error(`bad ${wrong}`);
    return items.map(String);
  };
  return { act, calls: () => calls };
}

const items = Array.from({ length: 10_000 }, (_, at) => at);
const failed = (item: number, error: unknown) => [`${item}: ${(error as Error).message}`];

test('what fails for none is done at once, and nothing is done for nothing', () => {
  const { act, calls } = worker(new Set());
  expect(byHalves(items, act, failed)).toHaveLength(10_000);
  expect([calls(), byHalves([], act, failed), calls()]).toEqual([1, [], 1]);
});

test('few bad ones among ten thousand cost some calls, and are told; all others are done, in their order', () => {
  const bad = new Set([0, 7_777, 9_999]);
  const { act, calls } = worker(bad);
  const expected = items.map((item) => (bad.has(item) ? `${item}: bad ${item}` : String(item)));
  expect(byHalves(items, act, failed)).toEqual(expected);
  expect(calls()).toBeLessThan(100);
});
