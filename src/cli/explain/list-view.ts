import { localMinute } from '../../base/clock.ts';
import { sanitizeForTerminal, truncate } from '../../base/text/text.ts';
import type { Branch } from '../../history/branch.ts';
import type { Point } from '../../history/point.ts';
import { oneLine } from '../ui/terminal.ts';
import { cutTo, widthOf } from '../ui/width.ts';
import { detached, forgottenPrompt, NO_CHECKPOINTS, NO_PROMPT, noneOfSession, UNBORN } from './text.ts';

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

/** Columns for a prompt, where there is no terminal. */
const PROMPT_WIDTH = 60;

/** The list for people. @param width columns of the terminal */
export function renderList(
  branch: Branch,
  groups: readonly Group[],
  session: string | undefined,
  width?: number,
): string {
  const lines = [`Branch: ${oneLine(branchLabel(branch))}`, `Checkpoints: ${groups.length}`];
  if (session !== undefined) lines.push(`Filtered by session: ${oneLine(session)}`);
  lines.push('');
  if (groups.length === 0)
    return [...lines, session === undefined ? NO_CHECKPOINTS : noneOfSession(session)].join('\n');
  return [...lines, ...groups.flatMap((group) => renderGroup(group, width))].join('\n').trimEnd();
}

function renderGroup({ key, points }: Group, width: number | undefined): string[] {
  const [newest] = points;
  const marks = [
    points.some(({ isTask }) => isTask) ? ' [Task]' : '',
    newest.checkpoint ? '' : ' [uncommitted]',
    newest.checkpoint && newest.checkpoint.problems.length > 0 ? ' [problems]' : '',
  ];
  const head = `[${truncate(oneLine(key), 12)}]${marks.join('')} `;
  const room = width ? width - widthOf(head) - 2 : PROMPT_WIDTH;
  const prompt =
    newest.prompt !== ''
      ? quote(cutTo(sanitizeForTerminal(newest.prompt), room))
      : newest.forgotten
        ? forgottenPrompt(newest.forgotten)
        : NO_PROMPT;
  const rows = points.map(({ commit }) => {
    const time = localMinute(commit.committedAt).slice(5);
    return cutTo(`  ${time} (${commit.oid.slice(0, 7)}) ${oneLine(commit.subject)}`, width);
  });
  return [`${head}${prompt}`, ...rows, ''];
}

/** A text in quotes on one line, as Go writes it with `%q`. */
function quote(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '"': '\\"', '\\': '\\\\' };
  return `"${text.replace(/[\n\t"\\]/g, (char) => escapes[char] ?? char)}"`;
}

/** How the list is coloured. */
export const TONES: readonly RegExp[] = [
  /^\[(?<id>[\w-]+)\](?: \[Task\])?(?: (?<open>\[uncommitted\]))?(?: (?<warning>\[problems\]))?/d,
  /^ {2}(?<quiet>\d\d-\d\d \d\d:\d\d) \((?<id>[0-9a-f]{7})\)/d,
];
