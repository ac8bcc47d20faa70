import type { HookCommand } from '../shared/hook-settings.ts';
import { hookCommand } from '../shared/hook-table/command.ts';
import { wholeFileSettings } from '../shared/hook-table/whole-file.ts';
import { EXTENSION, EXTENSION_MARK } from './extension.ts';

/** Which event of Pi makes the extension run which verb. */
const VERBS: readonly (readonly [event: string, verb: string])[] = [
  ['session_start', 'session_start'],
  ['before_agent_start', 'before_agent_start'],
  ['tool_result', 'post-file-edit'],
  ['tool_result', 'post-file-read'],
  ['tool_result', 'post-shell'],
  ['agent_end', 'agent_end'],
  ['session_before_compact', 'session_before_compact'],
  ['context', 'session_compact'],
  ['session_shutdown', 'session_shutdown'],
];

/** For which tools, where the event is about one. */
const MATCHERS: Readonly<Record<string, string>> = {
  'post-file-edit': 'write|edit',
  'post-file-read': 'read',
  'post-shell': 'bash',
};

const commandOf = ([event, verb]: (typeof VERBS)[number]): HookCommand => ({
  event,
  matcher: MATCHERS[verb] ?? '',
  verb,
  command: hookCommand({ agent: 'pi' }, verb),
});

/** Our extension in a project's folder for them. Pi takes it from the folder in which it is started. */
export const piSettings = wholeFileSettings({
  file: '.pi/extensions/entire/index.ts',
  text: EXTENSION,
  isOurs: (text) => text.includes(EXTENSION_MARK),
  commands: VERBS.map(commandOf),
});
