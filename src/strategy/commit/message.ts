import { join, resolve } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { findCommitArguments, readCleanup, readCommentChar } from '../../git/commit/commit-arguments.ts';
import { CHECKPOINT_TRAILER, SCISSORS } from '../../git/commit/trailers.ts';
import { type Git, gitText } from '../../git/run.ts';

/** Where a message comes from: the second argument of prepare-commit-msg. */
export type MessageSource = 'message' | 'template' | 'merge' | 'squash' | 'commit' | 'editor';

/** Without a second argument git opens an editor on a message of its own making. */
export function parseSource(text: string | undefined): MessageSource {
  switch (text) {
    case 'message':
    case 'template':
    case 'merge':
    case 'squash':
    case 'commit':
      return text;
    default:
      return 'editor';
  }
}

/**
 * Reads a commit message. Messages can be in any encoding (`i18n.commitEncoding`), so they are bytes to us: each
 * byte becomes one character, and {@link writeMessage} puts them back.
 */
export const readMessage = (file: string): string => disk.readFileSync(file, 'latin1');

/** Replaces what {@link readMessage} read, with what was added in ASCII or by {@link toMessageText}. */
export const writeMessage = (file: string, message: string): void =>
  writeFileAtomic(file, Buffer.from(message, 'latin1'));

/** Our own text, in UTF-8, for a message that {@link readMessage} read. */
export const toMessageText = (text: string): string => Buffer.from(text).toString('latin1');

/** How the first of our comments in an editor begins. */
export const REMOVE_HINT = `Remove the ${CHECKPOINT_TRAILER} trailer above`;

/** Whether git keeps comments even where an editor showed them; ours would become part of the message. */
export const keepsComments = (git: Git): boolean => ['whitespace', 'verbatim'].includes(readCleanup(git));

/**
 * After the message was written: one that says nothing loses our trailer, so that git sees that it is empty, or that
 * the template was not edited, and aborts as it would without us.
 */
export function checkCommitMessage(git: Git, messageFile: string): void {
  const message = readMessage(messageFile);
  if (!/^Entire-Checkpoint:/m.test(message)) return;
  if (isOnlyTrailer(message) || isOnlyComments(git, message) || isUneditedTemplate(git, message)) {
    writeMessage(messageFile, removeTrailerLines(message));
  }
}

/**
 * Git's own rule for an editor: comments and sign-offs are no message. A message that came from elsewhere is empty
 * only if nothing is left.
 */
function isOnlyTrailer(message: string): boolean {
  const left = contentLines(message);
  return (message.includes(REMOVE_HINT) ? withoutSignOffs(left) : left).length === 0;
}

/** `-m '#42'` is a message, but not with `--cleanup=strip`. Git is asked only where nothing else is said. */
function isOnlyComments(git: Git, message: string): boolean {
  const lines = contentLines(message);
  if (lines.some((line) => /^[\p{L}\p{N}\s]/u.test(line)) || readCleanup(git) !== 'strip') return false;
  const char = readCommentChar(git);
  return char !== undefined && lines.every((line) => line.startsWith(char));
}

const withoutSignOffs = (lines: readonly string[]): string[] =>
  lines.filter((line) => !line.startsWith('Signed-off-by: '));

/**
 * The lines that are left without blanks, our trailer, and comments. In an editor our own comment shows what begins
 * one (`core.commentChar`). Elsewhere (`-m '#42 fix it'`) a line above our trailer is the user's, whatever it begins
 * with.
 */
function contentLines(message: string): string[] {
  // Git drops spaces at line ends, and puts one after `How:` when it takes that for a trailer.
  const lines = untilScissors(message)
    .split('\n')
    .map((line) => line.trimEnd());
  const hint = lines.find((line) => line.includes(` ${REMOVE_HINT}`));
  const char = hint?.split(' ')[0] || '#';
  const trailerAt = lines.findIndex((line) => line.startsWith(`${CHECKPOINT_TRAILER}:`));
  return lines.filter((line, at) => {
    const isComment = line.trimStart().startsWith(char) && (hint !== undefined || at > trailerAt);
    return line.trim() !== '' && !line.startsWith(`${CHECKPOINT_TRAILER}:`) && !isComment;
  });
}

/** Whether the editor was closed on `commit.template`, or `-t FILE`, as it was; asked only where an editor ran. */
function isUneditedTemplate(git: Git, message: string): boolean {
  if (!message.includes(REMOVE_HINT)) return false;
  const typed = findCommitArguments()?.template;
  const file = typed ?? gitText(git, ['config', '--path', 'commit.template'], { okCodes: [0, 1] });
  if (file === '') return false;
  // What is typed counts from where the user is, what is configured from the top of the worktree.
  const dir = typed === undefined ? git.cwd : join(git.cwd, process.env.GIT_PREFIX ?? '');
  try {
    const template = contentLines(`${CHECKPOINT_TRAILER}:\n${readMessage(resolve(dir, file))}`);
    return withoutSignOffs(template).join('\n') === withoutSignOffs(contentLines(message)).join('\n');
  } catch {
    return false; // git itself would have complained about a template it cannot read
  }
}

function removeTrailerLines(message: string): string {
  return message
    .split('\n')
    .filter((line) => !line.trimStart().startsWith(`${CHECKPOINT_TRAILER}:`))
    .join('\n');
}

function untilScissors(message: string): string {
  const at = message.search(SCISSORS);
  return at === -1 ? message : message.slice(0, at);
}
