import { externalAgent } from './external/known.ts';
import { AGENTS, type AnyAgent, isBuiltIn } from './names.ts';

/** What an agent is called: in metadata, and in a sentence. */
export const identityOf = (agent: AnyAgent): { readonly type: string; readonly description: string } =>
  isBuiltIn(agent) ? AGENTS[agent] : externalAgent(agent);

export const typeOf = (agent: AnyAgent): string => identityOf(agent).type;
