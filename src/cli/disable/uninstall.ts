import { dirname, join } from 'node:path';
import { externalAgents } from '../../agents/external/locate.ts';
import { AGENT_NAMES, type AnyAgent } from '../../agents/names.ts';
import { typeOf } from '../../agents/registry.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { showPath } from '../../base/text/text.ts';
import { listShadowBranches } from '../../checkpoint/shadow-branch.ts';
import { entireHome } from '../../conversation/home.ts';
import { locateRepo, physicalPath, type Repo } from '../../git/locate.ts';
import { hasOwnConfig, writeOwnConfig } from '../../git/own-config.ts';
import { type RefUpdate, updateRefs } from '../../git/ref/refs.ts';
import { gitFor } from '../../git/run.ts';
import { listWorktreeRoots } from '../../git/worktree/worktrees.ts';
import { agentSettingsOf, settingsPlace } from '../../hooks/agent-settings.ts';
import { listHooksFolders, removeFrom } from '../../hooks/git/hooks-folder.ts';
import { holdsGitHooks } from '../../hooks/git/install.ts';
import { replacedLogsDir } from '../../restore/log/logs-write.ts';
import { listStateFiles } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { isExcluded, removeExcluded } from '../../settings/gitignore.ts';
import { AGREED_REMOTE, KEYS, SHOWN_PLACE } from '../../settings/keys.ts';
import { snapshotsDir } from '../../snapshot/store/blobs.ts';
import { branchInUse, hookNotice } from '../messages.ts';
import { isStatusLineSet, unsetStatusLine } from '../statusline/claude-settings.ts';
import { STATUS_LINE_PART } from '../statusline/text.ts';
import { PARTS } from './text.ts';

/** One thing that uninstalling takes away. */
export interface Part {
  /** For a warning when it cannot be removed. */
  readonly name: string;
  /** Line of the list that is confirmed, and where it stands there. Without one it goes unmentioned. */
  readonly plan?: string;
  readonly rank: number;
  /** Removes it; says what went, and what had to stay. */
  remove(): { readonly removed?: string; readonly stays?: string; readonly notices?: readonly string[] };
}

/** What of us is in `repo`, in the order of removal. The metadata branch is no part: it holds the user's history. */
export function listInstalled(repo: Repo): Part[] {
  const names = [...AGENT_NAMES, ...externalAgents().map(({ name }) => name)];
  const agents = names.filter((agent) => hasAgentHooks(repo, agent));
  const worktrees = [repo, ...otherWorktrees(repo)];
  return [
    ...agents.map((agent) => agentPart(repo, agent)),
    ...gitHooksPart(repo, worktrees),
    ...statusLineParts(worktrees),
    ...keptPart(repo),
    ...recordsPart(repo),
    ...folderParts(repo, worktrees),
    ...excludePart(repo),
    ...branchesPart(repo),
    ...configPart(repo),
  ];
}

function hasAgentHooks(repo: Repo, agent: AnyAgent): boolean {
  try {
    const { current, outdated, surplus, obsolete } = agentSettingsOf(agent).inspect(
      { root: repo.worktreeRoot },
      { anySyntax: true },
    );
    return current + outdated + surplus > 0 || obsolete > 0;
  } catch {
    return true; // unreadable: the attempt to remove them says why
  }
}

function agentPart(repo: Repo, agent: AnyAgent): Part {
  const type = typeOf(agent);
  return {
    name: PARTS.agentHooks(type).removed,
    plan: PARTS.agentHooks(type).plan,
    rank: 4,
    remove() {
      agentSettingsOf(agent).uninstall(settingsPlace(repo, agent));
      return { removed: PARTS.agentHooks(type).removed };
    },
  };
}

function gitHooksPart(repo: Repo, worktrees: readonly Repo[]): Part[] {
  const folders = listHooksFolders(worktrees).filter(({ dir }) => holdsGitHooks(dir));
  if (folders.length === 0) return [];
  return [
    {
      name: 'git hooks',
      plan: PARTS.gitHooks.plan,
      rank: 1,
      remove() {
        const reports = folders.map((folder) => removeFrom(repo, folder));
        const count = reports.reduce((sum, report) => sum + report.count, 0);
        const notices = reports.flatMap((report) => report.notices.map(hookNotice));
        return { removed: PARTS.gitHooks.removed(count), notices };
      },
    },
  ];
}

/** Where `enable --statusline` set it, and nobody has set another since. */
const statusLineParts = (worktrees: readonly Repo[]): Part[] =>
  worktrees.filter(isStatusLineSet).map((worktree) => ({
    name: STATUS_LINE_PART.removed,
    plan: STATUS_LINE_PART.plan,
    rank: 4,
    remove: () => (unsetStatusLine(worktree) ? { removed: STATUS_LINE_PART.removed } : {}),
  }));

/** What is stored nowhere else: contents that undo would bring back, and logs that a restored one replaced. */
function keptPart({ commonDir }: Repo): Part[] {
  const kept = [
    { dir: snapshotsDir(commonDir), texts: PARTS.snapshots },
    { dir: replacedLogsDir(commonDir), texts: PARTS.replacedLogs },
  ];
  return kept.flatMap(({ dir, texts }) => {
    const count = listNames(dir).filter((name) => disk.statSync(join(dir, name)).isDirectory()).length;
    if (count === 0) return [];
    return {
      name: texts.name,
      plan: texts.plan(count),
      rank: 5,
      remove() {
        disk.rmSync(dir, { recursive: true, force: true });
        return { removed: texts.removed(count) };
      },
    };
  });
}

/**
 * Below `<git-common-dir>/entire`, and without contents: what is private or was forgotten, which an agent's transcript still has for
 * whoever enables us again, and what left this repository.
 */
const STAYS = new Set(['forgotten', 'paused.json', 'pauses', 'private', 'pushes.jsonl']);

/** Session states and tracking files, verdicts, and what we remember of settings files. */
function recordsPart({ commonDir }: Repo): Part[] {
  const own = join(commonDir, 'entire');
  const names = listNames(own);
  const gone = [
    ...[sessionsDir(commonDir)].filter((dir) => disk.existsSync(dir)),
    ...names.flatMap((name) => (STAYS.has(name) ? [] : [join(own, name)])),
    ...(names.length === 0 && disk.existsSync(own) ? [own] : []),
  ];
  if (gone.length === 0) return [];
  const count = listStateFiles(sessionsDir(commonDir)).length;
  return [
    {
      name: 'session states',
      ...(count > 0 && { plan: PARTS.states.plan(count) }),
      rank: 2,
      remove() {
        for (const path of gone) disk.rmSync(path, { recursive: true, force: true });
        const stays = listNames(own);
        if (stays.length === 0) disk.rmSync(own, { recursive: true, force: true });
        return {
          ...(count > 0 && { removed: PARTS.states.removed(count) }),
          ...(stays.length > 0 && { stays: PARTS.states.stays }),
        };
      },
    },
  ];
}

function otherWorktrees(repo: Repo): Repo[] {
  return listWorktreeRoots(repo).flatMap((root) => {
    const found = locateRepo(root, {}); // something else may lie there now
    const isOther = found?.worktreeRoot === physicalPath(root) && found.commonDir === repo.commonDir;
    return isOther && found.worktreeRoot !== repo.worktreeRoot ? [found] : [];
  });
}

/** Here, and in the other worktrees: transcripts lie in each as they were said. */
function folderParts(repo: Repo, worktrees: readonly Repo[]): Part[] {
  const roots = worktrees.map(({ worktreeRoot }) => worktreeRoot);
  return roots.flatMap((root) => {
    const dir = join(root, '.entire');
    const stat = disk.lstatSync(dir, { throwIfNoEntry: false });
    if (stat === undefined) return [];
    const where = root === repo.worktreeRoot ? '' : ` of ${showPath(root)}`;
    if (root === physicalPath(dirname(entireHome()))) return stat.isDirectory() ? homePart(dir, where) : [];
    return {
      name: `.entire directory${where}`,
      plan: `${PARTS.folder.plan}${where}`,
      rank: 0,
      remove() {
        disk.rmSync(dir, { recursive: true, force: true }); // of a symbolic link only the link
        return { removed: `${PARTS.folder.removed}${where}` };
      },
    };
  });
}

/** What a worktree has in the folder. */
const OF_WORKTREE = ['.gitignore', 'settings.json', 'settings.local.json', 'logs', 'metadata', 'tmp'];

/** In the home folder conversations and worktrees of other repositories lie there, too. */
function homePart(dir: string, where: string): Part[] {
  const names = listNames(dir).filter((name) => OF_WORKTREE.includes(name));
  if (names.length === 0) return [];
  return [
    {
      name: `${PARTS.homeFolder.removed}${where}`,
      plan: `${PARTS.homeFolder.plan}${where}`,
      rank: 0,
      remove() {
        for (const name of names) disk.rmSync(join(dir, name), { recursive: true, force: true });
        const isEmpty = listNames(dir).length === 0;
        if (isEmpty) disk.rmdirSync(dir);
        return {
          removed: `${PARTS.homeFolder.removed}${where}`,
          ...(!isEmpty && { stays: PARTS.homeFolder.stays }),
        };
      },
    },
  ];
}

/** The lines in git's list of what is ignored here, once there is nothing left that they hide. */
function excludePart({ commonDir }: Repo): Part[] {
  if (!isExcluded(commonDir)) return [];
  return [
    {
      name: 'lines of .git/info/exclude',
      rank: 0,
      remove() {
        removeExcluded(commonDir);
        return {};
      },
    },
  ];
}

function branchesPart(repo: Repo): Part[] {
  const git = gitFor(repo);
  const branches = listShadowBranches(git);
  if (branches.length === 0) return [];
  return [
    {
      name: 'step branches',
      plan: PARTS.branches.plan(branches.length),
      rank: 3,
      remove() {
        const free = branches.filter(({ worktree }) => !worktree);
        const updates = free.map(({ ref, tip }): RefUpdate => ({ ref, to: undefined, from: tip }));
        if (updates.length > 0) updateRefs(git, updates);
        return {
          removed: PARTS.branches.removed(updates.length),
          notices: branches.flatMap(({ ref, worktree }) => (worktree ? [branchInUse(ref, worktree)] : [])),
        };
      },
    },
  ];
}

/** What `enable` wrote into git's configuration; what the user wrote there is the user's. */
function configPart(repo: Repo): Part[] {
  const git = gitFor(repo);
  const keys = [KEYS.pushSessions.git, AGREED_REMOTE, SHOWN_PLACE].filter((key) => hasOwnConfig(git, key));
  if (keys.length === 0) return [];
  return [
    {
      name: PARTS.config.name,
      plan: PARTS.config.plan,
      rank: 6,
      remove() {
        for (const key of keys) writeOwnConfig(git, key, undefined);
        return { removed: PARTS.config.removed };
      },
    },
  ];
}
