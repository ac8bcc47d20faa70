import { counted } from '../../base/text/text.ts';
import type { Start } from '../../git/worktree/worktree-change.ts';
import type { Loss, Obstacle } from '../../worktree/losses.ts';

/** What `entire worktree` says. Names and paths come in as they are; who prints it makes them safe. */

export const created = (name: string): string => `✓ Created worktree ${name}`;
export const folderLine = (root: string): string => `  Folder: ${root}`;
export function branchLine(start: Start, head: string): string {
  const at = head.slice(0, 7);
  const how = {
    new: `made at ${at}`,
    local: `which was there, at ${at}`,
    remote: `made from origin/${start.branch} at ${at}, which it follows`,
  }[start.kind];
  return `  Branch: ${start.branch}, ${how}`;
}
export const carriedLine = (paths: readonly string[]): string => `  Carried over: ${some(paths)}`;
export const START_AGENT = '\nTo start an agent there:';
export const GO_THERE = '\nTo go there:';

export const notCarried = (path: string, reason: string): string =>
  `Warning: ${path} could not be carried over: ${reason}`;
export const complaint = (reason: string): string =>
  `Warning: the worktree was created, but a later step failed: ${reason}`;
export const watched = (watcher: string): string =>
  `Note: it lies in the worktree ${watcher}, where \`git status\` shows it as untracked. Its .git/info/exclude can hide it.`;
export const hooksMissing = (agents: readonly string[], root: string): string =>
  `Note: the hooks of ${agents.join(', ')} are not in what was checked out there, so nothing is recorded. Commit the settings here first, or run \`entire agent add\` in ${root}.`;
export const NOT_ENABLED =
  'Note: Entire is not enabled there: nothing is recorded until you run `entire enable`.';

export const NONE = 'No worktrees.';
export const unreadable = (reason: string): string => `Warning: ${reason}`;
export const rebuilt = (added: readonly string[]): string =>
  added.length === 0
    ? 'The manifest lacks nothing of this repository.'
    : `✓ The manifest has ${counted(added.length, 'more worktree')} of this repository: ${some(added)}`;
export const setAside = (file: string): string => `The one that could not be read is kept as ${file}`;

/** In the list. */
export const stoppedRemoval = (name: string): string =>
  `its removal was stopped halfway; \`entire worktree remove ${name}\` goes on with it`;
export const removed = (name: string, root: string): string => `✓ Removed worktree ${name} (${root})`;
export const forgotten = (name: string, root: string): string =>
  `✓ Forgot worktree ${name}: git knows none at ${root}. Whatever lies there stays.`;
export const branchStays = (branch: string): string => `  Branch ${branch} stays.`;
export const branchDeleted = (branch: string, tip: string): string =>
  `  Deleted branch ${branch}, which was at ${tip.slice(0, 12)}.`;
export const keptCommit = (ref: string, commit: string): string =>
  [
    `  What was not committed is kept at ${ref}`,
    `    \`git show --stat ${commit.slice(0, 12)}\` shows it, \`git worktree add --detach <folder> ${commit.slice(0, 12)}\` checks it out.`,
  ].join('\n');
export const keptRefs = (refs: readonly string[]): string =>
  `  What its own refs led to is kept at ${some(refs)}`;
export const keptFolder = (folder: string): string => `  What git ignores is kept in ${folder}`;
export const keptAutostash = (commit: string): string =>
  `  \`git stash list\` has what git had stashed by itself, ${commit.slice(0, 12)}`;
export const sessionsStay = (ids: readonly string[]): string => {
  const stays = `${counted(ids.length, 'session')} of it ${ids.length === 1 ? 'stays' : 'stay'}`;
  return [
    `  ${stays}. To go on with ${ids.length === 1 ? 'it' : 'one'} from any other worktree:`,
    ...ids.slice(0, SESSIONS_SHOWN).map((id) => `    entire resume ${id}`),
    ...(ids.length > SESSIONS_SHOWN ? [`    and ${ids.length - SESSIONS_SHOWN} more`] : []),
  ].join('\n');
};
const SESSIONS_SHOWN = 5;

export const refusal = (name: string, isLoss: boolean): string =>
  isLoss ? `worktree ${name} was not removed: work would be lost` : `worktree ${name} cannot be removed`;
export const LOSS_HINT =
  'Commit or copy what you need. With --force, a copy is kept in the repository and the worktree is removed.';

export function obstacle(one: Obstacle): readonly [what: string, remedy: string] {
  switch (one.kind) {
    case 'bare':
      return ['it is the repository itself', 'Name one of its worktrees.'];
    case 'main':
      return ['it is the main worktree, which holds the repository', 'Name one of the linked worktrees.'];
    case 'here':
      return ['you are in it', 'Change to another folder, then run the command again.'];
    case 'foreign':
      return ['its folder is that of another repository now', 'Move that away, then run the command again.'];
    case 'locked':
      return [
        one.reason === '' ? 'it is locked' : `it is locked: ${one.reason}`,
        'Whoever locked it wants it to stay. `git worktree unlock <path>` takes the lock off.',
      ];
    case 'holds-worktrees':
      return [
        `other worktrees lie in it: ${some(one.roots)}`,
        'Remove those first, or move them (`git worktree move`).',
      ];
    case 'submodule':
      return [
        `submodule ${one.path} has ${one.work.join(', ')}`,
        'Its repository goes with the worktree, and cannot be kept: push what is in it.',
      ];
    case 'default-branch':
      return [`${one.branch} is the default branch`, 'Leave --delete-branch out.'];
  }
}

export function loss(one: Loss): string {
  switch (one.kind) {
    case 'changed':
      return `${counted(one.paths.length, 'file')} with changes that are not committed: ${some(one.paths)}`;
    case 'hidden':
      return `${counted(one.paths.length, 'file')} with changes hidden by assume-unchanged or skip-worktree: ${some(one.paths)}`;
    case 'untracked':
      return `${counted(one.paths.length, 'untracked file')}: ${some(one.paths)}`;
    case 'ignored':
      return `${counted(one.paths.length, 'ignored file')} that a build would not recreate: ${some(one.paths)}`;
    case 'repositories':
      return `${counted(one.paths.length, 'repository of its own', 'repositories of their own')} with work in them: ${some(one.paths)}`;
    case 'refs':
      return `${counted(one.paths.length, 'ref')} of this worktree alone that ${one.paths.length === 1 ? 'leads' : 'lead'} to commits nothing else leads to: ${some(one.paths)}`;
    case 'commits':
      return one.branch === undefined
        ? `${counted(one.count, 'commit')} that no branch, remote or tag leads to (HEAD is detached)`
        : `${counted(one.count, 'commit')} of branch ${one.branch} that no other branch, remote or tag leads to`;
    case 'operation':
      return `a ${one.name} that is not finished`;
    case 'session':
      return `${counted(one.sessions.length, 'session')} in the middle of a turn: ${some(
        one.sessions.map(({ id, agent }) => `${agent || 'agent'} ${id}`),
      )}`;
  }
}

/** So many are named. */
const NAMED = 5;

const some = (names: readonly string[]): string =>
  names.length <= NAMED
    ? names.join(', ')
    : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`;
