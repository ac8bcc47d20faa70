import { asText } from '../../base/text/json.ts';
import type { SessionEvent } from './events.ts';

/** What a person typed: no words of skills, of other agents, or of the client itself. */
export function promptOf({ type, agentId, data }: SessionEvent): string | undefined {
  if (type !== 'user.message' || agentId !== '' || data.isAutopilotContinuation === true) return undefined;
  const source = asText(data.source);
  if (source !== '' && source !== 'user') return undefined;
  return cleanPrompt(asText(data.content)) || undefined;
}

/** That a sub-agent in the background is done comes as a prompt. */
export function cleanPrompt(text: string): string {
  const clean = text.trim();
  return clean.startsWith('<system_notification>') ? '' : clean;
}
