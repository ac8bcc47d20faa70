import { parseAgentName } from '../../../agents/names.ts';
import { now } from '../../../base/clock.ts';
import { EntireError } from '../../../base/errors.ts';
import { KNOWN_CLI_ORIGINS } from '../../../conversation/runs/run-id.ts';
import { buildStats } from '../../../conversation/stats/report.ts';
import { withProgress } from '../../ui/progress.ts';
import { plain, renderJson, say, warnOf } from '../../ui/terminal.ts';
import { renderStats } from './view.ts';

export interface StatsFlags {
  readonly since?: string | undefined;
  readonly agent?: string | undefined;
  readonly json?: boolean | undefined;
}

/** What sessions came to: by agent, day and repository. */
export async function statsCommand({ since: word, agent: named, json }: StatsFlags): Promise<void> {
  const since = word === undefined ? undefined : parseSince(word);
  const agent = parseAgentName(named);
  if (named !== undefined && !agent)
    throw new EntireError('BAD_FLAGS', `no agent: ${plain(named)}`, {
      hint: `One of: ${[...KNOWN_CLI_ORIGINS].join(', ')}.`,
    });
  const report = await withProgress(({ step: onProgress }) =>
    buildStats({
      ...(since ? { since } : {}),
      ...(agent ? { agents: [agent] } : {}),
      onProgress,
      onProblem: warnOf,
    }),
  );
  if (json) return say(renderJson(report));
  say(plain(renderStats(report, process.stdout.isTTY ? process.stdout.columns : undefined)));
}

const UNITS = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** A date, or how long ago. @throws {EntireError} `BAD_FLAGS` */
export function parseSince(word: string): Date {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(word) ?? [];
  if (count !== undefined)
    return new Date(now().getTime() - Number(count) * UNITS[unit as keyof typeof UNITS]);
  const isDate = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.test(word);
  const day = new Date(isDate ? word.slice(0, 10) : Number.NaN);
  const time = new Date(word);
  // A 30th of February would be taken for the 2nd of March.
  const isReal = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(word.slice(0, 10));
  if (isReal && !Number.isNaN(time.getTime())) return time;
  throw new EntireError('BAD_FLAGS', `no date, and no span: ${plain(word)}`, {
    hint: 'Such as 2026-11-01, 7d or 12h.',
  });
}
