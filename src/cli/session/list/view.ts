import { sep } from 'node:path';
import { tellMisfit } from '../../../checkpoint/read/fit.ts';
import { parseRunId } from '../../../conversation/runs/run-id.ts';
import type { SessionRecord } from '../../../conversation/walk/session-record.ts';
import type { SessionWork } from '../../../conversation/walk/session-work.ts';
import { paint, type Tone } from '../../ui/colour.ts';
import { linkToFolder } from '../../ui/hyperlink.ts';
import { homely } from '../../ui/paths.ts';
import { type Column, renderTable } from '../../ui/table.ts';
import { oneLine } from '../../ui/terminal.ts';
import { ago } from '../../ui/time.ts';

/** A session, and what the record of this repository has of it; `undefined` where nobody looked. */
export interface ListedSession {
  readonly record: SessionRecord;
  readonly work: SessionWork | undefined;
}

/** How a list is shown. */
export interface ListView {
  readonly withOrigin: boolean;
  /** The top of this repository's worktree; `undefined` outside of one. */
  readonly root: string | undefined;
  /** Columns of what the record of this repository has. */
  readonly withWork: boolean;
  readonly width: number | undefined;
  readonly hasColour: boolean;
}

/** The table for people. */
export function renderSessions(sessions: readonly ListedSession[], view: ListView): string {
  const ids = shortIds(sessions.map(({ record }) => record));
  const withBranch = sessions.some(({ record }) => record.branch !== undefined);
  const toned = (tone: Tone): Pick<Column, 'paint'> =>
    view.hasColour ? { paint: (cell) => paint(tone, cell) } : {};
  const columns: Column[] = [
    { title: 'ID', ...toned('id') },
    ...(view.withOrigin ? [{ title: 'ORIGIN', drop: 6, ...toned('agent') }] : []),
    { title: 'WHEN', ...toned('quiet') },
    ...(withBranch ? [{ title: 'NAME', drop: 5 }] : []),
    { title: 'TITLE', least: 24 },
    {
      ...{ title: 'FOLDER', least: 12, drop: 2 },
      paint: (cell, row) => {
        const shown = view.hasColour ? paint('quiet', cell) : cell;
        return linkToFolder(shown, sessions[row]?.record.folder ?? '');
      },
    },
    ...(!view.withWork
      ? []
      : ([
          { title: 'CHECKPOINTS', align: 'right', drop: 1 },
          { title: 'COMMITS', align: 'right', drop: 4 },
          { title: 'LINES', align: 'right', drop: 3 },
        ] as const)),
  ];
  const rows = sessions.map(({ record, work }, at) => [
    ids[at] ?? record.sessionId,
    ...(view.withOrigin ? [renderOrigin(record)] : []),
    ago(record.updatedAt),
    ...(withBranch ? [oneLine(record.branch ?? '')] : []),
    renderTitle(record),
    oneLine(renderFolder(record.folder, view.root)),
    ...(view.withWork ? renderWork(work) : []),
  ]);
  return renderTable(columns, rows, view.width);
}

/** The agent, and that it was talked with from here. */
const renderOrigin = ({ cliOrigin, kind }: SessionRecord): string =>
  `${cliOrigin || '-'}${kind === 'agent' ? '' : ' (chat)'}`;

/** A session of which we keep nothing but the log says so. */
const renderTitle = ({ kind, isStored, summary }: SessionRecord): string =>
  `${kind === 'run' && !isStored ? '(log only) ' : ''}${oneLine(summary.title ?? '') || '-'}`;

function renderWork(work: SessionWork | undefined): string[] {
  if (!work) return ['', '', ''];
  const { checkpoints, commits, survivingLines } = work;
  return [
    `${checkpoints.length}`,
    `${commits.length}`,
    survivingLines === undefined ? '?' : `${survivingLines}`,
  ];
}

/** `.` for the repository itself, and `~` for the user's home. */
function renderFolder(folder: string | undefined, root: string | undefined): string {
  if (folder === undefined) return '-';
  if (root !== undefined && folder === root) return '.';
  if (root !== undefined && folder.startsWith(root + sep)) return `.${folder.slice(root.length)}`;
  return homely(folder);
}

/** So many characters tell two random ids apart. */
const SHORT = 8;

/**
 * Ids that are short and that `show` takes: of a run its last eight digits, else the beginning; longer where two of the list
 * would be the same.
 */
function shortIds(records: readonly Pick<SessionRecord, 'sessionId'>[]): string[] {
  const short = (id: string, length: number): string =>
    length === SHORT && parseRunId(id) ? id.slice(-SHORT) : id.slice(0, length);
  let open = records.map(({ sessionId }) => sessionId as string);
  const found = new Map<string, string>();
  for (let length = SHORT; open.length > 0; length += 4) {
    const counts = new Map<string, number>();
    for (const id of open) counts.set(short(id, length), (counts.get(short(id, length)) ?? 0) + 1);
    const left: string[] = [];
    for (const id of open) {
      const text = short(id, length);
      if (counts.get(text) === 1 || text === id || length > 128) found.set(id, text);
      else left.push(id);
    }
    open = left;
  }
  return records.map(({ sessionId }) => found.get(sessionId) ?? sessionId);
}

/** What programs get of a session. */
export const toJson = ({ record, work }: ListedSession): object => ({
  session_id: record.sessionId,
  run_id: record.runId ?? null,
  cli_origin: record.cliOrigin,
  kind: record.kind,
  stored: record.isStored,
  path: record.path,
  agent_session_id: record.agentSessionId ?? null,
  transcript: record.transcript ?? null,
  folder: record.folder ?? null,
  started_at: record.startedAt ?? null,
  updated_at: record.updatedAt,
  title: record.summary.title ?? null,
  branch: record.branch ?? null,
  checkpoints: work?.checkpoints ?? null,
  commits: work?.commits ?? null,
  surviving_lines: work?.survivingLines ?? null,
  problems: work ? tellMisfits(work) : [],
});

/** Commits that name a checkpoint of the session, and are not its work. */
export const tellMisfits = ({ misfits }: SessionWork): string[] =>
  misfits.map(({ checkpoint, commit, why }) => `${checkpoint}: ${tellMisfit(commit, why)}`);
