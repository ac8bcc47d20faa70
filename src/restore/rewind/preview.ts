import { EntireError } from '../../base/errors.ts';
import { type ObjectId, parseSessionId, type SessionId } from '../../base/ids.ts';
import { isInfrastructurePath, type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import { readTree, type TreeEntry } from '../../git/object/objects.ts';
import { readRef } from '../../git/ref/refs.ts';
import type { Branch } from '../../history/branch.ts';

import type { SessionState } from '../../session/state.ts';
import { readState, readStateIfReadable } from '../../session/state-store.ts';
import { readFilesTouched } from '../../session/tracking-file.ts';
import { keepsContents } from '../../settings/snapshots.ts';
import { placeOf, storeOf } from '../../snapshot/place.ts';
import { importIfThere } from '../../snapshot/record/import-state.ts';
import type { SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import type { FileState } from '../../snapshot/store/file-state.ts';
import { listParticipants } from '../../strategy/sessions.ts';
import type { Work } from '../../strategy/work.ts';
import type { StepPoint } from '../points.ts';
import { filesAt } from '../rollback.ts';
import { findOthers } from './branch.ts';
import { pathsOfFirst } from './first.ts';
import { correct, findUnsaved, lookAtPaths } from './look.ts';
import { comparing, NOT_TOGETHER, takeTogether } from './merge.ts';
import { planRewind, type Verdict } from './plan.ts';
import {
  type Corrections,
  correctTree,
  findOthersWork,
  hiddenBehind,
  laterFiles,
  NO_CORRECTIONS,
  readRecords,
  splitAround,
} from './records.ts';
import { type CutBranch, cutBranch, pathsOf, sinceCommit } from './steps.ts';
import { type Along, filesOf, type Together, unreadable } from './together.ts';

/** What going back to a step comes to. Nothing has been changed. */
export interface RewindPreview {
  readonly sessionId: SessionId;
  /** `undefined` for a session that left nothing but its steps. */
  readonly state: SessionState | undefined;
  readonly verdicts: readonly Verdict[];
  /** Paths that become something else, and hold what somebody else wrote since the step. */
  readonly othersWork: readonly RepoPath[];
  /** Paths for which the tree of the step does not count, and what is put there. */
  readonly corrected: Corrections['targets'];
  /** Other sessions that go back along, and which of their files. */
  readonly along: readonly AlongPreview[];
  /** Paths that keep lines which no session wrote. */
  readonly merged: readonly RepoPath[];
  readonly cut: CutBranch;
  /** Paths that stay, and would not where the session went back alone. */
  readonly onlyAlone: readonly RepoPath[];
  /** Steps of other sessions that stay on the branch. */
  readonly otherSteps: number;
  /** Files that the session is known to have written, saved or not. */
  readonly files: readonly RepoPath[];
  /** Those of them that no other session wrote since. */
  readonly owned: readonly RepoPath[];
  /** Those of them that it has at the step. */
  readonly filesAtStep: (left: Iterable<RepoPath>) => RepoPath[];
}

/** Whether each file that differs stays: then nothing goes back, the conversation neither. */
export const isFutile = ({ verdicts }: Pick<RewindPreview, 'verdicts'>): boolean =>
  verdicts.length > 0 && verdicts.every(({ kind }) => kind === 'leave');

/** What becomes of another session that goes back along. */
export interface AlongPreview extends Along {
  readonly agentType: string;
  /** Files that become something else. */
  readonly files: readonly RepoPath[];
  /** Files of it that stay as they are. */
  readonly left: readonly RepoPath[];
}

/** What is known of a session besides what lies on the disk. */
export interface InHand {
  /** Paths that were taken out of the tracking file. */
  readonly claimed?: readonly RepoPath[];
  /** The turn that goes on, where it is no record yet. */
  readonly open?: SnapshotRecord | undefined;
  /** What other sessions did since; `undefined` where the session goes back alone, and files become just what the step has. */
  readonly together?: Together | undefined;
}

/**
 * Looks at the worktree, the session and its branch.
 *
 * @throws {EntireError} `NOT_FOUND` when the point is gone; `STATE_UNREADABLE`
 */
export function previewRewind(
  work: Work,
  branch: Branch,
  point: StepPoint,
  { claimed = [], open, together }: InHand = {},
): RewindPreview {
  const { git, sessions } = work;
  const { id: target, ref } = point;
  const sessionId = sessionOf(point);
  const head = branch.head as ObjectId;
  const tip = readRef(git, ref);
  if (!tip) throw gone(target);
  const state = readState(sessions, sessionId);
  const whole = cutBranch(branch, ref, tip, target);
  const cut = state ? sinceCommit(whole, sessionId, state.checkpointCount) : whole;
  const tracked = [...claimed, ...readFilesTouched(sessions, sessionId)];
  const written = [...cut.later, ...cut.kept];
  const first = written.find(({ step, isFirst }) => isFirst && step.sessionId === sessionId);
  const store = storeOf(branch.repo, sessionId);
  const records = readRecords(store);
  const inFirst = first ? pathsOfFirst(git, store, records, head, first) : [];
  const around = splitAround(store, records, cut, open);
  if (together && around && !around.isWhole) throw unreadable(sessionId);
  const since = around?.since ?? (open ? [open] : []);
  const recorded = since.flatMap((record) => [...record.files.keys()]);
  const files = sortedUnique(
    [
      ...(state?.filesTouched ?? []),
      ...tracked,
      ...inFirst,
      ...pathsOf(written, sessionId),
      ...recorded,
    ].filter((path) => !isInfrastructurePath(path)),
  );
  const isKept = keepsContents(work.repo);
  const hidden = hiddenBehind(cut, around, isKept);
  const isFirstKept = first !== undefined && cut.kept.includes(first);
  const corrections = around
    ? correctTree(
        around,
        cut,
        { store, like: head },
        files,
        new Set(isFirstKept ? inFirst : []),
        undoneBefore(branch.repo, store, around.upTo.at(-1)?.id),
        hidden,
      )
    : NO_CORRECTIONS;
  const { targets: corrected, untouched, notYet } = corrections;
  const along = together?.along ?? [];
  const isAlong = (id: string): boolean => along.some((one) => one.sessionId === id);
  const ofOthers = (quiet?: ReadonlySet<string>) =>
    findOthers(cut, sessionId, readOthers(work, sessionId, quiet));
  const others = new Map([...ofOthers(together?.quiet), ...(together?.stays ?? [])]);
  for (const [path, id] of others) if (isAlong(id)) others.delete(path);
  const stepTree = readTree(git, target, files) ?? new Map<string, TreeEntry>();
  const headTree = readTree(git, head, files) ?? new Map<string, TreeEntry>();
  const taken = together
    ? takeTogether(
        work,
        placeOf(work.repo, sessionId),
        {
          sessionId,
          since: around?.since,
          named: new Set(records.flatMap((record) => [...record.files.keys()])),
          files: new Set(files.filter((path) => !untouched.has(path))),
          later: laterFiles(cut, around, tracked, isKept, stepTree),
          hidden,
          hasMore: comparing(git, store, [correct(stepTree, corrected), headTree], corrected),
        },
        along,
        head,
      )
    : NOT_TOGETHER;
  const atStart = state?.untrackedFilesAtStart ?? [];
  const stays = (path: RepoPath): boolean =>
    untouched.has(path) || taken.untouched.has(path) || taken.left.has(path);
  const own = new Set(files.filter((path) => !stays(path)));
  const foreign = [...taken.targets.keys()].filter((path) => !own.has(path));
  const targets = new Map([...corrected, ...taken.targets]);
  const known = { target, head, others, corrected: targets };
  const forced = files.filter((path) => taken.left.has(path) && !untouched.has(path));
  const alone =
    forced.length === 0
      ? []
      : planRewind(lookAtPaths(git, forced, { ...known, others: ofOthers(), corrected, atStart }));
  const looked = [
    ...planRewind(lookAtPaths(git, [...own], { ...known, atStart })),
    ...planRewind(lookAtPaths(git, foreign, { ...known, atStart: [] })),
    ...[...taken.left].map(([path, why]) => ({ kind: 'leave', path, reason: 'contradicted', why }) as const),
  ];
  const isNamed = new Set(looked.map(({ path }) => path));
  const verdicts = [
    ...looked,
    ...[...(together?.stays ?? [])]
      .filter(([path]) => !isNamed.has(path))
      .map(([path, other]) => ({ kind: 'leave', path, reason: 'other-session', other }) as const),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  const touched = state?.filesTouched ?? [];
  const changed = verdicts.flatMap(({ kind, path }) => (kind === 'leave' ? [] : path));
  const isOthersWork = (path: RepoPath): boolean => !taken.isAllKnown.has(path) && !taken.targets.has(path);
  // Where no record tells of what was done since, the last step does, and what the turn that goes on did.
  const unsaved = (paths: readonly RepoPath[]): RepoPath[] => [
    ...findOthersWork(
      since,
      git.cwd,
      paths.filter((path) => recorded.includes(path)),
    ),
    ...findUnsaved(
      git,
      tip,
      head,
      paths.filter((path) => !recorded.includes(path)),
    ),
  ];
  return {
    ...{ sessionId, state, verdicts, cut, files },
    along: along.map((one) => describeAlong(work, one, verdicts)),
    onlyAlone: alone.flatMap(({ kind, path }) => (kind === 'leave' ? [] : path)),
    merged: taken.merged.filter((path) => changed.includes(path)),
    othersWork: sortedUnique([
      ...(around ? findOthersWork(since, git.cwd, changed.filter(isOthersWork)) : unsaved(changed)),
      ...changed.filter((path) => hidden.has(path)), // nobody knows what was in them before the first record
    ]),
    corrected: targets,
    otherSteps: cut.later.filter(({ step }) => step.sessionId !== sessionId && !isAlong(step.sessionId))
      .length,
    owned: files.filter((path) => !others.has(path)),
    filesAtStep(left) {
      const kept = { touched, paths: new Set([...left, ...untouched, ...taken.untouched]) };
      const then = files.filter(
        (path) => !notYet.has(path) && !untouched.has(path) && !taken.untouched.has(path),
      );
      return filesAt(then, { target: correct(stepTree, targets), head: headTree }, kept);
    },
  };
}

function describeAlong(work: Work, one: Along, verdicts: readonly Verdict[]): AlongPreview {
  const paths = new Set(filesOf(one));
  const own = verdicts.filter(({ path }) => paths.has(path));
  return {
    ...one,
    agentType: readStateIfReadable(work.sessions, one.sessionId)?.agentType ?? '',
    files: own.flatMap(({ kind, path }) => (kind === 'leave' ? [] : path)),
    left: own.flatMap(({ kind, path }) => (kind === 'leave' ? path : [])),
  };
}

/** Whose step it is. @throws {EntireError} `NOT_FOUND` where it names no session */
export function sessionOf({ id, sessionId }: StepPoint): SessionId {
  const parsed = parseSessionId(sessionId);
  if (parsed) return parsed;
  throw gone(id);
}

const gone = (id: ObjectId): EntireError =>
  new EntireError('NOT_FOUND', `rewind point not found: ${id.slice(0, 7)}`, {
    hint: 'It was there a moment ago. Run `entire rewind --list` to see the points there are.',
  });

/**
 * What other sessions have in this worktree, by their ids.
 *
 * @param quiet those that did nothing since
 */
function readOthers(
  work: Work,
  sessionId: SessionId,
  quiet: ReadonlySet<string> = new Set(),
): Map<string, { touched: readonly RepoPath[]; tracked: readonly RepoPath[] }> {
  const { worktreeId } = work.repo;
  const others = listParticipants(work).filter((session) => session.sessionId !== sessionId);
  return new Map(
    others.map(({ sessionId: id, isVisitor, isTracked, filesTouched }) => {
      const hasMore = (isVisitor || isTracked) && !quiet.has(id);
      const tracked = hasMore ? readFilesTouched(work.sessions, id, isVisitor ? worktreeId : undefined) : [];
      return [id, { touched: isVisitor ? [] : filesTouched, tracked }] as const;
    }),
  );
}

/**
 * What another session's undo had made of a path by the time of a record, where that was the last that the session did to it. Steps of
 * others know nothing of it.
 *
 * @param store where the content is brought
 */
function undoneBefore(
  repo: Branch['repo'],
  store: string,
  until: string | undefined,
): (other: string, path: RepoPath) => FileState | undefined {
  const known = new Map<string, readonly SnapshotRecord[]>();
  return (other, path) => {
    const id = parseSessionId(other);
    if (!id || until === undefined) return undefined;
    const from = storeOf(repo, id);
    const records = known.get(id) ?? readRecords(from);
    known.set(id, records);
    const last = records.findLast((record) => record.id <= until && record.files.has(path));
    const state = last?.kind === 'undo' ? last.files.get(path)?.after : undefined;
    return state && importIfThere(from, store, state);
  };
}
