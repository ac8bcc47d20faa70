/**
 * Prints how much of a corpus, made anew from a seed, redaction gets right, by kind.
 *
 *   npm run redaction [-- --seed 7] [--known] [--aside] [--wrong] [--docs]
 *
 * Without `--aside` the kinds that are kept aside are summed up only, so that whoever writes rules can run it. `--wrong`
 * prints the secrets of known kinds that are left, and harmless texts that change. `--docs` writes `docs/redaction-measured.md`; with
 * `--aside` by kind for those, too.
 * Exits with 1 when known kinds or harmless texts miss what is asked of them.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measure, THRESHOLDS, totalOf } from '../integration/support/redaction/measure.ts';
import { renderDocs, renderRates } from '../integration/support/redaction/publish.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    known: { type: 'boolean', default: false },
    aside: { type: 'boolean', default: false },
    wrong: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
if (!Number.isSafeInteger(seed)) throw new Error(`--seed is a whole number, not ${values.seed}`);
console.log(`seed ${seed}`);

const known = await measure('known', seed);
const harmless = await measure('harmless', seed);
const aside = values.known ? undefined : await measure('aside', seed);

console.log(`\n${renderRates('Secrets of known kinds', known.rates)}`);
if (aside && values.aside) console.log(`\n${renderRates('Secrets of kinds kept aside', aside.rates)}`);
console.log(`\n${renderRates('Harmless texts', harmless.rates)}`);
if (values.wrong) {
  for (const { text, stored } of [...known.wrong, ...harmless.wrong])
    console.log(
      `\n${text.kind.name} (${text.position}): ${JSON.stringify(text.secrets)}\n${stored.trimEnd()}`,
    );
}

const keys = totalOf(known.rates.filter(({ kind }) => kind.family === 'vendor key'));
const [all, alarms] = [totalOf(known.rates), totalOf(harmless.rates)];
console.log();
say('known kinds', all.share, all.all, THRESHOLDS.known);
say('vendor keys among them', keys.share, keys.all, THRESHOLDS.vendorKeys);
say('harmless texts left alone', alarms.share, alarms.all, 1 - THRESHOLDS.falseAlarms);
if (aside) say('kinds kept aside', totalOf(aside.rates).share, totalOf(aside.rates).all);

if (values.docs) {
  if (!aside) throw new Error('--docs needs the kinds that are kept aside: leave --known out');
  writeFileSync(
    new URL('../docs/redaction-measured.md', import.meta.url),
    renderDocs(seed, { known, aside, harmless }, values.aside),
  );
}

function say(what: string, share: number, count: number, least?: number): void {
  const isMissed = least !== undefined && share < least;
  if (isMissed) process.exitCode = 1;
  const asked = least === undefined ? '' : `; asked for: ${percent(least)}${isMissed ? ', MISSED' : ''}`;
  console.log(`${what}: ${percent(share)} of ${count}${asked}`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
