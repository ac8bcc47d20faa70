import { basename } from 'node:path';
import { now, renderUtc } from '../../base/clock.ts';
import { collapse, renderBytes, showPath, truncate } from '../../base/text/text.ts';
import { howTo } from '../../hooks/agent/external-agents.ts';
import { toStoredUsage } from '../../session/state.ts';
import type { SettingsValues } from '../../settings/settings.ts';
import type { Unfinished } from '../../strategy/transcript/take-in.ts';
import { NO_AGENT_HOOKS, REPLAYED_LINK, VERDICTS } from '../messages.ts';
import { shortId } from '../names/short-id.ts';
import { describePause, PAUSES_UNREADABLE, toJson } from '../pause/view.ts';
import { sessionLogsLine, summariesLine, unheardLine } from '../push/leaving-text.ts';
import { renderJson } from '../ui/terminal.ts';
import { UNDO_OFF } from '../undo/text.ts';
import type { LastCommit } from './commits.ts';
import type { Problem, SessionRow, StatusReport } from './report.ts';

const FILES_SHOWN = 5;

/** The report for people. */
export function renderStatus(report: StatusReport, detailed: boolean): string {
  const lines = [stateLine(report.enabled, report.strategy)];
  if (report.enabled && report.agents.length === 0) lines.push(NO_AGENT_HOOKS);
  lines.push(...renderPauses(report));
  if (detailed) lines.push(...renderFiles(report));
  lines.push('', ...report.files.map((file) => `Settings: ${file}`), ...renderHooks(report));
  lines.push(...renderLeaving(report.leaving));
  if (report.external.wish === 'shared') lines.push(howTo('shared'));
  if (!report.keepsContents) lines.push(UNDO_OFF);
  if (!report.enabled) return lines.join('\n');
  if (report.sessions.length > 0) lines.push('', 'Active Sessions:', ...renderSessions(report));
  if (report.verdicts.length > 0) lines.push('', 'Last Commits:', ...renderVerdicts(report));
  const problems = [
    ...report.external.problems.map(({ name, reason }) => `  agent ${name} cannot be used: ${reason}`),
    ...report.problems.map(renderProblem),
    ...report.unreadable.map((file) => `  unreadable session state: ${file}`),
  ];
  if (problems.length > 0) lines.push('', 'Problems:', ...problems);
  return lines.join('\n');
}

const renderProblem = ({ time, message, count = 1 }: Problem): string =>
  `  ${ago(time)}: ${message}${count > 1 ? ` (${count} times)` : ''}`;

const stateLine = (enabled: boolean, strategy: string): string =>
  `${enabled ? 'Enabled' : 'Disabled'} (${strategy})`;

/** Before everything else: who looks here wants to know whether it is recorded. */
function renderPauses({ pauses, worktreeId }: StatusReport): string[] {
  if (pauses === 'unreadable') return [PAUSES_UNREADABLE];
  return pauses.map(
    (pause) => `${describePause(pause, worktreeId)}, since ${ago(renderUtc(new Date(pause.atMs)))}`,
  );
}

function renderFiles({ project, local, strategy }: StatusReport): string[] {
  const line = (name: string, values: SettingsValues | undefined) =>
    values
      ? [`${name}, ${(values.enabled ?? true) ? 'enabled' : 'disabled'} (${values.strategy ?? strategy})`]
      : [];
  return ['', ...line('Project', project), ...line('Local', local)];
}

function renderLeaving(leaving: StatusReport['leaving']): string[] {
  if ('unknown' in leaving) return [`Session logs: stay on this machine (${leaving.unknown})`];
  const { summaries, unheard } = leaving;
  return [
    sessionLogsLine(leaving),
    ...(summaries.on ? [summariesLine(summaries.by)] : []),
    ...unheard.map(({ where, key }) => unheardLine(where, key)),
  ];
}

function renderHooks({ agents, gitHooks }: StatusReport): string[] {
  const count = (have: number, expected: number) =>
    have === expected ? `${have} hooks` : `${have} of ${expected} hooks, run 'entire enable'`;
  const rows = agents.map(({ type, hooks, expected }) => `${type}: ${count(hooks, expected)}`);
  if (rows.length === 0) rows.push('No agent hooks');
  rows.push(`git: ${count(gitHooks.installed.length, gitHooks.expected)}`);
  return rows;
}

function renderSessions({ sessions: rows, known }: StatusReport): string[] {
  return rows.flatMap((row, index) => {
    const path = row.state.worktreePath || '(unknown)';
    const previous = rows[index - 1]?.state.worktreePath;
    const header =
      index > 0 && previous === row.state.worktreePath
        ? []
        : [`  ${path}${row.branch ? ` (${row.branch})` : ''}`];
    return [...(index > 0 && header.length > 0 ? [''] : []), ...header, ...renderSession(row, known)];
  });
}

function renderSession(
  { state, waiting, isGone, isLeft, unfinished }: SessionRow,
  known: readonly string[],
): string[] {
  const active = state.lastInteractionTime;
  const quiet = !active || Date.parse(active) - Date.parse(state.startedAt) <= 60_000;
  const ended = state.endedAt ? `, ended ${ago(state.endedAt)}` : '';
  const times = `started ${ago(state.startedAt)}${quiet ? '' : `, active ${ago(active)}`}${ended}`;
  const id = shortId(state.sessionId, known, 7);
  const lines = [`    [${state.agentType || '(unknown)'}] ${id.padEnd(9)} ${times}`];
  if (state.firstPrompt) lines.push(`      "${truncate(collapse(state.firstPrompt), 60, '...')}"`);
  if (isGone) lines.push('      its client ended in the middle of a turn');
  if (waiting.length > 0) {
    const more = waiting.length > FILES_SHOWN ? `, and ${waiting.length - FILES_SHOWN} more` : '';
    lines.push(`      not committed yet: ${waiting.slice(0, FILES_SHOWN).map(showPath).join(', ')}${more}`);
  }
  if (isLeft) lines.push(`      worktree removed; to go on in this one: entire resume ${state.sessionId}`);
  if (unfinished) lines.push(`      ${renderUnfinished(unfinished)}`);
  return lines;
}

const renderUnfinished = ({ taken, size }: Unfinished): string =>
  `long transcript: ${renderBytes(taken)} of ${renderBytes(size)} taken in, the rest follows; its checkpoints are completed then`;

const renderVerdicts = ({ verdicts, known }: StatusReport): string[] =>
  verdicts.map((verdict) => renderVerdict(verdict, known));

function renderVerdict(verdict: LastCommit, known: readonly string[]): string {
  const sessions = verdict.sessions.map((id) => shortId(id, known)).join(', ');
  const isReplayedLink = verdict.reason === 'sequence' && verdict.checkpoint !== undefined;
  const what = isReplayedLink ? REPLAYED_LINK : (VERDICTS[verdict.reason] ?? verdict.reason);
  const where = [verdict.checkpoint, sessions].filter(Boolean).join(', ');
  const detail = verdict.detail ? `: ${verdict.detail}` : '';
  return `  ${verdict.commit.slice(0, 7)}  ${what}${detail}${where ? ` (${where})` : ''}`;
}

/** `just now`, `5m ago`, `3h ago`, `2d ago`. */
export function ago(time: string): string {
  const minutes = Math.floor((now().getTime() - Date.parse(time)) / 60_000);
  if (!(minutes >= 1)) return 'just now';
  if (minutes < 60) return `${minutes}m ago`;
  return minutes < 60 * 24 ? `${Math.floor(minutes / 60)}h ago` : `${Math.floor(minutes / 60 / 24)}d ago`;
}

/** The report for programs; documented in ARCHITECTURE.md. */
export function renderStatusJson(report: StatusReport): string {
  const file = (values: SettingsValues | undefined) =>
    values ? { enabled: values.enabled ?? true, strategy: values.strategy ?? report.strategy } : null;
  const value = {
    enabled: report.enabled,
    strategy: report.strategy,
    undo: report.keepsContents,
    settings: report.files,
    session_logs: leavingJson(report.leaving),
    project: file(report.project),
    local: file(report.local),
    agents: report.agents.map(({ name, hooks, expected }) => ({ name, hooks, expected })),
    external_agents: { setting: report.external.wish, problems: report.external.problems },
    git_hooks: { dir: report.gitHooks.dir, installed: report.gitHooks.installed },
    pauses:
      report.pauses === 'unreadable' ? null : report.pauses.map((pause) => toJson(pause, report.worktreeId)),
    sessions: report.sessions.map(({ state, branch, waiting, here, isGone, unfinished }) => ({
      session_id: state.sessionId,
      agent_type: state.agentType,
      worktree_path: state.worktreePath,
      this_worktree: here,
      branch: branch ?? null,
      started_at: state.startedAt,
      last_interaction_time: state.lastInteractionTime ?? null,
      phase: state.phase,
      client_ended: isGone,
      checkpoint_count: state.checkpointCount,
      first_prompt: state.firstPrompt,
      files_touched: waiting,
      token_usage: state.tokenUsage ? toStoredUsage(state.tokenUsage) : null,
      transcript_waits: unfinished ? { taken_bytes: unfinished.taken, size_bytes: unfinished.size } : null,
    })),
    verdicts: report.verdicts,
    problems: report.problems,
    unreadable: report.unreadable.map((path) => basename(path)),
  };
  return renderJson(value);
}

function leavingJson(leaving: StatusReport['leaving']): object {
  const nothing = { leave: false, remote: null, url: null };
  if ('unknown' in leaving) return { ...nothing, reason: 'unreadable', summaries: false, not_heard: [] };
  const { to, reason, settings, unseen, summaries, unheard } = leaving;
  return {
    ...nothing,
    ...(to && { leave: true, ...to }),
    reason: reason ?? null,
    decided_by: settings.permission.by ?? null,
    asked_for: settings.proposal?.wanted ?? (unseen.join(', ') || null),
    summaries: summaries.on,
    not_heard: unheard,
  };
}
