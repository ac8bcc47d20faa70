import type { HookCommand } from '../shared/hook-settings.ts';
import { wholeFileSettings } from '../shared/hook-table/whole-file.ts';
import { PLUGIN, PLUGIN_MARKER } from './plugin.ts';

/** What our plugin runs, and of which of OpenCode's words. `transcript` only hands messages over. */
const CALLS: ReadonlyArray<readonly [event: string, verb: string, matcher?: string]> = [
  ['session.created', 'session-start'],
  ['chat.message', 'turn-start'],
  ['tool.execute.before', 'subagent-start', 'task'],
  ['tool.execute.before', 'transcript', 'bash'],
  ['tool.execute.after', 'post-file-edit', 'write|edit|multiedit|apply_patch|patch'],
  ['tool.execute.after', 'post-file-read', 'read'],
  ['tool.execute.after', 'post-shell', 'bash'],
  ['tool.execute.after', 'subagent-stop', 'task'],
  ['experimental.session.compacting', 'compaction'],
  ['experimental.chat.messages.transform', 'compacted'],
  ['session.idle', 'turn-end'],
  ['dispose', 'session-end'],
];

const commands: HookCommand[] = CALLS.map(([event, verb, matcher = '']) => ({
  ...{ event, verb, matcher },
  command: `entire hooks opencode ${verb}`,
}));

/**
 * Our plugin in OpenCode, which it loads from there without being told.
 *
 * @see https://opencode.ai/docs/plugins
 */
export const opencodeSettings = wholeFileSettings({
  file: '.opencode/plugins/entire.ts',
  text: PLUGIN,
  isOurs: (text) => firstComment(text).includes(PLUGIN_MARKER),
  commands,
});

const firstComment = (text: string): string =>
  /^\s*(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)/.exec(text.replace(/^\uFEFF/, ''))?.[0] ?? '';
