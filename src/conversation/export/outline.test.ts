import { expect, test } from 'vitest';
import type { Message } from '../../agents/shared/session/message.ts';
import { toEnvelope } from './envelope.ts';
import { outlineOf } from './outline.ts';

const itemsOf = (messages: readonly Message[]): string[] =>
  outlineOf(
    toEnvelope(
      'codex',
      {
        session_id: 'one',
        messages,
        system: null,
        parent_id: null,
        created_at: 1,
        updated_at: 2,
        metadata: {},
      },
      [],
    ),
  ).turns.flatMap(({ items }) =>
    items.map((item) =>
      item.kind === 'tool'
        ? `${item.name}: ${item.result ?? 'no answer'}`
        : `${item.kind}: ${item.kind === 'attachment' ? item.name : item.text}`,
    ),
  );

const calls = (...ids: string[]): Message => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: `tool ${id}`, input: {} })),
});
const results = (...pairs: [id: string, text: string][]): Message => ({
  role: 'user',
  content: pairs.map(([tool_use_id, content]) => ({ type: 'tool_result', tool_use_id, content })),
});

test('a result stands with its call, wherever it comes', () => {
  expect(itemsOf([calls('a', 'b'), results(['b', 'two']), results(['a', 'one'])])).toEqual([
    'tool a: one',
    'tool b: two',
  ]);
});

test('calls that have the same id, as of models that count anew, have each their own result', () => {
  expect(
    itemsOf([calls('0'), results(['0', 'first']), calls('0'), results(['0', 'second']), calls('0')]),
  ).toEqual(['tool 0: first', 'tool 0: second', 'tool 0: no answer']);
});

test('a result whose call is not there is shown as it is', () => {
  const items = itemsOf([results(['gone', 'of a call that was compacted']), calls('a')]);
  expect(items).toEqual(['other: of a call that was compacted', 'tool a: no answer']);
});

test('a second result of one call is not left out', () => {
  const items = itemsOf([calls('a'), results(['a', 'one'], ['a', 'two'])]);
  expect(items).toEqual(['tool a: one', expect.stringContaining('two')]);
});
