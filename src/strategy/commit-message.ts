import { disk } from '../base/disk.ts';
import { CHECKPOINT_TRAILER } from '../git/trailers.ts';

/** Where a message comes from: the second argument of prepare-commit-msg. */
export type MessageSource = 'message' | 'template' | 'merge' | 'squash' | 'commit' | 'editor';

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

/** Writes what {@link readMessage} read, with what was added in ASCII or by {@link toMessageText}. */
export const writeMessage = (file: string, message: string): void =>
  disk.writeFileSync(file, message, 'latin1');

/** Our own text, in UTF-8, for a message that {@link readMessage} read. */
export const toMessageText = (text: string): string => Buffer.from(text).toString('latin1');

/** How the first of our comments in an editor begins. */
export const REMOVE_HINT = `Remove the ${CHECKPOINT_TRAILER} trailer above`;

/** After the message was written: one that is nothing but our trailer becomes empty, so that git aborts. */
export function checkCommitMessage(messageFile: string): void {
  const message = readMessage(messageFile);
  if (!/^Entire-Checkpoint:/m.test(message) || !isOnlyTrailer(message)) return;
  writeMessage(messageFile, removeTrailerLines(message));
}

/** Whether a message says nothing but our trailer: git then aborts the commit, if the trailer goes. */
function isOnlyTrailer(message: string): boolean {
  const lines = untilScissors(message).split('\n');
  // Our own comment shows what begins one here (`core.commentChar`).
  const ours = message.split('\n').find((line) => line.includes(` ${REMOVE_HINT}`));
  const char = ours?.split(' ')[0] || '#';
  return lines.every(
    (line) =>
      line.trim() === '' || line.trimStart().startsWith(char) || line.startsWith(`${CHECKPOINT_TRAILER}:`),
  );
}

function removeTrailerLines(message: string): string {
  return message
    .split('\n')
    .filter((line) => !line.trimStart().startsWith(`${CHECKPOINT_TRAILER}:`))
    .join('\n');
}

/** Git drops this line and what stands below it: the diff of `commit.verbose`, the hints of `--cleanup=scissors`. */
export const SCISSORS = /^.{1,3} -{24} >8 -{24}$/m;

function untilScissors(message: string): string {
  const at = message.search(SCISSORS);
  return at === -1 ? message : message.slice(0, at);
}
