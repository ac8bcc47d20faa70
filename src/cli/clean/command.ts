import { EntireError } from '../../base/errors.ts';
import { clean, findLeftovers } from '../../doctor/clean/clean.ts';
import { workIn } from '../../strategy/work.ts';
import { defineCommand } from '../command.ts';
import { withProgress } from '../ui/progress.ts';
import { openCommandLog, requireRepo } from '../ui/repo.ts';
import { plain, say, warn } from '../ui/terminal.ts';
import * as text from './text.ts';

export const cleanCommand = defineCommand({
  options: {
    force: { type: 'boolean', alias: 'f', describe: 'Delete what is left over, instead of listing it' },
    json: { type: 'boolean', describe: 'Print the report as JSON' },
  },

  async run({ force, json }) {
    const repo = await requireRepo('clean');
    const work = workIn(repo);
    if (!force) {
      const found = await withProgress((progress) => {
        progress.step('Looking for what is left over');
        return findLeftovers(work);
      });
      if (json) return say(text.renderCleanJson(found, undefined));
      say(plain(text.renderPreview(found.items)));
      for (const line of text.renderKept(found.kept)) warn(plain(line));
      return;
    }
    openCommandLog(repo, 'clean');
    const report = await withProgress((progress) => {
      progress.step('Deleting what is left over');
      return clean(work);
    });
    if (json) say(text.renderCleanJson({ items: report.found, kept: report.kept }, report));
    else {
      say(plain(text.renderClean(report)));
      for (const line of text.renderKept(report.kept)) warn(plain(line));
    }
    for (const { id, error } of report.failed) warn(plain(text.failedBecause(id, error)));
    if (report.failed.length > 0) throw new EntireError('WRITE_FAILED', text.failed(report.failed.length));
  },
});
