import { EntireError } from '../../../base/errors.ts';
import { disk } from '../../../base/file/disk.ts';
import { readOwnIfUsable, readUserText } from '../../../base/file/small-file.ts';
import { writeFileAtomic } from '../../../base/file/write-file-atomic.ts';
import { asList, asObject, parseJson } from '../../../base/text/json.ts';
import type { AgentSettings, HookCommand, SettingsPlace } from '../hook-settings.ts';
import { locateSettings, missingFolders, removeEmptyFolders } from './locate.ts';

/** A file that an agent looks for and that is ours as a whole: a plugin, an extension, a list of hooks. */
export interface WholeFile {
  /** Relative to the worktree root. */
  readonly file: string;
  readonly text: string;
  /** Whether a file at that place is one of ours, whichever release wrote it. */
  readonly isOurs: (text: string) => boolean;
  /** What the agent runs because of it. */
  readonly commands: readonly HookCommand[];
}

/** How such a file is written and removed. Another file in its place is left as it is, and said so. */
export function wholeFileSettings({ file: name, text, isOurs, commands }: WholeFile): AgentSettings {
  const read = (root: string) => readUserText(locateSettings(root, name), 'script');
  const expected = commands.length;
  return {
    file: name,
    install(place) {
      const before = read(place.root);
      if (before === text) return { installed: 0, removed: 0 };
      if (before !== undefined && before.trim() !== '' && !isOurs(before)) throw foreign(name);
      const file = locateSettings(place.root, name);
      const made = missingFolders(place.root, name);
      if (made.length > 0) writeFileAtomic(place.recordFile, `${JSON.stringify({ version: 1, made })}\n`);
      writeFileAtomic(file, text, { mode: 0o644 });
      return { installed: expected, removed: 0 };
    },
    uninstall(place) {
      const before = read(place.root);
      if (before !== undefined && isOurs(before)) disk.rmSync(locateSettings(place.root, name));
      removeEmptyFolders(place.root, readMade(place));
      disk.rmSync(place.recordFile, { force: true });
      return before !== undefined && isOurs(before) ? expected : 0;
    },
    inspect({ root }) {
      const found = read(root);
      const ours = found !== undefined && isOurs(found);
      const [current, outdated] = found === text ? [expected, 0] : [0, ours ? expected : 0];
      return { expected, current, outdated, surplus: 0, obsolete: 0, unmet: 0 };
    },
    list({ root }) {
      const found = read(root);
      return found !== undefined && isOurs(found) ? commands : [];
    },
  };
}

const foreign = (name: string): EntireError =>
  new EntireError('CONFIG_UNREADABLE', `${name} exists and is not ours.`, {
    hint: 'Move it away or rename it, then run the command again. Nothing was changed in it.',
  });

/** Folders that were made for the file. */
function readMade({ recordFile }: SettingsPlace): string[] {
  const value = parseJson(readOwnIfUsable(recordFile, 'record') ?? '');
  return asList(asObject(value).made).filter(
    (name): name is string => typeof name === 'string' && !name.startsWith('..'),
  );
}
