/**
 * More of a real client's day: several turns, several commits, commits by the agent itself, and work by hand that
 * must not be linked. The environment is described in `client.test.ts`.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { readCheckpoint, readCheckpointId } from '../facts.ts';
import type { World } from '../world.ts';
import { bash, delegate, edit, readAssistantWords, test, write } from './fixture.ts';

/** The files of each session in the checkpoint of a commit. */
const filesOf = (world: World, commit: string) =>
  readCheckpoint(world, readCheckpointId(world, commit)).map(({ filesTouched }) => filesTouched);

describe('Claude Code, turn by turn', () => {
  test('a resumed session is linked again, from where it went on', async ({ world }) => {
    const model = await world.model([
      { keyword: 'MONDAY', steps: [write(world, 'a.txt', 'a\n'), { say: 'A.' }] },
      { keyword: 'TUESDAY', steps: [write(world, 'b.txt', 'b\n'), { say: 'B.' }] },
    ]);
    const { session_id: sessionId } = await world.claude(model, 'MONDAY').done;
    const monday = world.commitAsUser('Add a', 'a.txt');
    const again = await world.claude(model, 'TUESDAY', '--resume', sessionId).done;
    expect(again.session_id).toBe(sessionId);
    const tuesday = world.commitAsUser('Add b', 'b.txt');
    expect(filesOf(world, monday)).toEqual([['a.txt']]);
    expect(filesOf(world, tuesday)).toEqual([['b.txt']]);
    const [slot] = readCheckpoint(world, readCheckpointId(world, tuesday));
    expect(slot?.prompts).toContain('TUESDAY');
    expect(readAssistantWords(slot?.transcript ?? '')).toEqual(['Write', 'A.', 'Write', 'B.']);
  });

  test('the user commits part by part, and what is done by hand is not linked', async ({ world }) => {
    const model = await world.model([
      {
        keyword: 'THREE-PARTS',
        steps: [
          write(world, 'a.txt', 'a\n'),
          write(world, 'b.txt', 'b\n'),
          ...edit(world, 'old.txt', 'two', 'TWO'),
          { say: 'Done.' },
        ],
      },
    ]);
    await world.claude(model, 'THREE-PARTS').done;
    appendFileSync(world.path('log.txt'), 'by hand\n');
    expect(world.trailers(world.commitAsUser('Log by hand', 'log.txt'))).toEqual([]);
    const parts = ['b.txt', 'old.txt', 'a.txt'].map((name) => world.commitAsUser(`Take ${name}`, name));
    expect(new Set(parts.map((commit) => readCheckpointId(world, commit))).size).toBe(3);
    expect(parts.map((commit) => filesOf(world, commit))).toEqual([[['b.txt']], [['old.txt']], [['a.txt']]]);
    appendFileSync(world.path('a.txt'), 'by hand\n');
    expect(world.trailers(world.commitAsUser('Edit by hand', 'a.txt'))).toEqual([]);
  });

  test('an edit and its commit in one Bash call leave nothing behind', async ({ world }) => {
    const model = await world.model([
      {
        keyword: 'IN-ONE-GO',
        steps: [bash("printf 'agent\\n' >> log.txt && git commit --quiet -am 'Log'"), { say: 'Done.' }],
      },
    ]);
    await world.claude(model, 'IN-ONE-GO').done;
    expect(filesOf(world, 'HEAD')).toEqual([['log.txt']]);
    appendFileSync(world.path('log.txt'), 'by hand\n');
    expect(world.trailers(world.commitAsUser('Log by hand', 'log.txt'))).toEqual([]);
  });

  test('the agent commits twice and amends', async ({ world }) => {
    const model = await world.model([
      {
        keyword: 'STEP-BY-STEP',
        steps: [
          write(world, 'a.txt', 'a\n'),
          bash('git add a.txt && git commit --quiet -m a'),
          write(world, 'b.txt', 'b\n'),
          bash('git add b.txt && git commit --quiet -m b'),
          write(world, 'c.txt', 'c\n'),
          bash('git add c.txt && git commit --quiet --amend --no-edit'),
          { say: 'Done.' },
        ],
      },
    ]);
    await world.claude(model, 'STEP-BY-STEP').done;
    expect(filesOf(world, 'HEAD~1')).toEqual([['a.txt']]);
    expect(filesOf(world, 'HEAD')).toEqual([['b.txt', 'c.txt']]);
    for (const commit of ['HEAD~1', 'HEAD']) {
      const [slot] = readCheckpoint(world, readCheckpointId(world, commit));
      expect(readAssistantWords(slot?.transcript ?? '').at(-1)).toBe('Done.');
    }
  });

  test('a sub-agent commits; deletions and renames by Bash go to the next commit', async ({ world }) => {
    const model = await world.model([
      {
        keyword: 'CLEAN-THE-HOUSE',
        steps: [
          bash('rm log.txt && git mv old.txt older.txt'),
          delegate('SWEEP-AND-COMMIT', 'foreground'),
          write(world, 'z.txt', 'z\n'),
          { say: 'Clean.' },
        ],
      },
      {
        keyword: 'SWEEP-AND-COMMIT',
        steps: [
          write(world, 's.txt', 's\n'),
          bash('git add s.txt && git commit --quiet -m Sweep -- s.txt'),
          { say: 'Swept.' },
        ],
      },
    ]);
    await world.claude(model, 'CLEAN-THE-HOUSE').done;
    expect(filesOf(world, 'HEAD')).toEqual([['s.txt']]);
    const rest = world.commitAsUser('Clean', '.');
    expect(filesOf(world, rest)).toEqual([['log.txt', 'old.txt', 'older.txt', 'z.txt']]);
  });

  test('work in a sub-folder is tracked under its repository path', async ({ world }) => {
    mkdirSync(world.path('deep'));
    writeFileSync(world.path('deep/x.txt'), 'x\n');
    world.git('add', 'deep');
    world.git('commit', '--quiet', '-m', 'Go deep');
    const relative = { call: 'Write', input: { file_path: 'relative.txt', content: 'r\n' } };
    const model = await world.model([
      {
        keyword: 'DIVE',
        steps: [bash('cd deep && pwd'), relative, bash('printf y >> x.txt'), { say: 'Up.' }],
      },
    ]);
    await world.claude(model, 'DIVE').done;
    const commit = world.commitAsUser('Dive', '.');
    expect(filesOf(world, commit)).toEqual([['deep/relative.txt', 'deep/x.txt']]);
  });

  test('a turn that an error of the model cuts short is linked', async ({ world }) => {
    const model = await world.model([
      { keyword: 'OUT-OF-CREDIT', steps: [write(world, 'a.txt', 'a\n'), { fail: 'Pay first.' }] },
    ]);
    const run = world.claude(model, 'OUT-OF-CREDIT');
    await expect(run.done).rejects.toThrow('claude ended with 1');
    expect(run.started).not.toContain('Stop');
    expect(filesOf(world, world.commitAsUser('Add a', 'a.txt'))).toEqual([['a.txt']]);
  });

  test('a client that was killed in mid-turn is linked, and disturbs nobody', async ({ world }) => {
    const model = await world.model([
      {
        keyword: 'CUT-OFF',
        steps: [write(world, 'a.txt', 'a\n'), { say: 'Never said.', until: () => false }],
      },
      {
        keyword: 'NEXT-ONE',
        steps: [
          write(world, 'b.txt', 'b\n'),
          bash('git add b.txt && git commit --quiet -m b'),
          { say: 'Done.' },
        ],
      },
    ]);
    const run = world.claude(model, 'CUT-OFF');
    const killed = expect(run.done).rejects.toThrow('claude ended with null');
    await expect
      .poll(() => run.hooks.some(({ name }) => name === 'PostToolUse:Write'), { timeout: 30_000 })
      .toBe(true);
    run.kill();
    await killed;
    appendFileSync(world.path('log.txt'), 'by hand\n');
    expect(world.trailers(world.commitAsUser('Log by hand', 'log.txt'))).toEqual([]);
    const { session_id: next } = await world.claude(model, 'NEXT-ONE').done;
    const slots = readCheckpoint(world, readCheckpointId(world, 'HEAD'));
    expect(slots).toMatchObject([{ sessionId: next, filesTouched: ['b.txt'] }]);
    expect(filesOf(world, world.commitAsUser('Add a', 'a.txt'))).toEqual([['a.txt']]);
  });
});
