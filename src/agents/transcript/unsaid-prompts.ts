import type { SessionStart } from '../event.ts';
import { findUnsaidPrompt } from '../factoryai-droid/unsaid-prompt.ts';
import type { AgentName } from '../names.ts';

/**
 * Finds the prompt that a session begins with, for clients that have ways to run in which no hook tells of it; `undefined`
 * where one will. With such clients the start of the session is that of its turn.
 */
export const UNSAID_PROMPTS: Partial<
  Readonly<Record<AgentName, (event: SessionStart) => string | undefined>>
> = {
  'factoryai-droid': findUnsaidPrompt,
};
