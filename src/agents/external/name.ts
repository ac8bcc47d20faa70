import { AGENTS, type ExternalName } from '../names.ts';

/** What an executable that speaks for an agent is called, before the agent's name. */
export const PROGRAM_PREFIX = 'entire-agent-';

/** Words that stand for something else behind `entire hooks`. */
const TAKEN: readonly string[] = ['git', 'summaries', 'gc'];

/**
 * Returns `text` as the name of an agent that is not built in, or `undefined`: letters, digits, `_` and `-`, so that nothing
 * but a file name can be made of it. The names of those that are built in are theirs.
 */
export function parseExternalName(text: string): ExternalName | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)) return undefined;
  return Object.hasOwn(AGENTS, text) || TAKEN.includes(text) ? undefined : (text as ExternalName);
}
