import { counted, renderBytes } from '../../base/text/text.ts';
import type { UsageKind, UsageReport, UsageRow } from '../../doctor/usage.ts';
import { renderJson } from '../ui/terminal.ts';

/** What each kind is called, and what is counted of it. */
const KINDS: Readonly<
  Record<UsageKind, { readonly name: string; readonly column: string; readonly unit: string }>
> = {
  checkpoints: { name: 'Checkpoints (entire/checkpoints/v1)', column: 'checkpoints', unit: 'checkpoint' },
  steps: { name: 'Steps without a commit (temporary branches)', column: 'steps', unit: 'branch' },
  'transcript-caches': { name: 'Transcript caches', column: 'cache', unit: 'file' },
  'transcript-copies': { name: 'Working copies of transcripts', column: 'copy', unit: 'file' },
  'session-records': { name: 'Session states and records', column: 'records', unit: 'file' },
  snapshots: { name: 'Snapshots for undo', column: 'snapshots', unit: 'file' },
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

const NOTE = `Git objects count as git stores them, once for all branches that have them, and not where your own commits
have them too. Objects that no branch has any more are git's to remove (\`git gc\`).`;

/** The report for people. */
export function renderUsage({ rows, total, sessions }: UsageReport): string {
  const table = rows.map(({ kind, bytes, count }) => [
    KINDS[kind].name,
    bytes === undefined ? 'unknown' : renderBytes(bytes),
    counted(count, KINDS[kind].unit, KINDS[kind].unit === 'branch' ? 'branches' : undefined),
  ]);
  const lines = [
    'Entire keeps in this repository:',
    '',
    ...align([...table, ['Total', renderBytes(total), '']], [1]),
    '',
    NOTE,
  ];
  if (rows.some(({ bytes }) => bytes === undefined)) lines.push('', UNKNOWN);
  if (sessions.length === 0) return lines.join('\n');
  const shown = sessions.slice(0, SESSIONS_SHOWN);
  const columns = COLUMNS.filter((kind) => shown.some(({ byKind }) => byKind[kind]));
  const header = ['session', 'total', ...columns.map((kind) => KINDS[kind].column)];
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
    ...align([header, ...body], header.map((_, index) => index).slice(1)),
  );
  if (rest > 0) lines.push(`  and ${counted(rest, 'more session')}: \`entire du --json\``);
  return lines.join('\n');
}

const UNKNOWN = 'Unknown: git cannot follow all objects; `entire verify` says which are damaged or missing.';

/** Columns of equal width, two spaces apart; those that are named end at the same place. */
function align(rows: readonly (readonly string[])[], toTheRight: readonly number[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, at) =>
      toTheRight.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
    );
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

/** The report for programs. */
export function renderUsageJson({ rows, total, sessions }: UsageReport): string {
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
  });
}
