import type { AgentEvent } from '../event.ts';
import type { AgentName } from '../names.ts';

/**
 * How each client is told something for the model when a session goes on after a compaction, on the stdout of the hook that says so,
 * or of the next one that the model hears: at a prompt, or when a shell command is over.
 * Clients that are not named have no such hook, or none that the model hears.
 */
export const REMINDERS: Readonly<
  Partial<Record<AgentName, (text: string, on: AgentEvent['type']) => string>>
> = {
  'claude-code': additionalContext,
  opencode: forPlugin,
  pi: forPlugin,
  codex: additionalContext, // reads are shell commands there, and nobody counts them
  'copilot-cli': (text) => JSON.stringify({ additionalContext: text }), // the changelog of the client tells of it
  gemini: (text, on) => contextOf(on === 'TurnStart' ? 'BeforeAgent' : 'AfterTool', text), // https://geminicli.com/docs/hooks/reference
  'factoryai-droid': (text, on) => contextOf(DROID_HOOKS[on] ?? 'SessionStart', text),
  'qwen-code': additionalContext, // https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks
};

/**
 * Clients that do not keep in a session what its start told the model: once they are started again, they go on with a conversation
 * that is compacted, and without it.
 */
export const FORGETFUL: ReadonlySet<AgentName> = new Set(['factoryai-droid', 'qwen-code']);

/** @see https://docs.factory.ai/reference/hooks-reference */
const DROID_HOOKS: Partial<Record<AgentEvent['type'], string>> = {
  TurnStart: 'UserPromptSubmit',
  ShellCommand: 'PostToolUse',
};

/** @see https://code.claude.com/docs/en/hooks#sessionstart-decision-control */
function additionalContext(text: string): string {
  return contextOf('SessionStart', text);
}

const contextOf = (hookEventName: string, text: string): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } });

/** Our own plugins read it, and add the text to what their clients send: `opencode/plugin.ts`, `pi/extension.ts`. */
function forPlugin(text: string): string {
  return JSON.stringify({ additionalContext: text });
}
