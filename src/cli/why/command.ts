import { readWhy } from '../../origin/why.ts';
import { defineCommand } from '../command.ts';
import { withLinks } from '../ui/hyperlink.ts';
import { readSetUp, requireRepo } from '../ui/repo.ts';
import { fitted, plain, say } from '../ui/terminal.ts';
import { tinted } from '../ui/tint.ts';
import { renderWhy, renderWhyJson, TONES } from './view.ts';

export const whyCommand = defineCommand({
  positionals: {
    commit: {
      type: 'string',
      describe: 'A commit; or a session or checkpoint, for the newest commit it led to. Default: HEAD',
    },
  },
  options: { json: { type: 'boolean', describe: 'Print the answer as JSON' } },
  completes: { commit: 'target' },
  async run({ commit, json }) {
    const repo = await requireRepo('why');
    const report = await readWhy(repo, commit ?? 'HEAD', () => readSetUp(repo));
    if (json) return say(renderWhyJson(report));
    const commits = [report.commit, ...(report.replayed === undefined ? [] : [report.replayed])];
    const files = report.sessions.flatMap((share) => share.files);
    say(withLinks(repo, fitted(tinted(plain(renderWhy(report)), TONES)), { commits, files }));
  },
});
