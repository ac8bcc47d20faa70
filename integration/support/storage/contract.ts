import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SessionData } from '../../../src/conversation/session-data.ts';
import type { Storage } from '../../../src/conversation/storage/storage.ts';
import { anySession, message, oddSession, sessionData } from './sessions.ts';

/** One thing that every storage promises. Knows no test runner, so that executables can keep it, too. */
export interface Clause {
  readonly name: string;
  /** @param open gives a storage on a place that is empty at first, the same place each time. @throws when the promise is broken */
  readonly hold: (open: () => Storage) => Promise<void>;
}

/** @throws unless `act` fails with this code */
async function refuses(code: string, act: Promise<unknown>): Promise<void> {
  await assert.rejects(act, (error: { code?: unknown; name?: unknown; message?: unknown }) => {
    assert.equal(error.code, code, String(error.message));
    assert.equal(error.name, 'EntireError');
    return true;
  });
}

/** The disk tells files apart by times that it does not take at every moment. */
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

const HOSTILE_IDS = [
  '',
  '.',
  '..',
  'a/b',
  'a\\b',
  '../a',
  '/etc/passwd',
  'C:\\a',
  '-a',
  '.a',
  'a..b',
  'a\0b',
  'a b',
  'a\n',
  'é',
  'x'.repeat(129),
  'x'.repeat(300),
];

export const CONTRACT: readonly Clause[] = [
  {
    name: 'a place where nothing was saved has no sessions, and nothing is made by looking',
    hold: async (open) => {
      assert.deepEqual(await open().listSessions(), []);
      assert.equal(await open().load('none'), undefined);
      await open().delete('none');
      assert.deepEqual(await open().listSessions(), []);
    },
  },
  {
    name: 'what was saved comes back as it was, byte for byte, to others as well',
    hold: async (open) => {
      for (const data of [oddSession('odd'), sessionData('plain'), sessionData('empty', { messages: [] })]) {
        await open().save(data.session_id, data);
        assert.equal(JSON.stringify(await open().load(data.session_id)), JSON.stringify(data));
      }
    },
  },
  {
    name: 'any session comes back byte for byte',
    hold: (open) =>
      fc.assert(
        fc.asyncProperty(anySession('any'), async (data) => {
          await open().save('any', data);
          assert.equal(JSON.stringify(await open().load('any')), JSON.stringify(data));
        }),
        { numRuns: 60 },
      ),
  },
  {
    name: 'the order of fields is that of the type, whoever made the object',
    hold: async (open) => {
      const reversed = Object.fromEntries(Object.entries(sessionData('a')).reverse());
      await open().save('a', reversed as unknown as SessionData);
      assert.equal(JSON.stringify(await open().load('a')), JSON.stringify(sessionData('a')));
    },
  },
  {
    name: 'nobody can change what is kept but by saving it',
    hold: async (open) => {
      const [storage, messages] = [open(), [message('one')]];
      await storage.save('a', sessionData('a', { messages }));
      messages.push(message('two'));
      const first = await storage.load('a');
      (first?.messages as unknown[]).length = 0;
      assert.deepEqual((await storage.load('a'))?.messages, [message('one')]);
    },
  },
  {
    name: 'the session that was saved last is listed first, also when it was there before',
    hold: async (open) => {
      for (const id of ['a', 'c', 'b', 'a']) {
        await open().save(id, sessionData(id));
        await tick();
      }
      assert.deepEqual(await open().listSessions(), ['a', 'b', 'c']);
    },
  },
  {
    name: 'a session that is deleted is gone, and its id is free',
    hold: async (open) => {
      await open().save('a', sessionData('a'));
      await open().save('b', sessionData('b'));
      await open().delete('a');
      await open().delete('a');
      assert.deepEqual(await open().listSessions(), ['b']);
      assert.equal(await open().load('a'), undefined);
      await open().save('a', sessionData('a', { updated_at: 5 }), null);
      assert.equal((await open().load('a'))?.updated_at, 5);
    },
  },
  {
    name: 'something else than expected is left as it is',
    hold: async (open) => {
      const at = (updated_at: number) => sessionData('a', { updated_at });
      await refuses('SESSION_MOVED', open().save('a', at(2), 1));
      assert.equal(await open().load('a'), undefined);
      await open().save('a', at(0.1 + 0.2), null);
      await refuses('SESSION_MOVED', open().save('a', at(2), null));
      await refuses('SESSION_MOVED', open().save('a', at(2), 0.3));
      assert.deepEqual(await open().load('a'), at(0.1 + 0.2));
      await open().save('a', at(2), 0.1 + 0.2);
      assert.deepEqual(await open().load('a'), at(2));
    },
  },
  {
    name: 'of many that save the same session at once, each expecting what was there, one succeeds',
    hold: async (open) => {
      await open().save('a', sessionData('a', { updated_at: 0 }));
      const saves = Array.from({ length: 12 }, (_, index) => index + 1).map((updated_at) =>
        open()
          .save('a', sessionData('a', { updated_at }), 0)
          .then(() => updated_at),
      );
      const outcomes = await Promise.allSettled(saves);
      const won = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const codes = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.code)] : []));
      assert.equal(won.length, 1);
      assert.deepEqual([...new Set(codes)], ['SESSION_MOVED']);
      assert.equal((await open().load('a'))?.updated_at, won[0]);
    },
  },
  {
    name: 'what is no id is refused everywhere, and makes nothing',
    hold: async (open) => {
      const storage = open();
      for (const id of HOSTILE_IDS) {
        await refuses('INVALID_ID', storage.save(id, sessionData(id)));
        await refuses('INVALID_ID', storage.load(id));
        await refuses('INVALID_ID', storage.delete(id));
      }
      await refuses('INVALID_ID', storage.save('a', sessionData('b')));
      assert.deepEqual(await storage.listSessions(), []);
    },
  },
  {
    name: 'the longest id, and one of every letter, are kept',
    hold: async (open) => {
      for (const id of ['x'.repeat(128), 'A.b_c-9.', '_', 'a.json', 'a.lock', '__proto__', 'constructor']) {
        await open().save(id, sessionData(id));
        assert.deepEqual(await open().load(id), sessionData(id));
        await open().delete(id);
      }
      assert.deepEqual(await open().listSessions(), []);
    },
  },
  {
    name: 'ids that differ in case are two sessions, or the second is refused; neither takes the place of the other',
    hold: async (open) => {
      await open().save('Id', sessionData('Id', { system: 'first' }));
      const second = await open()
        .save('iD', sessionData('iD', { system: 'second' }))
        .then(() => 'kept')
        .catch((error) => error.code);
      assert.ok(['kept', 'INVALID_ID'].includes(second), second);
      assert.equal((await open().load('Id'))?.system, 'first');
      assert.equal((await open().load('iD'))?.system, second === 'kept' ? 'second' : undefined);
      await open().delete('iD');
      assert.equal((await open().load('Id'))?.system, 'first');
    },
  },
  {
    name: 'what could not be read again is not saved, and leaves what is there',
    hold: async (open) => {
      await open().save('a', sessionData('a'));
      const circle: Record<string, unknown> = {};
      circle.circle = circle;
      const wrong: readonly object[] = [
        { messages: [{ role: 'user' }] },
        { messages: [{ ...message('a'), usage: { input_tokens: 1 } }] },
        { messages: 'none' },
        { updated_at: Number.NaN },
        { created_at: Number.POSITIVE_INFINITY },
        { system: 1 },
        { parent_id: '../up' },
        { metadata: [] },
        { metadata: { toJSON: () => 1 } },
        { metadata: new Date() },
        { metadata: circle },
        { metadata: { count: 1n } },
        { eighth: 'field' },
      ];
      for (const fields of wrong)
        await refuses('UNSUPPORTED', open().save('a', { ...sessionData('a'), ...fields } as SessionData));
      assert.deepEqual(await open().load('a'), sessionData('a'));
    },
  },
  {
    name: 'a session of 8 MB is kept',
    hold: async (open) => {
      const messages = Array.from({ length: 80 }, (_, index) => message(`${index}é`.repeat(30_000)));
      await open().save('large', sessionData('large', { messages }));
      assert.deepEqual((await open().load('large'))?.messages, messages);
    },
  },
];
