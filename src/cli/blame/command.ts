import { EntireError } from '../../base/errors.ts';
import { quotesNames } from '../../git/commit/blame.ts';
import { type Git, gitFor } from '../../git/run.ts';
import { type BlameReport, readBlame } from '../../origin/blame.ts';
import type { LineWhy } from '../../origin/line-why.ts';
import { defineCommand } from '../command.ts';
import { exclusive } from '../messages.ts';
import { parseFileLines } from '../names/file-line.ts';
import { page } from '../ui/pager.ts';
import { toPath } from '../ui/paths.ts';
import { readJudging, requireRepo } from '../ui/repo.ts';
import { plain, say } from '../ui/terminal.ts';
import { tinted } from '../ui/tint.ts';
import { terminalWidth } from '../ui/width.ts';
import * as text from './text.ts';
import { renderBlame, renderBlameJson, TONES, type WhyOf } from './view.ts';

const options = {
  lines: { type: 'string', alias: 'L', describe: text.FLAGS.lines },
  rev: { type: 'string', describe: text.FLAGS.rev },
  'ignore-whitespace': { type: 'boolean', alias: 'w', describe: text.FLAGS.ignoreWhitespace },
  moved: { type: 'boolean', alias: 'M', describe: text.FLAGS.moved },
  copied: { type: 'boolean', alias: 'C', describe: text.FLAGS.copied },
  porcelain: { type: 'boolean', alias: 'p', describe: text.FLAGS.porcelain },
  'line-porcelain': { type: 'boolean', describe: text.FLAGS.linePorcelain },
  incremental: { type: 'boolean', describe: text.FLAGS.incremental },
  why: { type: 'boolean', describe: text.FLAGS.why },
  'no-pager': { type: 'boolean', describe: text.FLAGS.noPager },
  json: { type: 'boolean', describe: text.FLAGS.json },
} as const;

/** At most one of them. */
const FORMS = ['porcelain', 'line-porcelain', 'incremental', 'json'] as const;

export const blameCommand = defineCommand({
  positionals: { file: { type: 'string', demandOption: true, describe: text.FILE } },
  options,
  completes: { file: 'file', rev: 'commit' },
  examples: [
    'entire blame src/greet.ts',
    'entire blame src/greet.ts:8',
    'entire blame src/greet.ts -L 10,20',
    'entire blame src/greet.ts --rev HEAD~3',
    'entire blame --why src/greet.ts:8',
    'entire blame src/greet.ts --porcelain',
  ],
  async run({ file: word, lines, rev, why, 'no-pager': noPager, ...flags }) {
    const [form, other] = FORMS.filter((name) => flags[name]);
    if (form && other) throw new EntireError('BAD_FLAGS', exclusive(form, other));
    const repo = await requireRepo('blame');
    const place = parseFileLines(word);
    if (place && lines !== undefined) throw new EntireError('BAD_FLAGS', text.linesTwice(word, place.file));
    const { file } = place ?? { file: word };
    const path = toPath(repo, file);
    const isForGit = form !== undefined && form !== 'json';
    if (why && isForGit) throw new EntireError('BAD_FLAGS', exclusive('why', form));
    const asked = readBlame(repo, {
      ...{ path, range: place ? `${place.first},${place.last}` : lines, revision: rev },
      ...readJudging(repo),
      ignoresSpace: flags['ignore-whitespace'] ?? false,
      findsMoved: flags.moved ?? false,
      findsCopied: flags.copied ?? false,
      quotesNames: isForGit && quotesNames(gitFor(repo)),
    });
    const report = await asked.catch(async (error: unknown) => {
      const { refuseFile } = await import('./refuse.ts');
      throw refuseFile(repo, file, rev) ?? error;
    });
    if (isForGit) {
      const { renderBlamePorcelain } = await import('./porcelain.ts');
      process.stdout.write(renderBlamePorcelain(report, form));
      return;
    }
    const whyOf = why ? await openWhy(gitFor(repo), report, rev) : undefined;
    if (form === 'json') say(renderBlameJson(report, whyOf));
    else await page(tinted(plain(renderBlame(report, terminalWidth(), whyOf)), TONES), noPager ?? false);
  },
});

async function openWhy(git: Git, { lines }: BlameReport, revision = 'HEAD'): Promise<WhyOf> {
  const { explainLines } = await import('../../origin/line-why.ts');
  const known = explainLines(git, lines, revision);
  return (line) => known.get(line) as LineWhy;
}
