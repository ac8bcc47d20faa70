import { createHash, type Hash } from '../../base/hash.ts';

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
  const oid = rows.map((row) => INDEX.exec(row)?.[1]).find((found) => found !== undefined);
  const algorithm = oid?.length === 64 ? 'sha256' : 'sha1';
  const sums = { stable: new Sum(algorithm), verbatim: new Sum(algorithm) };
  const add = (row: string): void => {
    const end = row.indexOf('\0'); // for git a line is over there
    sums.verbatim.add(end === -1 ? `${row}\n` : row.slice(0, end));
    sums.stable.add((end === -1 ? row : row.slice(0, end)).replace(SPACE, ''));
  };
  const flush = (): void => {
    sums.verbatim.flush();
    sums.stable.flush();
  };
  let state: 'header' | 'hunks' | 'binary' = 'header';
  let ids: readonly [string, string] = ['', ''];
  let [before, after] = [0, 0];
  for (const row of rows.slice(first)) {
    // What says that a last line has no end counts only where white space does.
    if (row.startsWith('\\ ') && row.length > 11) {
      sums.verbatim.add(`${row}\n`);
      continue;
    }
    if (state === 'binary') {
      if (!row.startsWith('diff ')) continue;
      state = 'header';
    }
    if (state === 'header') {
      const index = INDEX.exec(row);
      if (index) {
        ids = [index[1] ?? '', index[2] ?? ''];
        continue;
      }
      if (row.startsWith('GIT binary patch') || row.startsWith('Binary files')) {
        for (const id of ids) for (const sum of [sums.stable, sums.verbatim]) sum.add(id);
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
  return { stable: sums.stable.digest(), verbatim: sums.verbatim.digest() };
}

const INDEX = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/;
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
/** What C calls space. */
const SPACE = /[ \t\n\v\f\r]+/g;

/** So many bytes of two digests are added, whatever their length. */
const SUMMED = { sha1: 20, sha256: 32 } as const;

/** The digests of files, added up, so that their order does not matter. */
class Sum {
  private readonly total: Buffer;
  private readonly algorithm: keyof typeof SUMMED;
  private open: Hash;

  constructor(algorithm: keyof typeof SUMMED) {
    this.algorithm = algorithm;
    this.total = Buffer.alloc(SUMMED[algorithm]);
    this.open = createHash(algorithm);
  }

  add(text: string): void {
    this.open.update(Buffer.from(text, 'latin1'));
  }

  flush(): void {
    const digest = this.open.digest();
    this.open = createHash(this.algorithm);
    let carry = 0;
    for (let at = 0; at < this.total.length; at++) {
      carry += (this.total[at] as number) + (digest[at] as number);
      this.total[at] = carry & 0xff;
      carry >>= 8;
    }
  }

  digest(): string {
    return this.total.toString('hex');
  }
}
