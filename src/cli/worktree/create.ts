import { type AgentName, isBuiltIn } from '../../agents/names.ts';
import { findWaiting } from '../../agents/presence.ts';
import { sessionHomeOf, typeOf } from '../../agents/registry.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { worktreeManifest } from '../../conversation/home.ts';
import type { Repo } from '../../git/locate.ts';
import { readActivation } from '../../settings/enabled.ts';
import { type Created, createWorktree } from '../../worktree/create.ts';
import { hasHooks, readStandings } from '../agent/agents.ts';
import { agentNeeds } from '../agent/text.ts';
import { defineCommand } from '../command.ts';
import { quoteWord } from '../ui/quote-word.ts';
import { requireRepository } from '../ui/repo.ts';
import { plain, say, warn } from '../ui/terminal.ts';
import * as text from './text.ts';
import { renderCreatedJson } from './view.ts';

export const createCommand = defineCommand({
  positionals: { name: { type: 'string', demandOption: true, describe: 'What it is called' } },
  options: {
    from: { type: 'string', describe: 'Begin at this commit instead of HEAD' },
    path: { type: 'string', describe: 'Make it in this folder instead of beside the repository' },
    branch: {
      type: 'string',
      describe: 'Use this branch instead of a new one with the name of the worktree',
    },
    json: { type: 'boolean', describe: 'Print the result as JSON' },
  },
  completes: { from: 'commit', branch: 'commit', path: 'file' },
  examples: ['entire worktree create fix-login', 'entire worktree create review --from origin/main'],
  async run({ json, ...wish }) {
    const repository = requireRepository();
    const made = await createWorktree(repository, worktreeManifest(), { ...wish, cwd: process.cwd() });
    return json ? say(renderCreatedJson(made)) : tellCreated(made, repository.here);
  },
});

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
