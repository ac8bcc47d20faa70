import type { AgentName } from './names.ts';

/**
 * How each client is told something for the model when a session goes on after a compaction, on the stdout of the hook that says so.
 * Clients that are not named have no such hook, or none that the model hears.
 */
export const REMINDERS: Readonly<Partial<Record<AgentName, (text: string) => string>>> = {
  'claude-code': additionalContext,
  codex: additionalContext, // as it documents; reads are shell commands there, and nobody counts them
};

/** @see https://code.claude.com/docs/en/hooks#sessionstart-decision-control */
function additionalContext(text: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } });
}
