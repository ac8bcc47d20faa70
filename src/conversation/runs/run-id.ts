import { AGENT_NAMES, type AgentName } from '../../agents/names.ts';
import { now } from '../../base/clock.ts';
import type { SessionId } from '../../base/ids.ts';

/** The agents that a run may be of: the first part of its id. */
export const KNOWN_CLI_ORIGINS: ReadonlySet<AgentName> = new Set(AGENT_NAMES);

/** The id of a run in its parts. */
export interface RunId {
  readonly agent: AgentName;
  /** When it began: to the millisecond, or the beginning of the day where the id names a day only. */
  readonly at: Date;
  /** What follows the agent: it sorts by time. */
  readonly tail: string;
}

/** An id for a run that begins now: `<agent>-<time in UTC>-<eight hex digits>`, such as `codex-2026-11-23T07-10-00-123Z-7f3a91c2`. */
export const mintRunId = (agent: AgentName, at: Date = now()): SessionId =>
  `${agent}-${at.toISOString().replace(/[:.]/g, '-')}-${crypto.randomUUID().slice(0, 8)}` as SessionId;

const TAIL = /^(\d{4}-\d\d-\d\d)(?:T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z)?-[0-9a-f]{8}$/;

/** Reads the id of a run; `undefined` for what is none, or of nobody we know. */
export function parseRunId(text: string): RunId | undefined {
  const origin = parseCliOrigin(text);
  if (origin === '') return undefined;
  const tail = text.slice(origin.length + 1);
  const [, day, hour = '00', minute = '00', second = '00', ms = '000'] = TAIL.exec(tail) ?? [];
  const time = `${day}T${hour}:${minute}:${second}.${ms}Z`;
  const at = new Date(time);
  // A 30th of February would be taken for the 2nd of March.
  if (Number.isNaN(at.getTime()) || at.toISOString() !== time) return undefined;
  return { agent: origin, at, tail };
}

/** Which agent a run is of, by the first part of its id; the empty text for an id that begins with anything else. */
export function parseCliOrigin<Name extends string = AgentName>(
  id: string,
  known: ReadonlySet<Name> = KNOWN_CLI_ORIGINS as ReadonlySet<string> as ReadonlySet<Name>,
): Name | '' {
  let longest: Name | '' = ''; // names contain dashes: one may begin as another does
  for (const name of known) if (id.startsWith(`${name}-`) && name.length > longest.length) longest = name;
  return longest;
}

/** The newer one first. */
export const compareRunTails = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0);
