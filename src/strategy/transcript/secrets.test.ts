import { expect, test, vi } from 'vitest';
import { TranscriptFolder } from '../../../integration/support/agent/transcripts.ts';

const row = (content: string): string => `${JSON.stringify({ type: 'user', message: { content } })}\n`;

/** Reads of JSON and bytes searched, for each of so many secrets that one part of a transcript gives away. */
async function costOfSecrets(count: number): Promise<{ parsed: number; searched: number }> {
  const places = new TranscriptFolder();
  try {
    const lines = Array.from({ length: count }, (_, no) => row(`"line"\npassword: 'wörd-${no * 7919}x!'`));
    places.write(row('first'));
    await places.take();
    places.append(lines.join(''));
    const parse = vi.spyOn(JSON, 'parse');
    let searched = 0;
    const { indexOf } = Buffer.prototype;
    vi.spyOn(Buffer.prototype, 'indexOf').mockImplementation(function (this: Buffer, value, from) {
      const at = indexOf.call(this, value as Buffer, from as number);
      searched += (at === -1 ? this.length : at) - Number(from ?? 0);
      return at;
    });
    await places.take();
    const parsed = parse.mock.calls.length;
    vi.restoreAllMocks();
    expect(places.read().index.secrets).toHaveLength(count);
    return { parsed: parsed / count, searched: searched / count };
  } finally {
    vi.restoreAllMocks();
    places.remove();
  }
}

test('a secret costs what it costs alone, however many there are', async () => {
  const few = await costOfSecrets(50);
  const many = await costOfSecrets(400);
  expect(many.parsed).toBeLessThanOrEqual(1.5 * few.parsed);
  expect(many.searched).toBeLessThanOrEqual(1.5 * few.searched);
});
