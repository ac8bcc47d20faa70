/**
 * Drives the real Claude Code client from npm, without a login and without the network: the model is a script on
 * 127.0.0.1. Every fact is asked of git, as a user would; nothing of the product is imported.
 *
 * Environment of the client (`World`): PATH with `dist/entire` as `entire`; HOME, TMPDIR and CLAUDE_CODE_TMPDIR in
 * a scratch folder; ANTHROPIC_BASE_URL=http://127.0.0.1:<port> ANTHROPIC_API_KEY=dummy; DISABLE_TELEMETRY=1
 * DISABLE_ERROR_REPORTING=1 DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
 * DISABLE_INSTALLATION_CHECKS=1; IS_SANDBOX=1, which root needs for --dangerously-skip-permissions.
 * GIT_CONFIG_NOSYSTEM=1, no global git config. ENTIRE_LOG_LEVEL=debug. The user's own commits have ENTIRE_TEST_TTY=1
 * and no CLAUDECODE. Nothing else is passed on. ENTIRE_KEEP_WORLD=1 keeps the scratch folders and prints their names.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { readCheckpoint, readCheckpointId, readPhase } from '../facts.ts';
import { bash, delegate, edit, readAssistantWords, test, write } from './fixture.ts';

describe('Claude Code, driven by a script', () => {
  test('every way to edit is linked to the commit of the user', async ({ world }) => {
    const model = await world.model([
      {
        keyword: 'PLANT-A-TREE',
        steps: [
          write(world, 'new.txt', 'leaf\n'),
          ...edit(world, 'old.txt', 'two', 'TWO'),
          bash("printf 'second\\n' >> log.txt"),
          delegate('WATER-THE-TREE and come back', 'foreground'),
          { say: 'The tree stands.' },
        ],
      },
      { keyword: 'WATER-THE-TREE', steps: [write(world, 'sub.txt', 'water\n'), { say: 'Watered.' }] },
    ]);
    const run = world.claude(model, 'PLANT-A-TREE in the garden');
    const result = await run.done;
    expect(result).toMatchObject({ is_error: false, result: 'The tree stands.' });
    expect(model.requests.filter(({ status }) => status !== 200)).toEqual([]);
    const greeting = run.hooks.find(({ event }) => event === 'SessionStart');
    expect(greeting?.stdout).toContain('This conversation will be linked to your next commit.');
    expect(['old.txt', 'log.txt', 'sub.txt'].map((name) => world.read(name))).toEqual([
      'one\nTWO\n',
      'first\nsecond\n',
      'water\n',
    ]);
    expect(readPhase(world, result.session_id)).toBe('ended');

    const files = ['log.txt', 'new.txt', 'old.txt', 'sub.txt'];
    const commit = world.commitAsUser('Plant a tree', ...files);
    const slots = readCheckpoint(world, readCheckpointId(world, commit));
    expect(slots).toMatchObject([{ sessionId: result.session_id, filesTouched: files }]);
    expect(slots[0]?.prompts).toContain('PLANT-A-TREE in the garden');
    expect(slots[0]?.tokenUsage).toMatchObject({
      input_tokens: result.usage.input_tokens,
      cache_creation_tokens: result.usage.cache_creation_input_tokens,
      cache_read_tokens: result.usage.cache_read_input_tokens,
      output_tokens: result.usage.output_tokens,
      api_call_count: model.requests.filter(({ scene }) => scene?.startsWith('PLANT-A-TREE')).length,
    });
    expect(readAssistantWords(slots[0]?.transcript ?? '')).toEqual([
      ...['Write', 'Read', 'Edit', 'Bash', 'Agent'],
      'The tree stands.',
    ]);
  });

  test('a commit of the agent in mid-turn is linked, and what follows is linked to the next', async ({
    world,
  }) => {
    const model = await world.model([
      {
        keyword: 'COMMIT-AS-YOU-GO',
        steps: [
          write(world, 'first.txt', 'first\n'),
          bash("git add first.txt && git commit -m 'feat: add the first'"),
          ...edit(world, 'old.txt', 'one', 'ONE'),
          { say: 'One is committed, one is yours.' },
        ],
      },
    ]);
    const run = world.claude(model, 'COMMIT-AS-YOU-GO');
    const { session_id: sessionId } = await run.done;
    const agents = world.git('rev-parse', 'HEAD').trim();
    expect(world.git('log', '-1', '--format=%s', agents)).toBe('feat: add the first\n');
    const first = readCheckpointId(world, agents);
    const [early] = readCheckpoint(world, first);
    expect(early).toMatchObject({ sessionId, filesTouched: ['first.txt'] });
    // Finalised at stop: the stored transcript goes on after the commit.
    const words = ['Write', 'Bash', 'Read', 'Edit', 'One is committed, one is yours.'];
    expect(readAssistantWords(early?.transcript ?? '')).toEqual(words);

    const second = readCheckpointId(world, world.commitAsUser('Shout', 'old.txt'));
    expect(second).not.toBe(first);
    expect(readCheckpoint(world, second)).toMatchObject([{ sessionId, filesTouched: ['old.txt'] }]);
    expect(readCheckpoint(world, first)).toMatchObject([{ sessionId, filesTouched: ['first.txt'] }]);
  });

  test('a background sub-agent that edits after the stop is linked', async ({ world }) => {
    const model = await world.model([
      { keyword: 'GO-ON-WITHOUT-ME', steps: [delegate('DIG-SLOWLY', 'background'), { say: 'It digs.' }] },
      { keyword: '<task-notification>', steps: [{ say: 'It has dug.' }] },
      {
        keyword: 'DIG-SLOWLY',
        steps: [{ ...write(world, 'hole.txt', 'deep\n'), until: () => stopped() > 0 }, { say: 'Dug.' }],
      },
    ]);
    const run = world.claude(model, 'GO-ON-WITHOUT-ME');
    const stopped = () => run.hooks.filter(({ event }) => event === 'Stop').length;
    const { session_id: sessionId } = await run.done;
    expect(stopped()).toBe(2);
    const id = readCheckpointId(world, world.commitAsUser('Dig', 'hole.txt'));
    expect(readCheckpoint(world, id)).toMatchObject([{ sessionId, filesTouched: ['hole.txt'] }]);
  });

  test('the user commits while a background sub-agent is at work', async ({ world }) => {
    let committed = false;
    const model = await world.model([
      { keyword: 'GO-ON-WITHOUT-ME', steps: [delegate('DIG-SLOWLY', 'background'), { say: 'It digs.' }] },
      { keyword: '<task-notification>', steps: [{ say: 'It has dug.' }] },
      {
        keyword: 'DIG-SLOWLY',
        steps: [
          { ...write(world, 'hole.txt', 'deep\n'), until: () => saw('Stop') },
          { ...write(world, 'pile.txt', 'high\n'), until: () => committed },
          { say: 'Dug.' },
        ],
      },
    ]);
    const run = world.claude(model, 'GO-ON-WITHOUT-ME');
    const saw = (name: string) => run.hooks.some((hook) => hook.name === name);
    await expect.poll(() => saw('PostToolUse:Write'), { timeout: 30_000 }).toBe(true);
    const first = readCheckpointId(world, world.commitAsUser('Dig', 'hole.txt'));
    committed = true;
    const { session_id: sessionId } = await run.done;
    expect(readCheckpoint(world, first)).toMatchObject([{ sessionId, filesTouched: ['hole.txt'] }]);
    const second = readCheckpointId(world, world.commitAsUser('Pile', 'pile.txt'));
    expect(second).not.toBe(first);
    expect(readCheckpoint(world, second)).toMatchObject([{ sessionId, filesTouched: ['pile.txt'] }]);
  });

  test('two clients at once share the id of one commit, each with its own file', async ({ world }) => {
    const model = await world.model([
      {
        keyword: 'LEFT-HAND',
        steps: [
          write(world, 'left.txt', 'left\n'),
          { say: 'Left is done.', until: () => world.read('old.txt').includes('RIGHT') },
        ],
      },
      {
        keyword: 'RIGHT-HAND',
        steps: [
          ...edit(world, 'old.txt', 'two', 'RIGHT'),
          { say: 'Right is done.', until: () => existsSync(world.path('left.txt')) },
        ],
      },
    ]);
    const runs = [world.claude(model, 'LEFT-HAND'), world.claude(model, 'RIGHT-HAND')];
    const [left, right] = await Promise.all(runs.map((run) => run.done));
    const id = readCheckpointId(world, world.commitAsUser('Clap', 'left.txt', 'old.txt'));
    const slots = readCheckpoint(world, id);
    expect(slots).toHaveLength(2);
    const slotOf = (sessionId: string | undefined) => slots.find((slot) => slot.sessionId === sessionId);
    expect(slotOf(left?.session_id)).toMatchObject({ filesTouched: ['left.txt'] });
    expect(slotOf(right?.session_id)).toMatchObject({ filesTouched: ['old.txt'] });
    expect(slotOf(left?.session_id)?.prompts).toContain('LEFT-HAND');
    expect(slotOf(right?.session_id)?.prompts).toContain('RIGHT-HAND');
  });

  test('one Agent call fires each sub-agent hook once', async ({ world }) => {
    const model = await world.model([
      { keyword: 'ASK-A-FRIEND', steps: [delegate('FRIENDLY-ADVICE', 'foreground'), { say: 'Asked.' }] },
      { keyword: 'FRIENDLY-ADVICE', steps: [{ say: 'Go on.' }] },
    ]);
    const settings = JSON.parse(readFileSync(world.path('.claude/settings.json'), 'utf8')) as {
      hooks: Record<string, { matcher?: string }[]>;
    };
    const matchers = (event: string) => settings.hooks[event]?.map(({ matcher }) => matcher) ?? [];
    expect(matchers('PreToolUse').filter((matcher) => matcher === 'Task')).toHaveLength(1);
    expect([...matchers('PreToolUse'), ...matchers('PostToolUse')]).not.toContain('Agent');
    const run = world.claude(model, 'ASK-A-FRIEND');
    await run.done;
    const started = (name: string) => run.started.filter((hook) => hook === name);
    expect(started('PreToolUse:Agent')).toHaveLength(1);
    expect(started('PostToolUse:Agent')).toHaveLength(1);
  });
});
