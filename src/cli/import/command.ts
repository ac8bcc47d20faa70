import { EntireError } from '../../base/errors.ts';
import { readBranch } from '../../history/branch.ts';
import { readGitAiNotes } from '../../origin/import/git-ai-lines.ts';
import { readRange } from '../../origin/range.ts';
import { readActivation } from '../../settings/enabled.ts';
import { defineCommand, UsageError } from '../command.ts';
import { requireKey } from '../config/setting.ts';
import { changePlace, withSettingsLock } from '../config/write.ts';
import { requireRepo } from '../ui/repo.ts';
import { say } from '../ui/terminal.ts';
import * as text from './text.ts';

export const importCommand = defineCommand({
  positionals: { range: { type: 'string', describe: text.FLAGS.range } },
  options: {
    format: { type: 'string', choices: ['git-ai'], describe: text.FLAGS.format },
    'dry-run': { type: 'boolean', describe: text.FLAGS.dryRun },
  },
  completes: { range: 'commit' },
  examples: ['entire import --format git-ai', 'entire import --format git-ai main..feature --dry-run'],
  async run({ range: named, format, 'dry-run': isDry }) {
    if (format === undefined) throw new UsageError(text.NO_FORMAT, 'import');
    const repo = await requireRepo('import');
    const branch = readBranch(repo);
    const commits = named === undefined ? undefined : readRange(branch, named).commits;
    const notes = readGitAiNotes(branch.git, commits && new Set(commits.map(({ oid }) => oid)));
    if (notes.size === 0)
      throw new EntireError('NOT_FOUND', text.noNotes(named), { hint: text.NO_NOTES_HINT });
    const refused = new Map<string, number>();
    for (const note of notes.values())
      if (typeof note === 'string') refused.set(note, (refused.get(note) ?? 0) + 1);
    const count = [...refused.values()].reduce((sum, one) => sum + one, 0);
    say(text.looked(notes.size, notes.size - count, refused).join('\n'));
    if (isDry) return;
    const activation = readActivation(repo);
    if (activation.kind !== 'enabled')
      throw new EntireError('NOT_FOUND', text.NOT_ENABLED, { hint: text.NOT_ENABLED_HINT });
    if (activation.believesGitAiNotes) return say(text.ALREADY);
    await withSettingsLock(repo, () => changePlace(repo, requireKey('import.git_ai_notes'), 'local', true));
    say(text.DONE);
  },
});
