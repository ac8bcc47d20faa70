import { sep } from 'node:path';
import type { AgentEvent } from '../../agents/event.ts';
import { AGENT_NAMES, AGENTS, type AgentName, type AnyAgent } from '../../agents/names.ts';
import { agentOf, typeOf } from '../../agents/registry.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import type { Work } from '../../strategy/work.ts';

/**
 * The agent whose session an event is about, where that is not the one whose hook command ran: some clients run the hooks of
 * others, too, with sessions of their own. The first that began a session owns it; of a new one the folder of its transcript
 * tells.
 */
export function findOwner(work: Work, agent: AnyAgent, event: AgentEvent): string | undefined {
  const names = AGENT_NAMES;
  const type = readStateIfReadable(work.sessions, event.sessionId)?.agentType;
  const isStart = event.type === 'SessionStart' || event.type === 'TurnStart';
  const known = isStart ? undefined : names.find((name) => AGENTS[name].type === type);
  if (!isStart && known === undefined && isAnothers(type, agent)) return type;
  const owner = known ?? (type ? undefined : names.find((name) => isBelow(name, event.transcriptPath)));
  return owner === agent ? undefined : owner;
}

/** A session of an agent that is not built in: records of older releases have other words for one that is. */
const isAnothers = (type: string | undefined, agent: AnyAgent): boolean =>
  !!type && !['Agent', 'Unknown', typeOf(agent)].includes(type);

const isBelow = (name: AgentName, transcript: string | undefined): boolean =>
  transcript?.startsWith(`${agentOf(name).home.root(process.env)}${sep}`) === true;
