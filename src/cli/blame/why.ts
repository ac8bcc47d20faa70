import { isDistinctive } from '../../base/text/lines.ts';
import { collapse } from '../../base/text/text.ts';
import type { OriginLine } from '../../origin/blame.ts';
import type { BlamedSession } from '../../origin/context.ts';
import type { LineWhy, TracedPlace } from '../../origin/line-why.ts';
import * as text from './text.ts';

/** What is known of a line and how, one thing a row; not sanitised yet. */
export function renderLineWhy(line: OriginLine, why: LineWhy, file: string): string[] {
  const { brought, reverts, replays, moved, ledBack } = why;
  const rows = [brought.commit ? placeIn(brought, file) : text.NOT_COMMITTED];
  if (reverts) rows.push(text.reverts(reverts.slice(0, 7)));
  if (replays) rows.push(text.replays(replays.slice(0, 7)));
  if (moved) rows.push((line.isCopy ? text.copiedFrom : text.movedFrom)(placeIn(moved, file)));
  if (ledBack) rows.push((ledBack.isInHistory ? text.ledBack : text.madeOf)(placeIn(ledBack, file)));
  rows.push(whoseIt(line));
  if (line.among?.length) rows.push(text.among(line.among.map(nameOf).join(', ')));
  return rows;
}

function placeIn({ commit, path, subject }: TracedPlace, file: string): string {
  const short = commit?.slice(0, 7) ?? text.NOT_COMMITTED;
  const place = path === file ? short : text.inFile(short, path);
  return subject ? `${place} "${collapse(subject)}"` : place;
}

function whoseIt(line: OriginLine): string {
  const { kind, reason, session, turn, way } = line;
  const isShort = reason === 'unseen' && !line.among?.length && !isDistinctive(line.text);
  const known = isShort
    ? text.TOO_SHORT
    : Object.hasOwn(text.REASONS, reason)
      ? text.REASONS[reason]
      : reason;
  if (!session) return `${kind}: ${known}`;
  const told = way?.();
  const details = [
    nameOf(session),
    ...(turn ? [`turn ${turn.slice(0, 8)}${turn.slice(turn.lastIndexOf(':'))}`] : []),
    ...(session.checkpoint ? [`checkpoint ${session.checkpoint}`] : []),
    ...(told ? [text.WAYS[told]] : []),
  ];
  return `${details.join(', ')}: ${known}`;
}

const nameOf = ({ agent, sessionId }: BlamedSession): string =>
  `${collapse(agent) || '(unknown agent)'} session ${sessionId.slice(0, 8)}`;

/** The same for programs; documented in docs/json.md. */
export const toWhyJson = (line: OriginLine, { brought, reverts, replays, moved, ledBack }: LineWhy) => ({
  brought: brought.commit ? toPlace(brought) : null,
  reverts: reverts ?? null,
  replays: replays ?? null,
  moved: moved ? toPlace(moved) : null,
  led_back: ledBack ? toPlace(ledBack) : null,
  edit: line.way?.() ?? null,
  among: line.among?.map(({ sessionId }) => sessionId) ?? [],
});

const toPlace = ({ commit, path, subject, isInHistory }: TracedPlace) => ({
  commit: commit ?? null,
  path,
  subject: subject ?? null,
  in_history: isInHistory,
});
