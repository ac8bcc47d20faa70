import fc from 'fast-check';
import { Dice } from '../../support/runner/dice.ts';
import { type Exploration, stepsOf } from '../../support/runner/explore.ts';
import { judge } from './judge.ts';
import { WAYS } from './rewriting.ts';
import { Story, type Tally } from './story.ts';

export const STORY_LENGTH = 4;

/** Stories in which lines are written and history is rewritten; after each way the truth of every line is asked for. */
export const stories = (tally: Tally): Exploration<Story> => ({
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
    judge(story, tally, way);
  },
});
