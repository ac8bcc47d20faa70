/** What redacting one more megabyte costs, by the size of the transcript it is added to; the product's own path. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ObjectId, parseSessionId, type SessionId } from '../../src/base/ids.ts';
import { readLive } from '../../src/strategy/transcript/live.ts';
import { type RedactedTranscript, redactLive } from '../../src/strategy/transcript/redacted.ts';
import { saveRedacted } from '../../src/strategy/transcript/save.ts';
import { takePieces } from '../../src/strategy/transcript/take-in.ts';
import { createRandom, type Random } from './random.ts';
import { describeMachine, renderMarkdown } from './report.ts';
import { median, spread } from './timing.ts';

const ADDED = 1e6;
const LIKE = '0'.repeat(40) as ObjectId;

export async function measureRedaction(sizes: readonly number[], rounds: number): Promise<string> {
  const rows: Array<{ bytes: number; first: number; added: number[] }> = [];
  for (const bytes of sizes) rows.push({ bytes, ...(await measureSize(bytes, rounds)) });
  const medians = rows.map(({ added }) => median(added));
  return [
    renderMarkdown(
      ['transcript, MB', '1 MB added, ms', 'all of it (once), ms'],
      rows.map(({ bytes, first, added }) => [
        String(bytes / 1e6),
        `${median(added).toFixed(1)} ± ${spread(added).toFixed(1)}`,
        first.toFixed(0),
      ]),
    ),
    `Medians ± median absolute deviation. Slowest to fastest: ${(Math.max(...medians) / Math.min(...medians)).toFixed(2)}× (flat is 1).`,
    describeMachine([`${rounds} rounds`]),
  ].join('\n\n');
}

async function measureSize(bytes: number, rounds: number): Promise<{ first: number; added: number[] }> {
  const root = mkdtempSync(join(tmpdir(), 'entire-bench-redaction-'));
  try {
    const random = createRandom(7);
    const path = join(root, 'live.jsonl');
    writeFileSync(path, '');
    for (let written = 0; written < bytes; written += ADDED) appendFileSync(path, lines(random, ADDED));
    const first = await takeTranscript(root, path);
    const added: number[] = [];
    for (let round = 0; round < rounds; round++) {
      appendFileSync(path, lines(random, ADDED));
      added.push(await takeTranscript(root, path));
    }
    return { first, added };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** What a hook does with a transcript that grew, in milliseconds. */
export async function takeTranscript(root: string, transcriptPath: string): Promise<number> {
  const sessionId = parseSessionId('bench') as SessionId;
  const read = () => readLive(root, { sessionId, agentType: 'Claude Code', transcriptPath });
  const save = async (transcript: RedactedTranscript) => saveRedacted(transcript, LIKE);
  const start = performance.now();
  const size = read().index.size;
  await takePieces({ read, save, keep: () => {}, deadline: Number.POSITIVE_INFINITY });
  await save(await redactLive(read()));
  const took = performance.now() - start;
  const after = read();
  if (after.index.size <= size || after.fresh.length > 0) throw new Error('the transcript was not taken in');
  return took;
}

function lines(random: Random, bytes: number): string {
  let text = '';
  while (text.length < bytes) {
    const content = `${random.text(2000)} commit ${random.hex(40)}`;
    text += `${JSON.stringify({ type: 'assistant', uuid: random.uuid(), message: { role: 'assistant', content: [{ type: 'text', text: content }] } })}\n`;
  }
  return text;
}
