/** `entire session chat` is killed while the real Claude Code is in the middle of a turn. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { claudeCode } from '../drivers/claude-code.ts';
import { extendWithWorld } from '../fixture.ts';
import { SessionWorld } from '../session-world.ts';

const test = extendWithWorld([claudeCode], (files) => new SessionWorld(files));

const isRunning = (pid: number): boolean => {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'utf8'));
};

test('killed without a warning: the client ends with its turn, and the session goes on', async ({
  world,
}) => {
  const dig = { call: 'Bash', input: { command: 'echo $PPID > pid; sleep 3; echo dug', description: 'Dig' } };
  const model = await world.model([
    { keyword: 'DIG', steps: [dig, { say: 'Dug.' }] },
    { keyword: 'REST', steps: [{ say: 'Rested.' }] },
  ]);
  const env = world.at(claudeCode, 'claude', model);
  const talk = world.talk(env, [
    ...'session chat --agent claude-code DIG --'.split(' '),
    '--dangerously-skip-permissions',
  ]);
  await talk.sees('* Bash');
  const kept = join(world.home, '.entire', 'sessions');
  const read = (): string =>
    readdirSync(kept)
      .map((name) => readFileSync(join(kept, name), 'utf8'))
      .join('');
  await expect.poll(read, { timeout: 20_000 }).toContain('"stopped":"unfinished"');
  await expect.poll(() => existsSync(world.path('pid')), { timeout: 20_000 }).toBe(true);
  const pid = Number(world.read('pid'));
  process.kill(talk.pid, 'SIGKILL');
  await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
  const id = (JSON.parse(read()) as { session_id: string }).session_id;
  const again = await world.talk(env, ['session', 'chat', '--resume', id, 'REST']).ended;
  expect(again).toMatchObject({ stdout: 'Rested.\n', code: 0 });
  const sent = model.requests.find(({ scene }) => scene === 'REST#0')?.body ?? '';
  expect(sent.split('DIG')).toHaveLength(2); // the client goes on with its own session
  expect(sent).not.toContain('<conversation>');
});
