import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join, sep } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AGENT_NAMES, payloadsOf, transcriptsOf } from '../../integration/support/agent/agent-fixtures.ts';
import { LOADED_READERS, REHEARSALS } from '../../integration/support/agent/loaded.ts';
import { AGENTS, type AgentName } from '../agents/names.ts';
import { agentOf, transcriptFormatOf } from '../agents/registry.ts';
import { setupOf } from '../agents/setups.ts';
import { ACTS, type Stage } from '../agents/shared/headless/rehearsal.ts';
import type { TranscriptFormat } from '../agents/shared/transcript/transcript.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-contract-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const place = () => ({ root, recordFile: join(root, '.git/entire/record.json') });

/** Verbs that the agent calls, and one that it does not. */
function verbsOf(agent: AgentName): string[] {
  setupOf(agent).settings.install(place());
  const verbs = setupOf(agent)
    .settings.list(place())
    .map(({ verb }) => verb);
  return [...new Set([...verbs, 'no-such-verb'])];
}

/** What a payload stands for is an event, the reason why it is none, or nothing. */
function expectEvent(agent: AgentName, verb: string, payload: unknown): void {
  const reader = LOADED_READERS[agent];
  const files = [reader.parseFileEdit(payload), reader.parseFileRead?.(payload)];
  for (const event of [reader.parseHookInput(verb, payload), ...files]) {
    if (event === undefined) continue;
    if ('rejected' in event) expect(event.rejected).not.toBe('');
    else {
      expect(parseSessionId(event.sessionId)).toBe(event.sessionId);
      if (!('paths' in event)) continue;
      expect(event.paths.length).toBeGreaterThan(0);
      for (const path of event.paths) expect(typeof path === 'string' && path !== '').toBe(true);
    }
  }
}

/** Clients without a command that goes on with one conversation: theirs opens the folder. */
const OPENS_FOLDERS: ReadonlySet<AgentName> = new Set(['cursor']);
/** Those that would not go on with the copy of a session. */
const NOT_COPIED: ReadonlySet<AgentName> = new Set(['cursor', 'gemini', 'opencode']);

/** How clients name the event. */
const COMPACTION = /compact|compress/i;

/** What is in no captured payload: the least that clients document which were not made to compact, a word of the user's. */
const UNCAPTURED: Readonly<Partial<Record<AgentName, object>>> = {
  gemini: { trigger: 'manual' },
  opencode: { session_id: 'a' },
  pi: { session_id: 'a' },
};

const stage: Stage = {
  sessionId: '3f6f4b5e-0000-4000-8000-00000000c0de',
  root: '/repo',
  transcript: '/home/user/transcript.jsonl',
  file: '/repo/made.txt',
  content: 'made\n',
  prompt: 'make it',
  lastWords: 'It is made.',
  time: '2026-01-02T03:04:05.000Z',
};
const EVENTS = {
  start: 'SessionStart',
  prompt: 'TurnStart',
  edit: 'FileEdit',
  stop: 'TurnEnd',
  end: 'SessionEnd',
} as const;

/** Calls every reader; none may throw, whatever the text is. */
function readAll(format: TranscriptFormat, text: string) {
  format.isDocument?.(text);
  format.readEntries(text);
  format.readSummary(text);
  format.readEdits(text);
  format.ranShell(text);
  format.readSubagents(text);
  format.readTime(text);
  format.readLastIdentifier(text);
  format.findToolResult(text, 'call_1');
  format.fork(text, 'x', 'y');
  format.holdsMessage(text, 'x');
  format.parseSubagentNote(text);
  format.cleanPrompt(text);
  const items = format.countItems(text);
  expect(Number.isSafeInteger(items) && items >= 0).toBe(true);
  return { items, prompts: format.readPrompts(text), files: format.readFilesTouched(text) };
}

describe.each(AGENT_NAMES)('%s', (agent) => {
  const format = transcriptFormatOf(AGENTS[agent].type);

  test('reads each captured payload under each of its verbs', () => {
    const verbs = verbsOf(agent);
    const payloads = payloadsOf(agent);
    expect(payloads.size).toBeGreaterThan(4);
    for (const payload of payloads.values()) for (const verb of verbs) expectEvent(agent, verb, payload);
  });

  test('notes a compaction', () => {
    setupOf(agent).settings.install(place());
    const hook = setupOf(agent)
      .settings.list(place())
      .find(({ event }) => COMPACTION.test(event));
    expect(hook).toBeDefined();
    const captured = [...payloadsOf(agent)].filter(([path]) => /^pre\w*comp/i.test(basename(path)));
    const payload = { hook_event_name: hook?.event, ...(captured[0]?.[1] ?? {}), ...UNCAPTURED[agent] };
    expect(LOADED_READERS[agent].parseHookInput(hook?.verb ?? '', payload)).toMatchObject({
      type: 'Compaction',
    });
  });

  test('knows what its client sends in a session of one prompt and one edit', () => {
    setupOf(agent).settings.install(place());
    const commands = setupOf(agent).settings.list(place());
    for (const act of ACTS) {
      const cue = REHEARSALS[agent].cue(act, stage);
      const verbs = commands.filter(({ event }) => event === cue.event).map(({ verb }) => verb);
      const events = verbs.map((verb) => LOADED_READERS[agent].parseHookInput(verb, cue.payload));
      const types = events.map((event) => (event && 'type' in event ? event.type : undefined));
      expect(types, act).toContain(EVENTS[act]);
    }
  });

  test('puts its hooks in once, and takes every trace of them out', () => {
    const settings = setupOf(agent).settings;
    const complete = { expected: expect.any(Number), outdated: 0, surplus: 0, obsolete: 0, unmet: 0 };
    expect(settings.install(place()).installed).toBe(settings.inspect(place()).expected);
    expect(settings.inspect(place())).toEqual({ ...complete, current: settings.inspect(place()).expected });
    expect(settings.install(place())).toEqual({ installed: 0, removed: 0 });
    expect(existsSync(join(root, settings.file))).toBe(true);
    expect(settings.uninstall(place())).toBeGreaterThan(0);
    expect(readdirSync(root)).toEqual(['.git']);
    expect(settings.uninstall(place())).toBe(0);
  });

  test('reads its transcripts, whole, cut anywhere, and from any item on', () => {
    const transcripts = transcriptsOf(agent);
    expect(transcripts.size).toBeGreaterThan(0);
    const whole = [...transcripts.values()].map((text) => readAll(format, text));
    expect(whole.flatMap(({ prompts }) => prompts).length).toBeGreaterThan(0);
    for (const text of transcripts.values()) {
      for (const part of [0.25, 0.5, 0.9]) readAll(format, text.slice(0, Math.floor(text.length * part)));
      const items = format.countItems(text);
      expect(items).toBeGreaterThan(0);
      expect(format.readPrompts(format.sliceItems(text, items))).toEqual([]);
      const calls = format.readCalls(text).map(({ id }) => id);
      expect(new Set(calls).size).toBe(calls.length);
      for (const item of [1, Math.floor(items / 2), items - 1])
        expect(readAll(format, format.sliceItems(text, item)).items).toBeLessThanOrEqual(items);
    }
  });

  test('has its sessions below its own folder, and a command that goes on with one', () => {
    const home = agentOf(agent).home;
    const id = 'abcdef01-2345-4678-9abc-def012345678' as SessionId;
    const [folder, env] = [join(root, 'work'), { HOME: join(root, 'home') }];
    const file = home.transcript(env, folder, id, new Date('2026-01-02T03:04:05Z'));
    expect(isAbsolute(file)).toBe(true);
    // Of a client that keeps them in a database we keep a copy in the worktree.
    const isBelow = [home.root(env), join(folder, '.entire')].some((top) => file.startsWith(`${top}${sep}`));
    expect(isBelow, file).toBe(true);
    expect(home.isTranscriptOf(file, id)).toBe(true);
    const others = agentOf(agent).home.isTranscriptOf(
      file,
      'fedcba98-2345-4678-9abc-def012345678' as SessionId,
    );
    expect(others).toBe(false);
    const copy = home.copy(file, new Date());
    expect('refused' in copy).toBe(NOT_COPIED.has(agent));
    if ('file' in copy) {
      expect([home.isTranscriptOf(copy.file, copy.sessionId), copy.sessionId === id]).toEqual([true, false]);
      expect([home.isKeptFor(env, copy.file, folder), parseSessionId(copy.sessionId)]).toEqual([
        true,
        copy.sessionId,
      ]);
    }
    expect(home.resumeCommand(id).join(' ').includes(id)).toBe(!OPENS_FOLDERS.has(agent));
  });

  test('survives 10,000 payloads that no client sends', () => {
    const verbs = fc.constantFrom(...verbsOf(agent));
    const captured = fc.constantFrom(...payloadsOf(agent).values());
    const changed = fc
      .tuple(captured, fc.array(fc.tuple(fc.nat(), fc.jsonValue()), { maxLength: 4 }))
      .map(([payload, changes]) =>
        changes.reduce<unknown>((value, [at, by]) => change(value, at, by), payload),
      );
    fc.assert(
      fc.property(verbs, fc.oneof(changed, fc.jsonValue()), (verb, payload) =>
        expectEvent(agent, verb, payload),
      ),
      { numRuns: 10_000 },
    );
  });

  test('survives transcripts of any bytes', () => {
    const lines = [...transcriptsOf(agent).values()].flatMap((text) => text.split('\n'));
    const line = fc.oneof(
      fc.constantFrom(...lines),
      fc.json(),
      fc.string(),
      fc.constantFrom(...lines).chain((one) => fc.nat(one.length).map((at) => one.slice(0, at))),
    );
    const property = fc.property(
      fc.array(line, { maxLength: 6 }),
      (some) => void readAll(format, some.join('\n')),
    );
    fc.assert(property, { numRuns: 500 });
  });
});

/** A copy of a JSON value in which what stands at one place is another value, or gone. */
function change(value: unknown, at: number, by: unknown): unknown {
  const copy = structuredClone(value);
  const spots: { holder: Record<string, unknown>; key: string }[] = [];
  const walk = (holder: unknown): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const key of Object.keys(holder)) {
      spots.push({ holder: holder as Record<string, unknown>, key });
      walk((holder as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  const spot = spots[at % Math.max(1, spots.length)];
  if (!spot) return by;
  if (at % 5 === 0) delete spot.holder[spot.key];
  else spot.holder[spot.key] = by;
  return copy;
}
