import { dirname, resolve } from 'node:path';
import type { FileEdit, HookReader } from '../agents/event.ts';
import { describeError } from '../base/errors.ts';
import type { Replaced } from '../base/file/swaps.ts';
import { bindLog, type LogFields, log, openLog } from '../base/log.ts';
import { releaseMemory } from '../base/memory.ts';
import { isInfrastructurePath, type RepoPath, toRepoPath } from '../base/repo-path.ts';
import { DISK_FULL, hasRoom } from '../base/room.ts';
import { type Repo, WrittenFiles } from '../git/locate.ts';
import { introduceSession } from '../session/record/introduction.ts';
import { isPaused } from '../session/record/pause.ts';
import { appendFilesTouched, sessionsDir, trackingFile } from '../session/tracking-file.ts';
import { type Activation, noteRefused, readActivation } from '../settings/enabled.ts';
import { sessionStore } from '../snapshot/store/blobs.ts';
import { noteShell } from '../snapshot/turn/note-shell.ts';
import { recordEdit } from '../snapshot/turn/record-edit.ts';
import { failOpen } from './fail-open.ts';
import { locateSessionHome } from './session-home.ts';
import { readPayload } from './stdin.ts';

const HOOK = 'post-file-edit';

/**
 * The hot path: one process, one append, no library, no child process. Prints nothing.
 *
 * Each file is recorded in the repository and worktree it lies in, which need not be those of the agent's
 * folder. A file outside every repository, or in one that is not enabled, is no business of ours.
 *
 * @param agentType as metadata names the agent that calls
 */
export function runPostFileEdit(
  agentType: string,
  reader: HookReader,
  readInput: () => unknown = readPayload,
): void {
  failOpen(HOOK, () => {
    const home = locateSessionHome(undefined);
    if (home) activate(home); // so that a payload we cannot read leaves its reason in this repository
    const payload = readInput();
    const edit = reader.parseFileEdit(payload);
    const shell = reader.parseShellInEdit?.(payload);
    if (edit && !('rejected' in edit)) keepEdit(edit, agentType, home);
    const place = shell && locateSessionHome(shell.cwd);
    if (place && isKept(place)) noteShell(place, shell.sessionId);
    if (edit === undefined) return log('debug', 'no file in payload', { hook: HOOK });
    if ('rejected' in edit) return log('warn', 'hook skipped', { hook: HOOK, error: edit.rejected });
  });
}

/**
 * Records an edit.
 *
 * @param home the worktree in which the session lives
 * @throws the system error
 */
export function keepEdit(edit: FileEdit, agentType: string, home: Repo | undefined): void {
  if (home && isPaused(home, edit.sessionId)) return;
  bound = { session_id: edit.sessionId };
  bindLog(bound);
  const by = { agentType, transcriptPath: edit.transcriptPath ?? '' };
  for (const [file, group] of groupByTrackingFile(edit, home)) {
    const { repo, paths } = group;
    activate(repo); // one payload may name files of several repositories: what is said of each stands in its own log
    appendFilesTouched(file, paths);
    if (!hasRoom(repo.commonDir)) {
      log('warn', 'edit recorded, and no more', { hook: HOOK, error: DISK_FULL });
      continue;
    }
    releaseMemory(paths.length);
    introduceSession(repo.commonDir, dirname(file), edit.sessionId, by);
    log('debug', 'edit recorded', { hook: HOOK, tool: edit.tool, paths });
    keepForUndo(group, edit);
  }
}

/** The edit is on record by now, whatever becomes of this. */
function keepForUndo({ repo, paths, replaced, moved }: Group, edit: FileEdit): void {
  if (!isKept(repo)) return;
  try {
    const store = sessionStore(repo.commonDir, edit.sessionId, repo.worktreeId);
    recordEdit(store, repo.worktreeRoot, paths, { ...edit, replaced, moved });
  } catch (error) {
    log('warn', 'edit not kept for undo', { hook: HOOK, paths, error: describeError(error) });
  }
}

interface Group {
  readonly repo: Repo;
  readonly paths: RepoPath[];
  readonly replaced: Map<RepoPath, Replaced>;
  readonly moved: Map<RepoPath, RepoPath>;
}

function groupByTrackingFile(edit: FileEdit, home: Repo | undefined): Map<string, Group> {
  const groups = new Map<string, Group>();
  const from = edit.cwd ?? process.cwd();
  const told = new Map([...(edit.replaced ?? [])].map(([given, what]) => [resolve(from, given), what]));
  const moved = new Map(
    [...(edit.moved ?? [])].map(([given, to]) => [resolve(from, given), resolve(from, to)]),
  );
  const written = new WrittenFiles();
  for (const given of edit.paths) {
    const asked = resolve(from, given);
    const { file, repo } = written.locate(asked);
    if (!repo || !activate(repo)) continue;
    const isHome = home?.gitDir === repo.gitDir;
    if (!isHome && isPaused(repo, edit.sessionId)) continue; // in its own worktree that was looked at first
    const path = toRepoPath(repo.worktreeRoot, file);
    if (!path || isInfrastructurePath(path)) {
      log(path ? 'debug' : 'warn', 'edit ignored', { hook: HOOK, reason: 'not a path that can be tracked' });
      continue;
    }
    const foreign = home?.commonDir === repo.commonDir && home.worktreeId !== repo.worktreeId;
    const dir = sessionsDir(repo.commonDir);
    const target = trackingFile(dir, edit.sessionId, foreign ? repo.worktreeId : undefined);
    const group: Group = groups.get(target) ?? { repo, paths: [], replaced: new Map(), moved: new Map() };
    groups.set(target, group);
    group.paths.push(path);
    const what = told.get(asked);
    if (what) group.replaced.set(path, what);
    const goal = moved.get(asked);
    const to = goal && toRepoPath(repo.worktreeRoot, written.locate(goal).file);
    if (to) group.moved.set(path, to);
  }
  return groups;
}

const activations = new Map<string, Activation>();

/** What every line says that is logged of this edit, in whichever log. */
let bound: LogFields = {};

/** Whether contents are kept there for undo. */
function isKept(repo: Repo): boolean {
  const activation = activate(repo) ? activations.get(repo.worktreeRoot) : undefined;
  return activation?.kind === 'enabled' && activation.keepsContents;
}

/** Whether `repo` is enabled; opens its log where one may be written. */
function activate(repo: Repo): boolean {
  const known = activations.get(repo.worktreeRoot);
  const activation = known ?? readActivation(repo);
  if (activation.kind === 'enabled') openLog(activation.root, activation.logLevel, bound);
  if (known === undefined) {
    activations.set(repo.worktreeRoot, activation);
    noteRefused(activation);
  }
  return activation.kind === 'enabled';
}
