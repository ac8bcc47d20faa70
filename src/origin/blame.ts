import { EntireError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { DISTINCTIVE, isDistinctive } from '../base/text/lines.ts';
import {
  type BlamedLine,
  type BlameQuestion,
  blameAside,
  blameAsTold,
  type LinePlace,
  readLine,
} from '../git/commit/blame.ts';
import type { PorcelainLine } from '../git/commit/blame-porcelain.ts';
import { linkedIds } from '../git/commit/links.ts';
import { openLine } from '../git/in-line.ts';
import type { Repo } from '../git/locate.ts';
import { readRef } from '../git/ref/refs.ts';
import type { Git } from '../git/run.ts';
import { workIn } from '../strategy/work.ts';
import { rememberCommits } from './blamed-commits.ts';
import { judgeUnlinked, type LineClass, type LineOrigin } from './classify.ts';
import { type BlamedSession, openContexts } from './context.ts';
import { openCopies } from './copied-lines.ts';
import { expectFormer } from './former-commits.ts';
import { openKeptLines } from './kept-lines.ts';
import { judgeLineage, openJudge } from './lineage.ts';
import { idsIn, linkedIn } from './strangers.ts';

export interface OriginLine extends LineOrigin<BlamedSession> {
  readonly line: number;
  readonly text: string;
  /** `undefined`: not committed yet. */
  readonly commit: ObjectId | undefined;
  /** Who committed it, by name; empty where nobody has. */
  readonly author: string;
  /** The name of the file in its commit. */
  readonly path: string;
  /** Where its text comes from, as far as git follows lines that are moved and laid out anew. */
  readonly source: LinePlace;
  /** The line that git takes its text from stands in the file, too: it was copied, or written once more, and not moved. */
  readonly isCopy: boolean;
  /** As git tells of it. */
  readonly told: PorcelainLine;
}

export interface BlameReport {
  readonly path: string;
  readonly lines: readonly OriginLine[];
  readonly counts: Readonly<Record<LineClass, number>>;
}

/** What is asked of a file. */
export interface OriginQuestion extends Omit<BlameQuestion, 'revision' | 'notBefore'> {
  readonly revision: string | undefined;
  /** Hooks are on here: what no commit has yet and no session wrote is a person's. */
  readonly isOn: boolean;
  /** Of commits without a record of ours notes of git-ai count. */
  readonly believesGitAi?: boolean | undefined;
}

/** Who moves a line, copies it or lays it out anew, has not written it. */
export const LINEAGE = { ignoresSpace: true, findsMoved: DISTINCTIVE, findsCopied: DISTINCTIVE };

/**
 * Says of each line which session wrote it, or that a person did, or that it is unknown. Looks at the commits the file's
 * lines come from and, for lines of which these do not tell, at those that they were made of.
 *
 * @throws {EntireError} `NOT_FOUND` when there is no such file, line or revision
 */
export async function readBlame(
  repo: Repo,
  { range, revision, isOn, believesGitAi, ...question }: OriginQuestion,
): Promise<BlameReport> {
  const { path } = question;
  const work = workIn(repo);
  const whole = { ...question, range: undefined, revision: requireRevision(work.git, revision) };
  // What stands beside a line tells whose it is.
  const { inLine, whileIdle } = openLine();
  const blaming = blameAside(work.git, whole, inLine);
  const following = blameAside(work.git, { ...whole, ...LINEAGE }, inLine);
  const history = revision ?? 'HEAD';
  linkedIn(work.git, history).catch(() => {}); // who needs them waits for them
  const part = range === undefined ? undefined : blameAsTold(work.git, { ...whole, range });
  const commitsOf = rememberCommits(work.git);
  const contexts = openContexts(work, openKeptLines(work));
  await idsIn(contexts.store);
  const told = await blaming();
  const wanted = part ?? told;
  const plain = told.map(readLine);
  const namesIn = (lines: readonly BlamedLine[]) => [path, ...lines.map((line) => line.path)];
  const names = [...new Set(namesIn(plain))];
  expectFormer(work, 'beside', history, names, inLine);
  const copies = openCopies(work, LINEAGE);
  copies.expect(plain, inLine);
  const asked = { isOn, believesGitAi, revision: history, commitsOf, contexts };
  const judge = openJudge(work, asked);
  // While git follows what was moved: most lines are where they seem to be.
  await judge.ahead(plain);
  const brought = commitsOf([...new Set(plain.flatMap(({ commit }) => commit ?? []))]);
  const isAnyUnlinked = [...brought.values()].some(({ links }) => linkedIds(links).length === 0);
  if (isAnyUnlinked) expectFormer(work, 'newest', history, names, inLine);
  const followed = await whileIdle(following(told));
  const led = await copies.follow(followed === told ? plain : followed.map(readLine));
  const all = led === plain ? plain : joinCarried(plain, led);
  const files = [{ lines: all, names: namesIn(all) }];
  const judged = await judgeLineage(work, all, { ...asked, judge, files, findsPutBack: true });
  const isCopy = findCopies(plain, all);
  const shown = wanted.map((told) => ({ ...readLine(told), told }));
  const commits = commitsOf([...new Set(shown.flatMap(({ commit }) => commit ?? []))]);
  const result = shown.map(({ line, text, commit, path: named, told }): OriginLine => {
    const author = (commit && commits.get(commit)?.author) ?? '';
    const origin = judged[line - 1] ?? judgeUnlinked('unseen'); // the file grew meanwhile
    const { commit: from, path: fromPath } = all[line - 1] ?? { commit, path: named };
    const source = { commit: from, path: fromPath };
    const where = { commit, path: named, source, isCopy: isCopy.has(line) };
    return { line, text, author, told, ...where, ...origin };
  });
  const count = (kind: LineClass) => result.filter((line) => line.kind === kind).length;
  const counts = { agent: count('agent'), human: count('human'), unknown: count('unknown') };
  return { path, lines: result, counts };
}

/** Numbers of lines whose text git takes from a line that is still in the file, and has stayed where it was. */
function findCopies(plain: readonly BlamedLine[], followed: readonly BlamedLine[]): ReadonlySet<number> {
  if (plain === followed) return new Set();
  const keyOf = ({ commit, path, original }: BlamedLine): string =>
    `${commit ?? ''}:${original ?? ''}:${path}`;
  const stayed = new Set(plain.map(keyOf));
  const copies = followed.filter((line, at) => {
    const own = plain[at];
    const isOwn = own === undefined || keyOf(own) === keyOf(line);
    return !isOwn && line.original !== undefined && stayed.has(keyOf(line));
  });
  return new Set(copies.map(({ line }) => line));
}

/**
 * Where each line comes from: as git follows text that was moved, and without that for a short line that only resembles some of it, below one
 * that was not moved. What is indented anew leaves empty lines as they were: they say nothing of those below.
 */
export function joinCarried(
  plain: readonly BlamedLine[],
  followed: readonly BlamedLine[],
): readonly BlamedLine[] {
  let isMoved = true;
  return followed.map((line, at) => {
    const own = plain[at];
    const differs = own !== undefined && (own.commit !== line.commit || own.path !== line.path);
    if (line.text.trim() === '') return own && !isMoved ? own : line;
    isMoved = differs && (isMoved || isDistinctive(line.text));
    return own && !isMoved ? own : line;
  });
}

function requireRevision(git: Git, revision: string | undefined): ObjectId | undefined {
  if (revision === undefined) return undefined;
  const notFound = (cause?: unknown) =>
    new EntireError('NOT_FOUND', `commit not found: ${revision}`, { cause });
  if (revision.startsWith('-') || revision === '') throw notFound();
  let oid: ObjectId | undefined;
  try {
    oid = readRef(git, revision);
  } catch (error) {
    throw notFound(error); // such as `@{u}` of a branch that has none
  }
  if (!oid) throw notFound();
  return oid;
}
