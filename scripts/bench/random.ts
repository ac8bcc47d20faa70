/** Numbers and texts that are the same in every run with the same seed. */
export interface Random {
  /** An integer from 0 to `below` − 1. */
  int(below: number): number;
  hex(digits: number): string;
  uuid(): string;
  /** Made-up words, `length` characters in all: as hard to compress as prose is easy. */
  text(length: number): string;
}

/** Mulberry32: small, fast, good enough for text. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const int = (below: number): number => next() % below;
  const hex = (digits: number): string => {
    let out = '';
    while (out.length < digits) out += next().toString(16).padStart(8, '0');
    return out.slice(0, digits);
  };
  const word = (): string => {
    let out = '';
    for (let left = 2 + int(8); left > 0; left--) out += String.fromCharCode(97 + int(26));
    return out;
  };
  return {
    int,
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    text(length) {
      let out = word();
      while (out.length < length) out += int(12) === 0 ? `.\n${word()}` : ` ${word()}`;
      return out.slice(0, length);
    },
  };
}
