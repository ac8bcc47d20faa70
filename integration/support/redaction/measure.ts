import { type Part, type Text, textsOf } from './corpus.ts';
import { judgeText } from './judge.ts';
import type { Kind } from './kind.ts';

/** How many were judged right. */
export interface Rate {
  readonly kind: Kind;
  readonly right: number;
  readonly all: number;
}

/** A text that was not judged right, and what was stored of it. */
export interface Wrong {
  readonly text: Text;
  readonly stored: string;
}

export interface Measured {
  readonly rates: readonly Rate[];
  /** The same by position. */
  readonly positions: ReadonlyMap<Text['position'], Omit<Rate, 'kind'>>;
  readonly wrong: readonly Wrong[];
}

/** Rates by kind over a part of the corpus: secrets found of those tried, or harmless texts left alone. */
export async function measure(part: Part, seed: number, share = 1): Promise<Measured> {
  const rates = new Map<Kind, Rate>();
  const positions = new Map<Text['position'], Omit<Rate, 'kind'>>();
  const wrong: Wrong[] = [];
  for (const text of textsOf(part, seed, share)) {
    const { right, all, stored } = await judgeText(text);
    const { kind, position } = text;
    const rate = rates.get(kind) ?? { right: 0, all: 0 };
    rates.set(kind, { kind, right: rate.right + right, all: rate.all + all });
    const there = positions.get(position) ?? { right: 0, all: 0 };
    positions.set(position, { right: there.right + right, all: there.all + all });
    if (right < all) wrong.push({ text, stored });
  }
  return { rates: [...rates.values()], positions, wrong };
}

/** Of several kinds together. */
export function totalOf(rates: ReadonlyArray<Omit<Rate, 'kind'>>): {
  readonly right: number;
  readonly all: number;
  readonly share: number;
} {
  const right = rates.reduce((sum, rate) => sum + rate.right, 0);
  const all = rates.reduce((sum, rate) => sum + rate.all, 0);
  return { right, all, share: all === 0 ? 1 : right / all };
}

/** What is asked of redaction; kinds that are kept aside are published as they come. */
export const THRESHOLDS = { known: 0.97, vendorKeys: 0.99, falseAlarms: 0.005 } as const;
