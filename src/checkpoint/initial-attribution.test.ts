import { describe, expect, test } from 'vitest';
import { addAttribution, parseInitialAttribution, toStoredAttribution } from './initial-attribution.ts';
import { parseSlot, renderSlot } from './metadata-json.ts';

const STORED = {
  calculated_at: '2026-02-10T11:05:00.2Z',
  agent_lines: 8,
  human_added: 2,
  human_modified: 0,
  human_removed: 0,
  total_committed: 10,
  agent_percentage: 80,
};
const SLOT = { checkpoint_id: 'a3b2c4d5e6f7', session_id: 's1', token_usage: null };

describe('initial_attribution', () => {
  test('is read and written with its keys in order', () => {
    const parsed = parseInitialAttribution(STORED);
    expect(parsed && JSON.stringify(toStoredAttribution(parsed))).toBe(JSON.stringify(STORED));
  });

  test.each([
    ['none', undefined],
    ['null', null],
    ['a word', 'much'],
    ['half of it', { agent_lines: 8 }],
    ['a word for a number', { ...STORED, agent_lines: '8' }],
    ['one with keys of later versions', { ...STORED, metric_version: 2 }],
  ])('%s is kept as it is', (_, value) => {
    expect(parseInitialAttribution(value)).toBeUndefined();
    const slot = { ...SLOT, ...(value === undefined ? {} : { initial_attribution: value }) };
    const again = JSON.parse(renderSlot(parseSlot(JSON.stringify(slot))));
    expect(again.initial_attribution).toEqual(value);
  });

  test('two parts of one commit are added up', () => {
    const one = parseInitialAttribution(STORED);
    const two = parseInitialAttribution({
      ...STORED,
      calculated_at: 'later',
      agent_lines: 2,
      total_committed: 5,
    });
    expect(addAttribution(one, undefined)).toBe(one);
    expect(addAttribution(undefined, two)).toBe(two);
    expect(addAttribution(undefined, undefined)).toBeUndefined();
    const both = addAttribution(one, two);
    expect(both && toStoredAttribution(both)).toEqual({
      calculated_at: 'later',
      agent_lines: 10,
      human_added: 4,
      human_modified: 0,
      human_removed: 0,
      total_committed: 15,
      agent_percentage: (10 / 15) * 100,
    });
  });
});
