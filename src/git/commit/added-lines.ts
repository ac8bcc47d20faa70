import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { type Git, runGit } from '../run.ts';
import { unquote } from './quoted-name.ts';

/** A line that a commit brought into a file, or took out of it. */
export interface PatchLine {
  /** From 1: in the file as that commit has it, or as its parent had it. */
  readonly line: number;
  readonly text: string;
}

/** What one commit did with the lines of one file. */
export interface FilePatch {
  /** In the commit; of a file that it removed, in its parent. */
  readonly path: string;
  /** In its parent; `undefined` where it is new. */
  readonly formerPath: string | undefined;
  /** The blob that it made of the file; `undefined` where it only gave it another name or mode. */
  readonly blob: string | undefined;
  /** The one that it found. */
  readonly formerBlob: string | undefined;
  readonly added: readonly PatchLine[];
  readonly removed: readonly PatchLine[];
}

/** All that a user or a repository can set about how a patch looks is fixed: it is read, and the same on every clone. */
const PATCH = [
  ...['--stdin', '--root', '-r', '--raw', '-p', '-U0', '-M50%', '-l1000'],
  ...['--full-index', '--inter-hunk-context=0'],
  ...['--diff-algorithm=default', '--indent-heuristic', '--no-ext-diff', '--no-textconv', '--no-color'],
  ...['--src-prefix=a/', '--dst-prefix=b/', '--ignore-submodules=all'],
];

/**
 * The lines that each of some commits added to files and removed from them, against its parent. A file that was given another name has those
 * that were changed on the way. Merges have none, nor have binary files and submodules. One process.
 *
 * @see https://git-scm.com/docs/git-diff-tree
 */
export function readPatches(git: Git, commits: readonly ObjectId[]): Map<ObjectId, FilePatch[]> {
  const patches = new Map<ObjectId, FilePatch[]>(commits.map((oid) => [oid, []]));
  if (commits.length === 0) return patches;
  const input = commits.map((oid) => `${oid}\n`).join('');
  const rows = runGit(git, ['diff-tree', ...PATCH], { input })
    .stdout.toString('utf8')
    .split('\n');
  let files: FilePatch[] | undefined;
  /** What was only given another name, by that. */
  let moved = new Map<string, string>();
  for (let at = 0; at < rows.length; ) {
    const oid = parseObjectId(rows[at]);
    if (oid) [files, moved] = [patches.get(oid), new Map()];
    const [, same, , to] = MOVED.exec(rows[at] ?? '') ?? [];
    if (same !== undefined && to !== undefined) moved.set(unquote(to), same);
    if (rows[at]?.startsWith('diff --git ') && files) {
      const read = readFilePatch(rows, at + 1);
      if (read.file)
        files.push({ ...read.file, formerBlob: read.file.formerBlob ?? moved.get(read.file.path) });
      at = read.next;
    } else at++;
  }
  return patches;
}

const MOVED = /^:\d+ \d+ ([0-9a-f]+) [0-9a-f]+ R100\t([^\t]+)\t([^\t]+)$/;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** One file of a patch. Hunks are read by their counts: a line that looks like a header may be text. */
function readFilePatch(
  rows: readonly string[],
  from: number,
): { readonly file: FilePatch | undefined; readonly next: number } {
  let [before, after, blob, formerBlob]: (string | undefined)[] = [];
  const added: PatchLine[] = [];
  const removed: PatchLine[] = [];
  let at = from;
  for (; at < rows.length; at++) {
    const row = rows[at] ?? '';
    const hunk = HUNK.exec(row);
    if (hunk) {
      const [, last, gone = '1', first, come = '1'] = hunk;
      let [left, old, line] = [Number(gone) + Number(come), Number(last), Number(first)];
      while (left > 0 && ++at < rows.length) {
        const text = rows[at] ?? '';
        if (text.startsWith('\\')) continue; // that the file does not end with a line end
        left--;
        if (text.startsWith('+')) added.push({ line: line++, text: text.slice(1) });
        else removed.push({ line: old++, text: text.slice(1) });
      }
      continue;
    }
    if (row.startsWith('diff --git ') || parseObjectId(row)) break;
    if (blob === undefined) [, formerBlob, blob] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/.exec(row) ?? [];
    before = nameIn(row, 'rename from ', '--- ') ?? before;
    after = nameIn(row, 'rename to ', '+++ ') ?? after;
  }
  const path = after ?? before;
  return {
    file: path === undefined ? undefined : { path, formerPath: before, blob, formerBlob, added, removed },
    next: at,
  };
}

/** The name that a header line has, of a rename or in front of hunks. */
function nameIn(row: string, renamed: string, patched: string): string | undefined {
  if (row.startsWith(renamed)) return unquote(row.slice(renamed.length));
  if (!row.startsWith(patched)) return undefined;
  const name = row.slice(patched.length).replace(/\t$/, '');
  return name === '/dev/null' ? undefined : unquote(name).slice('a/'.length);
}
