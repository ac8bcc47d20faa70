import { basename } from 'node:path';
import { now, renderUtc } from '../../base/clock.ts';
import { EntireError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { worktreeManifest } from '../../conversation/home.ts';
import { physicalPath } from '../../git/locate.ts';
import { findEntry } from '../../worktree/entry.ts';
import { listAllRows, listRows } from '../../worktree/listing.ts';
import { readManifest, rebuildManifest, type WorktreeEntry } from '../../worktree/manifest.ts';
import type { Repository } from '../../worktree/repository.ts';
import { defineCommand } from '../command.ts';
import { requireRepository } from '../ui/repo.ts';
import { plain, say, warn } from '../ui/terminal.ts';
import { ABSOLUTE, wishAbsolute } from '../ui/time.ts';
import { tinted } from '../ui/tint.ts';
import { terminalWidth } from '../ui/width.ts';
import * as text from './text.ts';
import { renderRows, renderRowsJson, TONES } from './view.ts';

export const listCommand = defineCommand({
  options: {
    all: { type: 'boolean', describe: 'Those of every repository' },
    rebuild: { type: 'boolean', describe: "Rebuild an unreadable manifest from git's list of worktrees" },
    absolute: ABSOLUTE,
    json: { type: 'boolean', describe: 'Print the list as JSON' },
  },
  examples: ['entire worktree list', 'entire worktree list --all'],
  run({ all, rebuild, absolute, json }) {
    wishAbsolute(absolute);
    return list({ isAll: all === true, isRebuilt: rebuild === true, isJson: json === true });
  },
});

async function list(wish: { isAll: boolean; isRebuilt: boolean; isJson: boolean }): Promise<void> {
  const file = worktreeManifest();
  const repository = wish.isAll && !wish.isRebuilt ? undefined : requireRepository();
  if (repository && wish.isRebuilt) await rebuild(repository, file);
  const { entries, warning } = readQuietly(file);
  if (warning !== undefined && !wish.isJson) warn(plain(text.unreadable(warning)));
  const cwd = physicalPath(process.cwd());
  const rows = wish.isAll || !repository ? listAllRows(entries, cwd) : listRows(repository, entries, cwd);
  say(
    wish.isJson
      ? renderRowsJson(rows, warning)
      : tinted(renderRows(rows, wish.isAll, terminalWidth()), TONES),
  );
}

/** Without the manifest git's own list is still to be had, and is what counts. */
function readQuietly(file: string): { entries: readonly WorktreeEntry[]; warning: string | undefined } {
  try {
    return { entries: readManifest(file).entries, warning: undefined };
  } catch (error) {
    if (!(error instanceof EntireError) || error.code !== 'STATE_UNREADABLE') throw error;
    return { entries: [], warning: `${error.message} ${error.hint ?? ''}` };
  }
}

/** What git has in linked worktrees is put into the manifest, under the names of their folders. */
async function rebuild({ worktrees, commonDir }: Repository, file: string): Promise<void> {
  const added: string[] = [];
  const aside = await rebuildManifest(file, (known) => {
    const own = known.filter(({ repository }) => repository === commonDir);
    const linked = worktrees.filter((one) => !one.isMain && !findEntry(own, worktrees, one));
    const entries = linked.map((one): WorktreeEntry => {
      const taken = [...own.map(({ name }) => name), ...added];
      const name = freeName(basename(one.root), taken);
      added.push(name);
      return {
        ...{ id: newId(), name, path: one.root, repository: commonDir, branch: one.branch ?? '' },
        ...{ from: undefined, createdAt: renderUtc(now()), carried: [], other: {} },
      };
    });
    return entries;
  });
  warn(plain(text.rebuilt(added)));
  if (aside !== undefined) warn(plain(text.setAside(aside)));
}

function freeName(wanted: string, taken: readonly string[]): string {
  for (let n = 2, name = wanted; ; name = `${wanted}-${n++}`) if (!taken.includes(name)) return name;
}
