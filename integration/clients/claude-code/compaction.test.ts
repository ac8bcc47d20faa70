/** What a real client's model knows of its files once the conversation was compacted. */
import { writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { fileSection, readFileSections } from '../told-files.ts';
import { bash, edit, test, write } from './fixture.ts';

describe('Claude Code, compacted', () => {
  test('the next request of the model names exactly the files that were read and modified', async ({
    world,
  }) => {
    for (const name of ['read.txt', 'unread.txt']) writeFileSync(world.path(name), `${name}\n`);
    const model = await world.model([
      {
        keyword: 'MANY-FILES',
        steps: [
          { call: 'Read', input: { file_path: world.path('read.txt') } },
          { call: 'Read', input: { file_path: world.path('missing.txt') } }, // fails, and is no file that was read
          write(world, 'new.txt', 'new\n'),
          ...edit(world, 'old.txt', 'two', 'TWO'),
          bash("printf 'shell\\n' > by-shell.txt"),
          { say: 'Done.' },
        ],
      },
      { keyword: 'AND-NOW', steps: [{ say: 'I remember.' }] },
    ]);
    const { session_id: id } = await world.claude(model, 'MANY-FILES').done;
    expect(model.requests.flatMap(readFileSections)).toEqual([]);

    const compaction = world.claude(model, '/compact', '--resume', id);
    expect(await compaction.done).toMatchObject({ is_error: false });
    expect(compaction.started).toContain('SessionStart:compact');

    const before = model.requests.length;
    await world.claude(model, 'AND-NOW', '--resume', id).done;
    const asked = model.requests.slice(before).filter(({ scene }) => scene === 'AND-NOW#0');
    expect(asked.map(readFileSections)).toEqual([
      [fileSection({ modified: 'new.txt, old.txt, by-shell.txt', read: 'read.txt, old.txt' })],
    ]);
  });
});
