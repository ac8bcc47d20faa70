import { counted, renderBytes } from '../../base/text/text.ts';
import type { UsageKind, UsageReport, UsageRow } from '../../doctor/usage.ts';
import { homely } from '../ui/paths.ts';
import { type Column, renderTable } from '../ui/table.ts';
import { renderJson } from '../ui/terminal.ts';

/** What each kind is called, and what is counted of it. */
const KINDS: Readonly<
  Record<UsageKind, { readonly name: string; readonly column: string; readonly unit: string }>
> = {
  checkpoints: { name: 'Checkpoints', column: 'checkpoints', unit: 'checkpoint' },
  notes: { name: 'Notes of commits', column: 'notes', unit: 'note' },
  steps: { name: 'Uncommitted steps', column: 'steps', unit: 'branch' },
  'transcript-caches': { name: 'Transcript caches', column: 'cache', unit: 'file' },
  'transcript-copies': { name: 'Working copies of transcripts', column: 'copy', unit: 'file' },
  'session-records': { name: 'Session states and records', column: 'records', unit: 'file' },
  snapshots: { name: 'Snapshots for undo', column: 'snapshots', unit: 'file' },
  'search-index': { name: 'Index of entire search', column: 'search', unit: 'file' },
  structures: { name: 'Structures of source files', column: 'structures', unit: 'file' },
  'removed-worktrees': { name: 'Kept of removed worktrees', column: 'removed', unit: 'worktree' },
  logs: { name: 'Logs', column: 'logs', unit: 'file' },
};

/** Those that a session has a part in. */
const COLUMNS = [
  'checkpoints',
  'transcript-caches',
  'transcript-copies',
  'session-records',
  'snapshots',
] as const;

const SESSIONS_SHOWN = 10;

const NOTE =
  "Git objects count as git stores them, once for all branches that have them, and not where your own commits have them too. Objects that no branch has any more are git's to remove (`git gc`).";

/** The report for people. */
export function renderUsage({ rows, total, sessions, userIndex }: UsageReport, width?: number): string {
  const table = rows.map(({ kind, bytes, count }) => [
    KINDS[kind].name,
    bytes === undefined ? 'unknown' : renderBytes(bytes),
    counted(count, KINDS[kind].unit, KINDS[kind].unit === 'branch' ? 'branches' : undefined),
  ]);
  const lines = [
    'Entire keeps in this repository:',
    '',
    indented(
      renderTable(
        [{ title: '' }, { title: '', align: 'right' }, { title: '', drop: 1 }],
        [...table, ['Total', renderBytes(total), '']],
        width && width - INDENT.length,
      ),
    ),
    '',
    NOTE,
  ];
  if (rows.some(({ bytes }) => bytes === undefined)) lines.push('', UNKNOWN);
  if (userIndex) lines.push('', outside(homely(userIndex.path), renderBytes(userIndex.bytes)));
  if (sessions.length === 0) return lines.join('\n');
  const shown = sessions.slice(0, SESSIONS_SHOWN);
  const columns = COLUMNS.filter((kind) => shown.some(({ byKind }) => byKind[kind]));
  const body = shown.map(({ id, bytes, byKind }) => [
    id,
    renderBytes(bytes),
    ...columns.map((kind) => (byKind[kind] === undefined ? '' : renderBytes(byKind[kind]))),
  ]);
  const rest = sessions.length - shown.length;
  lines.push(
    '',
    'Largest sessions:',
    '',
    indented(
      renderTable(
        [
          { title: 'session' },
          { title: 'total', align: 'right' },
          ...columns.map((kind, at): Column => ({ title: KINDS[kind].column, align: 'right', drop: -at })),
        ],
        body,
        width && width - INDENT.length,
      ),
    ),
  );
  if (rest > 0) lines.push(`  and ${counted(rest, 'more session')}: \`entire du --json\``);
  return lines.join('\n');
}

const UNKNOWN = 'Unknown: git cannot follow all objects; `entire verify` says which are damaged or missing.';

const outside = (path: string, size: string): string =>
  `Outside of this repository: ${path}, ${size}, the index of \`entire search --all\`.`;

const INDENT = '  ';

const indented = (table: string): string => table.replace(/^/gm, INDENT);

/** The report for programs. */
export function renderUsageJson({ rows, total, sessions, userIndex }: UsageReport): string {
  const snake = (kind: UsageKind): string => kind.replaceAll('-', '_');
  return renderJson({
    total,
    kinds: rows.map(({ kind, bytes, count }: UsageRow) => ({
      kind: snake(kind),
      bytes: bytes ?? null,
      count,
    })),
    sessions: sessions.map(({ id, bytes, byKind }) => ({
      session_id: id,
      bytes,
      by_kind: Object.fromEntries(
        Object.entries(byKind).map(([kind, size]) => [snake(kind as UsageKind), size]),
      ),
    })),
    search_index_of_user: userIndex ?? null,
  });
}
