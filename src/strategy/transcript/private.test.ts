import { describe, expect, test } from 'vitest';
import { transcriptFormatOf } from '../../agents/registry.ts';
import { type Mask, maskDocument, maskLines, maskTranscript, trimMasked } from './private.ts';
import { keysOf, keysOfItems } from './private-keys.ts';

const WORD = 'PRIVATEWORD';
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString();
const STRETCH = { fromMs: Date.parse(at(10)), toMs: Date.parse(at(20)), what: 'paused' } as const;
const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** What clients write: before a stretch, in it, and after it, the last of it a line that repeats what was said. */
const CLIENTS: Record<string, { agent: string; before: string; inside: string; after: string }> = {
  'Claude Code': {
    agent: 'Claude Code',
    before: lines({
      type: 'user',
      uuid: 'aaaaaaaa-1',
      timestamp: at(1),
      message: { role: 'user', content: 'before it' },
    }),
    inside: lines(
      {
        type: 'user',
        uuid: 'aaaaaaaa-2',
        timestamp: at(11),
        message: { role: 'user', content: `${WORD} is what I ask` },
      },
      { type: 'file-history-snapshot', snapshot: { path: WORD } },
      {
        type: 'assistant',
        uuid: 'aaaaaaaa-3',
        timestamp: at(12),
        message: { role: 'assistant', content: [{ type: 'text', text: WORD }] },
      },
    ),
    after: lines(
      { type: 'user', uuid: 'aaaaaaaa-4', timestamp: at(30), message: { role: 'user', content: 'after it' } },
      { type: 'last-prompt', lastPrompt: `${WORD} is what I ask`, sessionId: 's' },
    ),
  },
  Codex: {
    agent: 'Codex',
    before: lines({
      timestamp: at(1),
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'before it' }] },
    }),
    inside: lines(
      {
        timestamp: at(11),
        type: 'event_msg',
        payload: { type: 'user_message', message: `${WORD} is what I ask` },
      },
      {
        timestamp: at(11),
        type: 'response_item',
        payload: {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: `${WORD} is what I ask` }],
        },
      },
      {
        timestamp: at(12),
        type: 'response_item',
        payload: { type: 'function_call', name: 'shell', arguments: WORD },
      },
    ),
    after: lines(
      {
        timestamp: at(30),
        type: 'compacted',
        payload: {
          message: '',
          replacement_history: [
            {
              type: 'message',
              role: 'user',
              content: [{ type: 'input_text', text: `${WORD} is what I ask` }],
            },
          ],
        },
      },
      { timestamp: at(31), type: 'event_msg', payload: { type: 'agent_message', message: 'after it' } },
    ),
  },
  'Cursor, whose lines have no time': {
    agent: 'Cursor',
    before: lines({ role: 'user', message: { content: [{ type: 'text', text: 'before it' }] } }),
    inside: lines(
      { role: 'user', message: { content: [{ type: 'text', text: WORD }] } },
      { role: 'assistant', message: { content: [{ type: 'text', text: `${WORD} it is` }] } },
    ),
    after: lines({ role: 'assistant', message: { content: [{ type: 'text', text: 'after it' }] } }),
  },
};

describe('what is private in a transcript', () => {
  test.each(Object.entries(CLIENTS))(
    'is known by where it stood, by its words and by its time: %s',
    (_, client) => {
      const { agent, before, inside, after } = client;
      const format = transcriptFormatOf(agent);
      const start = { bytes: Buffer.byteLength(before), items: 0 };
      const keys = new Set(keysOf(format, Buffer.from(before + inside), start, STRETCH));
      const whole = Buffer.from(before + inside + after);
      const masked = maskLines({ stretches: [STRETCH], keys }, whole);
      expect(masked.length).toBe(whole.length);
      const stored = trimMasked({ stretches: [STRETCH], keys }, masked.toString('utf8'));
      expect(stored).not.toContain(WORD);
      expect(stored).toContain('before it');
      expect(stored).toContain('after it');
      expect(stored.match(/entire-private/g)).toHaveLength(1);
      expect(stored.split('\n')).toHaveLength(whole.toString('utf8').split('\n').length);
      // Wherever it stands later: a client wrote its transcript anew.
      expect(maskLines({ stretches: [], keys }, Buffer.from(inside + before)).toString('utf8')).not.toContain(
        WORD,
      );
    },
  );

  test('messages of a document are blanked, and as many as before', () => {
    const format = transcriptFormatOf('Gemini CLI');
    const message = (id: string, minute: number, content: string) => ({
      id,
      timestamp: at(minute),
      type: 'user',
      content,
    });
    const known = [message('first-one', 1, 'before it')];
    const said = [
      message('second-one', 11, WORD),
      { ...message('third-one', 12, WORD), type: 'gemini', toolCalls: [{ args: { a: WORD } }] },
    ];
    const later = [message('fourth-one', 30, 'after it')];
    const document = (messages: unknown[]) =>
      JSON.stringify({ sessionId: 's', summary: WORD, messages }, null, 2);
    const bytes = Buffer.from(document([...known, ...said]));
    const keys = new Set(keysOf(format, bytes, { bytes: 5, items: 1 }, { ...STRETCH, fromMs: 0, toMs: 0 }));
    const text = document([...known, ...said, ...later]);
    const masked = maskDocument({ stretches: [], keys }, text);
    expect(masked).not.toContain(WORD);
    expect(masked).toContain('before it');
    expect(masked).toContain('after it');
    expect(format.countItems(masked)).toBe(format.countItems(text));
    expect(format.readPrompts(masked)).toEqual(['before it', 'after it']);
  });

  test('nothing is touched where nothing is private', () => {
    const bytes = Buffer.from(CLIENTS.Codex?.before ?? '');
    expect(maskTranscript(undefined, transcriptFormatOf('Codex'), bytes)).toBe(bytes);
    const other: Mask = { stretches: [{ fromMs: 1, toMs: 2, what: 'paused' }], keys: new Set(['x']) };
    expect(maskLines(other, bytes).equals(bytes)).toBe(true);
  });

  test('one turn ends where the next prompt begins', () => {
    const { before, inside, after } = CLIENTS['Claude Code'] ?? { before: '', inside: '', after: '' };
    const bytes = Buffer.from(before + inside + after);
    const { keys, fromMs, toMs } = keysOfItems(transcriptFormatOf('Claude Code'), bytes, 1);
    expect([fromMs, toMs]).toEqual([Date.parse(at(11)), Date.parse(at(12))]);
    const masked = maskLines({ stretches: [], keys: new Set(keys) }, bytes).toString('utf8');
    expect(masked).not.toContain(WORD);
    expect(masked).toContain('after it');
  });

  // Claude Code writes it at each end; its number is that of the session's start.
  const costs = lines({ type: 'cost-state', sessionId: 's', totalDuration: 9, startTime: Date.parse(at(0)) });

  test('a turn does not reach back to the start of its session, which the sum of its costs names', () => {
    const { before, inside, after } = CLIENTS['Claude Code'] ?? { before: '', inside: '', after: '' };
    const bytes = Buffer.from(before + costs + inside + costs + after);
    const { keys, fromMs, toMs } = keysOfItems(transcriptFormatOf('Claude Code'), bytes, 2);
    expect([fromMs, toMs]).toEqual([Date.parse(at(11)), Date.parse(at(12))]);
    const stretch = { fromMs, toMs, what: 'forgotten' } as const;
    const masked = maskLines({ stretches: [stretch], keys: new Set(keys) }, bytes).toString('utf8');
    expect(masked).toContain('before it');
    expect(masked).not.toContain(WORD);
  });

  test('behind the sum of the costs a private stretch goes on', () => {
    const { before, inside, after } = CLIENTS['Claude Code'] ?? { before: '', inside: '', after: '' };
    const blob = lines({ type: 'api-request-blob', message: { role: 'user', content: WORD } });
    const bytes = Buffer.from(before + inside + costs + blob + after);
    const keys = keysOf(transcriptFormatOf('Claude Code'), bytes, { bytes: bytes.length, items: 0 }, STRETCH);
    const masked = maskLines({ stretches: [STRETCH], keys: new Set(keys) }, bytes).toString('utf8');
    expect(masked).not.toContain(WORD);
    expect(masked).not.toContain('cost-state');
    expect(masked).toContain('after it');
  });
});
