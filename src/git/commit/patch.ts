import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { isTelling, plainLine } from '../../base/text/lines.ts';
import { type Git, runGit } from '../run.ts';
import { type PatchIds, patchIdsOf } from './patch-id.ts';
import { unquote } from './quoted-name.ts';

/** Lines that a commit put into a file, one below the other. */
export interface AddedRun {
  /** Of the first of them, from 1, in the file as the commit has it. */
  readonly line: number;
  readonly lines: readonly string[];
  /** The next lines of the file that say something, as far as git shows any. */
  readonly above: string | undefined;
  readonly below: string | undefined;
}

/** What a commit did to one file. */
export interface FilePatch {
  /** As git has it, which may be a name that is never recorded. A rename is both its names. */
  readonly path: string;
  /** `undefined` where there is none. */
  readonly before: ObjectId | undefined;
  readonly after: ObjectId | undefined;
  readonly added: readonly AddedRun[];
  readonly removed: readonly string[];
}

/** What a commit did since its first parent. */
export interface Patch {
  readonly commit: ObjectId;
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  /** When it was committed, in seconds since 1970. */
  readonly committedAt: number;
  readonly files: readonly FilePatch[];
  /** `undefined` where the commit changed nothing. */
  ids(): PatchIds | undefined;
}

/** Tells of lines that a commit adds which it takes out elsewhere: it only moves them, or lays them out anew. */
export function openMoved({ files }: Pick<Patch, 'files'>): (line: string) => boolean {
  const removed = new Set(files.flatMap((file) => file.removed).map(plainLine));
  return (line) => removed.size > 0 && removed.has(plainLine(line));
}

/** Files beyond this size have no lines here, as binary ones: nobody wrote so much. */
const LARGE = ['-c', 'core.bigFileThreshold=1m'];

/** A commit, and the one that it is held against; without one, its first parent, and all that it has for a root commit. */
export interface AskedPatch {
  readonly commit: ObjectId;
  readonly parent: ObjectId | undefined;
}

/**
 * What commits did, in their order; those that are not here are left out. Nothing that the user has set alters what git says. One
 * process.
 *
 * @see https://git-scm.com/docs/git-diff-tree
 */
export function readPatches(git: Git, commits: readonly AskedPatch[]): Patch[] {
  if (commits.length === 0) return [];
  const { args, input } = askForPatches(commits);
  // Contents are bytes, one a character: ids of patches are made of them, and lines need not be UTF-8.
  return parsePatches(runGit(git, args, { input }).stdout.toString('latin1'));
}

/** What git is asked, and given to read, for {@link parsePatches}. */
export function askForPatches(commits: readonly AskedPatch[]): { args: string[]; input: string } {
  const args = [
    ...LARGE,
    ...['-c', 'diff.suppressBlankEmpty=false', 'diff-tree', '--stdin', '--root', '-m', '-r', '--always'],
    ...['--patch', '--unified=3', '--full-index', '--no-renames', '--no-ext-diff', '--no-textconv'],
    ...['--src-prefix=a/', '--dst-prefix=b/', '--no-color', '--diff-algorithm=myers', '--indent-heuristic'],
    ...['--submodule=short', '--ignore-submodules=none', PATCH_HEAD],
  ];
  const input = commits.map(({ commit, parent }) => `${commit}${parent ? ` ${parent}` : ''}\n`).join('');
  return { args, input };
}

/** Begins what is said of a commit, where no line of a patch can. */
export const MARK = 'commit:';

/** Has git say of each commit what {@link parsePatches} reads. */
export const PATCH_HEAD = `--pretty=tformat:${MARK}%ct %H %T %P`;

/**
 * Reads patches as git prints them with {@link PATCH_HEAD}, `--full-index`, these prefixes and without renames.
 *
 * @param text bytes, one a character
 */
export function parsePatches(text: string): Patch[] {
  const patches: Patch[] = [];
  const rows = new Rows(text);
  while (!rows.isOver) {
    const head = rows.take();
    if (!head.startsWith(MARK)) continue;
    const [seconds, ...oids] = head.slice(MARK.length).split(' ');
    const [commit, tree, ...parents] = oids.map(parseObjectId);
    const from = rows.at;
    const files = readFiles(rows);
    const end = rows.at;
    if (commit && tree)
      patches.push({
        ...{ commit, tree, parents: parents.flatMap((oid) => oid ?? []), files },
        committedAt: Number(seconds),
        ids: () => patchIdsOf(text.slice(from, end)),
      });
  }
  return patches;
}

/** Lines of a text, one after the other. */
class Rows {
  at = 0;
  private readonly text: string;
  private readonly isAscii: boolean;

  constructor(text: string) {
    this.text = text;
    this.isAscii = isAscii(text); // most are: then nobody asks of each line
  }

  get isOver(): boolean {
    return this.at >= this.text.length;
  }

  /** Whether the next line begins so. */
  begins(word: string): boolean {
    return this.text.startsWith(word, this.at);
  }

  /** The next line as it stands, one byte a character. */
  take(): string {
    return this.cut(0);
  }

  /** What the next line begins with, and its text behind that, as UTF-8. */
  takeMarked(): { mark: string; text: string } {
    const mark = this.text.charAt(this.at);
    const line = this.cut(1);
    return { mark, text: this.isAscii || isAscii(line) ? line : bytesOf(line) };
  }

  private cut(from: number): string {
    const end = this.text.indexOf('\n', this.at);
    const row = this.text.slice(this.at + from, end === -1 ? undefined : end);
    this.at = end === -1 ? this.text.length : end + 1;
    return row;
  }
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

function readFiles(rows: Rows): FilePatch[] {
  const files: FilePatch[] = [];
  while (!rows.isOver && !rows.begins(MARK)) {
    const head = rows.take();
    if (!head.startsWith(HEAD)) continue;
    let ids: readonly (ObjectId | undefined)[] = [];
    while (!rows.isOver && !rows.begins('@@ ') && !rows.begins(HEAD) && !rows.begins(MARK))
      ids = INDEX.exec(rows.take())?.slice(1, 3).map(parseObjectId) ?? ids;
    const [before, after] = ids.map((oid) => (oid && /^0+$/.test(oid) ? undefined : oid));
    files.push({ path: nameIn(head), before, after, ...readHunks(rows) });
  }
  return files;
}

const HEAD = 'diff --git ';
const INDEX = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/;

/** Both halves of the line are the same name: nothing is called a rename here. */
function nameIn(head: string): string {
  const names = head.slice(HEAD.length);
  const half = bytesOf(names.slice(0, (names.length - 1) / 2));
  return unquote(half).replace(/^a\//, '');
}

const bytesOf = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Hunks are read by their counts: what looks like a header may be text. */
function readHunks(rows: Rows): Pick<FilePatch, 'added' | 'removed'> {
  const added: { line: number; lines: string[]; above: string | undefined; below: string | undefined }[] = [];
  const removed: string[] = [];
  while (rows.begins('@@ ')) {
    const [, gone = '1', start, come = '1'] = HUNK.exec(rows.take()) ?? [];
    let [before, after, line] = [Number(gone), Number(come), Number(start)];
    let open: (typeof added)[number] | undefined;
    let above: string | undefined;
    let waiting: typeof added = []; // for what stands below them
    while (before > 0 || after > 0) {
      if (rows.isOver) break; // cut off
      const { mark, text } = rows.takeMarked();
      if (mark === '-') removed.push(text);
      else if (mark !== '\\') {
        if (mark === '+') {
          if (!open) {
            open = { line, lines: [], above, below: undefined };
            added.push(open);
          }
          open.lines.push(text);
        } else if (open) {
          waiting.push(open);
          open = undefined;
        }
        if (isTelling(text)) {
          for (const run of waiting) run.below = text;
          [above, waiting] = [text, []];
        }
      }
      if (mark === '+' || mark === ' ') [after, line] = [after - 1, line + 1];
      if (mark === '-' || mark === ' ') before--;
    }
  }
  return { added, removed };
}
