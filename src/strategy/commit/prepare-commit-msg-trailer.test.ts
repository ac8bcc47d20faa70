import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CheckpointId, parseCheckpointId } from '../../base/ids.ts';
import { replaceSpawn } from '../../git/run.ts';
import { parseState } from '../../session/state.ts';
import { addCommentedTrailer } from './prepare-commit-msg.ts';

const id = parseCheckpointId('0a1b2c3d4e5f') as CheckpointId;
const git = { cwd: '/repo', env: {} };
let dir: string;
let restore: () => void;
let config = '';

/** Stands in for git: the configuration as set, and a trailer as the last paragraph. */
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-commented-'));
  config = '';
  restore = replaceSpawn(((_: string, args: readonly string[], { input }: { input: Buffer }) => {
    const asked = args.includes('config');
    const stdout = asked ? config : `${input.toString('latin1').trimEnd()}\n\nEntire-Checkpoint: ${id}\n`;
    return {
      status: asked && config === '' ? 1 : 0,
      stdout: Buffer.from(stdout, 'latin1'),
      stderr: Buffer.from(''),
    };
  }) as unknown as Parameters<typeof replaceSpawn>[0]);
});
afterEach(() => {
  restore();
  rmSync(dir, { recursive: true, force: true });
});

const session = (more: object = {}) =>
  parseState(
    JSON.stringify({
      session_id: 's1',
      phase: 'idle',
      agent_type: 'Claude Code',
      first_prompt: 'Add login',
      ...more,
    }),
  );
const add = (message: string, more: object = {}) => addCommentedTrailer(git, message, id, session(more), dir);

test('an empty message keeps a free line, and git’s comments come last', async () => {
  expect(await add('\n# Please enter the commit message.\n#\n# On branch main\n')).toMatchInlineSnapshot(`
    "

    Entire-Checkpoint: 0a1b2c3d4e5f
    # Remove the Entire-Checkpoint trailer above if you don't want to link this commit to Claude Code session context.
    # Last Prompt: Add login
    # The trailer will be added to your next commit based on this branch.

    # Please enter the commit message.
    #
    # On branch main
    "
  `);
});

test('a template keeps its text', async () => {
  expect(await add('Subject\n\nBody\n\n# Please enter\n')).toMatchInlineSnapshot(`
    "Subject

    Body

    Entire-Checkpoint: 0a1b2c3d4e5f
    # Remove the Entire-Checkpoint trailer above if you don't want to link this commit to Claude Code session context.
    # Last Prompt: Add login
    # The trailer will be added to your next commit based on this branch.

    # Please enter
    "
  `);
});

test('without comments of git there are ours alone', async () => {
  expect(await add('')).toMatchInlineSnapshot(`
    "

    Entire-Checkpoint: 0a1b2c3d4e5f
    # Remove the Entire-Checkpoint trailer above if you don't want to link this commit to Claude Code session context.
    # Last Prompt: Add login
    # The trailer will be added to your next commit based on this branch.
    "
  `);
});

test.each([
  ['core.commentchar ;\n', ';'],
  ['core.commentstring //\n', '//'],
  ['core.commentchar #\ncore.commentchar %\n', '%'],
  ['core.commentchar auto\n', ';'],
])('comments begin as configured: %j', async (text, char) => {
  config = text;
  const message = await add(`\n${char} Please enter\n${char}\n`);
  expect(message.split('\n').filter((line) => line.includes('Remove the'))).toEqual([
    expect.stringMatching(new RegExp(`^${char} Remove`)),
  ]);
  expect(message.endsWith(`\n${char} Please enter\n${char}\n`)).toBe(true);
});

test('an agent without a name, a session without words', async () => {
  const message = await add('', { agent_type: '', first_prompt: '' });
  expect(message).toContain('to Agent session context.');
  expect(message).not.toContain('Last Prompt');
});

test('the last prompt of the transcript, on one line, short, harmless, in UTF-8', async () => {
  const prompt = `é\n\x1b[31m${'x'.repeat(200)}`;
  const path = join(dir, 't.jsonl');
  const row = (content: string) => `${JSON.stringify({ type: 'user', message: { content } })}\n`;
  writeFileSync(path, row('first') + row(prompt));
  const message = Buffer.from(await add('', { transcript_path: path }), 'latin1').toString('utf8');
  expect(message.split('\n')).toContain(`# Last Prompt: é ${'x'.repeat(75)}...`);
});

// With `commit.cleanup=scissors` git keeps every line above them, comments too.
test('below the scissors, where nothing is kept', async () => {
  const scissors = '# ------------------------ >8 ------------------------';
  const message = await add(`\n${scissors}\n# Do not modify or remove the line above.\n`);
  expect(message.indexOf('Last Prompt')).toBeGreaterThan(message.indexOf(scissors));
});
