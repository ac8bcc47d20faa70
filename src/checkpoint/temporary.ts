import type { ObjectId } from '../base/ids.ts';
import { releaseMemory } from '../base/memory.ts';
import { readRoom } from '../base/room.ts';
import {
  type Change,
  type Identity,
  readObjects,
  readTree,
  type TreeEntry,
  writeCommit,
} from '../git/object/objects.ts';
import type { Git } from '../git/run.ts';
import { type StoredTranscript, transcriptChanges } from './chunks.ts';
import { metadataDir, type ShadowBranch } from './shadow-branch.ts';
import { type Budget, isAlready, readWorktreeChanges } from './worktree-files.ts';

/** Texts of the session's metadata folder, redacted. Empty ones are not stored. */
export interface TemporaryTexts {
  readonly transcript: StoredTranscript;
  readonly prompts: string;
  readonly summary: string;
}

export interface TemporaryCheckpoint {
  readonly sessionId: string;
  readonly branch: ShadowBranch;
  /** Commit whose tree a new branch starts from. */
  readonly head: ObjectId;
  /** Worktree paths to bring up to date, whatever happened to them. */
  readonly paths: readonly string[];
  /** `undefined` stores no metadata folder (carry-forward). */
  readonly texts: TemporaryTexts | undefined;
  /** Changes that do not come from the worktree. */
  readonly extra?: readonly Change[];
  /** Folder of a task's metadata: the step is the checkpoint of that task, and its files are among `extra`. */
  readonly task?: string;
  readonly subject: string;
  readonly author: Identity;
  /** Told of each path whose content could not be had; the tree keeps what it has there. */
  readonly onLeftOut?: (path: string) => void;
}

/** The subject of a step that holds what a commit left to a session. */
export const CARRIED = 'carry forward: uncommitted session files';

/** What is larger is tracked on, and counts as the session's: an agent's hook does not wait for git to store gigabytes. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_STEP_BYTES = 256 * 1024 * 1024;

const stepBudget = ({ cwd }: Git): Budget => ({
  ofOneFile: MAX_FILE_BYTES,
  bytes: Math.min(MAX_STEP_BYTES, readRoom(cwd)),
});

/**
 * Writes a step of a session on its shadow branch: the tree so far, with `paths` as they are in the worktree now,
 * and the session's metadata folder.
 *
 * @returns the new tip, or `undefined` when the tree would be the same
 * @throws {EntireError} `REF_MOVED` when another process moved the branch
 */
export function writeTemporary(git: Git, checkpoint: TemporaryCheckpoint): ObjectId | undefined {
  const { branch, head, sessionId, texts } = checkpoint;
  const dir = metadataDir(sessionId);
  const startTree = branch.tip ? undefined : readObjects(git, [`${head}^{tree}`]).get(`${head}^{tree}`)?.oid;
  const extra = checkpoint.extra ?? [];
  const extraPaths = new Set(extra.map(({ path }) => path));
  const worktreePaths = checkpoint.paths.filter((path) => !extraPaths.has(path));
  const looked = [...checkpoint.paths, ...(texts || checkpoint.task ? [`${dir}/`] : [])];
  const tree = readTree(git, branch.tip ?? head, looked, true) ?? new Map();
  releaseMemory(worktreePaths.length);

  const changes = [
    ...readWorktreeChanges(git, worktreePaths, tree, head, checkpoint.onLeftOut, stepBudget(git)),
    ...[...extra, ...(texts ? metadataChanges(git, dir, texts, tree) : [])].filter(
      (change) => !isAlready(change, tree.get(change.path), head),
    ),
  ];
  releaseMemory(worktreePaths.length);
  if (branch.tip && changes.length === 0) return undefined;

  const trailers = [
    checkpoint.task ? `Entire-Metadata-Task: ${checkpoint.task}` : `Entire-Metadata: ${texts ? dir : ''}`,
    `Entire-Session: ${sessionId}`,
    'Entire-Strategy: manual-commit',
  ];
  return writeCommit(git, {
    ref: branch.ref,
    parent: branch.tip,
    startTree,
    changes,
    message: `${checkpoint.subject}\n\n${trailers.join('\n')}\n`,
    author: checkpoint.author,
  });
}

function metadataChanges(
  git: Git,
  dir: string,
  texts: TemporaryTexts,
  tree: ReadonlyMap<string, TreeEntry>,
): Change[] {
  const changes = transcriptChanges(git, dir, texts.transcript, tree);
  if (texts.prompts !== '') changes.push({ path: `${dir}/prompt.txt`, mode: '100644', data: texts.prompts });
  if (texts.summary !== '') changes.push({ path: `${dir}/summary.txt`, mode: '100644', data: texts.summary });
  return changes;
}
