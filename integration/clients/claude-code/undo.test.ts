/** What the real client does to files is taken back, and it goes on with the conversation from before. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { edit, test, write } from './fixture.ts';

describe('Claude Code, undone', () => {
  test('files are what the user had, also CRLF and what a shell overwrote', async ({ world }) => {
    const text = (name: string) => readFileSync(world.path(name), 'utf8');
    writeFileSync(world.path('crlf.txt'), 'one\r\ntwo\r\n');
    writeFileSync(world.path('log.txt'), 'not committed\n');
    const model = await world.model([
      {
        keyword: 'MONDAY',
        steps: [
          write(world, 'new/a.txt', 'a\n'),
          ...edit(world, 'old.txt', 'two', 'TWO'),
          ...edit(world, 'crlf.txt', 'two', 'TWO'),
          { call: 'Bash', input: { command: 'echo shell > log.txt' } },
          { say: 'Done.' },
        ],
      },
    ]);
    await world.claude(model, 'MONDAY').done;
    expect([text('old.txt'), text('log.txt'), existsSync(world.path('new/a.txt'))]).toEqual([
      'one\nTWO\n',
      'shell\n',
      true,
    ]);
    const report = world.entire('undo');
    expect([text('old.txt'), text('crlf.txt'), text('log.txt')], report).toEqual([
      'one\ntwo\n',
      'one\r\ntwo\r\n',
      'not committed\n',
    ]);
    expect(existsSync(world.path('new'))).toBe(false);
    world.entire('redo');
    expect([text('old.txt'), text('log.txt'), text('new/a.txt')]).toEqual(['one\nTWO\n', 'shell\n', 'a\n']);
  });

  test('goes on with the conversation from before the turn', async ({ world }) => {
    const model = await world.model([
      { keyword: 'MONDAY', steps: [write(world, 'a.txt', 'monday\n'), { say: 'A.' }] },
      { keyword: 'TUESDAY', steps: [write(world, 'b.txt', 'tuesday\n'), { say: 'B.' }] },
      { keyword: 'FRIDAY', steps: [{ say: 'F.' }] },
    ]);
    const { session_id: id } = await world.claude(model, 'MONDAY').done;
    await world.claude(model, 'TUESDAY', '-r', id).done;
    const report = world.entire('undo', '--conversation');
    expect([existsSync(world.path('a.txt')), existsSync(world.path('b.txt'))]).toEqual([true, false]);
    const forked = /claude -r (\S+)/.exec(report)?.[1] as string;
    const again = await world.claude(model, 'FRIDAY', '-r', forked).done;
    expect([again.session_id, again.result]).toEqual([forked, 'F.']);
    const projects = join(world.env.HOME as string, '.claude', 'projects');
    const [project] = readdirSync(projects) as [string];
    const said = readFileSync(join(projects, project, `${forked}.jsonl`), 'utf8');
    expect([said.includes('MONDAY'), said.includes('TUESDAY'), said.includes('FRIDAY')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(readFileSync(join(projects, project, `${id}.jsonl`), 'utf8')).toContain('TUESDAY');
  });
});
