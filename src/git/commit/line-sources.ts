import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { type Git, runGit } from '../run.ts';
import { unquote } from './quoted-name.ts';

/** Where a line comes from: the commit that brought it, and where it stands there. */
export interface LineSource {
  readonly commit: ObjectId;
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** Which lines are asked about. */
export interface SourceQuestion {
  /** As git names it. */
  readonly revision: string;
  readonly path: string;
  /** Ascending; all of them without it. */
  readonly lines?: readonly number[] | undefined;
  /** Git looks no further back than these commits. */
  readonly notBefore?: readonly ObjectId[] | undefined;
  /** Text that was moved, within a file or from one of the same commit, and white space that changed, is followed: so many letters at once. */
  readonly follows?: number | undefined;
}

/** More pieces than this are not named: then git tells of the whole file. */
const MAX_PIECES = 500;
/** No file of the user's is left out, and no text taken for another one, because their settings say so. */
const FIXED = ['-c', 'blame.ignoreRevsFile=', '-c', 'blame.coloring=none'];

const CHUNK = /^([0-9a-f]{40}|[0-9a-f]{64}) (\d+) (\d+) (\d+)$/;

/**
 * Where lines of a file come from, by their numbers; none where git finds no such file. One process, which prints no contents.
 *
 * @see https://git-scm.com/docs/git-blame#_incremental_output
 */
export function readLineSources(git: Git, question: SourceQuestion): Map<number, LineSource> {
  const { revision, path, lines, notBefore = [], follows } = question;
  const pieces = lines ? piecesOf(lines) : [];
  const some = pieces.length <= MAX_PIECES ? pieces.map(([from, to]) => `-L${from},${to}`) : [];
  const reach = follows === undefined ? [] : ['-w', `-M${follows}`, `-C${follows}`];
  const args = [...FIXED, 'blame', '--incremental', '--no-textconv', ...reach, ...some];
  const { stdout } = runGit(git, [...args, revision, ...notBefore.map((oid) => `^${oid}`), '--', path], {
    okCodes: [0, 128],
  });
  const sources = new Map<number, LineSource>();
  let chunk: { commit: ObjectId; original: number; line: number; count: number } | undefined;
  for (const row of stdout.toString('utf8').split('\n')) {
    const [, oid, original, line, count] = (chunk ? undefined : CHUNK.exec(row)) ?? [];
    const commit = parseObjectId(oid);
    if (commit) chunk = { commit, original: Number(original), line: Number(line), count: Number(count) };
    if (!chunk || !row.startsWith('filename ')) continue;
    const name = unquote(row.slice('filename '.length));
    for (let at = 0; at < chunk.count; at++)
      sources.set(chunk.line + at, { commit: chunk.commit, path: name, line: chunk.original + at });
    chunk = undefined;
  }
  return sources;
}

/** Numbers that follow one another, as first and last. */
function piecesOf(lines: readonly number[]): [number, number][] {
  const pieces: [number, number][] = [];
  for (const line of lines) {
    const last = pieces.at(-1);
    if (last && line <= last[1] + 1) last[1] = Math.max(last[1], line);
    else pieces.push([line, line]);
  }
  return pieces;
}
