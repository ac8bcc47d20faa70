import { collapse } from '../../base/text/text.ts';
import type { BlameReport, OriginLine } from '../../origin/blame.ts';
import type { BlamedSession } from '../../origin/context.ts';
import { percentages } from '../ui/percentages.ts';
import { plain, renderJson } from '../ui/terminal.ts';
import { cutTo, padTo, widthOf } from '../ui/width.ts';

/** Two fifths of the terminal; where its width is not known, those of one of 100 columns. */
const whoWidth = (columns: number | undefined): number =>
  columns ? Math.min(64, Math.max(24, Math.floor(columns * 0.4))) : 40;

const MIN_WORDS = 10;

/**
 * The report for people, one line for each line of the file, and the sums; safe to print. In a terminal lines end where it does.
 *
 * @param columns of the terminal, where there is one
 */
export function renderBlame({ lines, counts }: BlameReport, columns?: number): string {
  const shown = lines.map((line) => ({ ...line, who: plain(whoOf(line, whoWidth(columns))) }));
  const width = Math.max(0, ...shown.map(({ who }) => widthOf(who)));
  const digits = String(lines.at(-1)?.line ?? 0).length;
  const rows = shown.map(({ commit, who, line, text }) => {
    const front = `${commit?.slice(0, 7) ?? '-------'} ${padTo(who, width)} ${String(line).padStart(digits)}) `;
    const content = columns ? plain(text).replaceAll('\t', '    ') : plain(text);
    return `${front}${cutTo(content, columns && Math.max(8, columns - widthOf(front)))}`;
  });
  return [...rows, ...(rows.length > 0 ? [''] : []), renderCounts(counts)].join('\n');
}

function whoOf({ kind, session, prompt, turn, author, commit }: OriginLine, most: number): string {
  if (session) return describeSession(session, prompt, turn, most);
  const name = commit ? collapse(author) : '(not committed yet)';
  return cutTo(`${kind.padEnd(7)} ${name}`, most);
}

function describeSession(
  { agent, sessionId, checkpoint }: BlamedSession,
  prompt: string | undefined,
  turn: string | undefined,
  most: number,
): string {
  const words = prompt ? `"${collapse(prompt)}"` : (checkpoint ?? '');
  const number = turn ? turn.slice(turn.lastIndexOf(':')) : '';
  const who = `${agent || '(unknown agent)'} ${sessionId.slice(0, 8)}${number}`;
  // A word or two of a prompt say nothing.
  const hasRoom = most - widthOf(who) >= MIN_WORDS;
  return cutTo(hasRoom ? `${who} ${words}`.trim() : who, most);
}

/** No share without the others: what is unknown is part of the answer. */
function renderCounts({ agent, human, unknown }: BlameReport['counts']): string {
  const all = agent + human + unknown;
  const [ofAgent, ofHuman, ofUnknown] = percentages([agent, human, unknown]);
  return `${all} ${all === 1 ? 'line' : 'lines'}: agent ${agent} (${ofAgent}%), human ${human} (${ofHuman}%), unknown ${unknown} (${ofUnknown}%)`;
}

/** The report for programs; documented in docs/json.md. */
export function renderBlameJson({ path, lines, counts }: BlameReport): string {
  const sessions = [...new Set(lines.flatMap(({ session }) => session ?? []))];
  const value = {
    path,
    counts,
    sessions: sessions.map(({ sessionId, agent, checkpoint, prompt }) => ({
      session_id: sessionId,
      agent,
      checkpoint: checkpoint ?? null,
      prompt: prompt ?? null,
    })),
    lines: lines.map(({ line, text, commit, author, kind, reason, session, prompt, turn }) => ({
      line,
      text,
      commit: commit ?? null,
      author: commit ? author : null,
      class: kind,
      reason,
      session_id: session?.sessionId ?? null,
      checkpoint: session?.checkpoint ?? null,
      prompt: prompt ?? null,
      turn: turn ?? null,
    })),
  };
  return renderJson(value);
}

/** How the report is coloured. */
export const TONES: readonly RegExp[] = [
  /^(?<id>[0-9a-f]{7}|-{7}) (?:(?<you>human +.*?)|(?<quiet>unknown +.*?)|(?<agent>.*?)) +\d+\)(?: |$)/d,
  /^\d+ lines?: (?<agent>agent [^,]*), (?<you>human [^,]*), (?<quiet>unknown .*)$/d,
];
