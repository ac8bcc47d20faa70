/**
 * Keeps sessions, in the runtime it is started in: `<what> <kind> <place> …`, where a kind is `memory`, `files` or `sqlite`.
 * The classes are those of the library that `ENTIRE_TEST_LIBRARY` names, or those it was compiled with.
 *
 * - `contract`: all clauses, each in a place of its own below; prints what is broken as JSON.
 * - `save <name> <count>`: so many saves; every fourth goes to a session of all, `shared`. Prints each when it is kept.
 * - `look <id>`: what is listed, how the session reads, and what comes of saving and deleting it, as JSON.
 * - `race <name> <rounds>`: saves `race` in rounds, each expecting the one before; prints the rounds it won.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Storage } from '../../../src/conversation/storage/storage.ts';
import { CONTRACT } from '../storage/contract.ts';
import { message, sessionData } from '../storage/sessions.ts';

const library: typeof import('../../../src/index.ts') = process.env.ENTIRE_TEST_LIBRARY
  ? await import(pathToFileURL(process.env.ENTIRE_TEST_LIBRARY).href)
  : await import('../../../src/index.ts');

const [what = '', kind = '', place = '', name = '', times = '0'] = process.argv.slice(2);

/** What opens one place of a kind, again and again. */
function opener(at: string): () => Storage {
  if (kind === 'files') return () => new library.FileStorage({ directory: at, waitMs: 60_000 });
  if (kind === 'sqlite') return () => new library.SQLiteStorage({ dbPath: `${at}.db`, waitMs: 60_000 });
  const storage = new library.InMemoryStorage();
  return () => storage;
}

/** Whoever kills us has read what was written: there is nothing in between. */
const say = (line: string): void => void writeSync(1, `${line}\n`);

async function keepContract(): Promise<void> {
  const broken: Record<string, string> = {};
  for (const [index, { name, hold }] of CONTRACT.entries())
    await hold(opener(join(place, `${kind}-${index}`))).catch((error: unknown) => {
      broken[name] = String(error);
    });
  say(JSON.stringify({ clauses: CONTRACT.length, broken }));
}

/** Each of ten sessions of its own grows by a message with every save; they are never anybody else's. */
async function save(): Promise<void> {
  const storage = opener(place)();
  for (let turn = 0; turn < Number(times); turn++) {
    if (turn % 4 === 3) await grow(storage, 'shared', `${name}-${turn}`);
    else await grow(storage, `${name}-${turn % 10}`, `${name}-${turn}`);
  }
}

/** Adds a message to whatever is there, until nobody else was faster. */
async function grow(storage: Storage, id: string, words: string): Promise<void> {
  for (;;) {
    const before = await storage.load(id);
    const messages = [...(before?.messages ?? []), message(`${words} ${'.'.repeat(50)}`)];
    const updated_at = Math.max(Date.now() / 1000, (before?.updated_at ?? 0) + 0.001);
    try {
      await storage.save(id, sessionData(id, { messages, updated_at }), before?.updated_at ?? null);
      return say(`${id} ${words}`);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'SESSION_MOVED') throw error;
    }
  }
}

/** The time of a session is the number of its round: whoever is second finds it taken. */
async function race(): Promise<void> {
  const storage = opener(place)();
  for (let round = 1; round <= Number(times); ) {
    const data = sessionData('race', { updated_at: round, metadata: { winner: name } });
    try {
      await storage.save('race', data, round === 1 ? null : round - 1);
      say(`${round}`);
      round += 1;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'SESSION_MOVED') throw error;
      round = ((await storage.load('race'))?.updated_at ?? 0) + 1;
    }
  }
}

async function look(): Promise<void> {
  const storage = opener(place)();
  const codeOf = (act: Promise<unknown>): Promise<unknown> =>
    act.then(
      () => 'done',
      (error: { code?: unknown }) => error.code,
    );
  const data = await storage.load(name);
  const again = sessionData(name, { messages: [message('x'.repeat(4_000_000))] });
  say(
    JSON.stringify({
      listed: await storage.listSessions(),
      words: data?.messages.map(({ content }) => content),
      save: await codeOf(storage.save(name, again)),
      delete: await codeOf(storage.delete(name)),
      deleteNone: await codeOf(storage.delete('none')),
      still: (await storage.load(name))?.messages.length,
    }),
  );
}

const acts: Readonly<Record<string, () => Promise<void>>> = { contract: keepContract, save, race, look };
await acts[what]?.();
