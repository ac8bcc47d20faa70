import type { AgentSettings } from '../hook/hook-settings.ts';
import type { ExternalName } from '../names.ts';
import type { SessionHome } from '../session/session-home.ts';

/** An agent that is not built in, as an executable speaks for it. */
export interface ExternalAgent {
  readonly name: ExternalName;
  /** As metadata names it. */
  readonly type: string;
  readonly description: string;
  /** The executable, absolute. */
  readonly program: string;
  /** @throws {EntireError} `PLUGIN_FAILED`, as all that follows */
  isPresent(): boolean;
  readonly home: SessionHome;
  readonly settings: AgentSettings;
}

/**
 * The agents that are not built in, as far as this process knows of them. Whoever has the permission says where they come
 * from (`hooks/agent/external-agents.ts`), and is asked once: when a name or a type turns up that no table has, or all are listed.
 */
let load: () => readonly ExternalAgent[] = () => [];
let known: readonly ExternalAgent[] | undefined;

export function useExternalAgents(from: () => readonly ExternalAgent[]): void {
  load = from;
  known = undefined;
}

export function externalAgents(): readonly ExternalAgent[] {
  known ??= load();
  return known;
}

export const findExternalByType = (type: string): ExternalAgent | undefined =>
  externalAgents().find((agent) => agent.type === type);

/** One that this process knows of; there are no other values of that type. */
export function externalAgent(name: ExternalName): ExternalAgent {
  const agent = externalAgents().find((one) => one.name === name);
  if (agent === undefined) throw new Error(`${name} was never loaded`);
  return agent;
}
