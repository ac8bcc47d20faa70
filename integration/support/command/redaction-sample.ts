import { randomFrom } from '../runner/random.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALPHABETS: Readonly<Record<string, string>> = {
  A: UPPER + LOWER + DIGITS,
  l: LOWER + DIGITS,
  u: UPPER + DIGITS,
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  b: `${UPPER}${LOWER}${DIGITS}-_`,
  s: `${UPPER}${LOWER}${DIGITS}+/`,
  B: `${UPPER}234567`,
};

/**
 * A text with letters in the place of `{A24}`, and so on, so that no file of the repository looks like it holds a live
 * key. What stands in `[[…]]` is a secret.
 */
export function expandSample(sample: string, seed: number): { text: string; secrets: string[] } {
  const random = randomFrom(seed * 7919 + sample.length);
  const secrets: string[] = [];
  const filled = sample.replaceAll(/\{([AludhbsB])(\d+)\}/g, (_, alphabet: string, count: string) => {
    const units = ALPHABETS[alphabet] ?? '';
    return Array.from({ length: Number(count) }, () => units[Math.floor(random() * units.length)]).join('');
  });
  const text = filled.replaceAll(/\[\[(.+?)\]\]/gs, (_, secret: string) => {
    secrets.push(secret);
    return secret;
  });
  return { text, secrets };
}
