import { basename } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { AGENT_NAMES, transcriptsOf } from '../../integration/support/agent/agent-fixtures.ts';
import { externalTranscript } from '../agents/external/transcript.ts';
import { AGENTS, type AgentName } from '../agents/names.ts';
import { transcriptFormatOf } from '../agents/registry.ts';
import type { ContentBlock, Message } from '../agents/shared/session/message.ts';
import { modelsIn, readConversation } from './read-conversation.ts';
import { readTitle } from './read-title.ts';
import { findFault } from './session-data.ts';

const EXTERNAL = 'Somebody Else';
const READERS: readonly string[] = [...AGENT_NAMES, EXTERNAL];

const blocksOf = ({ content }: Message): readonly ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** What holds of any conversation, whatever the transcript was. */
function expectLawful(messages: readonly Message[]): void {
  const session = {
    ...{ session_id: 'a', system: null, parent_id: null, created_at: 0, updated_at: 0 },
    metadata: {},
    messages,
  };
  expect(findFault(session)).toBeUndefined();
  expect(JSON.parse(JSON.stringify(messages))).toEqual(messages);
  const waiting = new Set<unknown>();
  const called = new Set<unknown>();
  for (const message of messages) {
    expect(['user', 'assistant']).toContain(message.role);
    if (message.timestamp !== undefined) expect(message.timestamp).toBeGreaterThan(0);
    for (const count of Object.values(message.usage ?? {})) expect(count).toBeGreaterThanOrEqual(0);
    for (const block of blocksOf(message)) {
      if (block.type === 'tool_use') {
        expect([message.role, called.has(block.id), typeof block.name]).toEqual([
          'assistant',
          false,
          'string',
        ]);
        called.add(block.id);
        waiting.add(block.id);
      }
      if (block.type === 'tool_result') {
        expect([message.role, waiting.delete(block.tool_use_id), typeof block.content]).toEqual([
          ...['user', true, 'string'],
        ]);
      }
    }
  }
}

const isOfTool = ({ type }: ContentBlock): boolean => type === 'tool_result';

const promptsIn = (messages: readonly Message[]): string[] =>
  messages
    .filter(({ role, compacted, steered }) => role === 'user' && !compacted && !steered)
    .filter((message) => !blocksOf(message).some(isOfTool))
    .flatMap((message) => blocksOf(message).flatMap(({ text }) => text ?? []));

/** A conversation as condensed entries tell it, without what tools were used on. */
const entriesIn = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => {
    if (message.compacted || message.steered) return [];
    return blocksOf(message).flatMap(({ type, text, name }) => {
      if (type === 'text' && text) return `${message.role}: ${text}`;
      return type === 'tool_use' ? `tool: ${String(name)}` : [];
    });
  });

const sumOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { usage }) => {
    const {
      input_tokens = 0,
      output_tokens = 0,
      cache_creation_tokens = 0,
      cache_read_tokens = 0,
    } = usage ?? {};
    return sum + input_tokens + output_tokens + cache_creation_tokens + cache_read_tokens;
  }, 0);

/** Sub-agents of Copilot CLI have their calls in the transcript of their session. */
const holdsSubagents = (agent: AgentName, text: string): boolean =>
  agent === 'copilot-cli' && text.includes('"subagent.started"');

describe.each(AGENT_NAMES)('%s', (agent) => {
  const format = transcriptFormatOf(AGENTS[agent].type);
  const transcripts = [...transcriptsOf(agent)]
    .filter(([path]) => !path.endsWith('.settings.json'))
    .map(([path, text]) => [basename(path), text] as const);

  test.each(transcripts)('tells %s as a conversation', (_, text) => {
    const messages = readConversation(agent, text);
    expect(messages.length).toBeGreaterThan(0);
    expectLawful(messages);
    expect(readConversation(AGENTS[agent].type, text)).toEqual(messages);
    const times = messages.flatMap(({ timestamp, steered }) => (steered ? [] : (timestamp ?? [])));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // To readers of prompts the summary of a compaction is one, and that somebody stopped a turn.
    const summaries = new Set(messages.filter(({ compacted }) => compacted).map(({ content }) => content));
    const isSaid = (said: string): boolean =>
      !summaries.has(said) && !said.startsWith('[Request interrupted');
    expect(promptsIn(messages)).toEqual(format.readPrompts(text).filter(isSaid));
    const entries = format.readEntries(text).map((entry) => {
      return entry.kind === 'tool' ? `tool: ${entry.name}` : `${entry.kind}: ${entry.text}`;
    });
    expect(entriesIn(messages)).toEqual(entries.filter((entry) => isSaid(entry.replace('user: ', ''))));
    const spent = format.readCalls(text).flatMap(({ usage }) => Object.values(usage));
    const all = spent.reduce((sum, count) => sum + count, 0);
    if (holdsSubagents(agent, text)) expect(sumOf(messages)).toBeLessThan(all);
    else expect(sumOf(messages)).toBe(all);
  });

  test.each(transcripts)('tells the model that answered in %s', (_, text) => {
    const models = modelsIn(readConversation(agent, text));
    expect(models.every((model) => text.includes(JSON.stringify(model)))).toBe(true);
    expect(models.length).toBeLessThanOrEqual(1);
  });

  it('survives a transcript that is cut at any byte', () => {
    const texts = fc.constantFrom(...transcripts.map(([, text]) => text));
    const cut = texts.chain((text) => fc.nat(text.length).map((at) => text.slice(0, at)));
    fc.assert(
      fc.property(cut, (text) => {
        expectLawful(readConversation(agent, text));
        readTitle(agent, text);
      }),
      { numRuns: 150 },
    );
  });

  it('survives lines of any agent in any order, some of them twice', () => {
    const own = transcripts.flatMap(([, text]) => text.split('\n'));
    const others = AGENT_NAMES.flatMap((name) => [...transcriptsOf(name).values()].join('\n').split('\n'));
    const line = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...own) },
      { weight: 1, arbitrary: fc.constantFrom(...others) },
      { weight: 1, arbitrary: fc.oneof(fc.string(), fc.json()) },
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        expectLawful(readConversation(agent, lines.join('\n')));
      }),
      { numRuns: 300 },
    );
  });
});

/** Values of other kinds than a reader expects, in places where it looks. */
const wrong = fc.constantFrom<unknown>(
  null,
  0,
  -1,
  1e300,
  '',
  'x',
  [],
  [null],
  [[]],
  {},
  { __proto__: null },
  true,
);

describe.each(READERS)('%s', (agent) => {
  it('survives captured lines in which something is another value', () => {
    const names: readonly AgentName[] = AGENT_NAMES.filter((name) => name === agent);
    const lines = (names.length > 0 ? names : AGENT_NAMES)
      .flatMap((name) => [...transcriptsOf(name).values()])
      .flatMap((text) => text.split('\n'))
      .flatMap((line) => parsed(line) ?? []);
    const changed = fc
      .tuple(fc.constantFrom(...lines), fc.nat(), wrong)
      .map(([value, at, by]) => JSON.stringify(change(structuredClone(value), at, by)));
    fc.assert(
      fc.property(fc.array(changed, { maxLength: 30 }), (some) => {
        expectLawful(readConversation(agent, some.join('\n')));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['nothing', ''],
    ['blank lines', '\n\n \n'],
    ['a byte order mark', '\uFEFF{}'],
    ['NUL', '\0\0'],
    ['a long line', `{"type":"user","message":{"content":"${'x'.repeat(1_000_000)}"}}`],
    ['lists in lists', '['.repeat(200_000)],
    ['objects in objects', `{"message":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
    [
      'names of prototypes',
      '{"__proto__":{"type":"user"},"constructor":1,"type":"__proto__","id":"toString"}',
    ],
  ])('survives %s', (_, text) => {
    expectLawful(readConversation(agent, text));
    expect(readTitle(agent, text.slice(0, 4096))).toSatisfy((title) => title === undefined || title !== '');
  });
});

function parsed(line: string): object | undefined {
  try {
    return JSON.parse(line) as object;
  } catch {
    return undefined;
  }
}

/** The value with another one in the place of one of those in it. */
function change(value: object, at: number, by: unknown): object {
  const spots: [Record<string, unknown>, string][] = [];
  const walk = (holder: unknown): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const key of Object.keys(holder)) {
      spots.push([holder as Record<string, unknown>, key]);
      walk((holder as Record<string, unknown>)[key]);
    }
  };
  walk(value);
  const [holder, key] = spots[at % spots.length] ?? [];
  if (holder && key !== undefined) holder[key] = by;
  return value;
}

describe('titles', () => {
  /** Codex begins with its instructions, which are longer than that. */
  const LATE: ReadonlySet<AgentName> = new Set(['codex']);

  test.each(AGENT_NAMES)('the first 4 KiB of %s tell the first prompt', (agent) => {
    for (const [path, text] of transcriptsOf(agent)) {
      const first = transcriptFormatOf(AGENTS[agent].type).readPrompts(text)[0];
      const title = readTitle(agent, text.slice(0, 4096));
      if (!LATE.has(agent)) expect(title, path).toBe(first);
      expect(readTitle(agent, text), path).toBe(first);
    }
  });

  it('are one line, of a prompt that is cut as well', () => {
    const row = (content: string) => JSON.stringify({ type: 'user', uuid: 'a', message: { content } });
    expect(readTitle('claude-code', row('Fix\n\n  the  build'))).toBe('Fix the build');
    expect(readTitle('claude-code', row('Fix the build').slice(0, -6))).toBe('Fix the bu');
    expect(readTitle('claude-code', row('<command-name>/clear</command-name>'))).toBeUndefined();
  });

  it('of other agents are read as far as their formats are what most have', () => {
    const text = '{"role":"user","content":"Say hello"}\n{"role":"assistant","content":"hello"}\n';
    expect(readTitle(EXTERNAL, text)).toBe('Say hello');
    expect(promptsIn(readConversation(EXTERNAL, text))).toEqual(externalTranscript.readPrompts(text));
  });
});
