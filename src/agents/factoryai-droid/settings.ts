import { join } from 'node:path';
import { readUserText } from '../../base/file/small-file.ts';
import { asObject, asObjects, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { settingsOf } from '../shared/hook-table/settings.ts';
import type { HookTable } from '../shared/hook-table/table.ts';
import { configDir } from './session-home.ts';

/** Tools that name the files they write; a matcher is a regular expression over the whole name. */
const EDIT_TOOLS = 'Create|Edit|MultiEdit|ApplyPatch|Write|NotebookEdit';

/** Our hooks in Factory Droid's project settings. */
const DROID_HOOKS: HookTable = {
  agent: 'factoryai-droid',
  file: '.factory/settings.json',
  liberties: ['comments'],
  shape: 'groups',
  isTyped: true,
  slots: [
    { event: 'PostToolUse', matcher: EDIT_TOOLS, verb: 'post-file-edit' },
    { event: 'PostToolUse', matcher: 'Read', verb: 'post-file-read' },
    { event: 'PostToolUse', matcher: 'Execute|Script', verb: 'post-shell' },
    { event: 'PostToolUse', matcher: 'Task', verb: 'post-tool-use' },
    { event: 'PreCompact', matcher: '', verb: 'pre-compact' },
    { event: 'PreToolUse', matcher: 'Task', verb: 'pre-tool-use' },
    { event: 'SessionEnd', matcher: '', verb: 'session-end' },
    { event: 'SessionStart', matcher: '', verb: 'session-start' },
    { event: 'Stop', matcher: '', verb: 'stop' },
    { event: 'UserPromptSubmit', matcher: '', verb: 'user-prompt-submit' },
  ],
};

/** @see https://docs.factory.ai/reference/hooks-reference */
export const droidSettings = settingsOf(DROID_HOOKS);

/**
 * The file that keeps the client from running our hooks of a project; `undefined` where none does. `hooksDisabled` in a list
 * of hooks switches all of them off. A `hooks.json` stands above the settings beside it, event by event: what it lists for one
 * of ours is run in the place of ours, unless ours is among it.
 *
 * @see https://docs.factory.ai/reference/hooks-reference
 */
export function findHookSwitch(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const levels = [join(root, '.factory'), configDir(env)];
  const saying = levels.map(findSaying).find((found) => found !== undefined);
  if (saying?.isOff) return saying.file;
  const [above, lists] = findLists(levels[0] as string);
  const isHidden = DROID_HOOKS.slots.some(
    ({ event, verb }) => event in lists && !holdsCommand(lists[event], `hooks ${DROID_HOOKS.agent} ${verb}`),
  );
  return isHidden ? above : undefined;
}

/** The file of a level that says whether hooks run, and what it says. */
function findSaying(folder: string): { file: string; isOff: boolean } | undefined {
  const settings = join(folder, 'settings.json');
  const [above, lists] = findLists(folder);
  const { hooks } = toObject(read(settings) ?? '');
  const candidates = [
    ...(above === undefined ? [] : [{ file: above, hooks: lists }]),
    { file: settings, hooks },
  ];
  const saying = candidates.find(
    (one) => isObject(one.hooks) && typeof one.hooks.hooksDisabled === 'boolean',
  );
  return saying && { file: saying.file, isOff: (saying.hooks as JsonObject).hooksDisabled === true };
}

/** Hooks in a file of their own: events at its top. The first that exists counts. */
function findLists(folder: string): [file: string | undefined, lists: JsonObject] {
  for (const file of [join(folder, 'hooks.json'), join(folder, 'hooks', 'hooks.json')]) {
    const text = read(file);
    if (text !== undefined) return [file, toObject(text)];
  }
  return [undefined, {}];
}

function holdsCommand(groups: unknown, command: string): boolean {
  const hooks = asObjects(groups).flatMap((group) => asObjects(group.hooks));
  return hooks.some((hook) => asText(hook.command).includes(command));
}

const toObject = (text: string): JsonObject => asObject(parseJson(text));

/** What cannot be read says nothing here. */
function read(file: string): string | undefined {
  try {
    return readUserText(file, 'home');
  } catch {
    return undefined;
  }
}
