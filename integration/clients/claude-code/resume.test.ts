/** The real client goes on with sessions whose logs `entire resume` has restored. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { readCheckpointId } from '../facts.ts';
import { test, write } from './fixture.ts';

describe('Claude Code, resumed', () => {
  test('finds a session whose log was gone, with all that was said', async ({ world }) => {
    const model = await world.model([
      { keyword: 'MONDAY', steps: [write(world, 'a.txt', 'a\n'), { say: 'A.' }] },
      { keyword: 'TUESDAY', steps: [write(world, 'b.txt', 'b\n'), { say: 'B.' }] },
    ]);
    const { session_id: sessionId } = await world.claude(model, 'MONDAY').done;
    const id = readCheckpointId(world, world.commitAsUser('Add a', 'a.txt'));
    const projects = join(world.env.HOME as string, '.claude', 'projects');
    const [project] = readdirSync(projects) as [string];
    const original = readFileSync(join(projects, project, `${sessionId}.jsonl`), 'utf8');
    rmSync(projects, { recursive: true });
    rmSync(world.path('.git/entire-sessions'), { recursive: true });

    world.entire('resume', id);
    expect(readdirSync(projects)).toEqual([project]);
    const restored = readFileSync(join(projects, project, `${sessionId}.jsonl`), 'utf8');
    expect(restored.trim().split('\n').length).toBe(original.trim().split('\n').length);

    const again = await world.claude(model, 'TUESDAY', '-r', sessionId).done;
    expect([again.session_id, again.result]).toEqual([sessionId, 'B.']);
    expect(readFileSync(join(projects, project, `${sessionId}.jsonl`), 'utf8')).toContain('TUESDAY');
  });
});
