import fc from 'fast-check';
import type { Message } from '../../../src/agents/shared/session/message.ts';
import type { SessionData } from '../../../src/conversation/session-data.ts';

export const message = (content: string): Message => ({ role: 'user', content });

/** A session with what is given, and little else. */
export const sessionData = (session_id: string, fields: Partial<SessionData> = {}): SessionData => ({
  session_id,
  messages: [message('hello')],
  system: null,
  parent_id: null,
  created_at: 1_763_881_234.125,
  updated_at: 1_763_881_234.25,
  metadata: {},
  ...fields,
});

/** What breaks encoders: lone surrogates, NULs, separators of lines that are none in JSON, keys that objects have of their own. */
export const oddSession = (id: string): SessionData =>
  sessionData(id, {
    messages: [
      message('\ud800 \udc00\ud800 \u0000 \u2028 \ufeff é 😀 "\\'),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: '' },
          { type: 'tool_use', id: 't1', name: 'Bash', input: JSON.parse('{"__proto__":{"a":[]},"":1}') },
          { type: 'unheard_of', numbers: [1e-7, 1e21, -1.5, 0, 2 ** 53, 5e-324] },
        ],
        usage: {
          input_tokens: 1,
          output_tokens: 2,
          cache_creation_tokens: 0,
          cache_read_tokens: 0,
          cost_usd: 0.1 + 0.2,
        },
        timestamp: 1e-7,
        stopped: 'timed-out',
        constructor: null,
      },
    ],
    system: 'NUL \u0000, lone \udfff',
    parent_id: 'another',
    created_at: 1e-7,
    updated_at: 1_763_881_234.1234567,
    metadata: JSON.parse(
      '{"__proto__":{"polluted":true},"toJSON":1,"10":"b","2":"a","nested":{"deep":[[[{}]]]}}',
    ),
  });

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: loneSurrogates() }), fc.string());

function loneSurrogates(): fc.Arbitrary<string> {
  return fc.integer({ min: 0xd7f0, max: 0xe010 }).map((unit) => String.fromCharCode(unit));
}

/** What JSON can hold. `-0` and the like cannot stand in it. */
const json = fc.jsonValue({ maxDepth: 5, depthSize: 'medium', stringUnit: 'binary' });
const keys = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', '1', ''));
const object = fc.array(fc.tuple(keys, json), { maxLength: 5 }).map(fromEntries);
const time = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e-7, 5e-324, 1.7976931348623157e308, 1_763_881_234.1234567),
);

/** Unlike `Object.fromEntries` it is the parser that makes `__proto__` a key. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const parts = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return JSON.parse(`{${parts.join(',')}}`) as Record<string, unknown>;
}

const block = fc.tuple(object, text).map(([fields, type]) => withFields(fields, { type }));

/** Without what a message promises of its own fields. */
function withFields<T extends object>(fields: Record<string, unknown>, known: T): T {
  const free = { ...fields };
  for (const name of ['text', 'timestamp', 'usage', 'stopped', 'steered', 'toJSON']) delete free[name];
  return { ...free, ...known };
}

const anyMessage: fc.Arbitrary<Message> = fc
  .tuple(object, text, fc.oneof(text, fc.array(block, { maxLength: 4 })))
  .map(([fields, role, content]) => withFields(fields, { role, content }));

/** Any session whatever that JSON can hold. */
export const anySession = (id: string): fc.Arbitrary<SessionData> =>
  fc.record({
    session_id: fc.constant(id),
    messages: fc.array(anyMessage, { maxLength: 6 }),
    system: fc.option(text, { nil: null }),
    parent_id: fc.option(fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$/), { nil: null }),
    created_at: time,
    updated_at: time,
    metadata: object,
  });
