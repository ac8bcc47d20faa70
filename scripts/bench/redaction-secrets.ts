/** What redaction costs by the number of secrets in a transcript, and for a text without one; the product's own path. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redactText } from '../../src/checkpoint/redact/redact.ts';
import { createRandom, type Random } from './random.ts';
import { takeTranscript } from './redaction.ts';
import { describeMachine, renderMarkdown } from './report.ts';
import { median, spread } from './timing.ts';

/** So many distinct secrets, in so many bytes; without a number of bytes the lines of the secrets alone. */
const SHAPES: ReadonlyArray<{ readonly secrets: number; readonly bytes: number }> = [
  { secrets: 500, bytes: 0 },
  { secrets: 4000, bytes: 0 },
  { secrets: 1000, bytes: 10e6 },
];

export async function measureSecrets(rounds: number): Promise<string> {
  await redactText('password=wo-7rd-unlike'); // loads what is loaded on first use
  const rows: string[][] = [];
  for (const { secrets, bytes } of SHAPES) {
    const took: number[] = [];
    for (let round = 0; round < rounds; round++) took.push(await measureOnce(secrets, bytes, round));
    const each = (median(took) / secrets).toFixed(3);
    rows.push([String(secrets), bytes === 0 ? 'their own' : `${bytes / 1e6} MB`, show(took), each]);
  }
  const plain: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const text = createRandom(round + 1).text(1e6);
    const start = performance.now();
    await redactText(text);
    plain.push(performance.now() - start);
  }
  return [
    renderMarkdown(['distinct secrets', 'in lines of', 'ms', 'ms each'], rows),
    `1 MB of plain text: ${show(plain)} ms.`,
    describeMachine([`${rounds} rounds`]),
  ].join('\n\n');
}

const show = (took: readonly number[]): string => `${median(took).toFixed(0)} ± ${spread(took).toFixed(0)}`;

/** A hook takes a transcript in whose second half gives the secrets away, and then one more line with all of them. */
async function measureOnce(secrets: number, bytes: number, round: number): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'entire-bench-redaction-'));
  try {
    const random = createRandom(round + 7);
    const path = join(root, 'live.jsonl');
    writeFileSync(path, line('hello'));
    await takeTranscript(root, path);
    const said = Array.from({ length: secrets }, () => sayOne(random));
    const between = Math.max(0, Math.floor(bytes / secrets) - 200);
    appendFileSync(path, said.map(([text]) => line(`${text} ${random.text(between)}`)).join(''));
    let took = await takeTranscript(root, path);
    appendFileSync(path, said.map(([, secret]) => line(`is it ${secret}?`)).join(''));
    took += await takeTranscript(root, path);
    return took;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A text that gives a secret away by a name, by a shape, or by a place; and the secret. */
function sayOne(random: Random): readonly [text: string, secret: string] {
  const secret = `w${random.hex(9)}Z!`;
  const forms = [
    `export DB_PASSWORD='${secret}'`,
    `curl -u me:${secret} https://host.io`,
    `{"password": "${secret}"}`,
    `glpat-${secret.slice(0, -1)}${random.hex(12)}`,
  ];
  return [forms[parseInt(random.hex(4), 16) % forms.length] ?? '', secret];
}

const line = (text: string): string =>
  `${JSON.stringify({ type: 'user', uuid: createRandom(1).uuid(), sessionId: 'bench', message: { role: 'user', content: text } })}\n`;
