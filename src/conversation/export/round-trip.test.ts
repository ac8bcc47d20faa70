import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentName } from '../../agents/names.ts';
import { agentOf } from '../../agents/registry.ts';
import type { SessionId } from '../../base/ids.ts';
import { FileStorage } from '../storage/file.ts';
import { InMemoryStorage } from '../storage/in-memory.ts';
import { bytesOf, type ExportEnvelope, renderEnvelope, toEnvelope, toTranscript } from './envelope.ts';
import { exportSession } from './export-session.ts';
import { importSession } from './import-session.ts';
import { parseEnvelope } from './read-envelope.ts';

const FIXTURES = resolve(import.meta.dirname, '../../../integration/fixtures');

/** Every transcript that was captured from a client. */
const ALL = readdirSync(FIXTURES).flatMap((agent) =>
  readdirSync(join(FIXTURES, agent), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.startsWith('transcripts/') && !name.endsWith('.settings.json'))
    .map((name) => ({ agent: agent as AgentName, name, file: join(FIXTURES, agent, name) })),
);
/** Codex has a session of its own for each sub-agent: it is exported with the session of the person. */
const CODEX_CHILD = ALL.filter(
  ({ agent, name }) => agent === 'codex' && name.endsWith('subagent-child.jsonl'),
);
const CAPTURED = ALL.filter((one) => !CODEX_CHILD.includes(one));

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'entire-export-'));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const homeOf = (name: string) => ({
  storage: new FileStorage({ directory: join(scratch, name, 'sessions') }),
  env: { HOME: join(scratch, name) },
});

test('transcripts of all agents were captured', () => {
  expect(new Set(CAPTURED.map(({ agent }) => agent)).size).toBe(9);
});

describe.each(CAPTURED)('$agent $name', ({ agent, name, file }) => {
  test('export, import, export: the same bytes, and those of the agent', async () => {
    const bytes = readFileSync(file);
    const id = idIn(agent, name, bytes.toString());
    const from = homeOf('from');
    const folder = join(scratch, 'repo');
    mkdirSync(folder);
    if (agent === 'opencode')
      Object.assign(from.env, { ENTIRE_TEST_OPENCODE_PROJECT_DIR: join(scratch, 'oc') });
    const path = agentOf(agent).home.transcript(from.env, folder, id, new Date('2026-11-21T10:00:00Z'));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);

    const envelope = await exportSession(id, from);
    const first = renderEnvelope(envelope);
    const to = homeOf('to');
    const { outcome, sessionId } = await importSession(parseEnvelope(first, 'it'), to);
    const second = renderEnvelope(await exportSession(sessionId, to));

    expect(outcome).toBe('imported');
    expect(second === first).toBe(true);
    expect(envelope.cli_origin).toBe(agent);
    expect(envelope.transcripts[0] && bytesOf(envelope.transcripts[0]).equals(bytes)).toBe(true);
    expect((await importSession(parseEnvelope(second, 'it'), to)).outcome).toBe('unchanged');
  });
});

test('transcripts of sub-agents go with the session, also where they are sessions of their own', async () => {
  const from = homeOf('from');
  const [main, child] = ['main', 'child'].map((which) => {
    const name = `subagent-${which}.jsonl`;
    const bytes = readFileSync(join(FIXTURES, 'codex', 'transcripts', name));
    const id = idIn('codex', name, bytes.toString());
    const path = agentOf('codex').home.transcript(from.env, scratch, id, new Date('2026-11-21T10:00:00Z'));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return { id, bytes };
  });
  const { transcripts } = await exportSession(main?.id ?? '', from);
  expect(transcripts.map(({ subagent_id }) => subagent_id)).toEqual([null, child?.id]);
  expect(transcripts[1] && bytesOf(transcripts[1])).toEqual(child?.bytes);
});

/** The id that the client gave to a captured session, where its place or its beginning has to agree with it. */
function idIn(agent: AgentName, name: string, text: string): SessionId {
  const [, told] = /"(?:sessionId|session_id|id)"\s*:\s*"([0-9a-zA-Z_-]{20,})"/.exec(text) ?? [];
  const id = agent === 'codex' ? /"session_meta".*?"id":"([^"]+)"/.exec(text)?.[1] : told;
  return (id ?? basename(name, '.jsonl')) as SessionId;
}

const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '0', 'type'));
const json = fc.jsonValue({ maxDepth: 6 });
const block = fc
  .record({ type: fc.string() })
  .chain((own) => fc.dictionary(key, json).map((more): { type: string } => ({ ...more, ...own })));
const message = fc.record({
  role: fc.oneof(fc.constantFrom('user', 'assistant'), fc.string()),
  content: fc.oneof(fc.string({ unit: 'binary' }), fc.array(block)),
});
const id = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,40}$/);
const seconds = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const session = fc.record({
  session_id: id,
  messages: fc.array(message),
  system: fc.option(fc.string({ unit: 'binary' })),
  parent_id: fc.option(id),
  created_at: seconds,
  updated_at: seconds,
  metadata: fc.dictionary(key, json),
});
const transcript = fc
  .tuple(
    id,
    fc.option(id),
    fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
    ),
  )
  .map(([session_id, subagent_id, bytes]) =>
    toTranscript({ agent: 'codex', session_id, subagent_id }, Buffer.from(bytes)),
  );
const envelope: fc.Arbitrary<ExportEnvelope> = fc
  .tuple(
    fc.constantFrom('', 'codex', 'my-agent'),
    session,
    fc.uniqueArray(transcript, { selector: (one) => JSON.stringify([one.session_id, one.subagent_id]) }),
  )
  .map(([origin, data, transcripts]) => toEnvelope(origin, data, transcripts));

test('any envelope: what is imported is exported again as the same bytes, from every kind of store', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(envelope, fc.boolean(), async (one, inMemory) => {
      run += 1;
      const text = renderEnvelope(one);
      const { env, storage: files } = homeOf(`run-${run}`);
      const to = { env, storage: inMemory ? new InMemoryStorage() : files };
      const { sessionId } = await importSession(parseEnvelope(text, 'it'), to);
      expect(sessionId).toBe(one.session.session_id);
      expect(renderEnvelope(await exportSession(sessionId, to))).toBe(text);
      expect((await importSession(parseEnvelope(text, 'it'), to)).outcome).toBe('unchanged');
    }),
    { numRuns: 100 },
  );
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('of any export that was cut or changed nothing is taken', () => {
  fc.assert(
    fc.property(envelope, fc.nat(), fc.nat(255), (one, place, other) => {
      const bytes = Buffer.from(renderEnvelope(one));
      const at = place % (bytes.length - 1);
      expect(() => parseEnvelope(bytes.subarray(0, at).toString(), 'it')).toThrow('cannot be imported');
      const changed = Buffer.from(bytes);
      changed[at] = other;
      let read: ExportEnvelope;
      try {
        read = parseEnvelope(changed.toString(), 'it');
      } catch {
        return; // refused
      }
      // Spaces between values, and the origin and the owner of a transcript, may be other ones: they are no content.
      expect(read.session).toEqual(one.session);
      expect(read.transcripts.map(({ text }) => text)).toEqual(one.transcripts.map(({ text }) => text));
    }),
    { numRuns: 300 },
  );
});
