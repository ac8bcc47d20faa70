import type { ObjectId } from '../base/ids.ts';
import { DISTINCTIVE, isDistinctive, isTelling, plainLine } from '../base/text/lines.ts';
import { type FilePatch, type PatchLine, readPatches } from '../git/commit/added-lines.ts';
import type { BlamedLine } from '../git/commit/blame.ts';
import { readLineSources } from '../git/commit/line-sources.ts';
import { byHalves, type Git } from '../git/run.ts';
import type { Work } from '../strategy/work.ts';
import { joinCarried } from './blame.ts';
import { judgeUnlinked, type LineOrigin } from './classify.ts';
import type { BlamedSession } from './context.ts';
import { judgeLineage } from './lineage.ts';

/** Who wrote a line that a commit added. */
export type AddedOrigin = LineOrigin<BlamedSession>;

/** A line that a commit added to a file, and who wrote it. */
export interface OwnedLine {
  /** From 1, in the file as that commit has it. */
  readonly line: number;
  readonly text: string;
  /** The commit that brought its text: another one where this one only moved it. */
  readonly broughtBy: ObjectId;
  readonly origin: AddedOrigin;
}

/** What one commit added to one file. */
export interface OwnedFile {
  /** In that commit. */
  readonly path: string;
  /** The blob that it made of the file. */
  readonly blob: string | undefined;
  /** In the parent, where it had another name there. */
  readonly formerPath: string | undefined;
  /** The parent has no such file. */
  readonly isNew: boolean;
  readonly lines: readonly OwnedLine[];
  /** All that the commit did with it. */
  readonly patch: FilePatch;
}

/** What one commit added. */
export interface OwnedCommit {
  readonly commit: ObjectId;
  readonly files: readonly OwnedFile[];
  /** Its patch is larger than anything that can be held: nothing is known of its lines. */
  readonly isUnread: boolean;
}

/** What is asked of the lines of commits. */
export interface LinesQuestion {
  /** In whose history they are. */
  readonly revision: ObjectId;
  /** Hooks are on here. */
  readonly isOn: boolean;
  /** Of commits without a record of ours notes of git-ai count. */
  readonly believesGitAi?: boolean | undefined;
  /** Nothing can be known of what these brought: they are not looked into. */
  readonly beforeRecords?: ReadonlySet<ObjectId> | undefined;
  /** Hears how many commits are done. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** So many patches are read, and so many lines are judged, at once: more would have to be held. */
const COMMITS_AT_ONCE = 64;
const LINES_AT_ONCE = 30_000;
/** Nobody types, and nobody reviews, so many lines of one file in one commit: of them nothing is told but how many there are. */
const MAX_LINES = 50_000;
/** Files of commits in which git is asked where text was moved from. */
const MAX_BLAMED = 500;

/**
 * Says of each line that commits added who wrote it: a session of an agent, a person, or that it is unknown, with the reason. A line that a
 * commit only moved, within a file or from another one, or laid out anew, keeps its owner. Commits come in batches, so that no more is held
 * than one of them.
 */
export async function* readCommitLines(
  work: Work,
  commits: readonly ObjectId[],
  { onProgress, beforeRecords, ...question }: LinesQuestion,
): AsyncGenerator<OwnedCommit> {
  const lead = openLead(work.git);
  for (let at = 0; at < commits.length; at += COMMITS_AT_ONCE) {
    const read = readAll(work.git, commits.slice(at, at + COMMITS_AT_ONCE));
    for (const batch of inBatches(read)) {
      const isOpen = ({ commit }: ReadCommit) => !beforeRecords?.has(commit);
      const judged = await judgeBatch(work, batch.filter(isOpen), lead, question);
      for (const { commit, files } of batch)
        yield {
          commit,
          isUnread: files === undefined,
          files: (files ?? []).map((file) => ({
            ...{ path: file.path, blob: file.blob },
            formerPath: file.formerPath === file.path ? undefined : file.formerPath,
            isNew: file.formerPath === undefined,
            lines: judged.get(file) ?? ownedAlike(file, commit, beforeRecords?.has(commit)),
            patch: file,
          })),
        };
    }
    onProgress?.(Math.min(commits.length, at + COMMITS_AT_ONCE));
  }
}

/** `undefined`: they cannot be held. */
interface ReadCommit {
  readonly commit: ObjectId;
  readonly files: readonly FilePatch[] | undefined;
}

const readAll = (git: Git, commits: readonly ObjectId[]): readonly ReadCommit[] =>
  byHalves<ObjectId, ReadCommit>(
    commits,
    (some) => [...readPatches(git, some)].map(([commit, files]) => ({ commit, files })),
    (commit) => [{ commit, files: undefined }],
  );

const UNTOLD: AddedOrigin = judgeUnlinked('unseen');
const UNRECORDED: AddedOrigin = judgeUnlinked('no-record');

/** Lines of a file that is not looked into. */
const ownedAlike = ({ added }: FilePatch, commit: ObjectId, isBeforeRecords = false): OwnedLine[] => {
  const origin = isBeforeRecords && added.length <= MAX_LINES ? UNRECORDED : UNTOLD;
  return added.map((line) => ({ ...line, broughtBy: commit, origin }));
};

/** A commit of which nothing is known at all: that somebody else's lines were moved by it is not looked for. */
const BLANK: readonly AddedOrigin['reason'][] = ['no-record', 'checkpoint-missing', 'foreign-checkpoint'];

async function judgeBatch(
  work: Work,
  batch: readonly ReadCommit[],
  lead: ReturnType<typeof openLead>,
  question: Omit<LinesQuestion, 'onProgress'>,
): Promise<Map<FilePatch, readonly OwnedLine[]>> {
  if (batch.length === 0) return new Map();
  const judge = async (places: ReadonlyMap<FilePatch, readonly BlamedLine[]>) => {
    const files = [...places].map(([{ path, formerPath = path }, lines]) => ({
      ...{ lines, names: [path, formerPath, ...lines.map((line) => line.path)] },
    }));
    const origins = await judgeLineage(work, [...places.values()].flat(), { ...question, files });
    let next = 0;
    return [...places].map(([file, lines]) => {
      const owned = lines.map(({ commit }, at): OwnedLine => {
        const line = file.added[at] as PatchLine;
        return { ...line, broughtBy: commit as ObjectId, origin: origins[next++] ?? UNTOLD };
      });
      return [file, owned] as const;
    });
  };
  const all = batch.flatMap((one) => (one.files ?? []).map((file) => ({ one, file })));
  const judged = all.filter(({ file }) => file.added.length > 0 && file.added.length <= MAX_LINES);
  const own = new Map(
    judged.map(({ one: { commit }, file }) => [
      file,
      file.added.map((line): BlamedLine => ({ ...line, original: line.line, commit, path: file.path })),
    ]),
  );
  const owned = new Map(await judge(own));
  const led = new Map(
    judged.flatMap(({ one, file }) => {
      const isBlank = owned.get(file)?.every(({ origin }) => BLANK.includes(origin.reason));
      const places = isBlank ? undefined : lead(one, file);
      return places ? [[file, places] as const] : [];
    }),
  );
  return led.size === 0 ? owned : new Map([...owned, ...(await judge(led))]);
}

/** One more than fits into a batch begins the next one. */
function* inBatches(commits: readonly ReadCommit[]): Generator<readonly ReadCommit[]> {
  let batch: ReadCommit[] = [];
  let lines = 0;
  for (const one of commits) {
    const own = (one.files ?? []).reduce((sum, { added }) => sum + added.length, 0);
    if (batch.length > 0 && lines + own > LINES_AT_ONCE) {
      yield batch;
      [batch, lines] = [[], 0];
    }
    batch.push(one);
    lines += own;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Leads added lines back to the commit that brought their text, as `entire blame` does, where this one only moved it from another place, or
 * changed nothing but white space. Git is asked only about these files.
 */
function openLead(git: Git): (one: ReadCommit, file: FilePatch) => readonly BlamedLine[] | undefined {
  let left = MAX_BLAMED;
  return ({ commit, files = [] }, file) => {
    const isHere = (line: PatchLine, from: FilePatch): boolean => from === file || isDistinctive(line.text);
    const taken = new Set(
      files.flatMap((from) =>
        from.removed.flatMap((line) =>
          isTelling(line.text) && isHere(line, from) ? plainLine(line.text) : [],
        ),
      ),
    );
    const isMoved = file.added.some(({ text }) => isTelling(text) && taken.has(plainLine(text)));
    if (!isMoved || left-- <= 0) return undefined;
    const { path } = file;
    const lines = file.added.map(({ line }) => line);
    const found = readLineSources(git, { revision: commit, path, lines, follows: DISTINCTIVE });
    return piecesOf(file.added).flatMap((piece) => {
      const plain = piece.map((line): BlamedLine => ({ ...line, commit, path, original: line.line }));
      const followed = plain.map((line) => {
        const from = found.get(line.line);
        return from ? { ...line, commit: from.commit, path: from.path, original: from.line } : line;
      });
      return joinCarried(plain, followed);
    });
  };
}

/** Lines one below the other. */
function piecesOf(lines: readonly PatchLine[]): PatchLine[][] {
  const pieces: PatchLine[][] = [];
  for (const line of lines) {
    const piece = pieces.at(-1);
    if (piece?.at(-1)?.line === line.line - 1) piece.push(line);
    else pieces.push([line]);
  }
  return pieces;
}
