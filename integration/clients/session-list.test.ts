/** Sessions in the stores that six real clients have written, listed together. */
import { utimesSync } from 'node:fs';
import { expect } from 'vitest';
import type { ClientDriver } from './driver.ts';
import { claudeCode } from './drivers/claude-code.ts';
import { codex } from './drivers/codex.ts';
import { copilotCli } from './drivers/copilot-cli.ts';
import { factoryaiDroid } from './drivers/factoryai-droid.ts';
import { gemini } from './drivers/gemini.ts';
import { opencode } from './drivers/opencode.ts';
import { pi } from './drivers/pi.ts';
import { qwenCode } from './drivers/qwen-code.ts';
import { extendWithWorld } from './fixture.ts';
import { World } from './world.ts';

/** In an order that is not that of their names. */
const DRIVERS: readonly ClientDriver[] = [
  pi,
  claudeCode,
  gemini,
  codex,
  copilotCli,
  qwenCode,
  factoryaiDroid,
  opencode,
];

const test = extendWithWorld(DRIVERS, (files) => new World(files));

interface Listed {
  readonly session_id: string;
  readonly cli_origin: string;
  readonly kind: string;
  readonly folder: string | null;
  readonly title: string | null;
  readonly path: string;
  readonly updated_at: string;
}

test('sessions of real clients: newest first, with origin, folder and first prompt', async ({ world }) => {
  const model = await world.model(
    DRIVERS.map(({ agent, calls }) => ({
      keyword: `WORK-OF-${agent.toUpperCase()}`,
      steps: [...calls.create(world, `${agent}.txt`, `${agent}\n`), { say: 'It is done.' }],
    })),
  );
  const told = new Map<string, string | undefined>();
  for (const driver of DRIVERS) {
    const prompt = `WORK-OF-${driver.agent.toUpperCase()} please`;
    told.set(driver.agent, (await world.start(driver, model, { prompt }).done).sessionId);
  }
  world.commitAsUser('All of it', '.');

  const listed = JSON.parse(world.entire('session', 'list', '--all-clis', '--json')) as Listed[];
  const agents = DRIVERS.map(({ agent }) => agent);
  expect(listed.map(({ cli_origin }) => cli_origin).sort()).toEqual([...agents].sort());
  const times = listed.map(({ updated_at }) => updated_at);
  expect(times).toEqual([...times].sort().reverse());
  for (const one of listed) {
    const { cli_origin: agent } = one;
    expect(one, agent).toMatchObject({ kind: 'agent', folder: world.repo });
    expect(one.title, agent).toContain(`WORK-OF-${agent.toUpperCase()}`);
    if (told.get(agent) !== undefined) expect(one.session_id, agent).toBe(told.get(agent));
  }

  // Whatever wrote last stands first: the one that began first, too.
  const [first] = agents;
  const oldest = listed.find(({ cli_origin }) => cli_origin === first);
  const later = new Date(Date.now() + 60_000);
  utimesSync(oldest?.path ?? '', later, later);
  const [newest] = JSON.parse(world.entire('session', 'list', '--all-clis', '--json')) as Listed[];
  expect(newest?.cli_origin).toBe(first);

  const table = world.entire('session', 'list', '--all-clis');
  for (const agent of agents) expect(table).toMatch(new RegExp(`^\\S+ +${agent} `, 'm'));
  for (const { session_id, cli_origin } of listed) {
    const shown = world.entire('session', 'show', session_id);
    expect(shown, cli_origin).toContain(`WORK-OF-${cli_origin.toUpperCase()} please`);
    expect(shown, cli_origin).toMatch(/^Commits: +1 /m);
    expect(shown, cli_origin).toMatch(/^Lines: +\d+ lines? in HEAD comes? from/m);
  }
  const stats = JSON.parse(world.entire('session', 'stats', '--json')) as {
    readonly by_agent: readonly { readonly key: string; readonly turns: number; readonly files: number }[];
  };
  expect(stats.by_agent.map(({ key, turns, files }) => [key, turns, files]).sort()).toEqual(
    [...agents].sort().map((agent) => [agent, 1, 1]),
  );
});
