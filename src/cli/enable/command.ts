import { join } from 'node:path';
import { AGENTS, type AnyAgent, isBuiltIn } from '../../agents/names.ts';
import { setupOf } from '../../agents/setups.ts';
import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { ensureMetadataBranch } from '../../checkpoint/metadata-branch.ts';
import type { Repo } from '../../git/locate.ts';
import { gitFor, runGit } from '../../git/run.ts';
import { findShown } from '../../git/worktree/status.ts';
import { openSources } from '../../hooks/agent/sources.ts';
import { findHookManagers } from '../../hooks/git/hook-managers.ts';
import {
  type HooksFolder,
  installIn,
  listScripts,
  locateHooksFolder,
  refuseForeignFolder,
} from '../../hooks/git/hooks-folder.ts';
import { missingGitHooks, runningProgram } from '../../hooks/git/install.ts';
import type { Launcher } from '../../hooks/git/shims.ts';
import { adoptSettings, settingsRoot } from '../../settings/followed.ts';
import { ensureExcluded, ensureGitignore } from '../../settings/gitignore.ts';
import { KEYS, nameOf, PUSH_PLACES, STRATEGIES } from '../../settings/keys.ts';
import { LOCAL_SETTINGS_FILE, SETTINGS_FILE } from '../../settings/layers.ts';
import { type PushTo, readPushSettings } from '../../settings/push.ts';
import { DEFAULT_STRATEGY, type LoadedSettings, loadSettings } from '../../settings/settings.ts';
import { editSettingsFile, type SettingsEdit } from '../../settings/settings-file.ts';
import {
  chooseAgents,
  hasHooks,
  installAgentHooks,
  isComplete,
  readStandings,
  requireAgent,
} from '../agent/agents.ts';
import { agentLine, alreadyEnabled, NO_AGENT_CHOSEN, unknownAgent } from '../agent/text.ts';
import { defineCommand } from '../command.ts';
import { isLocalTracked } from '../config/setting.ts';
import { withSettingsLock } from '../config/write.ts';
import * as text from '../messages.ts';
import { keptFromNowOn, unknownPushTo } from '../push/text.ts';
import { setStatusLine } from '../statusline/claude-settings.ts';
import { statusLineSet } from '../statusline/text.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, say, warn } from '../ui/terminal.ts';
import { choosePush, isDecided, savePush } from './consent.ts';

const options = {
  agent: {
    type: 'string',
    array: true,
    requiresArg: false, // without a name it lists them
    describe: 'Agent to set up hooks for, without questions; repeatable',
  },
  strategy: { type: 'string', describe: 'Strategy to use, without questions: manual-commit or auto-commit' },
  local: { type: 'boolean', describe: 'Save to .entire/settings.local.json' },
  project: { type: 'boolean', describe: 'Save to .entire/settings.json even if it exists' },
  force: { type: 'boolean', alias: 'f', describe: "Remove Entire's hooks first, then install them again" },
  'push-sessions': { type: 'boolean', describe: 'Push session logs along with your own pushes' },
  'skip-push-sessions': { type: 'boolean', describe: 'Keep session logs on this machine' },
  'push-to': {
    type: 'string',
    describe: 'Where the remote keeps session logs: branch, or ref, which no clone downloads unasked',
  },
  statusline: {
    type: 'boolean',
    describe: "Set Claude Code's status line in .claude/settings.local.json, where none is set",
  },
  telemetry: { type: 'boolean', describe: 'Recorded for other versions; this one has no telemetry' },
  'absolute-git-hook-path': {
    type: 'boolean',
    describe: 'Write the path of this program into git hooks (for GUI clients with a short PATH)',
  },
} as const;

/** What the flags ask for; `undefined` where they say nothing. */
interface Wish {
  readonly agents: readonly AnyAgent[] | undefined;
  readonly strategy: string | undefined;
  readonly target: 'local' | 'project' | undefined;
  readonly force: boolean;
  readonly push: boolean | undefined;
  readonly pushTo: PushTo | undefined;
  readonly telemetry: boolean | undefined;
  readonly absolutePath: boolean | undefined;
}

type Flags = Parameters<Parameters<typeof defineCommand<typeof options>>[0]['run']>[0];

export const enableCommand = defineCommand({
  options,
  completes: { agent: Object.keys(AGENTS), strategy: STRATEGIES, 'push-to': PUSH_PLACES },
  async run(flags) {
    const repo = await requireRepo('enable');
    const isEnabled = await enable(repo, readWish(repo, flags));
    if (isEnabled && flags.statusline) say(statusLineSet(setStatusLine(repo, process.env)));
  },
});

/** Returns whether it is enabled now: somebody may choose no agent. */
async function enable(repo: Repo, wish: Wish): Promise<boolean> {
  const root = repo.worktreeRoot;
  const followed = settingsRoot(repo);
  const before = loadSettings(followed);
  const launcher = (wish.absolutePath ?? before.effective.absoluteGitHookPath) ? runningProgram() : undefined;

  // Whatever can refuse does so here, before the first byte is written.
  const standings = readStandings(repo);
  const folder = locateHooksFolder(repo);
  if (!wish.force) refuseForeignFolder(folder);

  for (const { file, key } of before.unknownKeys) warn(text.unknownKey(file, plain(key)));
  if (!hasCommits(repo)) say(text.NO_COMMITS);
  const own = standings.filter(hasHooks);
  const inPlace = own.length > 0 && own.every(({ hooks }) => isComplete(hooks));
  if (
    isSilent(wish) &&
    inPlace &&
    isConfigured(before) &&
    isDecided(repo) &&
    !lacksGitHooks(folder, launcher)
  ) {
    ignorePrivate(repo);
    announceBranch(repo);
    const names = own.map(({ name }) => name);
    say(alreadyEnabled(names, before.local ? LOCAL_SETTINGS_FILE : SETTINGS_FILE));
    return true;
  }

  const agents = wish.agents ?? (await chooseAgents(standings));
  if (!agents) {
    warn(NO_AGENT_CHOSEN);
    return false;
  }
  for (const { name, refusal } of standings) if (refusal && agents.includes(name)) throw refusal;
  const target = chooseTarget(followed, wish);
  const push = await choosePush(repo, wish, wish.agents !== undefined);
  say(agentLine(agents, wish.agents !== undefined));
  ignorePrivate(repo);
  for (const agent of agents) installAgentHooks(repo, agent, wish.force);
  const written = folder.isOwn || wish.force ? installIn(folder, launcher) : undefined;
  for (const notice of written?.notices ?? []) warn(text.hookNotice(notice));
  say(text.GIT_HOOKS_DONE);
  announceBranch(repo);
  // The switch is thrown last: hooks that stand without it do nothing.
  await withSettingsLock(repo, () => {
    adoptSettings(repo, () => isLocalTracked(repo));
    save(root, target, wish, before);
  });
  // Once: whoever finds all of ours in place has heard it.
  if (written && written.count > 0)
    for (const manager of findHookManagers(root)) say(text.hookManager(manager));
  warnAboutResult(root, wish);
  await withSettingsLock(repo, () => savePush(repo, push, wish.target === 'project'));
  if (wish.pushTo) sayWhereKept(repo, wish.pushTo);
  const shared = listShared(repo, agents, folder);
  if (shared.length > 0) say(text.toCommit(shared));
  say(text.READY);
  return true;
}

function readWish(repo: Repo, flags: Flags): Wish {
  if (flags.local && flags.project) throw badFlags(text.exclusive('project', 'local'));
  if (flags['push-sessions'] !== undefined && flags['skip-push-sessions'] !== undefined)
    throw badFlags(text.exclusive('push-sessions', 'skip-push-sessions'));
  const agents = flags.agent?.flatMap((names) => names.split(',')).map((name) => requireAgent(repo, name));
  if (agents?.length === 0) throw badFlags(unknownAgent(''));
  const { strategy } = flags;
  if (strategy !== undefined && !STRATEGIES.some((name) => name === strategy))
    throw badFlags(text.unknownStrategy(plain(strategy)));
  const pushTo = PUSH_PLACES.find((place) => place === flags['push-to']);
  if (flags['push-to'] !== undefined && pushTo === undefined)
    throw badFlags(unknownPushTo(plain(flags['push-to'])));
  return {
    agents,
    strategy,
    pushTo,
    target: flags.local ? 'local' : flags.project ? 'project' : undefined,
    force: flags.force === true,
    push: flags['push-sessions'] ?? (flags['skip-push-sessions'] ? false : undefined),
    telemetry: flags.telemetry ?? (process.env.ENTIRE_TELEMETRY_OPTOUT ? false : undefined),
    absolutePath: flags['absolute-git-hook-path'],
  };
}

const badFlags = (message: string, hint?: string): EntireError =>
  new EntireError('BAD_FLAGS', message, hint === undefined ? {} : { hint });

/** Nothing asked for beyond "make sure that it is enabled". */
const isSilent = ({ force, ...rest }: Wish): boolean =>
  !force && Object.values(rest).every((value) => value === undefined);

const isConfigured = ({ project, local, effective }: LoadedSettings): boolean =>
  (project !== undefined || local !== undefined) && effective.enabled;

const lacksGitHooks = ({ dir, isOwn }: HooksFolder, launcher: Launcher): boolean =>
  isOwn && missingGitHooks(dir, launcher).length > 0;

const hasCommits = (repo: Repo): boolean =>
  runGit(gitFor(repo), ['rev-parse', '--verify', '--quiet', 'HEAD'], { okCodes: [0, 1] }).code === 0;

/** `--agent` sets up the project; without it an existing project file is left to those who share it. */
function chooseTarget(root: string, wish: Wish): string {
  if (wish.target) return wish.target === 'local' ? LOCAL_SETTINGS_FILE : SETTINGS_FILE;
  if (wish.agents || !disk.existsSync(join(root, SETTINGS_FILE))) return SETTINGS_FILE;
  say(text.SAVING_LOCALLY);
  return LOCAL_SETTINGS_FILE;
}

function ignorePrivate({ worktreeRoot, commonDir }: Repo): void {
  ensureGitignore(worktreeRoot);
  ensureExcluded(commonDir);
}

function announceBranch(repo: Repo): void {
  const how = ensureMetadataBranch(gitFor(repo));
  if (how) warn(text.BRANCH_DONE[how]);
}

function save(root: string, target: string, wish: Wish, before: LoadedSettings): void {
  const isNew = target === SETTINGS_FILE && before.project === undefined;
  const strategy = wish.strategy ?? (isNew ? (before.local?.strategy ?? DEFAULT_STRATEGY) : undefined);
  const edits: (SettingsEdit | undefined)[] = [
    edit(['strategy'], strategy),
    edit(['enabled'], true),
    edit(['absolute_git_hook_path'], wish.absolutePath),
    edit(['telemetry'], wish.telemetry),
    edit(KEYS.pushTo.path, wish.pushTo),
  ];
  editSettingsFile(
    root,
    target,
    edits.filter((one) => one !== undefined),
  );
  say(text.configured(target));
  if (target === SETTINGS_FILE && before.local?.enabled === false) {
    editSettingsFile(root, LOCAL_SETTINGS_FILE, [{ path: ['enabled'], value: true }]);
    say(text.enabledLocally(LOCAL_SETTINGS_FILE));
  }
}

const edit = (path: SettingsEdit['path'], value: string | boolean | undefined): SettingsEdit | undefined =>
  value === undefined ? undefined : { path, value };

/** Says where what now holds is not what was asked for. */
function warnAboutResult(root: string, wish: Wish): void {
  const { effective } = loadSettings(root);
  if (!STRATEGIES.some((name) => name === effective.strategy))
    warn(text.strategyIgnored(plain(effective.strategy)));
  else if (wish.strategy !== undefined && wish.strategy !== effective.strategy)
    warn(text.strategyOverridden(LOCAL_SETTINGS_FILE, effective.strategy));
}

/** Says where the remote keeps checkpoints from now on, and how what it has moves there. */
function sayWhereKept(repo: Repo, wanted: PushTo): void {
  const { pushTo } = readPushSettings(openSources(repo));
  if (pushTo === wanted) say(plain(keptFromNowOn(wanted)));
  else
    warn(
      `Warning: ${nameOf(KEYS.pushTo)} is ${pushTo} in ${LOCAL_SETTINGS_FILE}, and it wins in this worktree.`,
    );
}

/** What enabling writes to be shared with the repository, as far as `git status` shows it now: paths from the top of the worktree. */
export function listShared(repo: Repo, agents: readonly AnyAgent[], folder: HooksFolder): string[] {
  const files = agents.filter(isBuiltIn).map((agent) => setupOf(agent).settings.file);
  const paths = [SETTINGS_FILE, '.entire/.gitignore', ...files, ...listScripts(repo.worktreeRoot, folder)];
  return [...new Set(findShown(gitFor(repo), paths))].sort();
}
