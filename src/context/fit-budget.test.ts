import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildFileItems } from './aggregate/file-items.ts';
import { buildMarkdownNoHistory } from './aggregate/markdown.ts';
import { FileItem } from './file-item.ts';
import { estimateTokens, fitBudget } from './fit-budget.ts';

const FILES = 40;
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'entire-fit-'));
  mkdirSync(join(root, 'src'));
  for (let at = 0; at < FILES; at++)
    writeFileSync(join(root, 'src', `notes-${at}.txt`), `line of ${at}\n`.repeat(10 + at));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Fits the files into a budget, and says how often the whole text was made. */
async function fitInto(budget: number) {
  const files = await buildFileItems(root, ['src/*.txt']);
  let rendered = 0;
  const fitted = await fitBudget(
    files,
    budget,
    async (settings: FileItem) => (await buildFileItems(root, [settings]))[0],
    (now) => {
      rendered++;
      return buildMarkdownNoHistory(now);
    },
  );
  return { ...fitted, rendered, tokens: estimateTokens(buildMarkdownNoHistory(fitted.files)) };
}

test.each([100_000, 4_000, 3_000, 1_500])(
  'a budget of %i tokens is kept to, and not by more than a file',
  async (budget) => {
    const { fits, tokens, lowered, files, rendered } = await fitInto(budget);
    expect(fits).toBe(true);
    expect(tokens).toBeLessThanOrEqual(budget);
    expect(files).toHaveLength(FILES);
    expect(lowered.length > 0).toBe(budget < 10_000);
    expect(rendered).toBeLessThan(5); // not once for each step of each file
    if (lowered.length > 0) expect(budget - tokens).toBeLessThan(400);
  },
);

test('what is told of a file is what it has become: a summary where there is no skeleton of it', async () => {
  const { lowered } = await fitInto(4_000);
  expect(new Set(lowered.map(({ from, to }) => `${from} ${to}`))).toEqual(new Set(['full summary']));
});

test('a budget that nothing can keep to leaves names alone, and says so', async () => {
  const { fits, files } = await fitInto(10);
  expect(fits).toBe(false);
  expect(new Set(files.map(({ view }) => view))).toEqual(new Set(['none']));
});

test('files that are to stand there in full stay as they are', async () => {
  const settings = new FileItem({ path: 'src/notes-39.txt', forceFull: true });
  const files = await buildFileItems(root, [settings]);
  const fitted = await fitBudget(files, 10, async () => undefined, buildMarkdownNoHistory);
  expect(fitted).toEqual({ files, lowered: [], fits: false });
});
