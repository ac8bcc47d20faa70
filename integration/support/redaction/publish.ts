import { PARTS, type Part } from './corpus.ts';
import { type Measured, type Rate, totalOf } from './measure.ts';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** A table of rates by kind. */
export function renderRates(title: string, rates: readonly Rate[]): string {
  const isHarmless = rates[0]?.kind.family === 'harmless';
  const row = (name: string, right: number, all: number) =>
    isHarmless
      ? `| ${name} | ${all} | ${all - right} | ${percent((all - right) / all)} |`
      : `| ${name} | ${all} | ${right} | ${percent(right / all)} |`;
  const rows = rates
    .toSorted((a, b) => (a.kind.name < b.kind.name ? -1 : 1))
    .map(({ kind, right, all }) => row(isHarmless ? kind.name : `${kind.name} (${kind.family})`, right, all));
  const total = totalOf(rates);
  if (rates.length === 0) return `${title}: not named while rules are written.`;
  return [
    `| ${title} | tried | ${isHarmless ? 'changed' : 'found'} | rate |`,
    '| --- | --: | --: | --: |',
    ...rows,
    row(`**all ${rates.length} kinds**`, total.right, total.all),
  ].join('\n');
}

/**
 * The page that publishes the rates.
 *
 * @param tellsAside whether kinds that are kept aside are named: not while somebody writes rules
 */
export function renderDocs(
  seed: number,
  measured: Readonly<Record<Part, Measured>>,
  tellsAside: boolean,
): string {
  const { known, aside, harmless } = {
    known: measured.known.rates,
    aside: measured.aside.rates,
    harmless: measured.harmless.rates,
  };
  const keysOf = (rates: readonly Rate[]) =>
    totalOf(rates.filter(({ kind }) => kind.family === 'vendor key'));
  const line = (name: string, rates: readonly Rate[]) => {
    const [all, keys] = [totalOf(rates), keysOf(rates)];
    return `| ${name} | ${rates.length} | ${all.all} | ${percent(all.share)} | ${percent(keys.share)} |`;
  };
  const alarms = totalOf(harmless);
  return `# What redaction finds

\`npm run redaction -- --docs --seed ${seed}\` made this page: all numbers are of that seed. Another seed makes other
secrets in other surroundings, and numbers that are a little different.

Each kind of secret is tried once in every position it can stand in: a prompt, what the agent says, the input of a tool,
its result, JSON within such a value, a command, the name of a file; in lines as Claude Code and Codex write them. They go
through what hooks redact transcripts and prompts with. A secret counts as found when no run of half of its characters,
four at least, is left; a harmless text as changed when one character is.

Kinds are *known* or *aside*. Rules were written with the known ones at hand, so that their rate flatters. Half of all
kinds were kept aside from whoever writes rules: by lot, except for kinds that were reported as missed, which are known
(\`integration/support/redaction/draw.ts\`). What a tool that you use prints is more like those.

| | kinds | secrets | found | vendors' keys |
| --- | --: | --: | --: | --: |
${line('known', known)}
${line('aside', aside)}

Of ${alarms.all} harmless texts of ${harmless.length} kinds ${alarms.all - alarms.right} were changed: ${percent(1 - alarms.share)}.

## By position

${byPosition(measured)}

## What is not found

Kinds of which less than nine in ten were found with this seed, the worst first:

${missed(tellsAside ? [...known, ...aside] : known)}${tellsAside ? '' : '\n\nOf those kept aside nothing is said here while rules are written; `--aside` names them.'}

No kind stands here for what nothing tells from other text: a password in a sentence that does not say so, secrets in
images, in compressed or encrypted files, spoken over several messages, or cut into pieces of which none looks like one.

## By kind

${renderRates('known', known)}

${renderRates('aside', tellsAside ? aside : [])}

## False alarms

${renderRates('harmless', harmless)}
`;
}

function missed(rates: readonly Rate[]): string {
  const poor = rates
    .filter(({ right, all }) => right / all < 0.9)
    .toSorted((a, b) => a.right / a.all - b.right / b.all || (a.kind.name < b.kind.name ? -1 : 1));
  if (poor.length === 0) return 'None.';
  const aside = new Set<unknown>(PARTS.aside);
  return poor
    .map(({ kind, right, all }) => `- ${kind.name}${aside.has(kind) ? ' (aside)' : ''}: ${right} of ${all}`)
    .join('\n');
}

function byPosition({ known, aside, harmless }: Readonly<Record<Part, Measured>>): string {
  const shares = [known, aside, harmless].map(({ positions }) => positions);
  const rows = [...new Set(shares.flatMap((positions) => [...positions.keys()]))].map((position) => {
    const cells = shares.map((positions, at) => {
      const rate = positions.get(position);
      if (!rate) return '';
      const share = rate.right / rate.all;
      return `${percent(at === 2 ? 1 - share : share)} of ${rate.all}`;
    });
    return `| ${[position, ...cells].join(' | ')} |`;
  });
  return [
    '| position | known, found | aside, found | harmless, changed |',
    '| --- | --: | --: | --: |',
    ...rows,
  ].join('\n');
}
