import { counted } from '../../base/text/text.ts';
import type { SessionState } from '../../session/state.ts';
import type { Created } from '../../worktree/create.ts';
import type { Unfinished, WorktreeRow } from '../../worktree/listing.ts';
import type { Removed } from '../../worktree/remove.ts';
import { oneLine, renderJson } from '../ui/terminal.ts';
import { ago } from '../ui/time.ts';
import { cutTo, padTo, widthOf } from '../ui/width.ts';
import { loss, NONE, obstacle, stoppedRemoval } from './text.ts';

/** So many sessions of a worktree are shown. */
const SESSIONS_SHOWN = 3;

/** Columns for a prompt, where there is no terminal. */
const PROMPT_WIDTH = 50;

/** The list for people; safe to print. @param columns of the terminal */
export function renderRows(rows: readonly WorktreeRow[], withRepository: boolean, columns?: number): string {
  if (rows.length === 0) return NONE;
  const width = Math.max(...rows.map(({ name }) => widthOf(oneLine(name))));
  let repository = '';
  return rows
    .flatMap((row) => {
      const isNew = withRepository && row.repository !== repository;
      const heading = isNew ? [...(repository === '' ? [] : ['']), oneLine(row.repository)] : [];
      repository = row.repository;
      return [...heading, ...renderRow(row, width, columns)];
    })
    .join('\n');
}

function renderRow(row: WorktreeRow, width: number, columns: number | undefined): string[] {
  const branch = row.branch ?? (row.head ? `detached at ${row.head.slice(0, 7)}` : 'no branch');
  const marks = [
    ...(row.isMain ? ['main worktree'] : []),
    ...(row.locked === undefined ? [] : [row.locked === '' ? 'locked' : `locked: ${row.locked}`]),
    ...(row.isManaged || row.isMain ? [] : ['not made by entire']),
  ];
  const notes = marks.length > 0 ? ` (${marks.join('; ')})` : '';
  const name = padTo(oneLine(row.name), width);
  return [
    `${row.isHere ? '*' : ' '} ${name}  ${oneLine(branch)}: ${oneLine(`${describeWork(row)}${notes}`)}`,
    `    ${oneLine(row.root)}`,
    ...row.sessions.slice(0, SESSIONS_SHOWN).map((state) => `    ${renderSession(state, columns)}`),
    ...(row.sessions.length > SESSIONS_SHOWN
      ? [`    and ${counted(row.sessions.length - SESSIONS_SHOWN, 'more session')}`]
      : []),
  ];
}

function describeWork({ name, state, work, problem }: WorktreeRow): string {
  if (state === 'removing') return stoppedRemoval(name);
  if (state === 'missing') return 'its folder is gone';
  if (state === 'unknown') return 'git knows no such worktree';
  if (!work) return `git cannot look at it: ${problem ?? ''}`;
  const parts = describeUnfinished(work);
  return parts.length > 0 ? parts.join(', ') : 'clean';
}

const describeUnfinished = ({
  changed,
  untracked,
  unmerged,
  unpushed = 0,
  operation,
}: Unfinished): string[] => [
  ...(operation === undefined ? [] : [`in the middle of a ${operation}`]),
  ...(changed > 0 ? [`${changed} changed`] : []),
  ...(untracked > 0 ? [`${untracked} untracked`] : []),
  ...(unmerged > 0 ? [`${counted(unmerged, 'commit')} nowhere else`] : []),
  // What is nowhere else is not pushed, either.
  ...(unpushed > unmerged ? [`${counted(unpushed, 'commit')} not pushed`] : []),
];

function renderSession(state: SessionState, width: number | undefined): string {
  const { agentType, sessionId, phase, lastInteractionTime, startedAt, firstPrompt } = state;
  const heard = ago(lastInteractionTime ?? startedAt);
  const who = oneLine(`[${agentType || '(unknown)'}] ${sessionId.slice(0, 8)} ${phase}, ${heard}`);
  const room = width ? Math.max(12, width - widthOf(who) - 8) : PROMPT_WIDTH;
  return firstPrompt === '' ? who : `${who}  "${cutTo(oneLine(firstPrompt), room)}"`;
}

/** {@link renderRows} for programs; docs/json.md. */
export const renderRowsJson = (rows: readonly WorktreeRow[], warning: string | undefined): string =>
  renderJson({
    worktrees: rows.map((row) => ({
      ...{ name: row.name, path: row.root, repository: row.repository, state: row.state },
      ...{ managed: row.isManaged, main: row.isMain, here: row.isHere },
      ...{ branch: row.branch ?? null, head: row.head ?? null, locked: row.locked ?? null },
      ...{ created_at: row.createdAt || null, from: row.from ?? null },
      work: row.work
        ? {
            changed: row.work.changed,
            untracked: row.work.untracked,
            unmerged_commits: row.work.unmerged,
            unpushed_commits: row.work.unpushed ?? null,
            ahead: row.work.ahead ?? null,
            operation: row.work.operation ?? null,
          }
        : null,
      problem: row.problem ?? null,
      sessions: row.sessions.map((state) => ({
        session_id: state.sessionId,
        agent_type: state.agentType || null,
        phase: state.phase,
        started_at: state.startedAt || null,
        last_interaction_time: state.lastInteractionTime ?? null,
        first_prompt: state.firstPrompt || null,
      })),
    })),
    warning: warning ?? null,
  });

export const renderCreatedJson = ({ entry, start, head, carried, failed }: Created): string =>
  renderJson({
    ...{ name: entry.name, path: entry.path, branch: start.branch, head },
    branch_created: start.kind !== 'local',
    carried: carried.map(({ path }) => path),
    not_carried: failed,
  });

export const renderRemovedJson = (removed: Removed): string =>
  renderJson({
    ...{ name: removed.name, path: removed.root, result: removed.result },
    obstacles: removed.obstacles.map((one) => ({ kind: one.kind, explanation: obstacle(one)[0] })),
    losses: removed.losses.map((one) => ({
      kind: one.kind,
      explanation: loss(one),
      paths: 'paths' in one ? one.paths : [],
    })),
    kept: {
      ref: removed.kept.ref ?? null,
      commit: removed.kept.commit ?? null,
      refs: removed.kept.refs,
      folder: removed.kept.folder ?? null,
      autostash: removed.kept.autostash ?? null,
    },
    deleted_branch: removed.deletedBranch ?? null,
    sessions: removed.sessions,
  });

/** How the list is coloured. */
export const TONES: readonly RegExp[] = [
  /^(?<good>\*) /d,
  /^ {4}(?<agent>\[[^\]]+\]) (?<id>\S+) (?<quiet>\w+, (?:\d+\w ago|just now))/d,
  /^ {4}(?<quiet>.*)$/d,
];
