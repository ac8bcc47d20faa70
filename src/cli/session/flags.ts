import { AGENT_NAMES, type AgentName } from '../../agents/names.ts';
import { now } from '../../base/clock.ts';
import { EntireError } from '../../base/errors.ts';
import { findAgentNamed, meantAgent } from '../agent/named.ts';
import { plain } from '../ui/terminal.ts';

/** The agent that `--agent` names; `undefined` without it. @throws {EntireError} `BAD_FLAGS` for none; the hint lists `known` */
export function parseAgentFlag(
  word: string | undefined,
  known: readonly AgentName[] = AGENT_NAMES,
): AgentName | undefined {
  const agent = word === undefined ? undefined : findAgentNamed(word);
  if (word === undefined || agent) return agent;
  const meant = meantAgent(word);
  throw new EntireError(
    'BAD_FLAGS',
    `unknown agent: ${plain(word)}${meant ? `; did you mean ${meant}?` : ''}`,
    {
      hint: `One of: ${known.join(', ')}.`,
    },
  );
}

export const SINCE = 'a date or age: 2026-11-01, yesterday, 7d, 12h';

const UNITS = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** A date, or how long ago. @param zone where a day begins @throws {EntireError} `BAD_FLAGS` */
export function parseSince(word: string, zone: 'utc' | 'local'): Date {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(word) ?? [];
  if (count !== undefined)
    return new Date(now().getTime() - Number(count) * UNITS[unit as keyof typeof UNITS]);
  const back = ['today', 'yesterday'].indexOf(word);
  if (back !== -1) {
    const day = new Date(now());
    if (zone === 'local') day.setHours(-24 * back, 0, 0, 0);
    else day.setUTCHours(-24 * back, 0, 0, 0);
    return day;
  }
  const isDay = /^\d{4}-\d\d-\d\d$/.test(word);
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?$/.test(word);
  const day = new Date(isDay || isTime ? word.slice(0, 10) : Number.NaN);
  const time = new Date(isDay && zone === 'local' ? `${word}T00:00` : word);
  // A 30th of February would be taken for the 2nd of March.
  const isReal = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(word.slice(0, 10));
  if (isReal && !Number.isNaN(time.getTime())) return time;
  throw new EntireError('BAD_FLAGS', `not a date or an age: ${plain(word)}`, {
    hint: 'Such as 2026-11-01, yesterday, 7d or 12h.',
  });
}
