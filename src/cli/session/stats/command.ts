import { AGENTS } from '../../../agents/names.ts';
import { buildStats } from '../../../conversation/stats/report.ts';
import { defineCommand, type FlagsOf } from '../../command.ts';
import { withProgress } from '../../ui/progress.ts';
import { plain, renderJson, say, warnOf } from '../../ui/terminal.ts';
import { terminalWidth } from '../../ui/width.ts';
import { parseAgentFlag, parseSince, SINCE } from '../flags.ts';
import { renderStats } from './view.ts';

const options = {
  since: { type: 'string', describe: `Whole days in UTC since ${SINCE}` },
  agent: { type: 'string', describe: 'Only sessions of this agent' },
  json: { type: 'boolean', describe: 'Print it as JSON' },
} as const;

export const statsCommand = defineCommand({
  options,
  completes: { agent: Object.keys(AGENTS) },
  examples: ['entire session stats --since 7d'],
  run: tellStats,
});

/** What sessions came to: by agent, day and repository. */
async function tellStats({ since: word, agent: named, json }: FlagsOf<typeof options>): Promise<void> {
  const since = word === undefined ? undefined : parseSince(word, 'utc');
  const agent = parseAgentFlag(named);
  const report = await withProgress(({ step: onProgress }) =>
    buildStats({
      ...(since ? { since } : {}),
      ...(agent ? { agents: [agent] } : {}),
      onProgress,
      onProblem: warnOf,
    }),
  );
  if (json) return say(renderJson(report));
  say(plain(renderStats(report, terminalWidth())));
}
