import { join } from 'node:path';
import { isAgentSettings } from '../../agents/registry.ts';
import { describeError } from '../../base/errors.ts';
import { disk, lstatInWorktree } from '../../base/file/disk.ts';
import { log } from '../../base/log.ts';
import { isInfrastructurePath, type RepoPath } from '../../base/repo-path.ts';
import { branchRef, shadowBranch } from '../../checkpoint/shadow-branch.ts';
import { countLinesBetween } from '../../git/commit/line-counts.ts';
import { readTree, type TreeEntry } from '../../git/object/objects.ts';
import type { Status } from '../../git/worktree/status.ts';
import { emptyAttribution, type PromptAttribution } from '../../session/record/prompt-attribution.ts';
import { readTaskRecord } from '../../session/record/task-record.ts';
import type { TurnBaseline } from '../../session/record/turn-snapshot.ts';
import {
  type Lines,
  readUserLines,
  type UserLines,
  writeUserLines,
} from '../../session/record/user-lines.ts';
import type { SessionState } from '../../session/state.ts';
import { readFilesTouched } from '../../session/tracking-file.ts';
import { pathsOfOthers } from '../sessions.ts';
import type { Work } from '../work.ts';
import { isBinary, readTexts } from './texts.ts';
import { addLines, type FileLook, NO_LINES, nextUserLines, pendingLines } from './user-lines.ts';

/** A prompt waits for us: larger files, and more of them than this, are not counted. */
const MAX_BYTES = 1024 * 1024;
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 500;

/** What the prompt hook saw. */
export interface PromptLook {
  readonly status: Status;
  /** When we last looked, and what differed from HEAD then. */
  readonly previous: TurnBaseline | undefined;
  /** Fingerprints of what differs now. */
  readonly fingerprints: ReadonlyMap<string, string>;
  /** The agent may have changed anything since then: no line is the user's. */
  readonly isContinued: boolean;
}

/**
 * What the user changed since the session's last step, and remembers it file by file. Files are read only when they
 * changed since somebody last looked; what a recorded edit of any session explains, or a sub-agent in the background
 * may have written, is not the user's. Never throws.
 *
 * @param known the session before this prompt
 * @param state the same after it followed HEAD
 */
export async function attributePrompt(
  work: Work,
  known: SessionState | undefined,
  state: SessionState,
  look: PromptLook,
): Promise<PromptAttribution> {
  try {
    return await measurePrompt(work, known, state, look);
  } catch (error) {
    log('warn', "the user's lines were not counted", {
      session_id: state.sessionId,
      error: describeError(error),
    });
    return emptyAttribution(state.checkpointCount + 1);
  }
}

async function measurePrompt(
  work: Work,
  known: SessionState | undefined,
  state: SessionState,
  look: PromptLook,
): Promise<PromptAttribution> {
  const { commonDir, worktreeId } = work.repo;
  const empty = emptyAttribution(state.checkpointCount + 1);
  if (state.worktreeId !== worktreeId) return empty; // its steps are in another worktree
  const since = state.attributionBaseCommit;
  const before = readUserLines(commonDir, state.sessionId, since)?.files ?? new Map<string, UserLines>();
  const dirty = [...look.status.changes.keys()].filter(isCounted);
  if (dirty.length === 0 && before.size === 0) return empty;

  const shadow = branchRef(shadowBranch(state.baseCommit, state.worktreeId));
  const agent = dirty.length > 0 ? countLinesBetween(work.git, state.baseCommit, shadow, dirty) : undefined;
  const news = dirty.filter(
    (path) => before.has(path) || look.previous?.paths.get(path) !== look.fingerprints.get(path),
  );
  const references = readReferences(work, agent ? shadow : state.baseCommit, news.slice(0, MAX_FILES));
  const toMeasure = [...references].filter(([path, entry]) => {
    const file = before.get(path);
    return !file || file.reference !== (entry?.oid ?? '') || file.fingerprint !== look.fingerprints.get(path);
  });
  const hasMoved = known !== undefined && known.baseCommit !== '' && known.baseCommit !== state.baseCommit;
  const measured = await measure(work, new Map(toMeasure), hasMoved ? state.baseCommit : undefined);
  const isForeign = measured.size > 0 ? foreignPaths(work, state, look) : () => false;

  const isTaken = known?.pendingPromptAttribution === undefined;
  const files = new Map<string, UserLines>();
  for (const [path, file] of before) {
    if (!look.status.changes.has(path as RepoPath) && file.settled.added + file.settled.removed > 0)
      files.set(path, { ...file, fingerprint: '', measured: NO_LINES, user: NO_LINES, taken: NO_LINES });
  }
  for (const [path, entry] of references) {
    const now = measured.get(path);
    const file = before.get(path);
    if (!now && !file) continue;
    const next = nextUserLines(file, {
      reference: entry?.oid ?? '',
      fingerprint: look.fingerprints.get(path) ?? '',
      measured: now?.measured ?? file?.measured ?? NO_LINES,
      limit: now?.limit,
      isForeign: isForeign(path),
      isTaken,
    });
    files.set(path, next);
  }
  if (files.size > 0 || before.size > 0) writeUserLines(commonDir, state.sessionId, { since, files });
  return summarise(empty, files, agent);
}

function summarise(
  empty: PromptAttribution,
  files: ReadonlyMap<string, UserLines>,
  agent: Lines | undefined,
): PromptAttribution {
  const pending = [...files].map(([path, file]) => [path, pendingLines(file)] as const);
  const user = pending.reduce((sum, [, lines]) => addLines(sum, lines), NO_LINES);
  return {
    ...empty,
    userLinesAdded: user.added,
    userLinesRemoved: user.removed,
    agentLinesAdded: agent?.added ?? 0,
    agentLinesRemoved: agent?.removed ?? 0,
    userAddedPerFile: new Map(pending.flatMap(([path, { added }]) => (added > 0 ? [[path, added]] : []))),
  };
}

/** What the session's last step, or the commit it sits on, has at the paths. */
function readReferences(
  work: Work,
  tree: string,
  paths: readonly RepoPath[],
): Map<RepoPath, TreeEntry | undefined> {
  const entries = paths.length > 0 ? readTree(work.git, tree, paths) : undefined;
  return new Map(paths.map((path) => [path, entries?.get(path)]));
}

/** How a worktree file differs from its reference; and where HEAD moved since the last look, from both. */
type Measured = Pick<FileLook, 'measured' | 'limit'>;

/** Where HEAD moved since the last look, lines that HEAD has, too, are no edit of the user's. */
async function measure(
  work: Work,
  references: ReadonlyMap<RepoPath, TreeEntry | undefined>,
  movedTo: string | undefined,
): Promise<Map<RepoPath, Measured>> {
  const measured = new Map<RepoPath, Measured>();
  if (references.size === 0) return measured;
  const paths = [...references.keys()];
  const head = movedTo === undefined ? undefined : (readTree(work.git, movedTo, paths) ?? new Map());
  const versions = paths.map((path) => {
    const entries = [references.get(path), ...(head ? [head.get(path)] : [])];
    return [path, entries] as const;
  });
  const texts = readTexts(work.git, new Map(versions));
  const { diffFromAll, diffLines, newBudget } = await import('./line-diff.ts');
  const budget = newBudget();
  let total = 0;
  for (const [path, trees] of texts) {
    const current = total > MAX_TOTAL_BYTES ? undefined : readWorktreeText(work.repo.worktreeRoot, path);
    if (current === undefined || trees.some((text) => text.length > MAX_BYTES)) continue;
    total += current.length;
    const [stored = ''] = trees;
    const text = withLineEndsOf(stored, current);
    measured.set(path as RepoPath, {
      measured: diffLines(stored, text, budget),
      limit: trees.length > 1 ? diffFromAll(trees, text) : undefined,
    });
  }
  return measured;
}

/** `undefined` for what counts no lines; empty for what is not there. */
function readWorktreeText(root: string, path: string): string | undefined {
  const stat = lstatInWorktree(root, path);
  if (!stat) return '';
  if (stat.isSymbolicLink()) return disk.readlinkSync(join(root, path), 'buffer').toString('latin1');
  if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
  try {
    const bytes = disk.readFileSync(join(root, path));
    return isBinary(bytes) ? undefined : bytes.toString('latin1');
  } catch {
    return undefined; // git said that it is there, and we may not read it
  }
}

/** Git stores other line ends than the worktree has where it is told to (`core.autocrlf`): no edit. */
const withLineEndsOf = (stored: string, current: string): string =>
  current.includes('\r\n') && !stored.includes('\r\n') ? current.replaceAll('\r\n', '\n') : current;

/** Which changes since the last look are not known to be the user's. */
function foreignPaths(work: Work, state: SessionState, look: PromptLook): (path: RepoPath) => boolean {
  const inBackground = readTaskRecord(work.repo.commonDir, state.sessionId).running.some(
    ({ agentId }) => agentId !== undefined,
  );
  if (look.isContinued || inBackground) return () => true;
  const own = new Set(readFilesTouched(work.sessions, state.sessionId));
  const others = pathsOfOthers(work, state, new Set(), look.previous?.takenAtMs ?? 0);
  return (path) => own.has(path) || others.has(path);
}

/** Whether the lines of a file are anybody's work: our own files and the settings of agents are not. */
export const isCounted = (path: string): boolean => !isInfrastructurePath(path) && !isAgentSettings(path);
