import type { Shares } from '../../origin/line-shares.ts';
import type { Grouping, LineStats, StatsGroup } from '../../origin/line-stats.ts';
import { totalTokens } from '../../session/state.ts';

/** A row of a table in which each row is of one kind: lines of an agent or session, of all persons, and unknown ones. */
export interface OwnerRow {
  readonly name: string;
  readonly added: number;
  /** `undefined` where nobody can tell. */
  readonly surviving: number | undefined;
  /** Of an agent or session alone. */
  readonly sessions?: number;
  readonly prompts?: number;
  readonly tokens?: number | undefined;
}

const AGENT_UNKNOWN = '(unknown agent)';

/** Lines by agent, with what its sessions took; then those of persons, and unknown ones: also where there are none. */
export function rowsByAgent(stats: LineStats): OwnerRow[] {
  const names = new Set([
    ...stats.groups.agent.filter(({ added }) => added.agent > 0).map(({ key }) => key),
    ...stats.sessions.map(({ agent }) => agent),
  ]);
  const rows = [...names].map((name): OwnerRow => {
    const own = stats.sessions.filter(({ agent }) => agent === name);
    const group = stats.groups.agent.find(({ key }) => key === name);
    return { name: name || AGENT_UNKNOWN, ...linesOf(stats, group, 'agent'), ...costOf(own) };
  });
  return [...rows, ...restOf(stats)];
}

/** The same by session. */
export function rowsBySession(
  stats: LineStats,
  nameOf: (session: LineStats['sessions'][number]) => string,
): OwnerRow[] {
  const known = new Map(stats.sessions.map((session) => [session.sessionId, session]));
  const ids = new Set([
    ...stats.groups.session.filter(({ added, key }) => key !== '' && added.agent > 0).map(({ key }) => key),
    ...known.keys(),
  ]);
  const rows = [...ids].map((sessionId): OwnerRow => {
    const session = known.get(sessionId);
    const group = stats.groups.session.find(({ key }) => key === sessionId);
    const usage = undefined;
    const shown = session ?? { sessionId, agent: '', prompt: '', prompts: 0, usage };
    return {
      ...{ name: nameOf(shown), ...linesOf(stats, group, 'agent') },
      ...(session && { ...costOf([session]), sessions: 1 }),
    };
  });
  return [...rows, ...restOf(stats)];
}

const restOf = (stats: LineStats): OwnerRow[] =>
  (['human', 'unknown'] as const).map((kind) => ({
    name: kind,
    added: stats.added[kind],
    surviving: stats.surviving?.[kind],
  }));

const linesOf = (stats: LineStats, group: StatsGroup | undefined, kind: keyof Shares) => ({
  added: group?.added[kind] ?? 0,
  surviving: stats.surviving && (group?.surviving[kind] ?? 0),
});

/** What sessions took together. */
export function costOf(
  sessions: LineStats['sessions'],
): Required<Pick<OwnerRow, 'sessions' | 'prompts' | 'tokens'>> {
  const usages = sessions.flatMap(({ usage }) => usage ?? []);
  return {
    sessions: sessions.length,
    prompts: sessions.reduce((sum, { prompts }) => sum + prompts, 0),
    tokens: usages.length === 0 ? undefined : usages.reduce((sum, usage) => sum + totalTokens(usage), 0),
  };
}

/** Groups whose rows have lines of all kinds. */
export type MixedGrouping = Exclude<Grouping, 'agent' | 'session'>;

export const isMixed = (by: Grouping): by is MixedGrouping => by !== 'agent' && by !== 'session';
