import { join } from 'node:path';
import { readWorktreeText } from '../base/small-file.ts';
import { writeFileAtomic } from '../base/write-file-atomic.ts';
import { LOCAL_SETTINGS_FILE, readActivation, SETTINGS_FILE } from './enabled.ts';

type Place = Parameters<typeof readActivation>[0];

/** The worktree whose settings hold here: this one, or the main one that it follows. */
export function settingsRoot(repo: Place): string {
  const activation = readActivation(repo);
  return 'root' in activation ? activation.root : repo.worktreeRoot;
}

/**
 * A worktree that is about to get settings of its own starts with those that it followed, or the first key it sets would
 * switch off all that they say. @throws the system error
 */
export function adoptSettings(repo: Place): void {
  const root = settingsRoot(repo);
  if (root === repo.worktreeRoot) return;
  for (const name of [SETTINGS_FILE, LOCAL_SETTINGS_FILE]) {
    const text = readWorktreeText(root, name, 'settings');
    if (text !== undefined) writeFileAtomic(join(repo.worktreeRoot, name), text, { mode: 0o644 });
  }
}
