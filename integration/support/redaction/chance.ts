import { randomFrom } from '../runner/random.ts';
import { fillPlaceholder } from './placeholders.ts';

/** Draws values from a seed: the same seed, the same values. */
export class Chance {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = randomFrom(seed);
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  oneOf<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  percent(share: number): boolean {
    return this.below(100) < share;
  }

  /** `count` characters of an alphabet. */
  run(alphabet: string, count: number): string {
    let drawn = '';
    while (drawn.length < count) drawn += alphabet[this.below(alphabet.length)];
    return drawn;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }

  /** Replaces each `«placeholder»` of a template by a value of its own; the table is in `placeholders.ts`. */
  fill(template: string): string {
    return template.replaceAll(/«([^»]+)»/g, (_, placeholder: string) => fillPlaceholder(placeholder, this));
  }
}

/** A number for a seed and some words, so that what is drawn for one kind does not move what is drawn for another. */
export function seedOf(seed: number, ...words: ReadonlyArray<string | number>): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const unit of words.join('\0')) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}
