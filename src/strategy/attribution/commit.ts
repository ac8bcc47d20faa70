import { now, renderUtc } from '../../base/clock.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { AttributionCounts, InitialAttribution } from '../../checkpoint/initial-attribution.ts';
import type { PathChanges } from '../../git/commit/commits.ts';
import type { TreeEntry } from '../../git/object/objects.ts';
import { hasChanged, readBaseline } from '../../session/record/turn-snapshot.ts';
import { readUserLines } from '../../session/record/user-lines.ts';
import type { SessionState } from '../../session/state.ts';
import type { Work } from '../work.ts';
import { diffLines, type LineDiff, newBudget } from './line-diff.ts';
import { isCounted } from './prompt.ts';
import { readTexts, type Versions } from './texts.ts';

/** A commit as one of its sessions sees it. */
export interface AttributedCommit {
  readonly changes: PathChanges;
  /** Paths of the commit that are the session's. */
  readonly files: readonly RepoPath[];
  /** Of those, what is in the commit in part. */
  readonly left: ReadonlySet<RepoPath>;
  /** Old names of the session's files that it holds under a new one, by the new one. */
  readonly renamed: ReadonlyMap<RepoPath, RepoPath>;
  /** Paths that other sessions have in it. */
  readonly foreign: ReadonlySet<RepoPath>;
  /** Paths that a step of the session saved, and nothing has written since. */
  readonly saved: ReadonlySet<RepoPath>;
  /** The session's shadow tree at its paths. */
  readonly steps: ReadonlyMap<string, TreeEntry>;
  /** The session's agent made the commit. */
  readonly isByAgent: boolean;
}

/** A file of the session: what its steps added and took away, and what the commit has otherwise. */
interface TouchedFile {
  /** What it was called when the session had it. */
  readonly name: RepoPath;
  readonly work: LineDiff;
  readonly after: LineDiff;
  /** The last step's blob; `undefined` where the commit has what the agent wrote after it. */
  readonly step: string | undefined;
}

/**
 * Who wrote the lines of a commit, for one session's slot. The commit alone is looked at, against its parent: what was
 * pulled, or committed before, is nobody's work here. What the agent wrote after its last step (recorded edits, files
 * that changed in a turn that is not over) counts as the commit has it. `undefined` where the session has no file in it.
 *
 * Costs two processes and the changed files' blobs, whatever the repository holds.
 */
export function attributeCommit(
  work: Work,
  state: SessionState,
  commit: AttributedCommit,
): InitialAttribution | undefined {
  const own = new Set(commit.files.filter((path) => commit.changes.has(path)));
  if (own.size === 0) return undefined;
  const isOfTurn = changedInTurn(work, state);
  const nameOf = (path: RepoPath) => commit.renamed.get(path) ?? path;
  const stepOf = (path: RepoPath) => commit.steps.get(nameOf(path));
  const isSaved = (path: RepoPath) => commit.saved.has(nameOf(path)) && !isOfTurn(path);
  const oldNames = new Set(commit.renamed.values());
  const versions = new Map<RepoPath, Versions>();
  for (const [path, { before, after }] of commit.changes) {
    if (!isCounted(path) || oldNames.has(path)) continue;
    const from = before ?? commit.changes.get(nameOf(path))?.before;
    if (own.has(path)) versions.set(path, [from, isSaved(path) ? stepOf(path) : after, after]);
    else if (commit.foreign.has(path)) continue;
    else if (commit.isByAgent && isOfTurn(path)) versions.set(path, [before, after, after]);
    else versions.set(path, [before, after]);
  }
  const texts = readTexts(work.git, versions);
  const budget = newBudget();
  const touched = new Map<string, TouchedFile>();
  const others = new Map<string, number>();
  for (const [path, [before = '', middle = '', last]] of texts) {
    const work = diffLines(before, middle, budget);
    if (last === undefined) others.set(path, work.added);
    else {
      const step = isSaved(path as RepoPath) ? (stepOf(path as RepoPath)?.oid ?? '') : undefined;
      const name = nameOf(path as RepoPath);
      const file = { name, work, after: diffLines(middle, last, budget), step };
      touched.set(path, commit.left.has(path as RepoPath) ? withoutLeftOut(file) : file);
    }
  }
  const counts = attribute({
    user: knownUserLines(work, state, touched),
    touched: new Map(
      [...touched].map(([path, file]) => [path, { work: file.work.added, after: file.after }]),
    ),
    others,
  });
  return { calculatedAt: renderUtc(now()), ...counts };
}

/** Lines that a commit leaves out wait for the next one: nobody removed them, and they are no work in this one. */
const withoutLeftOut = ({ name, work, after, step }: TouchedFile): TouchedFile => ({
  name,
  work: { ...work, added: Math.max(0, work.added - after.removed) },
  after: { ...after, removed: 0 },
  step,
});

/** In a turn that is not over, what changed since its prompt is the agent's, as it would be at the turn's end. */
function changedInTurn({ repo }: Work, state: SessionState): (path: RepoPath) => boolean {
  const { commonDir, worktreeRoot } = repo;
  const baseline =
    state.phase === 'active' ? readBaseline(commonDir, state.sessionId, state.turnId) : undefined;
  const found = new Map<RepoPath, boolean>();
  return (path) => {
    const known = found.get(path) ?? (baseline !== undefined && hasChanged(baseline, worktreeRoot, path));
    found.set(path, known);
    return known;
  };
}

/**
 * The user's lines in the session's files that its steps hold, never more than the steps changed. From our own record;
 * what v0.4.4 measured in the same session is in the state only, without saying where lines were removed.
 */
function knownUserLines(
  { repo }: Work,
  state: SessionState,
  touched: ReadonlyMap<string, TouchedFile>,
): KnownUserLines {
  const record = readUserLines(repo.commonDir, state.sessionId, state.attributionBaseCommit);
  const stated = sumPerFile(state.promptAttributions.map(({ userAddedPerFile }) => userAddedPerFile));
  const pending = state.pendingPromptAttribution?.userAddedPerFile ?? new Map<string, number>();
  const addedPerFile = new Map<string, number>();
  let removed = 0;
  for (const [path, { name, work, step }] of touched) {
    const recorded = record?.files.get(name);
    const isHeld = recorded !== undefined && recorded.reference !== step;
    const said = (stated.get(name) ?? 0) + (step === undefined ? (pending.get(name) ?? 0) : 0);
    const isRecorded = recorded && said <= recorded.settled.added + recorded.user.added;
    const added = isRecorded ? recorded.settled.added + (isHeld ? recorded.user.added : 0) : said;
    if (Math.min(added, work.added) > 0) addedPerFile.set(path, Math.min(added, work.added));
    if (recorded)
      removed += Math.min(recorded.settled.removed + (isHeld ? recorded.user.removed : 0), work.removed);
  }
  const total = [...addedPerFile.values()].reduce((sum, lines) => sum + lines, 0);
  if (record) return { added: total, removed, addedPerFile };
  const gone = [...touched.values()].reduce((sum, { work }) => sum + work.removed, 0);
  const statedRemoved = state.promptAttributions.reduce(
    (sum, { userLinesRemoved }) => sum + userLinesRemoved,
    0,
  );
  return { added: total, removed: Math.min(statedRemoved, gone), addedPerFile };
}

function sumPerFile(maps: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [path, lines] of maps.flatMap((map) => [...map])) sums.set(path, (sums.get(path) ?? 0) + lines);
  return sums;
}

/** What is known of the user's lines from the starts of the prompts. */
export interface KnownUserLines {
  readonly added: number;
  readonly removed: number;
  readonly addedPerFile: ReadonlyMap<string, number>;
}

/** A commit and a session, in lines. */
export interface AttributionInput {
  readonly user: KnownUserLines;
  /** Files the session touched: what its steps added to the base, and how the commit differs from its last step. */
  readonly touched: ReadonlyMap<string, { readonly work: number; readonly after: LineDiff }>;
  /** Lines that the commit adds to files which nobody's session touched. */
  readonly others: ReadonlyMap<string, number>;
}

/**
 * Who wrote what a commit holds, as v0.4.4 counts. What the user changed before a prompt is part of what the next step
 * holds, and taken off the agent's work; what differs after the last step is the user's. A line of the user's own that
 * they replaced is `self`, and costs the agent nothing.
 */
export function attribute({ user, touched, others }: AttributionInput): AttributionCounts {
  const work = sum([...touched.values()].map((file) => file.work));
  const postAdded = sum([...touched.values()].map(({ after }) => after.added));
  const postRemoved = sum([...touched.values()].map(({ after }) => after.removed));
  const knownIn = (isTouched: boolean): number =>
    sum([...user.addedPerFile].flatMap(([path, lines]) => (touched.has(path) === isTouched ? lines : [])));

  const agent = Math.max(0, work - knownIn(true));
  const elsewhere = Math.max(0, sum([...others.values()]) - knownIn(false));
  const added = user.added + postAdded + elsewhere;
  const removed = user.removed + postRemoved;
  const modified = Math.min(added, removed);
  const self = sum(
    [...touched].map(([path, { after }]) => Math.min(after.removed, user.addedPerFile.get(path) ?? 0)),
  );
  const pureAdded = added - modified;
  const pureRemoved = removed - modified;
  const net = agent + pureAdded - pureRemoved;
  const total = net > 0 ? net : agent;
  const agentIn = Math.max(0, agent - pureRemoved - Math.max(0, modified - self));
  return {
    agentLines: agentIn,
    humanAdded: pureAdded,
    humanModified: modified,
    humanRemoved: pureRemoved,
    totalCommitted: total,
    agentPercentage: total === 0 ? 0 : (agentIn / total) * 100,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
