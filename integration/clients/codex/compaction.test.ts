/** What a real Codex tells its model of its files once the conversation was compacted. */
import { writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { codex } from '../drivers/codex.ts';
import { extendWithWorld } from '../fixture.ts';
import { claimOnce } from '../model/scene.ts';
import { fileSection, readFileSections, toldIn } from '../told-files.ts';
import { World } from '../world.ts';

const { calls } = codex;
const test = extendWithWorld([codex], (files) => new World(files));
const more = ['-c', 'model_auto_compact_token_limit=100000'];

describe('Codex, compacted', () => {
  test('the next request of the model names exactly the files that were modified', async ({ world }) => {
    writeFileSync(world.path('read.txt'), 'read.txt\n');
    const model = await world.model([
      {
        keyword: 'MANY-FILES',
        steps: [
          ...calls.shell('cat read.txt'), // reads are shell commands, and are not noted
          ...calls.create(world, 'new.txt', 'new\n'),
          ...calls.edit(world, 'old.txt', 'two', 'TWO'),
          ...calls.shell("printf 'shell\\n' > by-shell.txt"),
          { say: 'Done.', tokens: 200_000 },
        ],
      },
      { keyword: 'AND-NOW', steps: [{ say: 'I remember.' }] },
      { keyword: 'AND-THEN', steps: [{ say: 'Still.' }] },
    ]);
    const { sessionId: resume = '' } = await world.start(codex, model, { prompt: 'MANY-FILES', more }).done;
    expect(model.requests.flatMap(readFileSections)).toEqual([]);

    const told = async (prompt: string) => {
      await world.start(codex, model, { prompt, resume, more }).done;
      return toldIn(model, prompt);
    };
    const section = fileSection({ modified: 'new.txt, old.txt, by-shell.txt' });
    // The client compacts before the prompt; what it told the model stays in the session.
    expect(await told('AND-NOW')).toEqual([[section]]);
    expect(await told('AND-THEN')).toEqual([[section]]);
  });

  test('so does the next one in the middle of a turn', async ({ world }) => {
    const once = claimOnce(calls.shell('true')[0], 200_000);
    const model = await world.model([
      { keyword: 'ONE-FILE', steps: [...calls.create(world, 'new.txt', 'new\n'), { say: 'Done.' }] },
      // Of what was said the client keeps the prompt: the scene begins again.
      { keyword: 'GO-ON', steps: [once, { say: 'On.' }] },
    ]);
    const { sessionId: resume = '' } = await world.start(codex, model, { prompt: 'ONE-FILE', more }).done;
    await world.start(codex, model, { prompt: 'GO-ON', resume, more }).done;
    const section = fileSection({ modified: 'new.txt' });
    expect(toldIn(model, 'GO-ON')).toEqual([[], [section], [section]]);
  });
});
