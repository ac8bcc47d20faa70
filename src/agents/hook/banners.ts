import type { AgentName } from '../names.ts';

/**
 * How each client is told something for the user when a session starts, on the hook's stdout. `undefined`: it shows nothing, or
 * what it is told goes to the model.
 */
export const BANNERS: Readonly<Record<AgentName, (text: string) => string | undefined>> = {
  'claude-code': systemMessage,
  codex: (text) => systemMessage(text.trim()),
  gemini: (text) => systemMessage(text.trim()),
  opencode: () => undefined,
  'copilot-cli': () => undefined,
  'qwen-code': () => undefined,
  pi: () => undefined,
  'factoryai-droid': (text) => systemMessage(text.trim()),
  cursor: () => undefined,
};

/** @see https://code.claude.com/docs/en/hooks#json-output */
function systemMessage(text: string): string {
  return JSON.stringify({ systemMessage: text });
}
