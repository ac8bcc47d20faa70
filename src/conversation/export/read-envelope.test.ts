import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EntireError } from '../../base/errors.ts';
import { sha256Of } from '../../base/hash.ts';
import type { Agent, Turn } from '../agent.ts';
import { Session } from '../session.ts';
import type { SessionData } from '../session-data.ts';
import { FileStorage } from '../storage/file.ts';
import { renderEnvelope, toEnvelope, toTranscript } from './envelope.ts';
import { exportSession } from './export-session.ts';
import { importSession } from './import-session.ts';
import { parseEnvelope } from './read-envelope.ts';
import { readExportFile } from './read-file.ts';

const SESSION: SessionData = {
  session_id: 'one',
  messages: [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'hi' },
  ],
  system: null,
  parent_id: null,
  created_at: 1.5,
  updated_at: 2.25,
  metadata: { agent: 'codex' },
};
const own = toTranscript({ agent: 'codex', session_id: 'own', subagent_id: null }, Buffer.from([0xff, 0x0a]));
const good = toEnvelope('codex', SESSION, [own]);

type Fields = Record<string, unknown>;
/** The export with other fields, its session's digest made right unless that is what is changed. */
function withFields(fields: Fields): string {
  const session = 'session' in fields ? fields.session : good.session;
  return JSON.stringify({ ...good, session_sha256: sha256Of(JSON.stringify(session)), ...fields });
}
const withSession = (fields: Fields): string => withFields({ session: { ...SESSION, ...fields } });
const withTranscript = (fields: Fields): string => withFields({ transcripts: [{ ...own, ...fields }] });

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('refused', () => {
  test.each<[string, string, string]>([
    ['nothing', '', 'it is not JSON'],
    ['a page', '<html></html>', 'it is not JSON'],
    ['a list', '[]', 'it is not an export of a session'],
    ['another document', '{"format":"other"}', 'it is not an export of a session'],
    ['what was cut off', renderEnvelope(good).slice(0, -20), 'part of it is missing'],
    ['a later version', withFields({ version: 2 }), 'it has version 2, and this entire knows 1'],
    ['a version that is none', withFields({ version: '1' }), 'its `version` is not a version'],
    ['a field from elsewhere', withFields({ more: 1 }), 'a field that is not known here: `more`'],
    ['`__proto__`', `{"__proto__":{"x":1},${JSON.stringify(good).slice(1)}`, 'not known here: `__proto__`'],
    ['an origin that is a path', withFields({ cli_origin: '../x' }), '`cli_origin` is not the name'],
    ['no session', withFields({ session: 7 }), 'of its session, it is not an object'],
    ['an id that is a path', withSession({ session_id: '../../x' }), '`session_id` is not an id'],
    ['a parent that is a path', withSession({ parent_id: 'a/b' }), '`parent_id` is not an id'],
    ['messages that are none', withSession({ messages: ['x'] }), '`messages[0]` is not a message'],
    ['metadata that are none', withSession({ metadata: [] }), '`metadata` is not an object'],
    ['a time that is none', withSession({ created_at: '1' }), '`created_at` is not a time'],
    [
      'a session that was changed',
      withFields({ session_sha256: 'x' }),
      'its session is not what was exported',
    ],
    ['nesting', withSession({ metadata: { deep: deep(300) } }), 'nested deeper than 200 levels'],
    ['transcripts that are none', withFields({ transcripts: {} }), '`transcripts` is not a list'],
    [
      'a transcript that is none',
      withFields({ transcripts: [null] }),
      'of its transcript 1, `agent` is not the name',
    ],
    ['the same twice', withFields({ transcripts: [own, own] }), 'of the same session'],
    ['its id a path', withTranscript({ session_id: '/etc/passwd' }), '`session_id` is not an id'],
    ['a sub-agent that is a path', withTranscript({ subagent_id: '../x' }), '`subagent_id` is not an id'],
    ['an unknown encoding', withTranscript({ encoding: 'hex' }), 'neither `utf8` nor `base64`'],
    ['no text', withTranscript({ text: null }), '`text` is not a text'],
    ['a transcript that was cut off', withTranscript({ text: '/w==' }), 'part of it is missing'],
    ['bytes that were changed', withTranscript({ text: '/ws=' }), '`sha256` is of something else'],
    ['Base64 in another way', withTranscript({ text: '/wo' }), '`text` is not written as `base64`'],
    ['a field there', withTranscript({ path: '/x' }), 'there is a field that is not known here: `path`'],
  ])('%s', (_, text, why) => {
    let failure: unknown;
    try {
      parseEnvelope(text, 'a.json');
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(EntireError);
    const { code, message, hint } = failure as EntireError;
    expect(code).toBe('IMPORT_REFUSED');
    expect(message).toContain('a.json cannot be imported: ');
    expect(message).toContain(why);
    expect(hint).toContain('Nothing was written.');
  });

  test('nesting that no parser gets to the end of', () => {
    const nested = '['.repeat(2_000_000);
    expect(() => parseEnvelope(nested, 'it')).toThrow('cannot be imported');
    expect(() => parseEnvelope(`{"format":"entire-session","version":1,"session":${nested}`, 'it')).toThrow(
      'cannot be imported',
    );
  });
});

test('a mark of Windows before it is no part of it', () => {
  expect(parseEnvelope(`\ufeff${renderEnvelope(good)}`, 'it')).toEqual(good);
});

test('more values than can be read in good time are refused before they are', () => {
  const many = withSession({ metadata: { x: 0 } }).replace('"x":0', `"x":[${'[],'.repeat(9e6)}0]`);
  const parse = vi.spyOn(JSON, 'parse');
  expect(() => parseEnvelope(many, 'it')).toThrow('it has more than 8000000 values');
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  const text = withSession({ metadata: { x: '\\",['.repeat(3e6) } });
  expect(parseEnvelope(text, 'it').session.session_id).toBe('one'); // what a text says is no value
});

describe('on the disk', () => {
  let scratch: string;
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'entire-import-'));
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));
  const home = (name = 'home') => ({
    storage: new FileStorage({ directory: join(scratch, name, 'sessions') }),
    env: { HOME: join(scratch, name) },
  });

  test('a file of 2 GB is refused before it is read', () => {
    const file = join(scratch, 'huge.json');
    writeFileSync(file, '{');
    truncateSync(file, 2 * 1024 ** 3);
    expect(() => readExportFile(file)).toThrow('it has 2 GiB or more');
  });

  test('one that never ends is read no further than an export can be long', () => {
    expect(() => readExportFile('/dev/zero')).toThrow('/dev/zero cannot be imported: it has 257 MiB or more');
  });

  test('what is no UTF-8, a folder and nothing are refused', () => {
    const file = join(scratch, 'a.json');
    writeFileSync(file, Buffer.from([0x7b, 0xff]));
    expect(() => readExportFile(file)).toThrow('it is not text in UTF-8');
    expect(() => readExportFile(scratch)).toThrow('it is a folder');
    expect(() => readExportFile(join(scratch, 'b.json'))).toThrow('there is no file');
  });

  test('an id that is taken by something else is left as it is: the import is a fork, and the same one each time', async () => {
    const to = home();
    const mine = { ...SESSION, messages: [{ role: 'user', content: 'mine' }] };
    await to.storage.save('one', mine);
    const first = await importSession(good, to);
    expect(first.outcome).toBe('forked');
    expect(await to.storage.load('one')).toEqual(mine);
    expect(await to.storage.load(first.sessionId)).toEqual({
      ...SESSION,
      session_id: first.sessionId,
      parent_id: 'one',
    });
    const again = await importSession(good, to);
    expect(again).toEqual({ sessionId: first.sessionId, outcome: 'unchanged' });
    const { transcripts } = await exportSession(first.sessionId, to);
    expect(transcripts).toEqual([own]);
  });

  test('a fork that was gone on with is something else as well', async () => {
    const to = home();
    await importSession(good, to);
    await to.storage.save('one', { ...SESSION, system: 'changed' });
    const { sessionId } = await importSession(good, to);
    await to.storage.save(sessionId, { ...SESSION, session_id: sessionId, system: 'changed' });
    const second = await importSession(good, to);
    expect(second.outcome).toBe('forked');
    expect(second.sessionId).not.toBe(sessionId);
  });

  test('another id is asked for: taken by something else, nothing is written', async () => {
    const to = home();
    expect(await importSession(good, { ...to, as: 'two' })).toEqual({
      sessionId: 'two',
      outcome: 'imported',
    });
    expect((await importSession(good, { ...to, as: 'two' })).outcome).toBe('unchanged');
    await to.storage.save('three', { ...SESSION, session_id: 'three', system: 'mine' });
    const before = readdirSync(scratch, { recursive: true });
    await expect(importSession(good, { ...to, as: 'three' })).rejects.toThrow(
      'another session is kept under three',
    );
    await expect(importSession(good, { ...to, as: '../x' })).rejects.toThrow('no session id');
    expect(readdirSync(scratch, { recursive: true })).toEqual(before);
  });

  test('an id that is named like the lock of another one does not lock it', async () => {
    const to = home();
    await importSession(good, { ...to, as: 'one.lock' });
    expect((await importSession(good, to)).outcome).toBe('imported');
    expect((await exportSession('one.lock', to)).transcripts).toEqual([own]);
  });

  test('what came with a session is for nobody else to read', async () => {
    const to = home();
    await importSession(good, to);
    const modes = ['imports', 'imports/one', 'imports/one/import.json', `imports/one/${own.sha256}`].map(
      (path) => (statSync(join(scratch, 'home', '.entire', path)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['700', '700', '600', '600']);
  });

  test('a session that cannot be saved leaves no transcripts behind', async () => {
    const to = home();
    const storage = Object.assign(Object.create(to.storage), {
      save: () => Promise.reject(new Error('full')),
    });
    await expect(importSession(good, { ...to, storage })).rejects.toThrow('full');
    expect(existsSync(join(scratch, 'home', '.entire', 'imports', 'one'))).toBe(false);
  });

  test('what an agent remembers of a machine does not leave it, and is not taken from a file', async () => {
    const memory = { session_id: 'theirs', cwd: '/home/other', told_at: 0, told: sha256Of('hello') };
    const from = home('from');
    await from.storage.save('one', { ...SESSION, metadata: { agent: 'codex', agent_memory: memory, x: 1 } });
    const exported = await exportSession('one', from);
    expect(exported.session.metadata).toEqual({ agent: 'codex', x: 1 });

    const forged = withSession({ metadata: { agent: 'codex', agent_memory: memory } });
    const to = home();
    await importSession(parseEnvelope(forged, 'it'), to);
    expect((await to.storage.load('one'))?.metadata).toEqual({ agent: 'codex' });
  });

  test('fields in another order are the same session', async () => {
    const to = home();
    await importSession(good, to);
    const backwards = Object.fromEntries(Object.entries(SESSION).reverse());
    const text = JSON.stringify({ ...good, session: backwards });
    expect((await importSession(parseEnvelope(text, 'it'), to)).outcome).toBe('unchanged');
  });

  test('any agent goes on with what was imported: it is told all of it, and remembers nothing', async () => {
    const to = home();
    await importSession(good, to);
    let turn: Turn | undefined;
    const agent: Agent = {
      name: 'codex',
      async *run(told) {
        turn = told;
        yield { type: 'text', text: 'here' };
      },
    };
    const session = await Session.resume('one', agent, to.storage);
    await session.chat('go on');
    await session.save();
    expect(turn).toMatchObject({ message: 'go on', messages: SESSION.messages, memory: {} });
    const exported = await exportSession('one', to);
    expect(exported.session.messages).toHaveLength(4);
    expect(exported.transcripts).toEqual([own]); // what it came with still belongs to it
  });

  test('several imports of one file at once keep it once', async () => {
    const to = home();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => importSession(good, to)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
      'imported',
      'unchanged',
      'unchanged',
      'unchanged',
      'unchanged',
    ]);
    expect(await to.storage.listSessions()).toEqual(['one']);
  });

  test('transcripts that were damaged on the disk are said to be, and not exported', async () => {
    const to = home();
    await importSession(good, to);
    writeFileSync(join(scratch, 'home', '.entire', 'imports', 'one', own.sha256), 'other');
    await expect(exportSession('one', to)).rejects.toThrow('is damaged');
  });
});
