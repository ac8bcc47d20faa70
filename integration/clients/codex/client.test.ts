/** Codex: what every client has to show, and what only it does. */
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, vi } from 'vitest';
import type { ClientDriver } from '../driver.ts';
import { claudeCode } from '../drivers/claude-code.ts';
import { codex } from '../drivers/codex.ts';
import { readCheckpoint, readCheckpointId } from '../facts.ts';
import { extendWithWorld } from '../fixture.ts';
import { describeClient, describeTogether } from '../suite.ts';
import { World } from '../world.ts';

describeClient(codex);
describeTogether(codex, claudeCode);

const test = extendWithWorld([codex], (files) => new World(files));
const patch = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

/** Without the flag that runs hooks nobody has reviewed. */
const cautious: ClientDriver = {
  ...codex,
  args: (turn, place) => codex.args(turn, place).filter((arg) => arg !== '--dangerously-bypass-hook-trust'),
};

/** A model that Codex offers sub-agents. */
const withSubagents: ClientDriver = {
  ...codex,
  files: (place) =>
    Object.fromEntries(
      Object.entries(codex.files(place)).map(([path, text]) => [
        path,
        text.replace('gpt-5.5', 'gpt-5.1-codex'),
      ]),
    ),
};

describe('Codex alone', () => {
  test('moves, deletions, a patch in a shell command; none that does not fit', async ({ world }) => {
    const call = 'apply_patch';
    const model = await world.model([
      {
        keyword: 'TIDY-UP',
        steps: [
          {
            call,
            input: patch(
              '*** Update File: old.txt',
              '*** Move to: dir/new.txt',
              '@@',
              ' one',
              '-two',
              '+TWO',
            ),
          },
          { call, input: patch('*** Delete File: log.txt') },
          { call, input: patch('*** Update File: dir/new.txt', '@@', '-nothing like it', '+x') },
          ...codex.calls.shell(`apply_patch <<'EOF'\n${patch('*** Add File: here.txt', '+doc')}EOF\n`),
          { say: 'Tidy.' },
        ],
      },
    ]);
    await world.start(codex, model, { prompt: 'TIDY-UP' }).done;
    expect(world.read('dir/new.txt')).toBe('one\nTWO\n');
    const files = ['dir/new.txt', 'here.txt', 'log.txt', 'old.txt'];
    const [slot] = readCheckpoint(world, readCheckpointId(world, world.commitAsUser('Tidy up', ...files)));
    expect(slot?.filesTouched).toEqual(files);
  });

  test('a sub-agent: its prompt is none of the session, its files and tokens are', async ({ world }) => {
    const namespace = 'multi_agent_v1';
    const child = 'child.txt';
    const model = await world.model([
      {
        keyword: 'CHILD-JOB',
        steps: [...codex.calls.shell(`printf 'child\\n' > ${child}`), { say: 'Child is done.' }],
      },
      {
        keyword: 'ASK-A-CHILD',
        steps: [
          { call: 'spawn_agent', namespace, input: { message: 'CHILD-JOB please' } },
          { say: 'Parent is done.', until: () => existsSync(world.path(child)) },
        ],
      },
    ]);
    await world.start(withSubagents, model, { prompt: 'ASK-A-CHILD' }).done;
    const [slot, ...others] = readCheckpoint(
      world,
      readCheckpointId(world, world.commitAsUser('Take it', child)),
    );
    expect(others).toEqual([]);
    expect(slot).toMatchObject({ filesTouched: [child] });
    expect(slot?.prompts).toBe('ASK-A-CHILD');
    expect(slot?.tokenUsage).toMatchObject({
      subagent_tokens: { api_call_count: expect.toSatisfy((count: number) => count > 0) },
    });
  });

  test('a turn that is interrupted ends', async ({ world }) => {
    let isWaiting = false;
    const until = () => {
      isWaiting = true;
      return false;
    };
    const model = await world.model([
      {
        keyword: 'WAIT-FOR-ME',
        steps: [...codex.calls.shell("printf 'a\\n' > a.txt"), { say: 'Never said.', until }],
      },
    ]);
    const run = world.start(codex, model, { prompt: 'WAIT-FOR-ME' });
    await vi.waitUntil(() => isWaiting, { timeout: 60_000 });
    run.interrupt();
    await expect(run.done).rejects.toThrow();
    // Only the end of a turn looks for what commands wrote.
    const [slot] = readCheckpoint(world, readCheckpointId(world, world.commitAsUser('Take a', 'a.txt')));
    expect(slot).toMatchObject({ filesTouched: ['a.txt'], prompts: 'WAIT-FOR-ME' });
  });

  test('hooks that nobody has reviewed are passed over in silence', async ({ world }) => {
    const model = await world.model([
      { keyword: 'QUIET', steps: [...codex.calls.create(world, 'a.txt', 'a\n'), { say: 'Unseen.' }] },
    ]);
    await world.start(cautious, model, { prompt: 'QUIET' }).done;
    expect(world.trailers(world.commitAsUser('Add a', 'a.txt'))).toEqual([]);
  });

  test('a login shell that keeps PATH: the commit of the agent has a trailer', async ({ world }) => {
    const model = await world.model([
      {
        keyword: 'COMMIT-IT',
        steps: [
          ...codex.calls.create(world, 'a.txt', 'a\n'),
          ...codex.calls.shell("git add a.txt && git commit --quiet -m 'Add a'"),
          { say: 'Committed.' },
        ],
      },
    ]);
    const keepsPath: ClientDriver = {
      ...codex,
      files: (place) => ({
        ...codex.files(place),
        [join(world.home, '.bash_profile')]: `PATH=${JSON.stringify(world.env.PATH)}\n`,
      }),
    };
    await world.start(keepsPath, model, { prompt: 'COMMIT-IT' }).done;
    const [slot] = readCheckpoint(world, readCheckpointId(world, world.git('rev-parse', 'HEAD').trim()));
    expect(slot).toMatchObject({ agent: 'Codex', filesTouched: ['a.txt'] });
    appendFileSync(world.path('log.txt'), 'by hand\n');
    expect(world.trailers(world.commitAsUser('Log by hand', 'log.txt'))).toEqual([]);
  });
});
