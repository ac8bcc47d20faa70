import { EntireError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import type { Repo } from '../../git/locate.ts';
import { type OriginLine, readBlame } from '../../origin/blame.ts';
import { blameHint } from '../messages.ts';
import type { FileLines } from '../names/file-line.ts';
import { nameOfTurn } from '../names/turns.ts';
import { toPath } from '../ui/paths.ts';
import { readJudging } from '../ui/repo.ts';
import * as text from './text.ts';

/** What wrote lines of a file. */
interface LineWriter {
  /** As commands take it: the turn, or the checkpoint or the session where that is all that is known. */
  readonly word: string;
  readonly session: string | undefined;
}

/**
 * Finds what wrote lines of a file.
 *
 * @throws {EntireError} `NOT_FOUND` where no session is known to have written them, or several turns did
 */
export async function nameWriter(repo: Repo, { file, first, last }: FileLines): Promise<LineWriter> {
  const path = toPath(repo, file);
  const range = `${first},${last}`;
  const { lines } = await readBlame(repo, {
    ...{ path, range, revision: undefined },
    ...readJudging(repo),
    ...{ ignoresSpace: false, findsMoved: false, findsCopied: false, quotesNames: false },
  });
  const writers = [...new Set(lines.flatMap((line) => writerOf(line) ?? []))];
  const [word] = writers;
  if (writers.length === 1 && word !== undefined) {
    const sessions = new Set(lines.flatMap(({ session }) => session?.sessionId ?? []));
    return { word, session: sessions.size === 1 ? [...sessions][0] : undefined };
  }
  const place = first === last ? `${file}:${first}` : `${file}:${first}-${last}`;
  const message =
    writers.length > 0
      ? text.severalWriters(
          place,
          writers.map((writer) => shorten(repo, writer)),
        )
      : text.noWriter(
          place,
          lines.every(({ kind }) => kind === 'human'),
        );
  throw new EntireError('NOT_FOUND', message, { hint: blameHint(file, range) });
}

function shorten(repo: Repo, writer: string): string {
  const at = writer.lastIndexOf(':');
  return at === -1
    ? writer
    : nameOfTurn(repo, { session: writer.slice(0, at) as SessionId, number: Number(writer.slice(at + 1)) });
}

/** The commit that brought a line may have several checkpoints, or none; where a note of git-ai tells of it, there is no session of ours. */
const writerOf = ({ session, turn, reason, commit }: OriginLine): string | undefined =>
  session && (turn ?? session.checkpoint ?? (reason === 'git-ai' ? commit?.slice(0, 12) : session.sessionId));
