import { expect, test } from 'vitest';
import { redactText } from './redact.ts';

test('many colours and many secrets cost one walk', async () => {
  const text = Array.from(
    { length: 2000 },
    (_, no) => `\u001b[3${no % 8}mline ${no}\u001b[0m pass\u001b[1mword=w${no}x9zq77`,
  ).join('\n');
  const redacted = await redactText(text);
  expect(redacted).not.toMatch(/w\d+x9zq77/);
}, 20_000);

/** What the processor spends on a text of nothing but a fragment, in microseconds. */
async function cost(fragment: string, length: number): Promise<number> {
  const text = fragment.repeat(length / fragment.length);
  const start = process.cpuUsage();
  await redactText(text);
  return process.cpuUsage(start).user;
}

test.each(['x', 'pass', 'Ab1', 'a/', 'abandon ', 'password=', '\u001b[0m', '"password",', '-----BEGIN '])(
  'a text of nothing but %j costs what its length says',
  async (fragment) => {
    await cost(fragment, 1000);
    // Four times the length: sixteen times the cost where it is the square.
    const short = await cost(fragment, 30_000);
    expect(await cost(fragment, 120_000)).toBeLessThan(12 * Math.max(short, 20_000));
  },
);

test.each(["7z -pIDENTIFIED BY '((", 'aws a --secret-string a:b@a:b@a:b@ '])(
  'commands whose options hold no secret are walked once: %j',
  async (fragment) => {
    await cost(fragment, 1000);
    const short = await cost(fragment, 50_000);
    expect(await cost(fragment, 200_000)).toBeLessThan(7 * Math.max(short, 60_000));
  },
  60_000,
);
