import { basename } from 'node:path';
import { type AgentName, isBuiltIn } from '../../agents/names.ts';
import { findWaiting } from '../../agents/presence.ts';
import { sessionHomeOf, typeOf } from '../../agents/registry.ts';
import { now, renderUtc } from '../../base/clock.ts';
import { EntireError } from '../../base/errors.ts';
import { newId, parseSessionId, type SessionId } from '../../base/ids.ts';
import { worktreeManifest } from '../../conversation/home.ts';
import { physicalPath, type Repo } from '../../git/locate.ts';
import { readActivation } from '../../settings/enabled.ts';
import { type Created, createWorktree } from '../../worktree/create.ts';
import { findEntry } from '../../worktree/entry.ts';
import { listAllRows, listRows } from '../../worktree/listing.ts';
import { readManifest, rebuildManifest, type WorktreeEntry } from '../../worktree/manifest.ts';
import { removeLinked } from '../../worktree/remove.ts';
import { findRepository, type Repository } from '../../worktree/repository.ts';
import { hasHooks, readStandings } from '../agent/agents.ts';
import { agentNeeds } from '../agent/text.ts';
import { type ActionFlags, defineCommand, foreignFlag, isActionOf } from '../command.ts';
import { notARepo } from '../messages.ts';
import { quoteWord } from '../ui/restored-logs.ts';
import { plain, say, warn } from '../ui/terminal.ts';
import * as text from './text.ts';
import { renderCreatedJson, renderRemovedJson, renderRows, renderRowsJson } from './view.ts';

/** Which flags each action takes. */
const ACTIONS = {
  create: ['from', 'path', 'branch', 'json'],
  list: ['all', 'rebuild', 'json'],
  remove: ['force', 'delete-branch', 'json'],
} as const satisfies ActionFlags;

/** A worktree for each task. */
export const worktreeCommand = defineCommand({
  positionals: {
    action: { type: 'string', default: 'list', describe: 'create, list or remove' },
    names: { type: 'string', array: true, describe: 'The worktree to create or remove' },
  },
  options: {
    from: { type: 'string', describe: text.FLAGS.from },
    path: { type: 'string', describe: text.FLAGS.path },
    branch: { type: 'string', describe: text.FLAGS.branch },
    all: { type: 'boolean', describe: text.FLAGS.all },
    rebuild: { type: 'boolean', describe: text.FLAGS.rebuild },
    force: { type: 'boolean', alias: 'f', describe: text.FLAGS.force },
    'delete-branch': { type: 'boolean', describe: text.FLAGS['delete-branch'] },
    json: { type: 'boolean', describe: text.FLAGS.json },
  },
  completes: { action: Object.keys(ACTIONS), from: 'commit', branch: 'commit', path: 'file' },

  async run({ action, names = [], ...flags }) {
    if (!isActionOf(ACTIONS, action)) throw badUse(text.unknownAction(plain(action)));
    const isJson = flags.json === true;
    const foreign = foreignFlag(ACTIONS, action, flags);
    if (foreign !== undefined) throw badUse(foreign);
    const cwd = process.cwd();
    if (action === 'list') {
      if (names.length > 0) throw badUse(text.noName(plain(names.join(' '))));
      return list({ isAll: flags.all === true, isRebuilt: flags.rebuild === true, isJson });
    }
    const [name, ...more] = names.map(String);
    if (name === undefined || more.length > 0) throw badUse(text.oneName(action));
    if (action === 'create') {
      const { from, path, branch } = flags;
      const repository = requireRepository();
      const made = await createWorktree(repository, worktreeManifest(), { name, from, path, branch, cwd });
      return isJson ? say(renderCreatedJson(made)) : tellCreated(made, repository.here);
    }
    const wish = {
      target: name,
      cwd,
      force: flags.force === true,
      deleteBranch: flags['delete-branch'] === true,
    };
    return remove(wish, isJson);
  },
});

const badUse = (message: string): EntireError =>
  new EntireError('BAD_FLAGS', message, { hint: `Usage: ${text.USAGE}` });

/** @throws {EntireError} `NOT_A_REPO` */
function requireRepository(): Repository {
  const repository = findRepository(process.cwd());
  if (repository) return repository;
  const { message } = notARepo(text.NOT_HERE.refusal);
  throw new EntireError('NOT_A_REPO', message, { hint: text.NOT_HERE.hint });
}

function tellCreated(made: Created, source: Repo | undefined): void {
  const { entry, repo, start, head, carried, failed, watcher, complaint } = made;
  const root = entry.path;
  say(text.created(entry.name));
  say(plain(text.folderLine(root)));
  say(text.branchLine(start, head));
  if (carried.length > 0) say(plain(text.carriedLine(carried.map(({ path }) => path))));
  for (const { path, reason } of failed) warn(plain(text.notCarried(path, reason)));
  if (complaint !== undefined) warn(plain(text.complaint(complaint)));
  if (watcher !== undefined) warn(plain(text.watched(watcher)));
  const agents = agentsIn(repo);
  const missing = (source ? agentsIn(source) : []).filter((one) => !agents.includes(one));
  if (readActivation(repo).kind !== 'enabled') warn(text.NOT_ENABLED);
  else if (missing.length > 0) warn(plain(text.hooksMissing(missing.map(typeOf), root)));
  for (const name of agents) {
    const waiting = findWaiting(name, root, process.env);
    if (waiting) warn(agentNeeds(name, waiting.need));
  }
  const go = `cd ${quoteWord(root)}`;
  const starts = agents.map((name) => `  ${go} && ${sessionHomeOf(name).resumeCommand(ANY)[0]}`);
  if (starts.length > 0) say([text.START_AGENT, ...starts].join('\n'));
  else say(`${text.GO_THERE}\n  ${go}`);
}

/** Agents whose hooks are in a worktree. */
const agentsIn = (repo: Repo): AgentName[] =>
  readStandings(repo)
    .filter(hasHooks)
    .flatMap(({ name }) => (isBuiltIn(name) ? name : []));

/** The program of an agent is the first word of its command, whichever session that goes on with. */
const ANY = parseSessionId('session') as SessionId;

async function list(wish: { isAll: boolean; isRebuilt: boolean; isJson: boolean }): Promise<void> {
  const file = worktreeManifest();
  const repository = wish.isAll && !wish.isRebuilt ? undefined : requireRepository();
  if (repository && wish.isRebuilt) await rebuild(repository, file);
  const { entries, warning } = readQuietly(file);
  if (warning !== undefined && !wish.isJson) warn(plain(text.unreadable(warning)));
  const cwd = physicalPath(process.cwd());
  const rows = wish.isAll || !repository ? listAllRows(entries, cwd) : listRows(repository, entries, cwd);
  say(wish.isJson ? renderRowsJson(rows, warning) : renderRows(rows, wish.isAll));
}

/** Without the manifest git's own list is still to be had, and is what counts. */
function readQuietly(file: string): { entries: readonly WorktreeEntry[]; warning: string | undefined } {
  try {
    return { entries: readManifest(file).entries, warning: undefined };
  } catch (error) {
    if (!(error instanceof EntireError) || error.code !== 'STATE_UNREADABLE') throw error;
    return { entries: [], warning: `${error.message} ${error.hint ?? ''}` };
  }
}

/** What git has in linked worktrees is put into the manifest, under the names of their folders. */
async function rebuild({ worktrees, commonDir }: Repository, file: string): Promise<void> {
  const added: string[] = [];
  const aside = await rebuildManifest(file, (known) => {
    const own = known.filter(({ repository }) => repository === commonDir);
    const linked = worktrees.filter((one) => !one.isMain && !findEntry(own, worktrees, one));
    const entries = linked.map((one): WorktreeEntry => {
      const taken = [...own.map(({ name }) => name), ...added];
      const name = freeName(basename(one.root), taken);
      added.push(name);
      return {
        ...{ id: newId(), name, path: one.root, repository: commonDir, branch: one.branch ?? '' },
        ...{ from: undefined, createdAt: renderUtc(now()), carried: [], other: {} },
      };
    });
    return entries;
  });
  warn(plain(text.rebuilt(added)));
  if (aside !== undefined) warn(plain(text.setAside(aside)));
}

function freeName(wanted: string, taken: readonly string[]): string {
  for (let n = 2, name = wanted; ; name = `${wanted}-${n++}`) if (!taken.includes(name)) return name;
}

async function remove(wish: Parameters<typeof removeLinked>[2], isJson: boolean): Promise<void> {
  const removed = await removeLinked(requireRepository(), worktreeManifest(), wish);
  const { name, root, result, obstacles, losses, kept, deletedBranch, sessions } = removed;
  if (isJson) say(renderRemovedJson(removed));
  if (result === 'refused') {
    if (!isJson) {
      const reasons = [...obstacles.map((one) => text.obstacle(one)[0]), ...losses.map(text.loss)];
      for (const reason of reasons) warn(plain(`- ${reason}`));
    }
    const remedies = obstacles.map((one) => text.obstacle(one)[1]);
    throw new EntireError('WORKTREE_REFUSED', text.refusal(name, obstacles.length === 0), {
      hint: remedies.length > 0 ? [...new Set(remedies)].join(' ') : text.LOSS_HINT,
    });
  }
  if (isJson) return;
  if (result === 'forgotten') return say(plain(text.forgotten(name, root)));
  say(plain(text.removed(name, root)));
  if (kept.ref && kept.commit) say(plain(text.keptCommit(kept.ref, kept.commit)));
  if (kept.refs.length > 0) say(plain(text.keptRefs(kept.refs)));
  if (kept.folder) say(plain(text.keptFolder(kept.folder)));
  if (kept.autostash) say(text.keptAutostash(kept.autostash));
  if (deletedBranch) say(plain(text.branchDeleted(deletedBranch.name, deletedBranch.tip)));
  else if (removed.branch !== undefined) say(plain(text.branchStays(removed.branch)));
  if (sessions.length > 0) say(plain(text.sessionsStay(sessions)));
}
