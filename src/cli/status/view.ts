import { basename } from 'node:path';
import { howTo } from '../../hooks/agent/external-agents.ts';
import { covers } from '../../session/record/pause.ts';
import { toStoredUsage } from '../../session/state.ts';
import type { SettingsValues } from '../../settings/settings.ts';
import { NO_AGENT_HOOKS } from '../messages.ts';
import { toJson } from '../pause/view.ts';
import { renderJson } from '../ui/terminal.ts';
import { UNDO_OFF } from '../undo/text.ts';
import type { StatusReport } from './report.ts';
import {
  listProblems,
  renderHooks,
  renderLeaving,
  renderPauses,
  renderSession,
  renderVerdict,
  stateLine,
} from './rows.ts';
import * as text from './text.ts';

/**
 * The report for people: what is recorded, what no commit has, the last commit, and what to do next.
 *
 * @param width columns of the terminal
 */
export function renderStatus(report: StatusReport, width?: number): string {
  const lines = [...renderTop(report), '', ...renderRecording(report), ...renderNotes(report)];
  if (!report.enabled) return [...lines, '', text.ENABLE_NEXT].join('\n');
  const { verdicts, known } = report;
  const open = report.sessions.filter(isOpen);
  const elsewhere = open.filter(({ here, isLeft }) => !here && !isLeft);
  const shown = open.filter((row) => !elsewhere.includes(row));
  if (shown.length > 0)
    lines.push(
      '',
      text.SESSIONS,
      ...shown.flatMap((row) => renderSession(row, known, width).map((line) => line.slice(2))),
    );
  if (elsewhere.length > 0) lines.push('', text.elsewhere(elsewhere.length));
  const [last] = verdicts;
  if (last) lines.push('', text.LAST_COMMIT, renderVerdict(last, known));
  const problems = listProblems(report);
  if (problems.length > 0) lines.push('', text.PROBLEMS, ...problems);
  const next = nextOf(report);
  return [...lines, '', ...(next === undefined ? [] : [next]), text.MORE].join('\n');
}

/** It has work that no commit took, or is at work. */
const isOpen = ({ state, waiting, isGone, isLeft, unfinished }: StatusReport['sessions'][number]): boolean =>
  waiting.length > 0 || state.phase === 'active' || isGone || isLeft || unfinished !== undefined;

const renderTop = (report: StatusReport): string[] => [
  stateLine(report),
  ...(report.enabled && report.agents.length === 0 ? [NO_AGENT_HOOKS] : []),
  ...renderPauses(report),
];

function renderRecording(report: StatusReport): string[] {
  const types = report.agents.map(({ type }) => type);
  const isOn = report.enabled && types.length > 0 && !isPausedHere(report);
  return [...(isOn ? [text.recorded(types)] : []), ...renderHooks(report, false), ...renderLeaving(report)];
}

/** Nothing of this worktree is recorded. */
const isPausedHere = ({ pauses, worktreeId }: StatusReport): boolean =>
  pauses === 'unreadable' || pauses.some((pause) => covers(pause, worktreeId, undefined));

const renderNotes = ({ external, keepsContents }: StatusReport): string[] => [
  ...(external.wish === 'shared' ? [howTo('shared')] : []),
  ...(keepsContents ? [] : [UNDO_OFF]),
];

/** What helps most now, where something does. */
function nextOf(report: StatusReport): string | undefined {
  const { agents, gitHooks, sessions, verdicts } = report;
  if (agents.length === 0 || isPausedHere(report)) return undefined;
  if (renderHooks(report, false).length > 0 || gitHooks.installed.length === 0) return text.ENABLE_NEXT;
  if (listProblems(report).length > 0) return text.DOCTOR_NEXT;
  if (sessions.some(({ here, isAtWork }) => here && isAtWork)) return text.AT_WORK;
  if (sessions.some(({ here, waiting, stashed }) => here && waiting.length > stashed.length))
    return text.COMMIT_NEXT;
  return sessions.length === 0 && verdicts.length === 0 ? text.PROMPT_NEXT : undefined;
}

/** All there is to say. @param width columns of the terminal */
export function renderDetailed(report: StatusReport, width?: number): string {
  const lines = [...renderTop(report), ...renderFiles(report)];
  lines.push('', ...report.files.map((file) => `Settings: ${file}`));
  if (report.agents.length === 0) lines.push(text.NO_AGENTS);
  lines.push(...renderHooks(report, true), ...renderLeaving(report), ...renderNotes(report));
  if (!report.enabled) return lines.join('\n');
  if (report.sessions.length > 0) lines.push('', text.SESSIONS, ...renderSessions(report, width));
  if (report.verdicts.length > 0)
    lines.push('', text.LAST_COMMITS, ...report.verdicts.map((one) => renderVerdict(one, report.known)));
  const problems = listProblems(report);
  if (problems.length > 0) lines.push('', text.PROBLEMS, ...problems);
  return lines.join('\n');
}

function renderFiles({ project, local, strategy }: StatusReport): string[] {
  const line = (name: string, values: SettingsValues | undefined) =>
    values
      ? [`${name}, ${(values.enabled ?? true) ? 'enabled' : 'disabled'} (${values.strategy ?? strategy})`]
      : [];
  return ['', ...line('Project', project), ...line('Local', local)];
}

function renderSessions({ sessions: rows, known }: StatusReport, width: number | undefined): string[] {
  return rows.flatMap((row, index) => {
    const path = row.state.worktreePath || '(unknown)';
    const previous = rows[index - 1]?.state.worktreePath;
    const header =
      index > 0 && previous === row.state.worktreePath
        ? []
        : [`  ${path}${row.branch ? ` (${row.branch})` : ''}`];
    return [...(index > 0 && header.length > 0 ? [''] : []), ...header, ...renderSession(row, known, width)];
  });
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
  if ('unknown' in leaving)
    return { ...nothing, reason: 'unreadable', steps_elsewhere: [], summaries: false, not_heard: [] };
  const { to, reason, settings, unseen, stepsElsewhere, summaries, unheard } = leaving;
  return {
    ...nothing,
    ...(to && { leave: true, ...to }),
    reason: reason ?? null,
    decided_by: settings.permission.by ?? null,
    asked_for: settings.proposal?.wanted ?? (unseen.join(', ') || null),
    steps_elsewhere: stepsElsewhere,
    summaries: summaries.on,
    not_heard: unheard,
  };
}
