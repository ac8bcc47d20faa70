/**
 * What the client reports of its commands, by which `entire blame` tells a person's lines from those of a command. When a
 * version reports otherwise, `REPORTING` in `src/agents/claude-code/shell.ts` is wrong. The environment is described in
 * `client.test.ts`.
 */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { Step } from '../model/scene.ts';
import type { World } from '../world.ts';
import { bash, type ClaudeWorld, delegate, test, write } from './fixture.ts';

const AGENT = 'const writtenByAgent = compute(333);\n';
const COMMAND = 'const writtenByCommand = compute(444);\n';
const MINE = 'const typedByHand = compute(100);\n';

/** Whose the lines of a file are. */
const classes = (world: World, file: string): string[] =>
  JSON.parse(world.entire('blame', '--json', file)).lines.map((line: { class: string }) => line.class);

/** A turn of these steps, and a line of a person's behind what it wrote. */
async function turn(world: ClaudeWorld, ...steps: Step[]): Promise<void> {
  const model = await world.model([{ keyword: 'WRITE', steps: [...steps, { say: 'Done.' }] }]);
  await world.claude(model, 'WRITE').done;
  appendFileSync(world.path('a.ts'), MINE);
  world.commitAsUser('Both', 'a.ts');
}

describe('Claude Code: a person’s line in a file of its session', () => {
  test('is the person’s, where its commands succeed; what one changed is the session’s', async ({
    world,
  }) => {
    const append = `node -e "require('fs').appendFileSync('a.ts', ${JSON.stringify(COMMAND).replaceAll('"', "'")})"`;
    await turn(world, write(world, 'a.ts', AGENT), bash('node -e 0'), bash(append));
    expect(world.read('a.ts')).toBe(`${AGENT}${COMMAND}${MINE}`);
    expect(classes(world, 'a.ts')).toEqual(['agent', 'agent', 'human']);
  });

  test('is the person’s, where no command reported anything', async ({ world }) => {
    await turn(world, write(world, 'a.ts', AGENT), bash('node -e 0'));
    expect(classes(world, 'a.ts')).toEqual(['agent', 'human']);
  });

  test('is unknown after a command that failed, and wrote a line that is not reported', async ({ world }) => {
    const script = `require('fs').appendFileSync('a.ts', ${JSON.stringify(COMMAND).replaceAll('"', "'")}); process.exit(1)`;
    await turn(world, write(world, 'a.ts', AGENT), bash(`node -e "${script}"`));
    expect(world.read('a.ts')).toBe(`${AGENT}${COMMAND}${MINE}`);
    expect(classes(world, 'a.ts')).toEqual(['agent', 'unknown', 'unknown']);
  });

  test('is unknown after a command of a sub-agent, of which nothing is kept', async ({ world }) => {
    const model = await world.model([
      {
        keyword: 'DELEGATE',
        steps: [write(world, 'a.ts', AGENT), delegate('HELP-OUT', 'foreground'), { say: 'Done.' }],
      },
      { keyword: 'HELP-OUT', steps: [bash(`printf '${COMMAND.trim()}\\n' >> a.ts`), { say: 'Helped.' }] },
    ]);
    await world.claude(model, 'DELEGATE').done;
    appendFileSync(world.path('a.ts'), MINE);
    world.commitAsUser('Both', 'a.ts');
    expect(world.read('a.ts')).toBe(`${AGENT}${COMMAND}${MINE}`);
    expect(classes(world, 'a.ts')).toEqual(['agent', 'unknown', 'unknown']);
  });

  test('is unknown where a hook of the user changed the file after an edit, as a formatter does', async ({
    world,
  }) => {
    const file = world.path('.claude/settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    const command = `printf '${COMMAND.trim()}\\n' >> a.ts`;
    settings.hooks.PostToolUse.push({ matcher: 'Write', hooks: [{ type: 'command', command }] });
    writeFileSync(file, JSON.stringify(settings));
    await turn(world, write(world, 'a.ts', AGENT));
    expect(world.read('a.ts')).toBe(`${AGENT}${COMMAND}${MINE}`);
    rmSync(world.path('.git/entire/snapshots'), { recursive: true }); // as in another clone
    expect(classes(world, 'a.ts')).toEqual(['agent', 'unknown', 'unknown']);
  });

  test('and a file that the person changed in the turn is the person’s', async ({ world }) => {
    const until = () => {
      writeFileSync(world.path('mine.ts'), MINE);
      return true;
    };
    const model = await world.model([
      { keyword: 'WRITE', steps: [write(world, 'a.ts', AGENT), bash('node -e 0'), { say: 'Done.', until }] },
    ]);
    await world.claude(model, 'WRITE').done;
    world.commitAsUser('Both', 'a.ts', 'mine.ts');
    expect([classes(world, 'a.ts'), classes(world, 'mine.ts')]).toEqual([['agent'], ['human']]);
  });
});
