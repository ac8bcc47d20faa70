import { resolve } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { toRepoPath } from '../../base/repo-path.ts';
import { physicalFile } from '../../git/locate.ts';
import { readBlame } from '../../origin/blame.ts';
import { readActivation } from '../../settings/enabled.ts';
import { defineCommand } from '../command.ts';
import { outsideWorktree } from '../messages.ts';
import { page } from '../ui/pager.ts';
import { requireRepo } from '../ui/repo.ts';
import { say } from '../ui/terminal.ts';
import { tinted } from '../ui/tint.ts';
import { terminalWidth } from '../ui/width.ts';
import { renderBlame, renderBlameJson, TONES } from './view.ts';

export const blameCommand = defineCommand({
  positionals: { file: { type: 'string', demandOption: true, describe: 'File to look at' } },
  options: {
    lines: { type: 'string', alias: 'L', describe: 'Only these lines, as `git blame -L` takes them: 10,20' },
    rev: { type: 'string', describe: 'The file as it was in this commit, instead of in the worktree' },
    'no-pager': { type: 'boolean', describe: 'Print directly' },
    json: { type: 'boolean', describe: 'Print the answer as JSON' },
  },
  completes: { file: 'file', rev: 'commit' },
  async run({ file, lines, rev, json, 'no-pager': noPager }) {
    const repo = await requireRepo('blame');
    const path = file === '' ? undefined : toRepoPath(repo.worktreeRoot, physicalFile(resolve(file)));
    if (path === undefined) throw new EntireError('NOT_FOUND', outsideWorktree(file));
    const isOn = readActivation(repo).kind === 'enabled';
    const report = await readBlame(repo, { path, range: lines, revision: rev, isOn });
    if (json) say(renderBlameJson(report));
    else await page(tinted(renderBlame(report, terminalWidth()), TONES), noPager ?? false);
  },
});
