import { describeError, EntireError } from '../../base/errors.ts';
import type { Repo } from '../../git/locate.ts';
import { dropIdle } from '../../session/record/idle.ts';
import { sizeOfUserIndex } from '../../session/search-cache.ts';
import { readActivation } from '../../settings/enabled.ts';
import { adoptSettings } from '../../settings/followed.ts';
import { ensureExcluded } from '../../settings/gitignore.ts';
import { LOCAL_SETTINGS_FILE, SETTINGS_FILE } from '../../settings/layers.ts';
import { editSettingsFile } from '../../settings/settings-file.ts';
import { defineCommand } from '../command.ts';
import { isLocalTracked } from '../config/setting.ts';
import { withSettingsLock } from '../config/write.ts';
import { unsetStatusLine } from '../statusline/claude-settings.ts';
import { STATUS_LINE_REMOVED } from '../statusline/text.ts';
import { homely } from '../ui/paths.ts';
import { requireRepo } from '../ui/repo.ts';
import { canAsk, confirm, plain, say, warn } from '../ui/terminal.ts';
import * as text from './text.ts';
import { listInstalled } from './uninstall.ts';

export const disableCommand = defineCommand({
  options: {
    project: { type: 'boolean', describe: 'Save to .entire/settings.json instead of settings.local.json' },
    uninstall: { type: 'boolean', describe: 'Remove Entire from this repository, but not its checkpoints' },
    force: { type: 'boolean', alias: 'f', describe: 'Uninstall without asking' },
  },
  async run({ project, uninstall, force }) {
    const repo = await requireRepo('disable', uninstall ? text.UNINSTALL_REFUSAL : undefined);
    if (uninstall) await removeAll(repo, force === true);
    else if (readActivation(repo).kind === 'not-set-up') say(text.NOT_INSTALLED);
    else {
      await withSettingsLock(repo, () => switchOff(repo, project ? SETTINGS_FILE : LOCAL_SETTINGS_FILE));
      if (unsetStatusLine(repo)) say(STATUS_LINE_REMOVED);
    }
  },
});

/** Hooks stay where they are and do nothing from now on. */
function switchOff(repo: Repo, target: string): void {
  const root = repo.worktreeRoot;
  adoptSettings(repo, () => isLocalTracked(repo));
  editSettingsFile(root, target, [{ path: ['enabled'], value: false }]);
  ensureExcluded(repo.commonDir);
  dropIdle(repo); // whatever the clock says
  const winner = target === SETTINGS_FILE && readActivation(repo).kind === 'enabled';
  say(winner ? text.stillEnabled(SETTINGS_FILE, LOCAL_SETTINGS_FILE) : text.DISABLED);
}

async function removeAll(repo: Repo, force: boolean): Promise<void> {
  const parts = listInstalled(repo);
  if (parts.length === 0) return say(text.NOT_INSTALLED);
  if (!force) {
    const plans = parts.toSorted((a, b) => a.rank - b.rank).flatMap(({ plan }) => plan ?? []);
    say(text.uninstallPlan(plans));
    if (!canAsk()) {
      const { message, hint } = text.UNINSTALL_NEEDS_FORCE;
      throw new EntireError('WRITE_FAILED', message, { hint });
    }
    if (!(await confirm(text.UNINSTALL_QUESTION))) return say(text.UNINSTALL_CANCELLED);
  }
  say(text.UNINSTALLING);
  let failed = false;
  for (const part of parts) {
    try {
      const { removed, stays, notices = [] } = part.remove();
      for (const notice of notices) warn(plain(notice));
      if (removed) say(text.removed(removed));
      if (stays) say(text.kept(stays));
    } catch (error) {
      failed = true;
      warn(text.removalFailed(part.name, plain(describeError(error))));
    }
  }
  const userIndex = sizeOfUserIndex();
  if (userIndex) say(text.userIndexKept(homely(userIndex.path)));
  if (failed) {
    const { message, hint } = text.UNINSTALLED_PARTLY;
    throw new EntireError('WRITE_FAILED', message, { hint });
  }
  say(text.UNINSTALLED);
}
