import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceSpawn } from '../../git/run.ts';
import { checkCommitMessage, parseSource, readMessage, toMessageText, writeMessage } from './message.ts';

const TRAILER = 'Entire-Checkpoint: 0a1b2c3d4e5f';
const SCISSORS = '# ------------------------ >8 ------------------------';
let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-message-'));
  file = join(dir, 'COMMIT_EDITMSG');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

// No `commit.template` is configured: git answers nothing, with exit status 1.
beforeEach(() =>
  replaceSpawn((() => ({ status: 1, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) })) as never),
);

const checked = (message: string) => {
  writeFileSync(file, message);
  checkCommitMessage({ cwd: dir, env: {} }, file);
  return readFileSync(file, 'utf8');
};

test('where a message comes from', () => {
  const named = ['message', 'template', 'merge', 'squash', 'commit'];
  expect(named.map(parseSource)).toEqual(named);
  expect([undefined, '', 'later git'].map(parseSource)).toEqual(['editor', 'editor', 'editor']);
});

test('bytes of any encoding come back as they were', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  writeFileSync(file, bytes);
  writeMessage(file, readMessage(file) + toMessageText('é 日\n'));
  expect(readFileSync(file)).toEqual(Buffer.concat([bytes, Buffer.from('é 日\n')]));
});

describe('a message that is nothing but our trailer loses it, so that git aborts', () => {
  test.each([
    [`${TRAILER}\n`, ''],
    [`\n\n${TRAILER}\n# comment\n`, '\n\n# comment\n'],
    [`\n${TRAILER}\n${TRAILER}\n  # indented\n`, '\n  # indented\n'],
    [
      `\n${TRAILER}\n# c\n${SCISSORS}\ndiff --git a/x b/x\n+text\n`,
      `\n# c\n${SCISSORS}\ndiff --git a/x b/x\n+text\n`,
    ],
    [
      `\nSigned-off-by: A <a@b>\n${TRAILER}\n# Remove the Entire-Checkpoint trailer above\n`,
      '\nSigned-off-by: A <a@b>\n# Remove the Entire-Checkpoint trailer above\n',
    ],
  ])('%j', (message, result) => {
    expect(checked(message)).toBe(result);
  });

  test.each([
    `Subject\n\n${TRAILER}\n`,
    `${TRAILER}\nbelow it\n`,
    'Subject\n',
    '# only comments\n',
    '',
    `# ${TRAILER}\n`,
    `\nSigned-off-by: A <a@b>\n${TRAILER}\n`,
    `\n${TRAILER}\n# --- >8 ---\nno scissors\n`,
  ])('%j stays', (message) => {
    expect(checked(message)).toBe(message);
  });

  test('with comments that begin otherwise', () => {
    expect(
      checked(`\n\n${TRAILER}\n; Remove the Entire-Checkpoint trailer above\n;\n; Please enter\n`),
    ).not.toContain(TRAILER);
  });
});
