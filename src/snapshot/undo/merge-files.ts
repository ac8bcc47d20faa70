import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { newId } from '../../base/ids.ts';
import { type Git, gitText, runGit } from '../../git/run.ts';
import { putBlob } from '../store/blobs.ts';
import { readBlob } from '../store/chunks.ts';
import { canRun, type FileState, withRunBit } from '../store/file-state.ts';
import type { Merge } from './invert.ts';

/** Exit codes of `git merge-file`: the number of conflicts, and 255 where there was nothing to merge, as with binaries. */
const ANSWERS = Array.from({ length: 256 }, (_, code) => code);

/**
 * Merges by `git merge-file`, and keeps the result. What git takes for a conflict because it lies side by side is merged as well, where no
 * line is changed by both. Files only; a mode that one side changed is the result's.
 *
 * @see https://git-scm.com/docs/git-merge-file
 */
export function mergeWithGit(store: string, git: Git): Merge {
  return (current, base, other) => {
    if (current.kind !== 'file' || base.kind !== 'file' || other.kind !== 'file') return undefined;
    const bytes = mergeBytes(store, git, current, base, other);
    if (!bytes) return undefined;
    const isRun = canRun(base) === canRun(other) ? canRun(current) : canRun(other);
    const mode = withRunBit(current.mode, isRun);
    return { kind: 'file', sha256: putBlob(store, bytes, { fsync: true }), size: bytes.length, mode };
  };
}

/** Whether a byte of 10 ends a line in it: not so in UTF-16, where it may be half of a letter. Git looks at the first 8,000 bytes only. */
const hasLines = (bytes: Buffer): boolean =>
  !bytes.includes(0) && !['fffe', 'feff'].includes(bytes.subarray(0, 2).toString('hex'));

type Content = Extract<FileState, { kind: 'file' }>;

function mergeBytes(store: string, git: Git, ...versions: readonly Content[]): Buffer | undefined {
  const [current, base, other] = versions;
  if (current?.sha256 === base?.sha256) return other && readBlob(store, other.sha256);
  if (base?.sha256 === other?.sha256) return current && readBlob(store, current.sha256);
  const contents = versions.map(({ sha256 }) => readBlob(store, sha256));
  if (!contents.every(hasLines)) return undefined;
  const folder = join(store, `staging-${newId()}`);
  try {
    disk.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const files = contents.map((bytes, at) => {
      const file = join(folder, String(at));
      disk.writeFileSync(file, bytes, { mode: 0o600 });
      return file;
    });
    const { code, stdout } = runGit(git, ['merge-file', '-p', '--quiet', ...files], { okCodes: ANSWERS });
    return code === 0 ? stdout : mergeSideBySide(folder, git, contents);
  } finally {
    disk.rmSync(folder, { recursive: true, force: true });
  }
}

/** Lines of the base that one side replaced by lines of its own; none of the base for an insertion. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/**
 * Merges what git does not, since changed lines stand directly below one another: a person adds a line below the agent's, and that one is
 * taken out. Where no line of the base is changed by both sides, and they add nothing at the same place, each change has its place.
 *
 * @param folder has the versions in files: current, base, other
 */
function mergeSideBySide(folder: string, git: Git, contents: readonly Buffer[]): Buffer | undefined {
  const [current, base, other] = contents.map(
    (bytes) => bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [],
  );
  if (!current || !base || !other) return undefined;
  const sides = [readHunks(folder, git, '0', current), readHunks(folder, git, '2', other)];
  if (sides.some((side) => leavesNothing(side, base.length))) return undefined; // nothing says where the other's lines belong
  const hunks = sides.flat();
  hunks.sort((a, b) => a.from - b.from || a.to - b.to);
  const merged: string[] = [];
  let at = 0;
  let last: Hunk | undefined;
  for (const hunk of hunks) {
    const isSamePlace = last?.from === hunk.from && last.to === hunk.to;
    if (hunk.from < at || isSamePlace) return undefined;
    merged.push(...base.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
    last = hunk;
  }
  merged.push(...base.slice(at));
  if (merged.slice(0, -1).some((line) => !line.endsWith('\n'))) return undefined; // the last line of one side would run into the next
  return Buffer.from(merged.join(''), 'latin1');
}

/** Whether no line of the base is left on a side. */
const leavesNothing = (hunks: readonly Hunk[], lines: number): boolean =>
  hunks.reduce((sum, { from, to }) => sum + to - from, 0) === lines;

/** Compares bytes as they are, whatever the repository and the user say of line ends and filters. */
const AS_IS = [
  ...['--git-dir=/dev/null', '-c', 'core.autocrlf=false', '-c', 'core.attributesFile=/dev/null'],
  ...['diff', '--no-index', '--unified=0', '--inter-hunk-context=0', '--text'],
  ...['--no-color', '--no-ext-diff', '--no-textconv'],
];

/** What one side did to the base. */
function readHunks(folder: string, git: Git, side: string, lines: readonly string[]): Hunk[] {
  const outside = { ...git, env: { ...git.env, GIT_ATTR_NOSYSTEM: '1' } };
  const diff = gitText(outside, ['-C', folder, ...AS_IS, '1', side], { okCodes: [0, 1] });
  // By hand: to an expression with `m` a line begins behind a carriage return, too.
  return diff.split('\n').flatMap((line): Hunk[] => {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!head) return [];
    const [, old = '', oldCount = '1', its = '', itsCount = '1'] = head;
    // The line before it is named where there is none.
    const from = Number(old) - (oldCount === '0' ? 0 : 1);
    const begin = Number(its) - (itsCount === '0' ? 0 : 1);
    return [{ from, to: from + Number(oldCount), lines: lines.slice(begin, begin + Number(itsCount)) }];
  });
}
