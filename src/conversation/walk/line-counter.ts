import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { blame } from '../../git/commit/blame.ts';
import { readCutOff, readRenames } from '../../git/commit/commits.ts';
import type { Repo } from '../../git/locate.ts';
import { readLog } from '../../git/log.ts';
import { readHead } from '../../git/ref/refs.ts';
import { type Git, gitFor, runGit } from '../../git/run.ts';

/** What is counted at most, and who hears of it. */
export interface CountQuery {
  /** So many files are blamed at most; to look for one that was renamed costs as much. */
  readonly maxFiles: number;
  /** Hears how far it is. */
  readonly onProgress?: (what: string, done?: number, total?: number) => void;
}

type Lines = ReadonlyMap<ObjectId, number>;

/** Counts lines of HEAD that commits brought. Blames each file once, whoever asks. */
export class LineCounter {
  private readonly git: Git;
  private readonly head: ObjectId | undefined;
  private readonly query: CountQuery;
  /** Commits whose parents this clone does not have: git takes each line for theirs that is older. */
  private readonly cut: ReadonlySet<string>;
  /** Lines of a file by the commit that brought them; `undefined` for one that is not in HEAD. */
  private readonly blamed = new Map<string, Lines | undefined>();
  private readonly renames = new Map<ObjectId, ReadonlyMap<string, string>>();
  private readonly commits: readonly ObjectId[];
  private notBefore: readonly ObjectId[] | undefined;

  /** @param commits all that will be asked for */
  constructor(repo: Repo, commits: readonly ObjectId[], query: CountQuery) {
    this.commits = commits;
    this.git = gitFor(repo);
    this.head = readHead(this.git, repo);
    this.query = query;
    this.cut = readCutOff(repo.commonDir);
  }

  /**
   * How many lines of these files, or of what they are called now, these commits brought.
   *
   * @param commits newest first
   * @returns `undefined` where enough files were looked at, and where nobody can tell
   */
  count(files: readonly string[], commits: readonly ObjectId[]): number | undefined {
    const seen = new Set<string>();
    let sum = 0;
    if (commits.length === 0) return sum;
    for (const file of files) {
      if (!this.look(file)) return undefined;
      const name = this.blamed.get(file) ? file : this.renamed(file, commits);
      if (name === undefined) return undefined;
      if (seen.has(name) || !this.look(name)) continue;
      seen.add(name);
      const lines = this.blamed.get(name);
      for (const commit of commits) {
        const count = lines?.get(commit) ?? 0;
        if (count > 0 && this.cut.has(commit)) return undefined;
        sum += count;
      }
    }
    return sum;
  }

  /** What a file is called now that the first or the last of some commits had; itself where it is gone; `undefined` where it costs too much. */
  private renamed(file: string, commits: readonly ObjectId[]): string | undefined {
    for (const commit of new Set([commits[0], commits.at(-1)])) {
      if (commit === undefined || !this.head) continue;
      let found = this.renames.get(commit);
      if (!found) {
        if (this.isEnough()) return undefined;
        found = readRenames(this.git, commit, this.head);
        this.renames.set(commit, found);
      }
      const name = found.get(file);
      if (name !== undefined) return this.look(name) ? name : undefined;
    }
    return file;
  }

  private isEnough(): boolean {
    return this.blamed.size + this.renames.size >= this.query.maxFiles;
  }

  /** @returns whether its lines are known, none included */
  private look(file: string): boolean {
    if (this.blamed.has(file)) return true;
    if (this.isEnough()) return false;
    this.query.onProgress?.('Counting lines that survive', this.blamed.size);
    this.blamed.set(file, this.linesOf(file));
    return true;
  }

  private linesOf(file: string): Lines | undefined {
    const lines = new Map<ObjectId, number>();
    if (!this.head) return undefined;
    try {
      this.notBefore ??= readLimits(this.git, this.commits);
      const { head: revision, notBefore } = this;
      for (const { commit } of blame(this.git, { path: file, revision, range: undefined, notBefore }))
        if (commit) lines.set(commit, (lines.get(commit) ?? 0) + 1);
    } catch {
      return undefined; // it is not in HEAD any more
    }
    return lines;
  }
}

/** More are not compared with one another. */
const MAX_COMPARED = 200;

/** What lies right before all of some commits, so that no line of theirs is older: without it git looks through all of history for each file. */
function readLimits(git: Git, commits: readonly ObjectId[]): ObjectId[] {
  if (commits.length === 0 || commits.length > MAX_COMPARED) return [];
  const { stdout } = runGit(git, ['merge-base', '--octopus', ...commits], { okCodes: [0, 1, 128] });
  const base = parseObjectId(stdout.toString('utf8').trim());
  const [row] = (base && readLog(git, { range: [base], limit: 1 })) ?? [];
  return [...(row?.parents ?? [])];
}
