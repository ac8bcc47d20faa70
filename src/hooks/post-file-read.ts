import { resolve } from 'node:path';
import type { HookReader } from '../agents/event.ts';
import { disk } from '../base/file/disk.ts';
import type { SessionId } from '../base/ids.ts';
import { log, openLog } from '../base/log.ts';
import { isInfrastructurePath, parseRepoPath, toRepoPath } from '../base/repo-path.ts';
import { type Repo, writtenFile } from '../git/locate.ts';
import { isPaused } from '../session/record/pause.ts';
import { noteReads } from '../session/record/reads.ts';
import { readActivation } from '../settings/enabled.ts';
import { sessionStore } from '../snapshot/store/blobs.ts';
import { noteLook } from '../snapshot/turn/note-look.ts';
import { failOpen } from './fail-open.ts';
import { locateSessionHome } from './session-home.ts';
import { readPayload } from './stdin.ts';

const HOOK = 'post-file-read';

/**
 * Notes which files an agent read, for the time after a compaction. As hot as the edit hook: one process, one append, no
 * library, no child process. Prints nothing.
 */
export function runPostFileRead(reader: HookReader, readInput: () => unknown = readPayload): void {
  failOpen(HOOK, () => {
    const read = reader.parseFileRead?.(readInput());
    if (read === undefined) return;
    const repo = locateSessionHome('rejected' in read ? undefined : read.cwd);
    const activation = repo && readActivation(repo);
    if (!repo || activation?.kind !== 'enabled') return;
    if (!activation.remindsOfFiles && !activation.keepsContents) return;
    openLog(activation.root, activation.logLevel);
    if ('rejected' in read) return log('warn', 'hook skipped', { hook: HOOK, error: read.rejected });
    if (isPaused(repo, read.sessionId)) return;
    const from = read.cwd ?? process.cwd();
    const paths = read.paths.flatMap((given) => nameOf(repo, resolve(from, given)));
    if (activation.remindsOfFiles) noteReads(repo.commonDir, read.sessionId, paths);
    if (activation.keepsContents) lookAt(repo, read.sessionId, paths);
    log('debug', 'read recorded', { hook: HOOK, session_id: read.sessionId, paths });
  });
}

/** What the agent was shown is what it goes on from: by that its next edit is taken back, where nothing else says what there was. */
function lookAt(
  { commonDir, worktreeId, worktreeRoot }: Repo,
  id: SessionId,
  paths: readonly string[],
): void {
  const store = sessionStore(commonDir, id, worktreeId);
  for (const path of paths) {
    const inside = parseRepoPath(path);
    if (inside) noteLook(store, worktreeRoot, inside);
  }
}

/** What a file is called in the session's worktree; outside of it, its whole path. What git and we keep there is not work. */
function nameOf({ worktreeRoot }: Repo, given: string): string[] {
  const file = writtenFile(given); // as an edit of it is recorded
  // Some clients show folders by the same tool, and do not say which it was.
  if (disk.statSync(file, { throwIfNoEntry: false })?.isDirectory()) return [];
  const path = toRepoPath(worktreeRoot, file);
  return path !== undefined && isInfrastructurePath(path) ? [] : [path ?? file];
}
