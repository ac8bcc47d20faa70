import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test as plain } from 'vitest';
import { CliAgent, FileStorage, Session } from '../../src/index.ts';
import { ClientSessionWorld, type SessionClient } from './client-session-world.ts';
import { readCheckpoint, readCheckpointId } from './facts.ts';
import { extendWithWorld } from './fixture.ts';
import type { MockModel } from './model/server.ts';

/** What is true of some clients only. */
export interface SessionTraits {
  /** A fork goes on with a copy of the client's own session; else it is told what was said. */
  readonly forksByCopy: boolean;
  /** It tells its tokens. */
  readonly tellsTokens: boolean;
  /** It hears what is said into a turn. */
  readonly hears: boolean;
  /** How it is made to want a login. */
  readonly withoutLogin: {
    readonly variables?: NodeJS.ProcessEnv;
    readonly words?: readonly string[];
    /** It has a key, which the server does not take. */
    readonly isRefused?: true;
  };
}

const TEXT = 'It stands tall.';
/** The last first: a client that is told what was said hears of all days in one message, of which it is the last that counts. */
const DAYS = ['THURSDAY', 'WEDNESDAY', 'TUESDAY'] as const;
const dayScenes = DAYS.map((day) => ({ keyword: day, steps: [{ say: `All of ${day.toLowerCase()}.` }] }));

/** The last request for a scene, as it was sent: `-` in the place of everything but the words. */
function lastRequest({ requests }: MockModel, keyword: string): string {
  const found = requests.findLast(({ scene }) => scene?.startsWith(`${keyword}#`));
  expect(found, `a request for ${keyword}`).toBeDefined();
  return found?.body ?? '';
}

const count = (text: string, word: string): number => text.split(word).length - 1;

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}/status`) && !isZombie(pid);

const isZombie = (pid: number): boolean => /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

/** What the library's sessions do with a real client, its model scripted. */
export function describeSessions(client: SessionClient, traits: SessionTraits): void {
  const { driver, agent, words } = client;
  const { calls } = driver;
  const test = extendWithWorld([driver], (files) => new ClientSessionWorld(files));

  // Each test is several turns, and on a busy machine some clients take half a minute for one.
  describe(`sessions with ${driver.type}`, { timeout: 480_000 }, () => {
    test('a session is begun, gone on with, kept, and gone on with again', async ({ world }) => {
      const model = await world.model([
        ...dayScenes,
        {
          keyword: '--MONDAY',
          steps: [
            ...calls.create(world, 'new.txt', 'leaf\n'),
            ...calls.edit(world, 'old.txt', 'two', 'TWO'),
            { say: TEXT },
          ],
        },
      ]);
      const variables = world.provide(client, model);
      const session = world.begin(client, variables, { system: 'Say "please",\nalways.' });
      const monday = await session.chat('--MONDAY in the garden');
      expect(monday).toMatchObject({ text: TEXT, stopped: undefined });
      expect([world.read('new.txt'), world.read('old.txt')]).toEqual(['leaf\n', 'one\nTWO\n']);
      expect(lastRequest(model, '--MONDAY')).toMatch(/always\./);
      const blocks = session.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
      const used = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
      expect(used.length).toBeGreaterThanOrEqual(2);
      expect(blocks.filter(({ type }) => type === 'tool_result').map((block) => block.tool_use_id)).toEqual(
        used,
      );

      await session.chat('TUESDAY, please');
      const own = (session.metadata.agent_memory as { session_id: string }).session_id;
      const tuesday = lastRequest(model, 'TUESDAY');
      expect([count(tuesday, '--MONDAY in the garden'), count(tuesday, TEXT)]).toEqual([1, 1]);
      const [first, second] = session.messages.flatMap(({ usage }) => usage ?? []);
      if (traits.tellsTokens) {
        expect(first?.output_tokens).toBeGreaterThan(second?.output_tokens ?? 0);
        expect(second?.output_tokens).toBeGreaterThan(0);
      } else expect([first, second]).toEqual([undefined, undefined]);

      await session.save();
      const storage = new FileStorage({ directory: join(world.base, 'sessions') });
      const again = await Session.resume(session.sessionId, new CliAgent(agent, { words }), storage, {
        env: { cwd: world.repo, variables },
      });
      const long = `-WEDNESDAY ${'and on '.repeat(25_000)}and done`; // longer than an argument may be
      expect(await again.chat(long)).toMatchObject({ text: 'All of wednesday.', stopped: undefined });
      const wednesday = lastRequest(model, 'WEDNESDAY');
      expect(
        ['--MONDAY in the garden', 'TUESDAY, please', long].map((said) => count(wednesday, said)),
      ).toEqual([1, 1, 1]);
      expect(again.metadata.agent_memory).toMatchObject({ session_id: own });

      // The hooks record as ever, under the client's own id.
      expect(existsSync(join(world.repo, '.git/entire-sessions', `${own}.json`))).toBe(true);
      const commit = world.commitAsUser('Plant a tree', 'new.txt', 'old.txt');
      const slots = readCheckpoint(world, readCheckpointId(world, commit));
      expect(slots).toMatchObject([
        { sessionId: own, agent: driver.type, filesTouched: ['new.txt', 'old.txt'] },
      ]);
    });

    test('a system prompt that does not fit into a command is told all the same', async ({ world }) => {
      const model = await world.model(dayScenes);
      const variables = world.provide(client, model);
      const system = `--help ${'at length '.repeat(16_000)}and always.`;
      const session = world.begin(client, variables, { system });
      expect(await session.chat('TUESDAY, please')).toMatchObject({ text: 'All of tuesday.' });
      expect(lastRequest(model, 'TUESDAY')).toContain(system);
    });

    test('a fork has the conversation up to there, and neither hears of the other', async ({ world }) => {
      const model = await world.model([
        ...dayScenes,
        { keyword: 'MONDAY', steps: [...calls.create(world, 'a.txt', 'a\n'), { say: TEXT }] },
      ]);
      const parent = world.begin(client, world.provide(client, model));
      await parent.chat('MONDAY first');
      const fork = await parent.fork();
      await parent.chat('TUESDAY of the parent');
      await fork.chat('WEDNESDAY of the fork');
      await parent.chat('THURSDAY of the parent');
      const said = ['MONDAY first', TEXT, 'TUESDAY of the parent', 'WEDNESDAY of the fork'];
      const heard = (day: string) => said.map((words) => count(lastRequest(model, day), words));
      expect(heard('WEDNESDAY')).toEqual([1, 1, 0, 1]);
      expect(heard('THURSDAY')).toEqual([1, 1, 1, 0]);
      const isTold = lastRequest(model, 'WEDNESDAY').includes('<conversation>');
      expect(isTold).toBe(!traits.forksByCopy);
      expect(fork.metadata.agent_memory).not.toMatchObject({
        session_id: (parent.metadata.agent_memory as { session_id: string }).session_id,
      });
    });

    // Clients refuse a bare `sleep`, or put it into the background; some refuse `$(...)`.
    const waiting = "bash -c 'echo $$ > waiting.pid; while :; do sleep 1; done'";
    const waitingScene = { keyword: 'LONG', steps: [...calls.shell(waiting), { say: 'Late.' }] };

    async function waitForTool(world: ClientSessionWorld): Promise<number> {
      const file = world.path('waiting.pid');
      await expect
        .poll(() => existsSync(file) && readFileSync(file, 'utf8'), { timeout: 120_000 })
        .toMatch(/\d\n/);
      const pid = Number(readFileSync(file, 'utf8'));
      waitingTools.push(pid);
      return pid;
    }

    // Clients put their tools into groups of their own, which outlive them.
    const waitingTools: number[] = [];
    afterEach(() => {
      for (const pid of waitingTools.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    });

    test('a turn that is cancelled stops its tool, and the next one goes on', async ({ world }) => {
      const model = await world.model([...dayScenes, waitingScene]);
      const session = world.begin(client, world.provide(client, model));
      const turn = session.chat('LONG walk');
      const tool = await waitForTool(world);
      session.cancel();
      expect(await turn).toMatchObject({ stopped: 'cancelled' });
      await expect.poll(() => [world.readPid(), tool].filter(isAlive), { timeout: 20_000 }).toEqual([]);
      expect(session.messages.at(-1)).toMatchObject({ stopped: 'cancelled' });
      expect(await session.chat('TUESDAY, please')).toMatchObject({ text: 'All of tuesday.' });
      expect(count(lastRequest(model, 'TUESDAY'), 'LONG walk')).toBe(1);
    });

    test('an agent that dies in mid-turn fails the turn, and the next one goes on', async ({ world }) => {
      const model = await world.model([...dayScenes, waitingScene]);
      const session = world.begin(client, world.provide(client, model));
      const turn = session.chat('LONG walk');
      turn.catch(() => {});
      await waitForTool(world);
      process.kill(-world.readPid(), 'SIGKILL');
      await expect(turn).rejects.toMatchObject({ code: 'AGENT_FAILED', message: /was killed/ });
      expect(session.messages.at(-1)).toMatchObject({ stopped: 'failed' });
      expect(await session.chat('TUESDAY, please')).toMatchObject({ text: 'All of tuesday.' });
      expect(count(lastRequest(model, 'TUESDAY'), 'LONG walk')).toBe(1);
    });

    test('a session of the client that is gone is told anew', async ({ world }) => {
      const model = await world.model([...dayScenes, { keyword: 'MONDAY', steps: [{ say: TEXT }] }]);
      const session = world.begin(client, world.provide(client, model));
      await session.chat('MONDAY first');
      const own = session.metadata.agent_memory as Record<string, unknown>;
      session.metadata = {
        ...session.metadata,
        agent_memory: { ...own, session_id: goneLike(own.session_id) },
      };
      expect(await session.chat('TUESDAY, please')).toMatchObject({ text: 'All of tuesday.' });
      expect(count(lastRequest(model, 'TUESDAY'), 'MONDAY first')).toBe(1);
      expect(world.heard).toContainEqual({
        type: 'notice',
        text: expect.stringContaining('lost its own session'),
      });
    });

    test('an agent that never answers is stopped', async ({ world }) => {
      const model = await world.model([{ keyword: 'MONDAY', steps: [{ say: TEXT, until: () => false }] }]);
      const agentOf = new CliAgent(agent, { words, silenceMs: 6_000 });
      const session = new Session(agentOf, world.optionsOf(world.provide(client, model)));
      await expect(session.chat('MONDAY')).rejects.toMatchObject({ code: 'AGENT_TIMED_OUT' });
      expect(session.messages.at(-1)).toMatchObject({ stopped: 'timed-out' });
      await expect.poll(() => isAlive(world.readPid()), { timeout: 20_000 }).toBe(false);
    });

    plain('an agent that is not installed says so', async () => {
      const env = { cwd: tmpdir(), variables: { PATH: '/nowhere' } };
      await expect(new Session(new CliAgent(agent), { env }).chat('MONDAY')).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining(`${driver.type} is not installed`),
      });
    });

    test('an agent that wants a login says so', async ({ world }) => {
      const { variables, words: more = words, isRefused } = traits.withoutLogin;
      const refusal = { fail: 'Incorrect API key provided', status: 401 };
      const model = await world.model(isRefused ? [{ keyword: 'TUESDAY', steps: [refusal] }] : dayScenes);
      const env = { ...world.provide(client, model), ...variables };
      const session = world.begin({ ...client, words: more }, env);
      await expect(session.chat('TUESDAY')).rejects.toMatchObject({
        code: 'AGENT_FAILED',
        message: /wants a login/,
      });
      if (!isRefused) expect(model.requests.filter(({ scene }) => scene)).toEqual([]);
    });

    if (traits.hears)
      test('what is said into a turn reaches the model in that turn', async ({ world }) => {
        const short = "bash -c 'for i in 1 2 3 4; do sleep 1; done'";
        const model = await world.model([
          ...dayScenes,
          { keyword: 'LONG', steps: [...calls.shell(short), { say: 'Late.' }] },
        ]);
        const session = world.begin(client, world.provide(client, model));
        const turn = session.chat('LONG walk');
        await world.hear('tool_use');
        expect(session.steer('TUESDAY instead')).toBe(true);
        expect(await turn).toMatchObject({ text: 'All of tuesday.', stopped: undefined });
        const steered = session.messages.filter((message) => message.steered);
        expect(steered).toMatchObject([{ role: 'user', content: 'TUESDAY instead' }]);
        expect(count(lastRequest(model, 'TUESDAY'), 'LONG walk')).toBe(1);
      });
  });
}

/** An id of the same kind that nobody has. */
const goneLike = (id: unknown): string => String(id).replace(/.{6}$/, '000000');
