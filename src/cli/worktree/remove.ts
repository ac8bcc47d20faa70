import { EntireError } from '../../base/errors.ts';
import { worktreeManifest } from '../../conversation/home.ts';
import { removeLinked } from '../../worktree/remove.ts';
import { defineCommand } from '../command.ts';
import { requireRepository } from '../ui/repo.ts';
import { plain, say, warn } from '../ui/terminal.ts';
import * as text from './text.ts';
import { renderRemovedJson } from './view.ts';

export const removeCommand = defineCommand({
  positionals: { name: { type: 'string', demandOption: true, describe: 'Its name, or its folder' } },
  options: {
    force: { type: 'boolean', alias: 'f', describe: 'Keep elsewhere what would be lost, and remove it' },
    'delete-branch': { type: 'boolean', describe: 'Delete its branch as well' },
    json: { type: 'boolean', describe: 'Print the result as JSON' },
  },
  examples: ['entire worktree remove fix-login --delete-branch'],
  run: ({ name, force, 'delete-branch': deleteBranch, json }) =>
    remove(
      { target: name, cwd: process.cwd(), force: force === true, deleteBranch: deleteBranch === true },
      json === true,
    ),
});

async function remove(wish: Parameters<typeof removeLinked>[2], isJson: boolean): Promise<void> {
  const removed = await removeLinked(requireRepository(), worktreeManifest(), wish);
  const { name, root, result, obstacles, losses, kept, deletedBranch, sessions } = removed;
  if (isJson) say(renderRemovedJson(removed));
  if (result === 'refused') {
    if (!isJson) {
      const reasons = [...obstacles.map((one) => text.obstacle(one)[0]), ...losses.map(text.loss)];
      for (const reason of reasons) warn(plain(`- ${reason}`));
    }
    const remedies = obstacles.map((one) => text.obstacle(one)[1]);
    throw new EntireError('WORKTREE_REFUSED', text.refusal(name, obstacles.length === 0), {
      hint: remedies.length > 0 ? [...new Set(remedies)].join(' ') : text.LOSS_HINT,
    });
  }
  if (isJson) return;
  if (result === 'forgotten') return say(plain(text.forgotten(name, root)));
  say(plain(text.removed(name, root)));
  if (kept.ref && kept.commit) say(plain(text.keptCommit(kept.ref, kept.commit)));
  if (kept.refs.length > 0) say(plain(text.keptRefs(kept.refs)));
  if (kept.folder) say(plain(text.keptFolder(kept.folder)));
  if (kept.autostash) say(text.keptAutostash(kept.autostash));
  if (deletedBranch) say(plain(text.branchDeleted(deletedBranch.name, deletedBranch.tip)));
  else if (removed.branch !== undefined) say(plain(text.branchStays(removed.branch)));
  if (sessions.length > 0) say(plain(text.sessionsStay(sessions)));
}
