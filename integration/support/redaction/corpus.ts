import { ASIDE } from './aside/index.ts';
import { Chance, seedOf } from './chance.ts';
import { HARMLESS } from './harmless/index.ts';
import { type Kind, POSITIONS, type Position, type Sample } from './kind.ts';
import { KNOWN } from './known/index.ts';
import { type Rendered, renderRecords } from './positions.ts';

/** A text in its place: lines of a transcript, and how to read them. */
export interface Text extends Sample {
  readonly kind: Kind;
  readonly position: Position | 'branch';
  readonly rendered: Rendered;
}

/** Which kinds are meant. */
export const PARTS = { known: KNOWN, aside: ASIDE, harmless: HARMLESS } as const;
export type Part = keyof typeof PARTS;

const EVERYWHERE = POSITIONS.filter((position) => position !== 'path');
/** Texts of one harmless kind, and at least of one kind of secret. */
const HARMLESS_EACH = 24;
const SECRET_EACH = 6;

/**
 * All texts of a part, made anew from `seed`: of each kind of secret one in every position it can stand in, and of each
 * harmless kind two dozen.
 *
 * @param share of the kinds' texts, from 0 to 1: every first so many
 */
export function* textsOf(part: Part, seed: number, share = 1): Generator<Text> {
  for (const kind of PARTS[part]) {
    const positions = kind.positions ?? EVERYWHERE;
    const count = part === 'harmless' ? HARMLESS_EACH : Math.max(positions.length, SECRET_EACH);
    const first = new Chance(seedOf(seed, kind.name)).below(positions.length);
    for (let nth = 0; nth < Math.ceil(count * share); nth++) {
      const position = positions[(first + nth) % positions.length] as Position | 'branch';
      yield textOf(kind, position, seedOf(seed, kind.name, nth));
    }
  }
}

function textOf(kind: Kind, position: Position | 'branch', seed: number): Text {
  const chance = new Chance(seed);
  const sample = kind.make(chance);
  return { ...sample, kind, position, rendered: renderRecords(sample, kind, position, chance) };
}
