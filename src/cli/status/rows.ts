import { renderUtc } from '../../base/clock.ts';
import { collapse, renderBytes, showPath } from '../../base/text/text.ts';
import type { Unfinished } from '../../strategy/transcript/take-in.ts';
import { REPLAYED_LINK, VERDICTS } from '../messages.ts';
import { shortId } from '../names/short-id.ts';
import { describePause, PAUSES_UNREADABLE } from '../pause/view.ts';
import { sessionLogsLine, stepsElsewhereLine, summariesLine, unheardLine } from '../push/leaving-text.ts';
import { ago } from '../ui/time.ts';
import { cutTo } from '../ui/width.ts';
import type { LastCommit } from './commits.ts';
import type { Problem, SessionRow, StatusReport } from './report.ts';

const FILES_SHOWN = 5;
/** Columns for a prompt, where there is no terminal. */
const PROMPT_WIDTH = 60;

/** The first line, which programs read. */
export const stateLine = ({ enabled, strategy }: StatusReport): string =>
  `${enabled ? 'Enabled' : 'Disabled'} (${strategy})`;

/** What is private now: who looks here wants to know whether it is recorded. */
export function renderPauses({ pauses, worktreeId }: StatusReport): string[] {
  if (pauses === 'unreadable') return [PAUSES_UNREADABLE];
  return pauses.map(
    (pause) => `${describePause(pause, worktreeId)}, since ${ago(renderUtc(new Date(pause.atMs)))}`,
  );
}

/** What leaves this machine by itself. */
export function renderLeaving({ leaving }: StatusReport): string[] {
  if ('unknown' in leaving) return [`Session logs: stay on this machine (${leaving.unknown})`];
  const { stepsElsewhere, summaries, unheard } = leaving;
  return [
    sessionLogsLine(leaving),
    ...stepsElsewhere.map(stepsElsewhereLine),
    ...(summaries.on ? [summariesLine(summaries.by)] : []),
    ...unheard.map(({ where, key }) => unheardLine(where, key)),
  ];
}

/** Hooks that are there; @param all also where none is missing */
export function renderHooks({ agents, gitHooks }: StatusReport, all: boolean): string[] {
  const rows = [
    ...agents.map(({ type, hooks, expected }) => ({ name: type, hooks, expected })),
    { name: 'git', hooks: gitHooks.installed.length, expected: gitHooks.expected },
  ].filter(({ hooks, expected }) => all || hooks !== expected);
  return rows.map(({ name, hooks, expected }) =>
    hooks === expected
      ? `${name}: ${hooks} hooks`
      : `${name}: ${hooks} of ${expected} hooks, run 'entire enable'`,
  );
}

/** One session. @param width columns of the terminal */
export function renderSession(
  { state, waiting, stashed, isGone, isLeft, unfinished }: SessionRow,
  known: readonly string[],
  width: number | undefined,
): string[] {
  const active = state.lastInteractionTime;
  const quiet = !active || Date.parse(active) - Date.parse(state.startedAt) <= 60_000;
  const ended = state.endedAt ? `, ended ${ago(state.endedAt)}` : '';
  const times = `started ${ago(state.startedAt)}${quiet ? '' : `, active ${ago(active)}`}${ended}`;
  const id = shortId(state.sessionId, known, 7);
  const lines = [`    [${state.agentType || '(unknown)'}] ${id.padEnd(9)} ${times}`];
  if (state.firstPrompt)
    lines.push(`      "${cutTo(collapse(state.firstPrompt), width ? width - 8 : PROMPT_WIDTH)}"`);
  if (isGone) lines.push('      its client ended in the middle of a turn');
  const open = waiting.filter((path) => !stashed.includes(path));
  if (open.length > 0) lines.push(`      not committed yet: ${firstOf(open)}`);
  if (stashed.length > 0) lines.push(`      in a stash: ${firstOf(stashed)}`);
  if (isLeft) lines.push(`      worktree removed; to continue in this one: entire resume ${state.sessionId}`);
  if (unfinished) lines.push(`      ${renderUnfinished(unfinished)}`);
  return lines;
}

function firstOf(paths: readonly string[]): string {
  const more = paths.length > FILES_SHOWN ? `, and ${paths.length - FILES_SHOWN} more` : '';
  return `${paths.slice(0, FILES_SHOWN).map(showPath).join(', ')}${more}`;
}

const renderUnfinished = ({ taken, size }: Unfinished): string =>
  `long transcript: ${renderBytes(taken)} of ${renderBytes(size)} taken in, the rest follows; its checkpoints are completed then`;

/** What became of a commit. */
export function renderVerdict(verdict: LastCommit, known: readonly string[]): string {
  const sessions = verdict.sessions.map((id) => shortId(id, known)).join(', ');
  const isReplayedLink = verdict.reason === 'sequence' && verdict.checkpoint !== undefined;
  const what = isReplayedLink ? REPLAYED_LINK : (VERDICTS[verdict.reason] ?? verdict.reason);
  const where = [verdict.checkpoint, sessions].filter(Boolean).join(', ');
  const detail = verdict.detail ? `: ${verdict.detail}` : '';
  return `  ${verdict.commit.slice(0, 7)}  ${what}${detail}${where ? ` (${where})` : ''}`;
}

/** All that is wrong. */
export const listProblems = ({ external, problems, unreadable }: StatusReport): string[] => [
  ...external.problems.map(({ name, reason }) => `  agent ${name} cannot be used: ${reason}`),
  ...problems.map(renderProblem),
  ...unreadable.map((file) => `  unreadable session state: ${file}`),
];

const renderProblem = ({ time, message, count = 1 }: Problem): string =>
  `  ${ago(time)}: ${message}${count > 1 ? ` (${count} times)` : ''}`;

/** How the report is coloured. */
export const TONES: readonly RegExp[] = [
  /^(?<good>Enabled)\b/d,
  /^(?<warning>Disabled|Problems:|✕|Paused)/d,
  /^ +(?<agent>\[[^\]]+\]) (?<id>\S+) +(?<quiet>started .*)$/d,
  /^ +(?:not committed yet|in a stash): (?<open>.*)$/d,
  /^ {2}(?<id>[0-9a-f]{7}) {2}(?:(?<good>linked|keeps its link)|(?<quiet>not linked.*)|(?<warning>storing failed))/d,
  /^(?<quiet>Settings: .*|All of it: .*)$/d,
];
