import { createInterface } from 'node:readline';
import { parseAgentName } from '../../agents/names.ts';
import type { TurnEvent } from '../../agents/turn-event.ts';
import { EntireError } from '../../base/errors.ts';
import { CliAgent } from '../../conversation/cli-agent.ts';
import { Session } from '../../conversation/session.ts';
import { plain, say, warn } from '../terminal.ts';
import { openSessions } from './store.ts';

export interface ChatFlags {
  readonly agent?: string | undefined;
  readonly resume?: string | undefined;
  readonly fork?: string | undefined;
}

/** Talks with an agent, a line for each message, until stdin ends. */
export async function chat(
  { agent: name = 'claude-code', resume }: ChatFlags,
  words: readonly string[],
): Promise<void> {
  const agentName = parseAgentName(name);
  if (!agentName) throw new EntireError('BAD_FLAGS', `no agent: ${name}`);
  const storage = openSessions();
  const agent = new CliAgent(agentName, { words });
  const options = { onEvent: print };
  const session = resume
    ? await Session.resume(resume, agent, storage, options)
    : new Session(agent, { ...options, storage });
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    await session.chat(line);
    say();
    await session.save();
  }
  warn(`Go on with: entire session chat --resume ${session.sessionId}`);
}

function print(event: TurnEvent): void {
  if (event.type === 'text') process.stdout.write(plain(event.text));
}
