import { resolve } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { lstatIfExists } from '../../base/file/disk.ts';
import { readRemoteConfig } from '../../git/remote/remotes.ts';
import { type Branch, readBranch } from '../../history/branch.ts';
import { GROUPINGS, readLineStats } from '../../origin/line-stats.ts';
import { type CommitRange, readRange } from '../../origin/range.ts';
import { defineCommand } from '../command.ts';
import { exclusive } from '../messages.ts';
import { toNames } from '../ui/paths.ts';
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
  examples: [
    'entire stats',
    'entire stats main..HEAD --by person',
    'entire stats --format markdown',
    'entire stats HEAD -- src',
  ],
  async run({ range: named, by, format, json }, { words }) {
    if (format !== undefined && json) throw new EntireError('BAD_FLAGS', exclusive('format', 'json'));
    const repo = await requireRepo('stats');
    const branch = readBranch(repo);
    const range = await findRange(branch, named, words);
    const stats = await withProgress(({ step: onProgress }) =>
      readLineStats(branch, range, { ...readJudging(repo), onProgress }),
    );
    if (json) return say(renderStatsJson(stats));
    if (format === 'markdown') return say(plain(renderMarkdown(stats, by)));
    const hasRemote = readRemoteConfig(branch.git).remotes.length > 0;
    say(tinted(plain(renderLineStats(stats, by, { width: terminalWidth(), hasRemote })), TONES));
  },
});

/** As with git a word that is no range, and a file, is a file. @throws {EntireError} `NOT_FOUND` */
async function findRange(
  branch: Branch,
  named: string | undefined,
  words: readonly string[],
): Promise<CommitRange> {
  const paths = toNames(branch.repo, words);
  try {
    return readRange(branch, named, paths);
  } catch (error) {
    const isFile = named !== undefined && named !== '' && lstatIfExists(resolve(named)) !== undefined;
    if (isFile) return readRange(branch, undefined, toNames(branch.repo, [named, ...words]));
    throw named === undefined ? error : ((await refuseNamed(branch, named)) ?? error);
  }
}

/** What tells of a session or a checkpoint, where a word is one. */
async function refuseNamed(branch: Branch, word: string): Promise<EntireError | undefined> {
  const { lookForNamed } = await import('../names/find-named.ts');
  const named = await lookForNamed(branch, word, { kinds: ['session', 'checkpoint'] });
  return (
    named &&
    new EntireError('NOT_FOUND', text.isNoRange(word, named.kind), { hint: text.namedHint(word, named.kind) })
  );
}
