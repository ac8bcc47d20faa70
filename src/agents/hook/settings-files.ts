import type { AgentName } from '../names.ts';

/** Files in which agents keep their settings, and which `enable` and the agents write themselves. */
const OF_AGENTS: Record<AgentName, RegExp> = {
  'claude-code': /^\.claude\/settings[^/]*\.json$/,
  codex: /^\.codex\/(?:hooks\.json|config\.toml)$/,
  gemini: /^\.gemini\/settings[^/]*\.json$/,
  opencode: /^\.opencode\/plugins?\/entire[^/]*$/,
  'copilot-cli': /^\.github\/hooks\/[^/]+\.json$/,
  'qwen-code': /^\.qwen\/settings[^/]*\.json$/,
  pi: /^\.pi\/extensions\/entire\//,
  'factoryai-droid': /^\.factory\/(?:settings[^/]*|hooks)\.json$/,
  cursor: /^\.cursor\/hooks\.json$/,
};

/** Whether a path of a repository, in its root or in a folder with settings of its own, is an agent's settings file. */
export function isAgentSettings(path: string): boolean {
  const at = path.lastIndexOf('/.');
  const local = at === -1 ? path : path.slice(at + 1);
  return Object.values(OF_AGENTS).some((pattern) => pattern.test(local));
}
