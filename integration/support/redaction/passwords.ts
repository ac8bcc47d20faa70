import { uppercaseFirst } from './case.ts';
import type { Chance } from './chance.ts';

/** Rough shares of what lists of leaked passwords hold, without those that are words of a dictionary alone. */
const HUMAN: ReadonlyArray<readonly [share: number, templates: readonly string[]]> = [
  [30, ['«Pass»«d4»!', '«Pass»«d2»$', '«Name»20«d2»!', '«Pass»@«d4»', '«Pass»#«d3»', '«Pass»«d3»?']],
  [25, ['«pass»«d4»', '«Pass»«d2-4»', '«name»«d4»', '«Pass»20«d2»', '«pass»«pass»«d2»', '«Pass»«Pass»«d2»']],
  [20, ['«pass»-«pass»-«d2»', '«pass»_«pass»«d2»', '«Pass»-«Pass»-«Pass»«d1»', '«pass».«pass».«d4»']],
  [15, ['«leet»«d2»!', '«leet»«leet»', 'my«Leet»«d2»', '«leet»_«d4»', '«leet»$«d2»']],
  [10, ['«pass»-«pass»-«pass»-«pass»', '«pass»«pass»«pass»', '«Pass»«Pass»«Pass»!']],
];

export function humanPassword(chance: Chance): string {
  const all = HUMAN.flatMap(([share, templates]) => Array.from({ length: share }, () => templates));
  return chance.fill(chance.oneOf(chance.oneOf(all)));
}

const LEET: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };

/** A word with digits for some of its letters, at least one. */
export function leetWord(chance: Chance, capital: boolean): string {
  const word = chance.fill('«pass»');
  const leet = [...word].map((letter) => (chance.percent(70) ? (LEET[letter] ?? letter) : letter)).join('');
  const sure = leet === word ? word.replace(/[aeiost]/, (letter) => LEET[letter] ?? letter) : leet;
  return capital ? uppercaseFirst(sure) : sure;
}

/** Letters, digits and marks, some of each; none that a shell, a URL or JSON would want escaped. */
export function strongPassword(chance: Chance, length = 12 + chance.below(9)): string {
  const marks = chance.run('!#%^*-_+=.~', 2);
  const run = chance.fill(`«L${length - 4}»«d2»${marks}`);
  const units = [...run].map((unit) => [chance.below(1 << 30), unit] as const);
  const mixed = units
    .sort(([a], [b]) => a - b)
    .map(([, unit]) => unit)
    .join('');
  return /^[A-Za-z]/.test(mixed) ? mixed : `k${mixed.slice(1)}`;
}
