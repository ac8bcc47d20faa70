import { join } from 'node:path';
import { readUserText } from '../../base/file/small-file.ts';
import { isObject, parseJson } from '../../base/text/json.ts';

/** Settings of a repository that Copilot CLI asks. What a user's own settings say of `disableAllHooks` is not for these. */
const FILES = [
  '.github/copilot/settings.local.json',
  '.github/copilot/settings.json',
  '.claude/settings.local.json',
  '.claude/settings.json',
];

/** The settings file that switches off all hooks of a project, ours included; `undefined` where none does. */
export const findHookSwitch = (root: string): string | undefined =>
  FILES.map((file) => join(root, file)).find((file) => switchesOff(file));

/** What cannot be read says nothing here. */
function switchesOff(file: string): boolean {
  try {
    const settings = parseJson(readUserText(file, 'home') ?? '');
    return isObject(settings) && settings.disableAllHooks === true;
  } catch {
    return false;
  }
}
