import { appendFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { ClientDriver } from './driver.ts';
import { readCheckpoint, readCheckpointId, readNotedCheckpointId, readPhase } from './facts.ts';
import { extendWithWorld } from './fixture.ts';
import { World } from './world.ts';

const createWorld = (files: Readonly<Record<string, string>>) => new World(files);

/** What every client has to show, in its own tool calls. */
export function describeClient(driver: ClientDriver): void {
  const { calls, type } = driver;
  const test = extendWithWorld([driver], createWorld);

  describe(`${type}, driven by a script`, () => {
    test('what its tools and its shell write is linked to the commit of the user', async ({ world }) => {
      const model = await world.model([
        {
          keyword: 'PLANT-A-TREE',
          steps: [
            ...calls.create(world, 'new.txt', 'leaf\n'),
            ...calls.edit(world, 'old.txt', 'two', 'TWO'),
            ...calls.shell("printf 'second\\n' >> log.txt"),
            { say: 'The tree stands tall.' },
          ],
        },
      ]);
      const answer = await world.start(driver, model, { prompt: 'PLANT-A-TREE in the garden' }).done;
      expect(answer.text).toContain('The tree stands tall.');
      expect(['new.txt', 'old.txt', 'log.txt'].map((name) => world.read(name))).toEqual([
        'leaf\n',
        'one\nTWO\n',
        'first\nsecond\n',
      ]);
      const before = world.entire('status', '--detailed');
      expect(before).toContain(`[${type}]`);
      for (const name of ['new.txt', 'old.txt', 'log.txt']) expect(before).toContain(name);

      const commit = world.commitAsUser('Plant a tree', 'new.txt', 'old.txt', 'log.txt');
      const [slot, ...others] = readCheckpoint(world, readCheckpointId(world, commit));
      expect(others).toEqual([]);
      expect(slot).toMatchObject({ agent: type, filesTouched: ['log.txt', 'new.txt', 'old.txt'] });
      if (answer.sessionId !== undefined) expect(slot?.sessionId).toBe(answer.sessionId);
      expect(slot?.prompts).toContain('PLANT-A-TREE in the garden');
      expect(slot?.transcript).toContain('The tree stands tall.');
      expect(slot?.tokenUsage).toMatchObject({
        output_tokens: expect.toSatisfy((count: number) => count > 0),
        api_call_count: expect.toSatisfy((count: number) => count > 0),
      });
      expect(readPhase(world, slot?.sessionId ?? '')).not.toBe('active');
      expect(world.entire('status')).toMatch(/linked \(/);
    });

    test('what the user writes has no trailer, before and after a turn', async ({ world }) => {
      const model = await world.model([
        { keyword: 'ONE-FILE', steps: [...calls.create(world, 'a.txt', 'a\n'), { say: 'One.' }] },
      ]);
      appendFileSync(world.path('log.txt'), 'by hand\n');
      expect(world.trailers(world.commitAsUser('Log by hand', 'log.txt'))).toEqual([]);
      await world.start(driver, model, { prompt: 'ONE-FILE' }).done;
      appendFileSync(world.path('log.txt'), 'by hand again\n');
      expect(world.trailers(world.commitAsUser('Log by hand again', 'log.txt'))).toEqual([]);
      readCheckpointId(world, world.commitAsUser('Take a', 'a.txt'));
    });

    test('a second turn of a resumed session is linked from where it went on', async ({ world }) => {
      const model = await world.model([
        { keyword: 'MONDAY', steps: [...calls.create(world, 'a.txt', 'a\n'), { say: 'All of A.' }] },
        { keyword: 'TUESDAY', steps: [...calls.create(world, 'b.txt', 'b\n'), { say: 'All of B.' }] },
      ]);
      const monday = await world.start(driver, model, { prompt: 'MONDAY' }).done;
      const first = readCheckpointId(world, world.commitAsUser('Add a', 'a.txt'));
      const resume = monday.sessionId ?? 'last';
      const tuesday = await world.start(driver, model, { prompt: 'TUESDAY', resume }).done;
      expect(tuesday.text).toContain('All of B.');
      const second = readCheckpointId(world, world.commitAsUser('Add b', 'b.txt'));
      expect(second).not.toBe(first);
      const slots = [first, second].flatMap((id) => readCheckpoint(world, id));
      expect(slots).toMatchObject([{ filesTouched: ['a.txt'] }, { filesTouched: ['b.txt'] }]);
      expect(slots[1]?.prompts).toContain('TUESDAY');
      expect(slots[1]?.transcript).toContain('All of B.');
      // A client may go on under a new id; whether it did is its own word.
      const isSame = monday.sessionId === tuesday.sessionId;
      if (isSame) expect(slots[1]?.sessionId).toBe(slots[0]?.sessionId);
      else expect(slots[1]?.sessionId).toBe(tuesday.sessionId);
    });

    test('what the agent commits itself is linked, and what follows goes to the next commit', async ({
      world,
    }) => {
      const model = await world.model([
        {
          keyword: 'COMMIT-AS-YOU-GO',
          steps: [
            ...calls.create(world, 'first.txt', 'first\n'),
            ...calls.shell("git add first.txt && git commit --quiet -m 'Add the first'"),
            ...calls.edit(world, 'old.txt', 'one', 'ONE'),
            { say: 'One is committed, one is yours.' },
          ],
        },
      ]);
      await world.start(driver, model, { prompt: 'COMMIT-AS-YOU-GO' }).done;
      const agents = world.git('rev-parse', 'HEAD').trim();
      expect(world.git('log', '-1', '--format=%s', agents)).toBe('Add the first\n');
      const readLink = driver.commitsWithoutHooks ? readNotedCheckpointId : readCheckpointId;
      const first = readLink(world, agents);
      const second = readCheckpointId(world, world.commitAsUser('Shout', 'old.txt'));
      expect(second).not.toBe(first);
      const slots = [first, second].flatMap((id) => readCheckpoint(world, id));
      expect(slots).toMatchObject([
        { agent: type, filesTouched: ['first.txt'] },
        { agent: type, filesTouched: ['old.txt'] },
      ]);
      // Finalised at the end of the turn: the stored transcript goes on after the commit.
      expect(slots[0]?.transcript).toContain('One is committed, one is yours.');
    });
  });
}

/** Two different clients at once in one repository: each commit links the sessions and the files that are in it. */
export function describeTogether(left: ClientDriver, right: ClientDriver): void {
  const test = extendWithWorld([left, right], createWorld);

  test(`${left.type} and ${right.type} work in one repository at the same time`, async ({ world }) => {
    // A step is asked whether it may be played once the hooks of the call before it have run: the turn without a shell ends
    // first, with what the shell of the other wrote in the worktree.
    const done = { rightShell: false, left: false };
    const isShellDone = () => done.rightShell;
    const isLeftDone = () => {
      done.rightShell = true;
      return done.left;
    };
    const model = await world.model([
      {
        keyword: 'LEFT-HAND',
        steps: [
          ...left.calls.create(world, 'left.txt', 'left\n'),
          ...left.calls.edit(world, 'old.txt', 'one', 'ONE'),
          { say: 'Left is done.', until: isShellDone },
        ],
      },
      {
        keyword: 'RIGHT-HAND',
        steps: [
          ...right.calls.create(world, 'right.txt', 'right\n'),
          ...right.calls.shell("printf 'second\\n' >> log.txt"),
          { say: 'Right is done.', until: isLeftDone },
        ],
      },
    ]);
    const turns = [
      world.start(left, model, { prompt: 'LEFT-HAND' }).done.finally(() => {
        done.left = true;
      }),
      world.start(right, model, { prompt: 'RIGHT-HAND' }).done,
    ];
    await Promise.all(turns);
    const linked = (...files: readonly string[]) =>
      readCheckpoint(world, readCheckpointId(world, world.commitAsUser(`Take ${files}`, ...files)))
        .map(({ agent, filesTouched, transcript }) => ({
          agent,
          filesTouched,
          last: ['Left is done.', 'Right is done.'].filter((text) => transcript.includes(text)),
        }))
        .sort((a, b) => (a.filesTouched.join() < b.filesTouched.join() ? -1 : 1));
    expect(linked('left.txt')).toEqual([
      { agent: left.type, filesTouched: ['left.txt'], last: ['Left is done.'] },
    ]);
    expect(linked('old.txt', 'right.txt', 'log.txt')).toEqual([
      { agent: right.type, filesTouched: ['log.txt', 'right.txt'], last: ['Right is done.'] },
      { agent: left.type, filesTouched: ['old.txt'], last: ['Left is done.'] },
    ]);
  });
}
