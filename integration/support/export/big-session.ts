import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Message } from '../../../src/agents/shared/session/message.ts';
import { renderEnvelope, toEnvelope } from '../../../src/conversation/export/envelope.ts';
import { readConversation } from '../../../src/conversation/read-conversation.ts';
import { isPrompt } from '../../../src/conversation/turn-messages.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures');

/** The turns of every captured transcript. */
function capturedTurns(): Message[][] {
  const agents = readdirSync(FIXTURES);
  const messages = agents.flatMap((agent) =>
    readdirSync(join(FIXTURES, agent), { recursive: true, encoding: 'utf8' })
      .filter((name) => /^transcripts\/.*\.jsonl?$/.test(name) && !name.includes('.settings.'))
      .flatMap((name) => readConversation(agent, readFileSync(join(FIXTURES, agent, name), 'utf8'))),
  );
  const turns: Message[][] = [];
  for (const message of messages) {
    if (isPrompt(message)) turns.push([]);
    turns.at(-1)?.push(message);
  }
  return turns;
}

/** What people ask and agents answer at length; captured sessions are of scripted models, which say little. */
const PROSE = [
  'The store keeps one file for each session. **Two processes** may save at once, so every save says what it expects to find:\n\n1. read what is there\n2. compare `updated_at`\n3. write under a name nobody shares, and rename\n\n> A later rename wins, and says so.',
  'Here is what changed:\n\n| file | lines | why |\n| --- | ---: | --- |\n| `src/store.ts` | 42 | the comparison |\n| `src/lock.ts` | 7 | takes over what was abandoned |\n\nAll tests pass. See https://example.com/notes for the protocol.',
  '### Plan\n\n- move the parser out of the hot path\n- measure, then decide\n\n```ts\nexport const read = (file: string): string | undefined =>\n  exists(file) ? readFileSync(file, "utf8") : undefined;\n```\n\nThat leaves one call for each edit.',
];
const ASKED = [
  'Saving from two terminals at once loses the older one. Make it say so instead.',
  'Why does the second run take twice as long? Have a look, and tell me before you change anything.',
  'Write the tests first, please. Then the smallest change that makes them pass.',
  'The list is in the wrong order after a restore.\nNewest first, by the time in the name.',
];

/** A generator of numbers in [0, 1) that depends on nothing but its seed. @see https://en.wikipedia.org/wiki/Xorshift */
export function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A session of at least so many bytes that is made of captured turns, as an export. The same seed gives the same bytes. */
export function bigExport(sessionId: string, sizeBytes: number, seed: number): string {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const turns = capturedTurns();
  const source = readFileSync(
    resolve(import.meta.dirname, '../../../src/conversation/session.ts'),
    'utf8',
  ).split('\n');
  const messages: Message[] = [];
  let time = 1_795_000_000;
  let size = 0;
  for (let turn = 0; size < sizeBytes; turn++) {
    const id = (old: unknown): string => `${turn}-${old}`;
    const added = [
      { role: 'user', content: `${pick(ASKED)} (${turn + 1})` },
      ...pick(turns)
        .filter((message) => !isPrompt(message))
        .map((message) => withOwnIds(message, id)),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: pick(PROSE) },
          { type: 'tool_use', id: id('read'), name: 'Read', input: { file_path: '/repo/src/session.ts' } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id('read'), content: linesOf(source, random) }],
      },
      { role: 'assistant', content: pick(PROSE), usage: usageOf(random) },
    ].map((message, at): Message => ({ ...message, timestamp: time + 20 * at }));
    time += 20 * added.length + 60 * random();
    messages.push(...added);
    size += Buffer.byteLength(JSON.stringify(added));
  }
  const session = {
    session_id: sessionId,
    messages,
    system: null,
    parent_id: null,
    created_at: 1_795_000_000,
    updated_at: time,
    metadata: { agent: 'claude-code' },
  };
  return renderEnvelope(toEnvelope('claude-code', session, []));
}

function linesOf(source: readonly string[], random: () => number): string {
  const start = Math.floor(random() * (source.length - 60));
  return source.slice(start, start + 20 + Math.floor(random() * 40)).join('\n');
}

const usageOf = (random: () => number) => ({
  input_tokens: Math.floor(2_000 * random()),
  output_tokens: Math.floor(900 * random()),
  cache_creation_tokens: Math.floor(5_000 * random()),
  cache_read_tokens: Math.floor(90_000 * random()),
});

function withOwnIds(message: Message, own: (id: unknown) => string): Message {
  if (typeof message.content === 'string') return message;
  const content = message.content.map((block) => ({
    ...block,
    ...('id' in block ? { id: own(block.id) } : {}),
    ...('tool_use_id' in block ? { tool_use_id: own(block.tool_use_id) } : {}),
  }));
  return { ...message, content };
}
