import { createRandom, type Random } from './random.ts';

/** Words that occur as those of a language do: the n-th most frequent one n times less often than the first. */
export function createProse(seed: number, vocabulary = 60_000): Random {
  const random = createRandom(seed);
  const words = Array.from({ length: vocabulary }, (_, at) => wordOf(random, at));
  const scale = Math.log(vocabulary);
  const word = (): string => words[Math.floor(Math.exp((random.int(1e6) / 1e6) * scale)) - 1] ?? 'the';
  return {
    ...random,
    text(length) {
      let out = word();
      while (out.length < length) out += random.int(12) === 0 ? `.\n${word()}` : ` ${word()}`;
      return out.slice(0, length);
    },
  };
}

/** Frequent words are short; of the others some are names as code has them. */
function wordOf(random: Random, at: number): string {
  const length = Math.min(10, 2 + Math.floor(Math.log2(at + 2) / 2) + random.int(3));
  const part = (count: number): string =>
    Array.from({ length: count }, () => String.fromCharCode(97 + random.int(26))).join('');
  if (at < 100 || random.int(5) > 0) return part(length);
  const second = part(length);
  return `${part(length)}${second.charAt(0).toUpperCase()}${second.slice(1)}`;
}
