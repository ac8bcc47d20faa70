import { shortType } from '../../agents/names.ts';
import { counted } from '../../base/text/text.ts';
import type { LogEntry, LoggedCommit, LoggedSession, LoggedTurn } from '../../history/log.ts';
import { findReplayed, isRevert } from '../../origin/reason.ts';
import { andMore } from '../messages.ts';
import { paint, type Tone } from '../ui/colour.ts';
import { type Column, renderTable } from '../ui/table.ts';
import { oneLine, renderJson } from '../ui/terminal.ts';
import { atTime } from '../ui/time.ts';
import { renderGraph } from './graph.ts';
import { MISFIT, NOTHING_LEFT, NOW, notHere, pickedFrom, reverts, TAKEN_BACK, UNLINKED } from './text.ts';

/** How the list is set. */
export interface LogView {
  /** Columns of the terminal; nothing is cut without it. */
  readonly width: number | undefined;
  readonly hasColour: boolean;
  /** With a lane for each session in front. */
  readonly isGraph: boolean;
}

/** One line for each turn and commit. */
export function renderLog(entries: readonly LogEntry[], { width, hasColour, isGraph }: LogView): string {
  const marks = isGraph ? renderGraph(entries, markOf) : entries.map(markOf);
  const rows = entries.map((entry, at) => [
    marks[at] ?? '',
    ...(entry.kind === 'turn' ? turnRow(entry) : commitRow(entry)),
  ]);
  const tones = entries.map(tonesOf);
  const column = (at: number, least?: number): Column => ({
    title: '',
    ...(least === undefined ? {} : { least }),
    paint: (cell, row) => {
      const tone = hasColour ? tones[row]?.[at] : undefined;
      return tone ? paint(tone, cell) : cell;
    },
  });
  const columns = [column(0), column(1), column(2), column(3, 12), column(4, 15), column(5, 8)];
  // In a narrow terminal the time takes too much.
  const keeps = (at: number): boolean => at !== TIME || !width || width >= 72;
  return renderTable(
    columns.filter((_, at) => keeps(at)),
    rows.map((row) => row.filter((_, at) => keeps(at))),
    width,
  );
}

const TIME = 2;

type Cells = readonly [id: string, time: string, what: string, who: string, prompt: string];

function turnRow({ step, at, uncommitted, isTakenBack, session }: LoggedTurn): Cells {
  const count = counted(uncommitted.length, 'file');
  const gone = isTakenBack ? TAKEN_BACK : NOTHING_LEFT;
  const what = uncommitted.length === 0 ? gone : `${count} ${step ? 'uncommitted' : 'so far'}`;
  return [step?.slice(0, 7) ?? NOW, atTime(at), what, nameOf(session), quoted(session)];
}

function commitRow(entry: LoggedCommit): Cells {
  const { commit, sessions } = entry;
  const [only] = sessions;
  const [who, prompt] =
    sessions.length === 1 && only
      ? [nameOf(only), quoted(only)]
      : sessions.length > 1
        ? [counted(sessions.length, 'session'), sessions.map(nameOf).join(', ')]
        : [whyNone(entry), ''];
  const of = entry.checkpoints.length > 1 ? `${entry.checkpoints.length} checkpoints · ` : '';
  return [commit.oid.slice(0, 7), atTime(commit.committedAt), oneLine(commit.subject), `${of}${who}`, prompt];
}

/** A pen for a turn. Filled where one checkpoint led to the commit, hollow where several did; a dot where none is known. */
function markOf(entry: LogEntry): string {
  if (entry.kind === 'turn') return '✎';
  return entry.sessions.length === 0 ? '·' : entry.checkpoints.length > 1 ? '○' : '●';
}

function whyNone({ commit, missing: [missing], misfit, verdict }: LoggedCommit): string {
  if (misfit !== undefined) return MISFIT;
  if (missing) return notHere(missing);
  const source = findReplayed(commit.message);
  if (source !== undefined) return isRevert(commit.message) ? reverts(source) : pickedFrom(source);
  return (verdict && UNLINKED[verdict]) ?? '';
}

/** `Claude 3a6edbc9`. */
const nameOf = ({ agent, sessionId }: LoggedSession): string =>
  oneLine(`${shortType(agent) || 'unknown'} ${sessionId.slice(0, 8)}`);

/** The first prompt, and how many more there were. */
const quoted = ({ prompt, more }: LoggedSession): string =>
  prompt === '' ? '' : `“${oneLine(prompt)}”${more > 0 ? ` ${andMore(more)}` : ''}`;

function tonesOf(entry: LogEntry): readonly (Tone | undefined)[] {
  if (entry.kind === 'turn') return ['open', 'open', 'quiet', 'open', 'agent', undefined];
  const isLinked = entry.sessions.length > 0;
  return [isLinked ? 'agent' : 'quiet', 'id', 'quiet', undefined, isLinked ? 'agent' : 'quiet', undefined];
}

/** The list for programs; documented in docs/json.md. */
export const renderLogJson = (entries: readonly LogEntry[]): string =>
  renderJson(entries.map((entry) => (entry.kind === 'turn' ? turnJson(entry) : commitJson(entry))));

const turnJson = ({ step, at, session, files, uncommitted }: LoggedTurn) => ({
  kind: 'turn',
  step: step ?? null,
  at,
  sessions: [sessionJson(session)],
  files,
  uncommitted,
});

const commitJson = ({ commit, sessions, checkpoints, missing, misfit, verdict }: LoggedCommit) => ({
  kind: 'commit',
  commit: commit.oid,
  at: commit.committedAt,
  subject: commit.subject,
  sessions: sessions.map(sessionJson),
  checkpoints,
  ...(missing.length > 0 && { missing }),
  ...(misfit !== undefined && { misfit }),
  verdict: verdict ?? null,
});

const sessionJson = ({ sessionId, agent, prompt, more }: LoggedSession) => ({
  session_id: sessionId,
  agent,
  prompt,
  more_prompts: more,
});
