import { localMinute } from '../../base/clock.ts';
import { sanitizeForTerminal, truncate } from '../../base/text/text.ts';
import type { Branch } from '../../history/branch.ts';
import type { Point } from '../../history/point.ts';
import { oneLine } from '../ui/terminal.ts';
import { detached, forgottenPrompt, NO_CHECKPOINTS, NO_PROMPT, UNBORN } from './text.ts';

/** Points that belong together: those of one checkpoint, or the steps of one session. */
export interface Group {
  readonly key: string;
  /** Newest first. */
  readonly points: readonly [Point, ...Point[]];
}

/** Groups by their newest point. */
export function groupPoints(points: readonly Point[]): Group[] {
  const groups = new Map<string, [Point, ...Point[]]>();
  for (const point of points) {
    const key = point.checkpoint?.id ?? (point.sessionId || 'temporary');
    const group = groups.get(key);
    if (group) group.push(point);
    else groups.set(key, [point]);
  }
  return [...groups].map(([key, members]) => ({ key, points: members }));
}

/** What the branch is called in the first line. */
export function branchLabel({ head, name }: Branch): string {
  if (!head) return UNBORN;
  return name ?? detached(head.slice(0, 7));
}

/** The list for people. */
export function renderList(branch: Branch, groups: readonly Group[], session: string | undefined): string {
  const lines = [`Branch: ${oneLine(branchLabel(branch))}`, `Checkpoints: ${groups.length}`];
  if (session !== undefined) lines.push(`Filtered by session: ${oneLine(session)}`);
  lines.push('');
  if (groups.length === 0) return [...lines, NO_CHECKPOINTS].join('\n');
  return [...lines, ...groups.flatMap(renderGroup)].join('\n');
}

function renderGroup({ key, points }: Group): string[] {
  const [newest] = points;
  const marks = [
    points.some(({ isTask }) => isTask) ? ' [Task]' : '',
    newest.checkpoint ? '' : ' [temporary]',
    newest.checkpoint && newest.checkpoint.problems.length > 0 ? ' [problems]' : '',
  ];
  const prompt =
    newest.prompt !== ''
      ? quote(truncate(sanitizeForTerminal(newest.prompt), 60, '...'))
      : newest.forgotten
        ? forgottenPrompt(newest.forgotten)
        : NO_PROMPT;
  const rows = points.map(({ commit }) => {
    const time = localMinute(commit.committedAt).slice(5);
    return `  ${time} (${commit.oid.slice(0, 7)}) ${truncate(oneLine(commit.subject), 80, '...')}`;
  });
  return [`[${truncate(oneLine(key), 12)}]${marks.join('')} ${prompt}`, ...rows, ''];
}

/** A text in quotes on one line, as Go writes it with `%q`. */
function quote(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '"': '\\"', '\\': '\\\\' };
  return `"${text.replace(/[\n\t"\\]/g, (char) => escapes[char] ?? char)}"`;
}
