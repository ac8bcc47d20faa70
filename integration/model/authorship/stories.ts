import fc from 'fast-check';
import { expect } from 'vitest';
import { Dice } from '../../support/runner/dice.ts';
import { type Exploration, explore, stepsOf } from '../../support/runner/explore.ts';
import { judge } from './judge.ts';
import { WAYS } from './rewriting.ts';
import { Story, type Tally } from './story.ts';

/** Things that happen in one. */
export const STORY_LENGTH = 4;

/**
 * Takes that many stories, whose seed is printed, and holds each line of their files against the truth.
 *
 * @param every after how many of the things that happen
 */
export async function holdStories(count: number, every: number, usualSeed?: number): Promise<void> {
  const tally = newTally();
  await explore(
    stories((story, way) => {
      if (story.taken % every === 0) judge(story, tally, way);
    }),
    count * STORY_LENGTH,
    usualSeed,
  );
  expectAuthors(tally);
}

export const newTally = (): Tally => ({ lines: 0, unknown: 0, uniqueWrong: 0, common: 0, commonWrong: 0 });

export function expectAuthors(tally: Tally): void {
  console.log(tally);
  expect(tally.lines).toBeGreaterThan(0);
  expect(tally.uniqueWrong).toBe(0);
  expect(tally.unknown / tally.lines).toBeLessThanOrEqual(0.02);
  expect(tally.commonWrong / Math.max(1, tally.common)).toBeLessThanOrEqual(0.005);
}

/**
 * Stories in which lines are written and history is rewritten.
 *
 * @param hold holds what is told against the truth, after each way to rewrite
 */
export const stories = (hold: (story: Story, way: string) => void): Exploration<Story> => ({
  name: 'stories',
  env: 'ENTIRE_STORIES',
  length: STORY_LENGTH,
  anyStep: stepsOf(WAYS, fc.constant(''), 60),
  begin: (repo) => new Story(repo),
  take: (story, [way, , ...numbers]) => {
    story.endAll();
    story.commitAll();
    story.tell(`— ${way}`);
    WAYS[way]?.act(story, new Dice(numbers));
    story.endAll();
    story.commitAll();
    story.count(way);
    story.taken++;
    hold(story, way);
  },
});
