import { join } from 'node:path';
import { readWorktreeText } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { readActivation } from './enabled.ts';
import { LOCAL_SETTINGS_FILE, SETTINGS_FILE } from './layers.ts';

type Place = Parameters<typeof readActivation>[0];

/** The worktree whose settings hold here: this one, or the main one that it follows. */
export function settingsRoot(repo: Place): string {
  const activation = readActivation(repo);
  return 'root' in activation ? activation.root : repo.worktreeRoot;
}

/**
 * A worktree that is about to get settings of its own starts with those that it followed, or the first key it sets would
 * switch off all that they say. A local file that git has is nobody's own, and stays where it is.
 *
 * @param isLocalShared whether some branch has the local file
 * @throws the system error
 */
export function adoptSettings(repo: Place, isLocalShared: () => boolean): void {
  const root = settingsRoot(repo);
  if (root === repo.worktreeRoot) return;
  for (const name of [SETTINGS_FILE, LOCAL_SETTINGS_FILE]) {
    const text = readWorktreeText(root, name, 'settings');
    if (text === undefined || (name === LOCAL_SETTINGS_FILE && isLocalShared())) continue;
    writeFileAtomic(join(repo.worktreeRoot, name), text, { mode: 0o644 });
  }
}
