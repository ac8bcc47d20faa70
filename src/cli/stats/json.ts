import type { LineStats, StatsGroup } from '../../origin/line-stats.ts';
import { toStoredUsage } from '../../session/state.ts';
import { renderJson } from '../ui/terminal.ts';

/** All tables for programs; documented in docs/json.md. */
export const renderStatsJson = (stats: LineStats): string => {
  const { range, added, surviving, unknown, groups, sessions, missing, unread, setUp } = stats;
  const isKnown = surviving !== undefined;
  return renderJson({
    range: {
      kind: range.kind,
      name: range.name ?? null,
      tip: range.tip ?? null,
      commits: range.commits.length,
      merges: range.merges,
      cut_off: range.cutOff,
      has_more: range.hasMore,
      paths: range.paths,
    },
    added,
    surviving: surviving ?? null,
    unknown: Object.fromEntries(unknown),
    missing_checkpoints: missing,
    unread_commits: unread,
    set_up_lines: setUp,
    by_agent: groups.agent.map((group) => groupJson(group, isKnown)),
    by_person: groups.person.map((group) => groupJson(group, isKnown)),
    by_file: groups.file.map((group) => groupJson(group, isKnown)),
    by_session: groups.session.map((group) => groupJson(group, isKnown)),
    by_month: groups.month.map((group) => groupJson(group, isKnown)),
    sessions: sessions.map(({ sessionId, agent, prompt, prompts, usage }) => ({
      session_id: sessionId,
      agent,
      first_prompt: prompt,
      prompts,
      token_usage: usage ? toStoredUsage(usage) : null,
    })),
  });
};

const groupJson = ({ key, commits, added, surviving }: StatsGroup, isKnown: boolean) => ({
  ...{ key, commits, added },
  surviving: isKnown ? surviving : null,
});
