import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/**
 * What is read as a whole is read through `base/file/small-file.ts`: it has a limit, and is a regular file that leads nowhere. Here stands
 * what is not, each with its reason. `disk.readFileSync` refuses what never ends for them, too.
 */
const READS_WHOLE: Readonly<Record<string, string>> = {
  'agents/opencode/document.ts': 'a transcript',
  'base/process/process-groups.ts': '/proc',
  'context/aggregate/read-file.ts': 'a file of the user, opened and bounded',
  'context/skeleton/wasm-files.ts': 'part of the program',
  'conversation/adopt.ts': 'a transcript',
  'conversation/cli/own-session.ts': 'a transcript',
  'conversation/export/imported-transcripts.ts': 'a transcript',
  'conversation/export/own-transcripts.ts': 'a transcript, bounded',
  'conversation/storage/file.ts': 'a session with messages, bounded',
  'conversation/walk/read-session.ts': 'a session with messages, bounded',
  'git/commit/blame.ts': 'a file of the user, before the first commit',
  'git/processes.ts': '/proc',
  'hooks/git/install.ts': 'a backup of the size of what was read',
  'hooks/agent/outline-files.ts': 'a file of the user, bounded',
  'restore/log/conversation.ts': 'a transcript',
  'restore/log/logs.ts': 'a transcript',
  'restore/log/replaced-log.ts': 'a transcript',
  'snapshot/store/blobs.ts': 'a file of the user, bounded',
  'snapshot/store/parts-files.ts': 'contents',
  'snapshot/turn/note-look.ts': 'a file of the user, bounded',
  'snapshot/replace-file.ts': 'a file of the user that is about to be replaced',
  'strategy/attribution/prompt.ts': 'a file of the user, bounded',
  'strategy/commit/message.ts': 'a message that git hands over',
  'worktree/aside.ts': 'a file of git that git was asked about',
  'worktree/carry.ts': 'a file of the user',
  'worktree/facts.ts': 'files of the user, bounded',
  'worktree/sessions.ts': 'a transcript',
};

/** Files that are opened by their name: to write them, or for reasons of their own. */
const OPENS: Readonly<Record<string, string>> = {
  'base/file/append-lines.ts': 'to append; looks at what it opened',
  'base/file/disk.ts': 'the door',
  'base/file/small-file.ts': 'the door',
  'base/file/write-file-atomic.ts': 'a new file',
  'context/aggregate/read-file.ts': 'looks before it opens, and at what it opened',
  'conversation/export/read-file.ts': 'what the user names to be imported, a pipe included; bounded',
  'conversation/runs/event-log.ts': 'a new file',
  'conversation/storage/sqlite-file.ts': 'a new file',
  'git/ref/broken-ref.ts': 'a new file',
  'hooks/stdin.ts': 'the pipe of the agent, once more, without waiting',
  'snapshot/store/blobs.ts': 'a new file',
  'snapshot/replace-file.ts': 'a new file',
  'strategy/commit/terminal.ts': 'the terminal',
  'strategy/transcript/redact-older.ts': 'a new file',
  'strategy/transcript/save.ts': 'to write at a place; waits for no reader',
};

/** What follows links, and waits at a pipe for whoever may never come. */
const WRITES_IN_PLACE: Readonly<Record<string, string>> = {
  'cli/session/export/command.ts': 'a pipe or a device that the user names',
  'cli/post-install/command.ts': 'a start-up file of the user, read before',
  'conversation/cli/agent.ts': 'a new file',
  'doctor/self-test/play.ts': 'in a folder that it made',
  'doctor/self-test/scratch.ts': 'in a folder that it made',
  'session/lock.ts': 'in a folder that it made',
  'snapshot/undo/merge-files.ts': 'in a folder that it made',
  'worktree/aside.ts': 'a file of git that was read before',
};

const src = resolve(import.meta.dirname, '..');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

const using = (pattern: RegExp): string[] =>
  files.filter((name) => pattern.test(readFileSync(join(src, name), 'utf8'))).toSorted();

test.each([
  ['reads whole files', /\bdisk\.readFileSync\(/, READS_WHOLE],
  ['opens files', /\bdisk\.openSync\(/, OPENS],
  ['writes into files', /\bdisk\.(?:writeFileSync|appendFileSync)\(/, WRITES_IN_PLACE],
] as const)('nobody %s but those who have a reason', (_, pattern, known) => {
  expect(using(pattern)).toEqual(Object.keys(known).toSorted());
});

test('the guard looks at the whole source', () => {
  expect(files.length).toBeGreaterThan(700);
});
