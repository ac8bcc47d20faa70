import { isNamedBy } from '../base/repo-path.ts';
import { listCheckpointIds } from '../checkpoint/read/store.ts';
import type { FilePatch } from '../git/commit/added-lines.ts';
import type { Branch } from '../history/branch.ts';
import { workIn } from '../strategy/work.ts';
import { judgeSurvivors } from './at-end.ts';
import { findBeforeRecords } from './before-records.ts';
import type { LineClass, LineReason } from './classify.ts';
import { type AddedOrigin, type OwnedLine, readCommitLines } from './commit-lines.ts';
import { type FileChange, followPatches } from './follow-patches.ts';
import { type Shares, sumOf } from './line-shares.ts';
import type { CommitRange, RangeCommit } from './range.ts';
import { readSessions, type StatsSession } from './session-costs.ts';
import { isSetUp } from './set-up-lines.ts';
import { type AddedTo, findSurvivors } from './survivors.ts';

/** What lines are sorted by. */
export const GROUPINGS = ['agent', 'person', 'file', 'session', 'month'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** The lines of one agent, person, file, session or month. */
export interface StatsGroup {
  /**
   * The agent or session, empty for lines of none; the person, as `Name <mail>`, who wrote the commits; the path, as the file is called
   * where the range ends; the month in which they were written, as `2026-11`.
   */
  readonly key: string;
  readonly added: Shares;
  readonly surviving: Shares;
  readonly commits: number;
}

/** What is known of the lines that a range of commits added. */
export interface LineStats {
  readonly range: CommitRange;
  readonly added: Shares;
  /** Of them what is there at the end of the range; `undefined` where it has no one end. */
  readonly surviving: Shares | undefined;
  /** Unknown lines by why nobody knows. */
  readonly unknown: ReadonlyMap<LineReason, number>;
  readonly groups: Readonly<Record<Grouping, readonly StatsGroup[]>>;
  readonly sessions: readonly StatsSession[];
  /** Commits that name checkpoints which are not in this clone. */
  readonly missing: number;
  /** Commits that brought lines of a session, and lead to no checkpoint. */
  readonly unlinked: number;
  /** There are checkpoints in this clone; or no line is without a record. */
  readonly hasCheckpoints: boolean;
  /** Lines of Entire's own files, and of agents' settings files into which a commit put its hooks: nobody's work, and in no sum. */
  readonly setUp: number;
  /** Commits whose patch is too large to be read: their lines are in no sum. */
  readonly unread: number;
}

interface StatsOptions {
  /** Hooks are on here. */
  readonly isOn: boolean;
  readonly believesGitAi?: boolean;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/**
 * Counts the lines that commits of a range added, and those of them that are there at its end, by who wrote them. A commit whose record is not
 * here has unknown lines, and no one's; merges add none.
 */
export async function readLineStats(
  branch: Branch,
  range: CommitRange,
  { onProgress, ...judging }: StatsOptions,
): Promise<LineStats> {
  const { commits, tip, notBefore, paths } = range;
  const work = workIn(branch.repo);
  const revision = tip ?? commits[0]?.oid;
  const tally = new Tally();
  const added: AddedLines[] = [];
  const byId = new Map(commits.map((commit) => [commit.oid, commit]));
  let [unread, setUp] = [0, 0];
  const unlinked = new Set<string>();
  const made = new Set<string>();
  /** What files are called at the end: commits come newest first. */
  const names = new Map<string, string>();
  const beforeRecords = await findBeforeRecords(work, branch.store, commits, judging.believesGitAi);
  const changes = new Map<string, FileChange[]>();
  const lines = revision
    ? readCommitLines(
        work,
        commits.map(({ oid }) => oid),
        {
          revision,
          ...judging,
          beforeRecords,
          onProgress: (done) => onProgress?.('Reading commits', done, commits.length),
        },
      )
    : [];
  for await (const { commit: oid, files, isUnread } of lines) {
    if (isUnread) unread++;
    const commit = byId.get(oid) as RangeCommit;
    if (tip && paths.length === 0)
      changes.set(
        oid,
        files.map(({ patch }) => changeOf(patch)),
      );
    for (const { path, blob, formerPath, isNew, lines: owned } of files) {
      if (isNew) made.add(path);
      const isRenamed = formerPath !== undefined;
      const name = names.get(path) ?? path;
      const isAsked = paths.length === 0 || isNamedBy(paths, path) || isNamedBy(paths, name);
      if (isSetUp(path, owned)) {
        if (isAsked) setUp += owned.length;
        continue;
      }
      // What came from there may be elsewhere now, and is looked for in all of them.
      const facts = factsFor(commit, name);
      if (!isAsked) {
        added.push({ commit: oid, path, blob, isRenamed, facts, lines: new Map() });
        continue;
      }
      const isForeign = ({ broughtBy, origin }: OwnedLine) =>
        broughtBy === oid && origin.reason === 'made-again';
      if (commit.links.all.length === 0 && owned.some(isForeign)) unlinked.add(oid);
      const known = new Map(owned.map(({ line, origin }) => [line, facts(origin)]));
      added.push({ commit: oid, path, blob, isRenamed, facts, lines: known });
    }
    const renamed = files.flatMap(({ path, formerPath }) =>
      formerPath === undefined ? [] : [[formerPath, names.get(path) ?? path] as const],
    );
    for (const [former, name] of renamed) names.set(former, name);
  }
  if (tip) {
    const onFile = (done: number, total: number) => onProgress?.('Looking for what is left', done, total);
    // Of what was left out it is not known what it did.
    const isAll = paths.length === 0 && unread === 0;
    const all = commits.map(({ oid, parents }) => ({ commit: oid, parents, files: changes.get(oid) ?? [] }));
    const linesOf = isAll ? followPatches(all) : () => undefined;
    const left = [...findSurvivors(work.git, added, { tip, notBefore, linesOf, onProgress: onFile })];
    const isNew = (path: string) => made.has(path);
    const isTold = ({ of }: { readonly of: AddedLines }) => !beforeRecords.has(of.commit);
    const stretch = { tip, notBefore, commits: new Set(byId.keys()), isNew, isTold };
    for await (const { of, line, origin } of judgeSurvivors(work, left, stretch, judging)) {
      if (origin) of.lines.set(line, of.facts(origin));
      tally.add(of.lines.get(line) as Facts, 'surviving');
    }
  }
  for (const { lines: known } of added) for (const fact of known.values()) tally.add(fact, 'added');
  const told = tally.report(tip !== undefined);
  // Asked only where it may help.
  const isEmpty = told.unknown.has('no-record') && (await listCheckpointIds(branch.store)).length === 0;
  return {
    range,
    ...told,
    unlinked: unlinked.size,
    hasCheckpoints: !isEmpty,
    ...(await readSessions(branch, commits)),
    unread,
    setUp,
  };
}

const changeOf = ({ added, removed, ...file }: FilePatch): FileChange => ({
  ...file,
  added: added.map(({ line }) => line),
  removed: removed.map(({ line }) => line),
});

/** What one commit added to one file. */
interface AddedLines extends AddedTo {
  readonly facts: (origin: AddedOrigin) => Facts;
  readonly lines: Map<number, Facts>;
}

/** What lines are counted by; lines of one file of a commit that one session wrote share it. */
interface Facts {
  readonly commit: string;
  readonly kind: LineClass;
  readonly reason: LineReason;
  readonly keys: Readonly<Record<Grouping, string>>;
}

function factsFor(commit: RangeCommit, file: string): (origin: AddedOrigin) => Facts {
  const known = new Map<string, Facts>();
  const { name, email } = commit.author;
  const ofCommit = { person: `${name} <${email}>`, file, month: commit.authoredAt.slice(0, 7) };
  return ({ kind, reason, session }) => {
    const keys = { ...ofCommit, agent: session?.agent ?? '', session: session?.sessionId ?? '' };
    const key = `${kind} ${reason} ${keys.agent} ${keys.session}`;
    const facts = known.get(key) ?? { commit: commit.oid, kind, reason, keys };
    known.set(key, facts);
    return facts;
  };
}

type Counts = Record<LineClass, number>;
const none = (): Counts => ({ agent: 0, human: 0, unknown: 0 });

interface OpenGroup {
  readonly added: Counts;
  readonly surviving: Counts;
  readonly commits: Set<string>;
}

class Tally {
  private readonly sums = { added: none(), surviving: none() };
  private readonly unknown = new Map<LineReason, number>();
  private readonly groups = new Map<Grouping, Map<string, OpenGroup>>(GROUPINGS.map((by) => [by, new Map()]));

  add({ commit, kind, reason, keys }: Facts, what: 'added' | 'surviving'): void {
    this.sums[what][kind]++;
    if (what === 'added' && kind === 'unknown') this.unknown.set(reason, (this.unknown.get(reason) ?? 0) + 1);
    for (const [by, groups] of this.groups) {
      const group = groups.get(keys[by]) ?? { added: none(), surviving: none(), commits: new Set() };
      group[what][kind]++;
      group.commits.add(commit);
      groups.set(keys[by], group);
    }
  }

  report(hasEnd: boolean): Pick<LineStats, 'added' | 'surviving' | 'unknown' | 'groups'> {
    const { added, surviving } = this.sums;
    const groups = Object.fromEntries(
      [...this.groups].map(([by, found]) => [
        by,
        [...found].map(toGroup).sort(by === 'month' ? byKey : byLines),
      ]),
    ) as Record<Grouping, StatsGroup[]>;
    return { added, surviving: hasEnd ? surviving : undefined, unknown: this.unknown, groups };
  }
}

const toGroup = ([key, { commits, ...group }]: [string, OpenGroup]): StatsGroup => ({
  ...{ key, ...group },
  commits: commits.size,
});

const byKey = (a: StatsGroup, b: StatsGroup): number => (a.key < b.key ? -1 : 1);
const byLines = (a: StatsGroup, b: StatsGroup): number => sumOf(b.added) - sumOf(a.added) || byKey(a, b);
