import { collapse, truncate } from '../../base/text/text.ts';
import type { BlamedSession, BlameReport, OriginLine } from '../../origin/blame.ts';
import { renderJson } from '../ui/terminal.ts';

const WHO_WIDTH = 40;

/** The report for people, one line for each line of the file, and the sums; not sanitised yet. */
export function renderBlame({ lines, counts }: BlameReport): string {
  const shown = lines.map((line) => ({ ...line, who: whoOf(line) }));
  const width = Math.max(0, ...shown.map(({ who }) => [...who].length));
  const digits = String(lines.at(-1)?.line ?? 0).length;
  const rows = shown.map(({ commit, who, line, text }) => {
    const pad = ' '.repeat(width - [...who].length);
    return `${commit?.slice(0, 7) ?? '-------'} ${who}${pad} ${String(line).padStart(digits)}) ${text}`;
  });
  return [...rows, ...(rows.length > 0 ? [''] : []), renderCounts(counts)].join('\n');
}

function whoOf({ kind, session, prompt, author, commit }: OriginLine): string {
  if (session) return truncate(describeSession(session, prompt), WHO_WIDTH, '...');
  const name = commit ? collapse(author) : '(not committed yet)';
  return truncate(`${kind.padEnd(7)} ${name}`, WHO_WIDTH, '...');
}

function describeSession(
  { agent, sessionId, checkpoint }: BlamedSession,
  prompt: string | undefined,
): string {
  const words = prompt ? `"${collapse(prompt)}"` : (checkpoint ?? '');
  return [agent || '(unknown agent)', sessionId.slice(0, 8), words].join(' ').trim();
}

/** No share without the others: what is unknown is part of the answer. */
function renderCounts(counts: BlameReport['counts']): string {
  const all = counts.agent + counts.human + counts.unknown;
  const share = (count: number) => `${count} (${all === 0 ? 0 : Math.round((count / all) * 100)}%)`;
  return `${all} ${all === 1 ? 'line' : 'lines'}: agent ${share(counts.agent)}, human ${share(counts.human)}, unknown ${share(counts.unknown)}`;
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
    lines: lines.map(({ line, text, commit, author, kind, reason, session, prompt }) => ({
      line,
      text,
      commit: commit ?? null,
      author: commit ? author : null,
      class: kind,
      reason,
      session_id: session?.sessionId ?? null,
      checkpoint: session?.checkpoint ?? null,
      prompt: prompt ?? null,
    })),
  };
  return renderJson(value);
}
