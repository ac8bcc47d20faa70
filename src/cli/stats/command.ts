import { EntireError } from '../../base/errors.ts';
import { readBranch } from '../../history/branch.ts';
import { GROUPINGS, readLineStats } from '../../origin/line-stats.ts';
import { readRange } from '../../origin/range.ts';
import { defineCommand } from '../command.ts';
import { exclusive } from '../messages.ts';
import { withProgress } from '../ui/progress.ts';
import { readJudging, requireRepo } from '../ui/repo.ts';
import { plain, say } from '../ui/terminal.ts';
import { tinted } from '../ui/tint.ts';
import { terminalWidth } from '../ui/width.ts';
import { renderStatsJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import * as text from './text.ts';
import { renderLineStats, TONES } from './view.ts';

export const lineStatsCommand = defineCommand({
  positionals: { range: { type: 'string', describe: text.FLAGS.range } },
  options: {
    by: { type: 'string', choices: GROUPINGS, describe: text.FLAGS.by },
    format: { type: 'string', choices: ['text', 'markdown'], describe: text.FLAGS.format },
    json: { type: 'boolean', describe: text.FLAGS.json },
  },
  completes: { range: 'commit' },
  examples: ['entire stats', 'entire stats main..HEAD --by person', 'entire stats --format markdown'],
  async run({ range: named, by, format, json }) {
    if (format !== undefined && json) throw new EntireError('BAD_FLAGS', exclusive('format', 'json'));
    const repo = await requireRepo('stats');
    const branch = readBranch(repo);
    const range = readRange(branch, named);
    const stats = await withProgress(({ step: onProgress }) =>
      readLineStats(branch, range, { ...readJudging(repo), onProgress }),
    );
    if (json) return say(renderStatsJson(stats));
    if (format === 'markdown') return say(plain(renderMarkdown(stats, by)));
    say(tinted(plain(renderLineStats(stats, by, terminalWidth())), TONES));
  },
});
