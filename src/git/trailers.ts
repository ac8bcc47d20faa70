import { devNull, tmpdir } from 'node:os';
import { type CheckpointId, parseCheckpointId } from '../base/ids.ts';
import { type Git, runGit } from './run.ts';

export const CHECKPOINT_TRAILER = 'Entire-Checkpoint';

/**
 * Adds our trailer to a message, where git puts trailers. Messages are bytes, one a character (`latin1`).
 *
 * @see https://git-scm.com/docs/git-interpret-trailers
 */
export function addCheckpointTrailer(git: Git, message: string, id: CheckpointId): string {
  const args = ['--no-divider', '--where', 'end', '--if-exists', 'addIfDifferent', '--if-missing', 'add'];
  const trailer = ['--trailer', `${CHECKPOINT_TRAILER}: ${id}`];
  // The user's own `trailer.*` settings would add and rename; and in this text no line is a comment.
  const alone = {
    cwd: tmpdir(),
    env: { ...git.env, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1', GIT_DIR: devNull },
  };
  return runGit(alone, ['-c', 'core.commentChar=\u0001', 'interpret-trailers', ...args, ...trailer], {
    // Without a line end git would not see where the last paragraph ends.
    input: Buffer.from(message.replace(/\n*$/, '\n'), 'latin1'),
  }).stdout.toString('latin1');
}

/**
 * The checkpoint a message names, or `undefined`: our trailer in the last trailer block, well formed. v0.4.4 also
 * put it right under a one-line subject with a colon, where git sees no trailer block; that is read, too.
 */
export function readCheckpointTrailer(git: Git, message: string): CheckpointId | undefined {
  if (!message.includes(`${CHECKPOINT_TRAILER}:`)) return undefined; // the usual case costs no process
  const parsed = runGit(git, ['interpret-trailers', '--parse', '--no-divider'], {
    input: Buffer.from(message, 'latin1'),
  });
  return chooseCheckpoint(parsed.stdout.toString('latin1'), message);
}

/** {@link readCheckpointTrailer} where git has parsed the trailers already, one a line. */
export function chooseCheckpoint(trailerLines: string, message: string): CheckpointId | undefined {
  const ids = trailerLines.split('\n').flatMap((line) => parseTrailerLine(line) ?? []);
  return ids.at(-1) ?? underSubject(message);
}

function underSubject(message: string): CheckpointId | undefined {
  const lines = message
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  return lines.length === 2 && lines[0]?.includes(': ') ? parseTrailerLine(lines[1] ?? '') : undefined;
}

function parseTrailerLine(line: string): CheckpointId | undefined {
  return parseCheckpointId(new RegExp(`^${CHECKPOINT_TRAILER}:\\s*([0-9a-f]{12})\\s*$`).exec(line)?.[1]);
}
