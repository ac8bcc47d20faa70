/**
 * Prints how much of the corpus in `integration/fixtures/redaction` redaction gets right, by kind.
 *
 *   npm run redaction [-- --seeds 5] [--wrong]
 *
 * `--wrong` prints the samples it gets wrong. Exits with 1 when it finds less than 99 % of the secrets, or changes more
 * than 1 % of the texts without one.
 */
import { parseArgs } from 'node:util';
import { measureCorpus, type Rate, totalRate } from '../integration/support/redaction-corpus.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
    wrong: { type: 'boolean', default: false },
  },
});
const seeds = Number(values.seeds);

const positive = await measureCorpus('positive', seeds);
const negative = await measureCorpus('negative', seeds);
print('Secrets found', positive, (rate) => rate);
print('False alarms', negative, (rate) => 1 - rate);
if (totalRate(positive) < 0.99 || 1 - totalRate(negative) > 0.01) process.exitCode = 1;

function print(title: string, rates: ReadonlyMap<string, Rate>, toShown: (rate: number) => number): void {
  const percent = (rate: number) => `${(toShown(rate) * 100).toFixed(1)} %`;
  const samples = [...rates.values()].reduce((sum, { all }) => sum + all, 0) / seeds;
  console.log(`\n| ${title} | samples | rate |\n| --- | --- | --- |`);
  for (const [kind, { right, all }] of [...rates].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`| ${kind} | ${all / seeds} | ${percent(right / all)} |`);
  console.log(`| **all** | ${samples} | ${percent(totalRate(rates))} |`);
  if (values.wrong)
    for (const [kind, { wrong }] of rates)
      for (const { text } of wrong) console.log(`\n${kind}: ${JSON.stringify(text)}`);
}
