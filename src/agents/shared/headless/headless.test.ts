import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  headlessLines,
  headlessTurns,
  readTurn,
} from '../../../../integration/support/agent/headless-signs.ts';
import { HEADLESS } from '../../../../integration/support/agent/loaded.ts';
import type { AgentName } from '../../names.ts';
import type { HeadlessRequest } from './headless.ts';

const AGENTS = Object.keys(HEADLESS) as AgentName[];
/** Its turns are captured where it is steered. */
const CAPTURED = AGENTS.filter((agent) => agent !== 'claude-code');

const request = (more: Partial<HeadlessRequest> = {}): HeadlessRequest => ({
  prompt: 'hello',
  resume: undefined,
  system: undefined,
  words: [],
  cwd: '/repo',
  file: '/tmp/of-this-turn',
  ...more,
});

const someBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('utf8'));

describe.each(AGENTS)('%s, without a terminal', (agent) => {
  const headless = HEADLESS[agent];
  if (!headless) throw new Error('not in the table');

  test('a prompt and an id are no options, and no argument is too long', () => {
    const prompt = `--yolo ${'x'.repeat(1_000_000)}`;
    const system = `-s ${'y'.repeat(200_000)}\0`;
    const { args, input, file } = headless.start(request({ prompt, system }));
    expect(args.filter((arg) => arg.includes('xxx') || arg.includes('yyy'))).toEqual([]);
    expect(args.join('').includes('\0')).toBe(false);
    const said = [input, file, ...readAnswers(agent, request({ prompt, system }))].join('');
    expect(said).toContain('x'.repeat(1_000_000));
    expect(said).toContain('y'.repeat(200_000));
  });

  test('a session is gone on with by its id, and words stand among the arguments as they are', () => {
    const { args, input, sessionId } = headless.start(
      request({ resume: 'abc-1', words: ['--some', 'word'] }),
    );
    expect(args.join(' ') + input).toContain('abc-1');
    expect(args.join(' ')).toContain('--some word');
    expect([undefined, 'abc-1']).toContain(sessionId);
  });

  test('whatever is printed, reading it never throws', () => {
    const json = fc.oneof(fc.json(), fc.constantFrom('null', '[]', '""', '{"type":"result"}'));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(someBytes, json), { maxLength: 8 }),
        fc.option(fc.integer(), { nil: undefined }),
        (lines, code) => {
          const reader = headless.reader(request());
          for (const line of lines) for (const sign of reader.read(line)) expectSound(sign);
          for (const sign of reader.end?.(code, lines.join('\n')) ?? []) expectSound(sign);
        },
      ),
    );
  });
});

describe.each(CAPTURED)('what %s really prints', (agent) => {
  const lines = headlessTurns(agent).flatMap((name) => headlessLines(agent, name));

  test('damaged in any place it is read without a failure', () => {
    const damaged = fc
      .tuple(fc.constantFrom(...lines), fc.constantFrom('null', '0', '[]', '{}', '"x"', 'true'), fc.nat())
      .map(([line, value, at]) => damage(line, value, at));
    fc.assert(
      fc.property(fc.array(damaged, { maxLength: 12 }), (some) => {
        const reader = HEADLESS[agent]?.reader(request());
        for (const line of some) for (const sign of reader?.read(line) ?? []) expectSound(sign);
      }),
    );
  });

  test('a turn says its session before its end, results follow their calls, and nothing comes twice', () => {
    const signs = readTurn(agent, 'turn');
    const types = signs.map(({ type }) => type);
    expect(types.filter((type) => type === 'end')).toEqual(['end']);
    expect(types.indexOf('session')).toBeGreaterThanOrEqual(0);
    const calls = signs.flatMap((sign) => (sign.type === 'tool_use' ? [sign.id] : []));
    const results = signs.flatMap((sign) => (sign.type === 'tool_result' ? [sign.tool_use_id] : []));
    expect(calls.length).toBeGreaterThanOrEqual(3);
    expect(new Set(calls).size).toBe(calls.length);
    expect(results).toEqual(calls);
    for (const id of calls) {
      const isOf = (sign: (typeof signs)[number]) => 'tool_use_id' in sign && sign.tool_use_id === id;
      expect(signs.findIndex(isOf)).toBeGreaterThan(
        signs.findIndex((sign) => sign.type === 'tool_use' && sign.id === id),
      );
    }
  });

  test('a model that fails, fails the turn with its own words', () => {
    const end = readTurn(agent, 'failed', 1).at(-1);
    expect(end).toMatchObject({
      type: 'end',
      failure: { message: expect.stringContaining('the model is out') },
    });
    expect(end).not.toHaveProperty('failure.needsLogin');
  });

  test('a session that is not there is told from other failures', () => {
    const end = readTurn(agent, 'gone', agent === 'gemini' ? 42 : 1, { resume: 'gone' }).at(-1);
    expect(end).toMatchObject({ type: 'end', failure: { hasNoSession: true } });
  });

  test('without a key it wants a login', () => {
    const end = readTurn(agent, 'no-login', agent === 'gemini' ? 41 : 1).at(-1);
    expect(end).toMatchObject({ type: 'end', failure: { needsLogin: true } });
  });

  test('a process that a signal ended says nothing of its own', () => {
    expect(HEADLESS[agent]?.reader(request()).end?.(undefined, 'Killed') ?? []).toEqual([]);
  });
});

/** What an agent is told on stdin once its session has begun. */
const readAnswers = (agent: AgentName, about: HeadlessRequest): string[] => {
  const reader = HEADLESS[agent]?.reader(about);
  const lines = agent === 'claude-code' ? [] : headlessLines(agent, 'turn');
  return lines
    .flatMap((line) => reader?.read(line) ?? [])
    .flatMap((sign) => (sign.type === 'say' ? sign.text : []));
};

/** A value somewhere in a line of JSON, in the place of what was there. */
function damage(line: string, value: string, at: number): string {
  const places = [...line.matchAll(/:(?="|\d|\[|\{|true|false|null)/g)].map(({ index }) => index);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return line;
  const rest = /^:(?:"(?:[^"\\]|\\.)*"|[\d.]+|true|false|null)/.exec(line.slice(place))?.[0].length ?? 1;
  return `${line.slice(0, place)}:${value}${line.slice(place + rest)}`;
}

/** Texts are texts, ids are texts, counts are numbers: whatever was read. */
function expectSound(sign: object): void {
  const texts = ['text', 'sessionId', 'id', 'name', 'tool_use_id', 'content'];
  for (const [name, value] of Object.entries(sign)) {
    if (texts.includes(name)) expect(typeof value).toBe('string');
    if (name === 'usage')
      for (const count of Object.values(value as object)) expect(count).toBeGreaterThanOrEqual(0);
    if (name === 'failure') expect(typeof (value as { message: unknown }).message).toBe('string');
  }
}
