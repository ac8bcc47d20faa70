import { expect, test } from 'vitest';
import type { StoredSlot } from '../checkpoint/read/checkpoint.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { askedSessions, tellOwnPrompts } from './commit-prompts.ts';
import type { PromptedSlot } from './left-behind.ts';

const ASKED = ['add calc', 'step 1', 'step 2', 'step 3'];

/** The checkpoint of a session's turn, with all its prompts up to there. */
const checkpointOf = (turn: number): PromptedSlot => {
  const metadata = {
    ...{ sessionId: 's', agent: 'A', strategy: 'manual-commit', checkpointTranscriptStart: turn * 4 },
    ...{ createdAt: `2026-01-01T00:00:0${turn}Z`, filesTouched: [] },
  };
  const slot = { checkpoint: `c${turn}`, metadata, files: new Map([['full.jsonl', {}]]) };
  return [slot as unknown as StoredSlot, ASKED.slice(0, turn + 1)];
};

/** Where no transcript is read. */
const countOf = async (squash: readonly PromptedSlot[], others: readonly PromptedSlot[]) => {
  const prompts = await tellOwnPrompts({} as CheckpointStore, [...squash, ...others], { pieces: 0 });
  return askedSessions(
    squash.map(([slot]) => slot),
    prompts,
  );
};

test('a squash, which is told by its oldest checkpoint first, has as many prompts whatever is listed with it', async () => {
  const squash = [1, 2, 3].map(checkpointOf);
  const told = [{ sessionId: 's', agent: 'A', prompt: 'step 1', more: 2 }];
  expect(await countOf(squash, [])).toEqual(told);
  expect(await countOf(squash, [checkpointOf(0)])).toEqual(told);
  expect(await countOf(squash.toReversed(), [checkpointOf(0)])).toEqual(told);
});
