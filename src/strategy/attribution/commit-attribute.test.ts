import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attribute } from './commit.ts';
import { diffLines, newBudget } from './line-diff.ts';

/** A file of the session, as the base, its last step and the commit have it. */
type Touched = readonly [base: string, step: string, commit: string];

function attributeTexts(
  touched: Record<string, Touched>,
  user: { perFile?: Record<string, number>; removed?: number } = {},
  others: Record<string, number> = {},
) {
  const budget = newBudget();
  const addedPerFile = new Map(Object.entries(user.perFile ?? {}));
  return attribute({
    user: {
      added: [...addedPerFile.values()].reduce((a, b) => a + b, 0),
      removed: user.removed ?? 0,
      addedPerFile,
    },
    touched: new Map(
      Object.entries(touched).map(([path, [base, step, commit]]) => [
        path,
        { work: diffLines(base, step, budget).added, after: diffLines(step, commit, budget) },
      ]),
    ),
    others: new Map(Object.entries(others)),
  });
}

const lines = (name: string, count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => `${name} ${index + from}\n`).join('');

const counts = (
  agent: number,
  added: number,
  modified: number,
  removed: number,
  total: number,
  percent: number,
) => ({
  agentLines: agent,
  humanAdded: added,
  humanModified: modified,
  humanRemoved: removed,
  totalCommitted: total,
  agentPercentage: percent,
});

describe('the worked examples', () => {
  test('agent 8 lines, user then adds 2', () => {
    const agent = lines('agent', 8);
    expect(attributeTexts({ f: ['', agent, agent + lines('user', 2)] })).toEqual(counts(8, 2, 0, 0, 10, 80));
  });

  test('agent 10; user deletes 5 of them and adds 2', () => {
    const commit = lines('user', 2) + lines('agent', 5, 5);
    expect(attributeTexts({ f: ['', lines('agent', 10), commit] })).toEqual(
      counts(5, 0, 2, 3, 7, 71.42857142857143),
    );
  });

  test('agent deletes lines only, user deletes 2 more', () => {
    const touched = { f: [lines('base', 9), lines('base', 6), lines('base', 4)] as const };
    expect(attributeTexts(touched)).toEqual(counts(0, 0, 0, 2, 0, 0));
  });

  test('agent 10, user 5 between steps, and later replaces 3 of their own', () => {
    const step = lines('agent', 10) + lines('user', 5);
    const commit = lines('agent', 10) + lines('user', 2) + lines('new', 3);
    expect(attributeTexts({ f: ['', step, commit] }, { perFile: { f: 5 } })).toEqual(
      counts(10, 5, 3, 0, 15, 66.66666666666666),
    );
  });

  test('agent 4, user 5 between prompts, agent 4', () => {
    const step = lines('agent', 4) + lines('user', 5) + lines('agent', 4, 4);
    expect(attributeTexts({ f: ['', step, step] }, { perFile: { f: 5 } })).toEqual(
      counts(8, 5, 0, 0, 13, 61.53846153846154),
    );
  });

  test('agent 3 in one file, user 4 in another that was not touched', () => {
    const agent = lines('agent', 3);
    for (const perFile of [{}, { other: 4 }, { other: 9 }])
      expect(attributeTexts({ f: ['', agent, agent] }, { perFile }, { other: 4 }).agentLines).toBe(3);
    expect(attributeTexts({ f: ['', agent, agent] }, {}, { other: 4 })).toEqual(
      counts(3, 4, 0, 0, 7, 42.857142857142854),
    );
  });
});

const count = fc.nat({ max: 50 });
const inputs = fc.record({
  user: fc.record({
    added: count,
    removed: count,
    addedPerFile: fc
      .dictionary(fc.constantFrom('a', 'b', 'c', 'd'), count)
      .map((files) => new Map(Object.entries(files))),
  }),
  touched: fc
    .dictionary(
      fc.constantFrom('a', 'b'),
      fc.record({ work: count, after: fc.record({ added: count, removed: count }) }),
    )
    .map((files) => new Map(Object.entries(files))),
  others: fc.dictionary(fc.constantFrom('c', 'd', 'e'), count).map((files) => new Map(Object.entries(files))),
});

test('counts are never negative, and the percentage is that of the counts', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const found = attribute(input);
      for (const value of Object.values(found)) expect(value).toBeGreaterThanOrEqual(0);
      const { agentLines, totalCommitted, agentPercentage } = found;
      expect(agentPercentage).toBe(totalCommitted === 0 ? 0 : (agentLines / totalCommitted) * 100);
      for (const { work } of input.touched.values()) expect(work).toBeLessThanOrEqual(50);
      const work = [...input.touched.values()].reduce((sum, file) => sum + file.work, 0);
      expect(agentLines).toBeLessThanOrEqual(work);
      // Whatever the user adds or removes is said once: as replaced, or as added, or as removed.
      expect(Math.min(found.humanAdded, found.humanRemoved)).toBe(0);
    }),
  );
});

test('a user who did nothing leaves it all to the agent', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('x', 'y', '\n') }), (text) => {
      const { agentLines, totalCommitted, humanAdded, humanModified, humanRemoved } = attributeTexts({
        f: ['', text, text],
      });
      expect([humanAdded, humanModified, humanRemoved]).toEqual([0, 0, 0]);
      expect(agentLines).toBe(totalCommitted);
    }),
  );
});
