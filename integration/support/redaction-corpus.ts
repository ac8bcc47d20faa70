import { readFileSync } from 'node:fs';
import { redactJsonLines, redactText } from '../../src/checkpoint/redact.ts';
import { randomFrom } from './random.ts';

/**
 * The corpus in `integration/fixtures/redaction`: texts as transcripts hold them. What stands in `[[…]]` is generated
 * when it is read, from the seed and the number of the line, so that no file of the repository looks like it holds a
 * live key: `{A36}` stands for 36 letters and digits, and so on ({@link ALPHABETS}). In the positive samples
 * it is a secret.
 */
export interface Sample {
  readonly kind: string;
  readonly text: string;
  /** Empty in a negative sample. */
  readonly secrets: readonly string[];
}

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const ALPHABETS: Readonly<Record<string, string>> = {
  A: UPPER + LOWER + DIGITS,
  l: LOWER + DIGITS,
  u: UPPER + DIGITS,
  c: LOWER,
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  H: `${DIGITS}ABCDEF`,
  b: `${UPPER}${LOWER}${DIGITS}-_`,
  s: `${UPPER}${LOWER}${DIGITS}+/`,
  B: `${UPPER}234567`,
  p: `${UPPER}${LOWER}${DIGITS}!#%^*`,
};

const FOLDER = new URL('../fixtures/redaction/', import.meta.url);

/** The samples of `positive.jsonl` or `negative.jsonl`. */
export function readCorpus(name: 'positive' | 'negative', seed: number): Sample[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, FOLDER), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line, index) => {
    const { kind, text } = JSON.parse(line) as { kind: string; text: string };
    const random = randomFrom(seed * 10_007 + index);
    const secrets: string[] = [];
    const expanded = text.replaceAll(/\[\[(.+?)\]\]/gs, (_, inner: string) => {
      const secret = inner.replaceAll(/\{([AlucdhHbsBp])(\d+)\}/g, (_, alphabet: string, count: string) =>
        draw(ALPHABETS[alphabet] ?? '', Number(count), random),
      );
      if (name === 'positive') secrets.push(secret);
      return secret;
    });
    return { kind, text: expanded, secrets };
  });
}

function draw(alphabet: string, count: number, random: () => number): string {
  let drawn = '';
  while (drawn.length < count) drawn += alphabet[Math.floor(random() * alphabet.length)];
  return drawn;
}

/** So much of a secret must not survive in one piece. */
const TELLING = 8;

/** The forms a text has in transcripts: plain, as the value of a JSON line, and in JSON that is such a value. */
const FORMS: ReadonlyArray<{
  readonly redact: (text: string) => Promise<string>;
}> = [
  { redact: redactText },
  { redact: async (text) => fromLine(await redactJsonLines(JSON.stringify({ text }))) },
  {
    redact: async (text) =>
      fromLine(fromLine(await redactJsonLines(JSON.stringify({ text: JSON.stringify({ text }) })))),
  },
];

const fromLine = (line: string): string => (JSON.parse(line) as { text: string }).text;

/** Whether redaction does what the sample asks for, in every form: leaves no part of a secret, or not a byte changed. */
export async function judgeSample({ text, secrets }: Sample): Promise<boolean> {
  for (const { redact } of FORMS) {
    const redacted = await redact(text).catch(() => undefined);
    if (redacted === undefined) return false;
    if (secrets.length === 0 ? redacted !== text : secrets.some((secret) => survives(secret, redacted)))
      return false;
  }
  return true;
}

function survives(secret: string, redacted: string): boolean {
  // Armour and line starts are no secret.
  const parts = secret.split(/-----[A-Z ]+-----|\s+|\\n/).filter((part) => part.length > 3);
  return parts.some((part) => {
    for (let at = 0; at + Math.min(TELLING, part.length) <= part.length; at++)
      if (redacted.includes(part.slice(at, at + TELLING))) return true;
    return false;
  });
}

/** How many samples were judged right. */
export interface Rate {
  readonly right: number;
  readonly all: number;
  /** Texts that were not, of the first seed. */
  readonly wrong: readonly Sample[];
}

/** Rates by kind over several seeds; each makes other secrets of the same samples. */
export async function measureCorpus(
  name: 'positive' | 'negative',
  seeds: number,
): Promise<Map<string, Rate>> {
  const rates = new Map<string, Rate>();
  for (let seed = 1; seed <= seeds; seed++) {
    for (const sample of readCorpus(name, seed)) {
      const { right, all, wrong } = rates.get(sample.kind) ?? { right: 0, all: 0, wrong: [] };
      const isRight = await judgeSample(sample);
      rates.set(sample.kind, {
        right: right + (isRight ? 1 : 0),
        all: all + 1,
        wrong: isRight ? wrong : [...wrong, sample],
      });
    }
  }
  return rates;
}

/** The rate of all kinds together, from 0 to 1. */
export function totalRate(rates: ReadonlyMap<string, Rate>): number {
  const all = [...rates.values()];
  return all.reduce((sum, { right }) => sum + right, 0) / all.reduce((sum, rate) => sum + rate.all, 0);
}
