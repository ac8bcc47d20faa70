import { createHash } from '../../base/hash.ts';

/** What `git patch-id` says of a patch. */
export interface PatchIds {
  /** With `--stable`: as if there were no white space. */
  readonly stable: string;
  /** With `--verbatim`. */
  readonly verbatim: string;
}

/**
 * The ids of a patch as `git diff-tree --patch --full-index` prints it, one byte a character (`latin1`), without a process for each. Their
 * algorithm follows that of the repository. `undefined` for an empty patch.
 *
 * @see https://git-scm.com/docs/git-patch-id
 */
export function patchIdsOf(patch: string): PatchIds | undefined {
  const rows = patch.split('\n');
  if (rows.at(-1) === '') rows.pop();
  const first = rows.findIndex((row) => row.startsWith('diff '));
  if (first === -1) return undefined;
  const index = INDEX.exec(rows.find((row) => INDEX.test(row)) ?? '');
  const algorithm = index?.[1]?.length === 64 ? 'sha256' : 'sha1';
  const files: { stable: string; verbatim: string }[] = [];
  let open = { stable: '', verbatim: '' };
  const add = (row: string): void => {
    const end = row.indexOf('\0'); // for git a line is over there
    const text = end === -1 ? `${row}\n` : row.slice(0, end);
    open.verbatim += text;
    open.stable += text;
  };
  const flush = (): void => {
    files.push(open);
    open = { stable: '', verbatim: '' };
  };
  let state: 'header' | 'hunks' | 'binary' = 'header';
  let ids: readonly [string, string] = ['', ''];
  let [before, after] = [0, 0];
  for (const row of rows.slice(first)) {
    // What says that a last line has no end counts only where white space does.
    if (row.startsWith('\\ ') && row.length > 11) {
      open.verbatim += `${row}\n`;
      continue;
    }
    if (state === 'binary') {
      if (!row.startsWith('diff ')) continue;
      state = 'header';
    }
    if (state === 'header') {
      const named = INDEX.exec(row);
      if (named) {
        ids = [named[1] ?? '', named[2] ?? ''];
        continue;
      }
      if (row.startsWith('GIT binary patch') || row.startsWith('Binary files')) {
        open.stable += ids.join('');
        open.verbatim += ids.join('');
        flush();
        state = 'binary';
        continue;
      }
      if (row.startsWith('--- ')) [state, before, after] = ['hunks', 1, 1];
    } else if (before === 0 && after === 0) {
      const hunk = HUNK.exec(row);
      if (hunk) {
        [before, after] = [Number(hunk[1] ?? '1'), Number(hunk[2] ?? '1')];
        continue;
      }
      if (!row.startsWith('diff ')) break;
      flush();
      state = 'header';
    }
    if (state === 'hunks') {
      if (row.startsWith('-') || row.startsWith(' ')) before--;
      if (row.startsWith('+') || row.startsWith(' ')) after--;
    }
    add(row);
  }
  flush();
  // Which one is asked for is known to the caller.
  return {
    get stable() {
      return sumOf(
        files.map(({ stable }) => stable.replace(SPACE, '')),
        algorithm,
      );
    },
    get verbatim() {
      return sumOf(
        files.map(({ verbatim }) => verbatim),
        algorithm,
      );
    },
  };
}

const INDEX = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/;
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
/** What C calls space. */
const SPACE = /[ \t\n\v\f\r]+/g;

/** So many bytes of two digests are added, whatever their length. */
const SUMMED = { sha1: 20, sha256: 32 } as const;

/** The digests of files, added up, so that their order does not matter. */
function sumOf(files: readonly string[], algorithm: keyof typeof SUMMED): string {
  const total = Buffer.alloc(SUMMED[algorithm]);
  for (const text of files) {
    const digest = createHash(algorithm).update(Buffer.from(text, 'latin1')).digest();
    let carry = 0;
    for (let at = 0; at < total.length; at++) {
      carry += (total[at] as number) + (digest[at] as number);
      total[at] = carry & 0xff;
      carry >>= 8;
    }
  }
  return total.toString('hex');
}
