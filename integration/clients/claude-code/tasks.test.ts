/** What the real client's sub-agents leave: the order of its hooks, and where it keeps their transcripts. */
import { describe, expect } from 'vitest';
import { readCheckpointId } from '../facts.ts';
import type { World } from '../world.ts';
import { bash, delegate, readAssistantWords, test, write } from './fixture.ts';

/** Names and contents of the files below `tasks/` in a checkpoint. */
function readTasks(world: World, id: string): ReadonlyMap<string, string> {
  const top = `${id.slice(0, 2)}/${id.slice(2)}/`;
  const branch = 'entire/checkpoints/v1';
  const names = world
    .git('ls-tree', '-r', '--name-only', branch, `${top}tasks/`)
    .trim()
    .split('\n')
    .filter(Boolean);
  return new Map(names.map((name) => [name.slice(top.length), world.git('show', `${branch}:${name}`)]));
}

const shadowLog = (world: World) => {
  const branches = world
    .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/entire')
    .trim()
    .split('\n');
  const shadow = branches.filter((name) => name !== 'entire/checkpoints/v1');
  expect(shadow).toHaveLength(1);
  return world
    .git('log', '--format=%s', shadow[0] as string)
    .trim()
    .split('\n');
};

describe.each(['foreground', 'background'] as const)('Claude Code, a sub-agent in the %s', (place) => {
  test('its checkpoint and its transcript are kept at the commit', async ({ world }) => {
    const model = await world.model([
      { keyword: 'LET-IT-DIG', steps: [delegate('DIG-A-HOLE', place), { say: 'It digs.' }] },
      {
        keyword: '<task-notification>',
        steps: [write(world, 'after.txt', 'after\n'), { say: 'It has dug.' }],
      },
      {
        keyword: 'DIG-A-HOLE',
        steps: [write(world, 'hole.txt', 'deep\n'), bash("printf 'high\\n' > pile.txt"), { say: 'Dug.' }],
      },
    ]);
    const { session_id: sessionId } = await world.claude(model, 'LET-IT-DIG').done;
    const subjects = shadowLog(world);
    const own = subjects.filter((subject) =>
      subject.startsWith("Completed 'general-purpose' agent: Help (toolu_"),
    );
    expect(own).toHaveLength(1);

    const id = readCheckpointId(world, world.commitAsUser('Dig', '.'));
    const tasks = readTasks(world, id);
    const [transcript = '', checkpoint = '', ...more] = [...tasks.keys()];
    expect(more).toEqual([]);
    const [, toolUseId] = /^tasks\/(toolu_\w+)\/checkpoint\.json$/.exec(checkpoint) ?? [];
    const [, agentId] = /\/agent-(\w+)\.jsonl$/.exec(transcript) ?? [];
    expect(JSON.parse(tasks.get(checkpoint) ?? '')).toMatchObject({
      session_id: sessionId,
      tool_use_id: toolUseId,
      agent_id: agentId,
      checkpoint_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(readAssistantWords(tasks.get(transcript) ?? '')).toEqual(['Write', 'Bash', 'Dug.']);
    expect(world.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toContain('pile.txt');
  });
});
