import { collapse } from '../../base/text/text.ts';
import type { BlameReport, OriginLine } from '../../origin/blame.ts';
import type { BlamedSession } from '../../origin/context.ts';
import type { LineWhy } from '../../origin/line-why.ts';
import { percentages } from '../ui/percentages.ts';
import { plain, renderJson } from '../ui/terminal.ts';
import { cutTo, padTo, widthOf, wrapLines } from '../ui/width.ts';
import { renderLineWhy, toWhyJson } from './why.ts';

/** Two fifths of the terminal; where its width is not known, those of one of 100 columns. */
const whoWidth = (columns: number | undefined): number =>
  columns ? Math.min(64, Math.max(24, Math.floor(columns * 0.4))) : 40;

const MIN_WORDS = 10;

/**
 * The report for people, one line for each line of the file, and the sums; safe to print. In a terminal lines end where it does.
 *
 * @param columns of the terminal, where there is one
 * @param whyOf how each line is known, where that was asked for: once below lines of which it is the same
 */
export function renderBlame({ path, lines, counts }: BlameReport, columns?: number, whyOf?: WhyOf): string {
  const shortOf = openShort(whoWidth(columns));
  const shown = lines.map((line) => ({ ...line, who: shortOf(line) }));
  const widths = new Map([...new Set(shown.map(({ who }) => who))].map((who) => [who, widthOf(who)]));
  const width = Math.max(0, ...widths.values());
  const padded = new Map([...widths.keys()].map((who) => [who, padTo(who, width)]));
  const digits = String(lines.at(-1)?.line ?? 0).length;
  const told = whyOf && lines.map((one) => explain(one, whyOf(one), { path, columns }));
  const rows = shown.map(({ commit, who, line, text }, at) => {
    const front = `${commit?.slice(0, 7) ?? '-------'} ${padded.get(who)} ${String(line).padStart(digits)}) `;
    const content = columns ? plain(text).replaceAll('\t', '    ') : plain(text);
    const row = `${front}${cutTo(content, columns && Math.max(8, columns - widthOf(front)))}`;
    return told && told[at] !== told[at + 1] ? `${row}\n${told[at]}` : row;
  });
  return [...rows, ...(rows.length > 0 ? [''] : []), renderCounts(counts)].join('\n');
}

/** {@link whoOf}, safe to print; told once of all lines that a turn, or a person, wrote. */
function openShort(most: number): (line: OriginLine) => string {
  const known = new Map<BlamedSession | undefined, Map<string, string>>();
  return (line) => {
    const { session, kind, author, prompt = '', turn = '', commit } = line;
    const ofSession = known.get(session) ?? new Map<string, string>();
    known.set(session, ofSession);
    const key = session ? `${turn}\0${prompt}` : `${kind}\0${commit ? author : '\0'}`;
    const who = ofSession.get(key) ?? plain(whoOf(line, most));
    ofSession.set(key, who);
    return who;
  };
}
/** How a line is known. */
export type WhyOf = (line: OriginLine) => LineWhy;

const INDENT = '    ';

const explain = (
  line: OriginLine,
  why: LineWhy,
  { path, columns }: { readonly path: string; readonly columns: number | undefined },
): string =>
  renderLineWhy(line, why, path)
    .map((row) => wrapLines(`${INDENT}- ${plain(row)}`, columns))
    .join('\n');

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
export function renderBlameJson({ path, lines, counts }: BlameReport, whyOf?: WhyOf): string {
  const value = {
    path,
    counts,
    sessions: sessionsOf(lines).map(({ sessionId, agent, checkpoint, prompt }) => ({
      session_id: sessionId,
      agent,
      checkpoint: checkpoint ?? null,
      prompt: prompt ?? null,
    })),
    lines: lines.map((one) => ({
      line: one.line,
      text: one.text,
      commit: one.commit ?? null,
      author: one.commit ? one.author : null,
      class: one.kind,
      reason: one.reason,
      session_id: one.session?.sessionId ?? null,
      checkpoint: one.session?.checkpoint ?? null,
      prompt: one.prompt ?? null,
      turn: one.turn ?? null,
      ...(whyOf && { why: toWhyJson(one, whyOf(one)) }),
    })),
  };
  return renderJson(value);
}

/** Each session once for each of its checkpoints, in the order of their lines; by what is known of it most. */
function sessionsOf(lines: readonly OriginLine[]): BlamedSession[] {
  const known = new Map<string, BlamedSession>();
  for (const session of new Set(lines.flatMap((line) => line.session ?? []))) {
    const key = `${session.sessionId}\0${session.checkpoint ?? ''}`;
    const found = known.get(key);
    known.set(key, found?.prompt === undefined ? session : found);
  }
  return [...known.values()];
}

/** How the report is coloured. */
export const TONES: readonly RegExp[] = [
  /^(?<id>[0-9a-f]{7}|-{7}) (?:(?<you>human +.*?)|(?<quiet>unknown +.*?)|(?<agent>.*?)) +\d+\)(?: |$)/d,
  /^\d+ lines?: (?<agent>agent [^,]*), (?<you>human [^,]*), (?<quiet>unknown .*)$/d,
];
