import { verify } from '../../doctor/verify/verify.ts';
import { workIn } from '../../strategy/work.ts';
import { defineCommand } from '../command.ts';
import { withProgress } from '../ui/progress.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, say } from '../ui/terminal.ts';
import { renderVerify, renderVerifyJson } from './text.ts';

export const verifyCommand = defineCommand({
  options: {
    'read-data': {
      type: 'boolean',
      describe: 'Read every stored text, and check transcripts against their digests',
    },
    json: { type: 'boolean', describe: 'Print the report as JSON' },
  },

  async run({ 'read-data': readData = false, json }) {
    const repo = await requireRepo('verify');
    const report = await withProgress((progress) => verify(workIn(repo), readData, progress.step));
    say(json ? renderVerifyJson(report, readData) : plain(renderVerify(report, readData)));
    if (report.problems.length > 0) process.exitCode = 1;
  },
});
