import { parseAgentName } from '../../agents/names.ts';
import { headlessAgents } from '../../agents/registry.ts';
import { EntireError } from '../../base/errors.ts';
import { asText } from '../../base/text/json.ts';
import { adoptAgentSession } from '../../conversation/adopt.ts';
import type { Agent } from '../../conversation/agent.ts';
import { CliAgent } from '../../conversation/cli/agent.ts';
import { Session } from '../../conversation/session.ts';
import type { SessionData } from '../../conversation/session-data.ts';
import { defineCommand } from '../command.ts';
import { quoteWord } from '../ui/quote-word.ts';
import { plain, say } from '../ui/terminal.ts';
import { findSession, openSessions, requireFreeName } from './find.ts';
import * as text from './text.ts';

export const forkCommand = defineCommand({
  positionals: { session: { type: 'string', demandOption: true, describe: text.SESSION } },
  options: {
    branch: { type: 'string', describe: 'What the copy is called' },
    json: { type: 'boolean', describe: 'Print the new id as JSON' },
  },
  completes: { session: 'session' },
  examples: ['entire session fork 7f3a --branch other-way'],
  run: ({ session, branch, json }) => forkSession(session, branch, json === true),
});

/**
 * Keeps a copy of a session, which then goes its own way.
 *
 * @param word the name or the id of any session, ours or an agent's own, or its beginning
 * @param branch what the copy is called
 */
async function forkSession(word: string, branch: string | undefined, isJson: boolean): Promise<void> {
  await requireFreeName(branch);
  const storage = openSessions();
  const found = await findSession(storage, word);
  const data = 'ours' in found ? await storage.load(found.ours) : adoptAgentSession(found.agents);
  if (!data) throw new EntireError('NOT_FOUND', text.unknownSession(plain(word)).unknown); // deleted just now
  const session = Session.from(data, agentOf(data), { storage });
  const fork = await session.fork(branch === undefined ? {} : { branch });
  await fork.save();
  const { sessionId } = fork;
  if (isJson)
    say(JSON.stringify({ session_id: sessionId, parent_id: data.session_id, branch: branch ?? null }));
  else say(plain(text.forked(quoteWord(branch ?? sessionId), word)));
}

/** An agent that is not driven from here keeps nothing that would have to be copied. */
function agentOf({ metadata }: SessionData): Agent {
  const name = parseAgentName(asText(metadata.agent));
  if (name && headlessAgents().includes(name)) return new CliAgent(name);
  return { name: asText(metadata.agent), run: () => emptyTurn() };
}

async function* emptyTurn(): AsyncGenerator<never> {}
