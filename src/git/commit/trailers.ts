import { devNull } from 'node:os';
import { type CheckpointId, parseCheckpointId } from '../../base/ids.ts';
import { type Git, runGit } from '../run.ts';

export const CHECKPOINT_TRAILER = 'Entire-Checkpoint';

/** Git drops this line and what stands below it: the diff of `commit.verbose`, the hints of `--cleanup=scissors`. */
export const SCISSORS = /^.{1,3} -{24} >8 -{24}$/m;

/**
 * Adds our trailer to a message, where git puts trailers: above its own comments and scissors, where an editor will
 * show the message. Messages are bytes, one a character (`latin1`).
 *
 * @see https://git-scm.com/docs/git-interpret-trailers
 */
export function addCheckpointTrailer(git: Git, message: string, id: CheckpointId): string {
  const [written, hints] = splitHints(message);
  const args = ['--no-divider', '--where', 'end', '--if-exists', 'addIfDifferent', '--if-missing', 'add'];
  const trailer = ['--trailer', `${CHECKPOINT_TRAILER}: ${id}`];
  const { stdout } = runGit(
    isolated(git),
    ['-c', 'core.commentChar=\u0001', 'interpret-trailers', ...args, ...trailer],
    {
      // Without a line end git would not see where the last paragraph ends.
      input: Buffer.from(written.replace(/\n*$/, '\n'), 'latin1'),
    },
  );
  return stdout.toString('latin1') + hints;
}

/** The user's own `trailer.*` settings would add and rename; and in what is written no line is a comment. */
function isolated(git: Git): Git {
  const { GIT_CONFIG_PARAMETERS: _, GIT_CONFIG_COUNT: __, ...env } = git.env;
  return {
    cwd: git.cwd,
    env: { ...env, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1', GIT_DIR: devNull },
  };
}

/**
 * What somebody wrote, and the hints git put below it for an editor. Those hold a line that is nothing but the comment
 * character; a `#42` of the user's own does not.
 */
function splitHints(message: string): [written: string, hints: string] {
  const scissors = message.search(SCISSORS);
  const above = scissors === -1 ? message : message.slice(0, scissors);
  const char = /^[#;@!$%^&|:]$/m.exec(above)?.[0];
  const lines = above.split('\n');
  let end = lines.length;
  if (char) while (end > 0 && (lines[end - 1] === '' || lines[end - 1]?.startsWith(char))) end--;
  const written = char ? lines.slice(0, end).join('\n') : above;
  const hints = message.slice(written.length);
  return hints === '' || hints.startsWith('\n') ? [written, hints] : [written, `\n${hints}`];
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
function chooseCheckpoint(trailerLines: string, message: string): CheckpointId | undefined {
  return parseTrailerLines(trailerLines).at(-1) ?? underSubject(message);
}

/** The checkpoints that lines of trailers name. */
export const parseTrailerLines = (lines: string): CheckpointId[] =>
  lines === '' ? [] : lines.split('\n').flatMap((line) => parseTrailerLine(line) ?? []);

/** What v0.4.4 put right under a one-line subject with a colon. */
export function underSubject(message: string): CheckpointId | undefined {
  const lines = message
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  return lines.length === 2 && lines[0]?.includes(': ') ? parseTrailerLine(lines[1] ?? '') : undefined;
}

const TRAILER_LINE = new RegExp(`^${CHECKPOINT_TRAILER}:\\s*([0-9a-f]{12})\\s*$`);

const parseTrailerLine = (line: string): CheckpointId | undefined =>
  parseCheckpointId(TRAILER_LINE.exec(line)?.[1]);
