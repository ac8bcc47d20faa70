import fc from 'fast-check';
import { Dice } from '../../support/runner/dice.ts';
import { type Exploration, stepsOf } from '../../support/runner/explore.ts';
import { WAYS } from './rewriting.ts';
import { Story } from './story.ts';

export const STORY_LENGTH = 4;

/**
 * Stories in which lines are written and history is rewritten.
 *
 * @param judge holds what is told against the truth, after each way to rewrite
 */
export const stories = (judge: (story: Story, way: string) => void): Exploration<Story> => ({
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
    judge(story, way);
  },
});
