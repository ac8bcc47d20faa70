import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anySession, message, oddSession, sessionData } from '../../integration/support/storage/sessions.ts';
import { findFault, parseSessionData, renderSessionData } from './session-data.ts';

describe('a session as JSON', () => {
  test('has its fields in their order, and is read as what it was', () => {
    expect(renderSessionData(sessionData('s'))).toBe(
      '{"session_id":"s","messages":[{"role":"user","content":"hello"}],"system":null,"parent_id":null,' +
        '"created_at":1763881234.125,"updated_at":1763881234.25,"metadata":{}}',
    );
  });

  test('whatever it holds, it is the same when it was read', () => {
    fc.assert(
      fc.property(anySession('any'), (data) => {
        const text = renderSessionData(data);
        expect(renderSessionData(parseSessionData(text, 'a test'))).toBe(text);
        expect(text).toBe(JSON.stringify(data));
      }),
    );
  });

  test('whatever text is read, it is a session or is said to be none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), brokenSession), (text) => {
        try {
          expect(findFault(parseSessionData(text, 'a test'))).toBeUndefined();
        } catch (error) {
          expect(error).toMatchObject({
            code: 'STATE_UNREADABLE',
            message: expect.stringMatching(/^a test holds/),
          });
        }
      }),
    );
  });
});

/** A session with one of its fields, or one of a message's, replaced by anything. */
const brokenSession = fc
  .tuple(
    fc.constantFrom(
      ...Object.keys(sessionData('s')),
      'role',
      'content',
      'usage',
      'timestamp',
      'stopped',
      'steered',
    ),
    fc.jsonValue(),
  )
  .map(([name, value]) => {
    const data: Record<string, unknown> = { ...sessionData('s') };
    if (name in data) return JSON.stringify({ ...data, [name]: value });
    return JSON.stringify({ ...data, messages: [{ ...message('a'), [name]: value }] });
  });

describe('what is no session', () => {
  test('nothing is wrong with one that is', () => {
    expect(findFault(oddSession('s'))).toBeUndefined();
  });

  const usage = { input_tokens: 1, output_tokens: 1, cache_creation_tokens: 1, cache_read_tokens: 1 };
  const block = (fields: object) => ({ content: [{ type: 'text', text: '' }, { ...fields }] });

  test.each<[object, string]>([
    [{ session_id: 7 }, '`session_id` is not an id'],
    [{ messages: {} }, '`messages` is not a list'],
    [{ system: undefined }, '`system` is not a text'],
    [{ parent_id: '' }, '`parent_id` is not an id'],
    [{ created_at: '1' }, '`created_at` is not a time'],
    [{ updated_at: null }, '`updated_at` is not a time'],
    [{ metadata: null }, '`metadata` is not an object'],
    [{ title: '' }, '`title` is not a field of a session'],
    [JSON.parse('{"__proto__":1}'), '`__proto__` is not a field of a session'],
  ])('%j', (fields, fault) => {
    expect(findFault(withOwn(sessionData('s'), fields))).toBe(fault);
  });

  test.each<object>([
    { role: null },
    { content: null },
    { content: [null] },
    block({}),
    block({ type: 'text', text: 1 }),
    { timestamp: 'now' },
    { stopped: 'done' },
    { stopped: 'constructor' },
    { steered: false },
    { usage: 1 },
    { usage: { ...usage, input_tokens: '1' } },
    { usage: { ...usage, cost_usd: 'free' } },
  ])('a message with %j', (fields) => {
    const messages = [message('fine'), { ...message('a'), ...fields }];
    expect(findFault({ ...sessionData('s'), messages })).toBe('`messages[1]` is not a message');
  });

  test('what no type promises is kept as it is', () => {
    const free = {
      ...message('a'),
      ...block({ type: 'x', input: null }),
      usage,
      id: 7,
      stopped: 'cancelled',
    };
    expect(findFault({ ...sessionData('s'), messages: [free] })).toBeUndefined();
  });
});

/** As the parser makes it: `__proto__` is a key like any other. */
const withOwn = (data: object, fields: object): unknown =>
  JSON.parse(
    `{${[data, fields].flatMap((one) => Object.entries(one).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? '{}'}`)).join(',')}}`,
  );
