import type { LineCounts } from '../../git/commit/line-counts.ts';
import type { ResetPreview, ResetResult } from '../../restore/rewind/reset.ts';
import { oneLine } from '../ui/terminal.ts';
import * as text from './text.ts';

/** Tracked files with changes, and how many lines. Empty when there are none. */
export function renderUncommitted(
  { uncommitted }: ResetPreview,
  counts: ReadonlyMap<string, LineCounts>,
): string {
  const paths = [...uncommitted.keys()].sort();
  if (paths.length === 0) return '';
  const rows = paths.map((path) => {
    const stats = renderStats(counts.get(path));
    const status = `${uncommitted.get(path)}:`.padEnd(10);
    return `  ${status} ${oneLine(path)}${stats === '' ? '' : ` (${stats})`}`;
  });
  const known = paths.flatMap((path) => counts.get(path) ?? []);
  const sum = (key: keyof LineCounts): number => known.reduce((total, lines) => total + lines[key], 0);
  const total = known.length > 0 ? [`\nTotal: +${sum('added')}/-${sum('removed')} lines`] : [];
  return [text.WILL_REVERT, ...rows, ...total].join('\n');
}

function renderStats(lines: LineCounts | undefined): string {
  if (!lines) return '';
  const { added, removed } = lines;
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`-${removed}`] : [])].join('/');
}

/** Why somebody may not want this reset; empty when there is no reason. */
export function renderWarnings(preview: ResetPreview, uncommitted: string): string {
  const loose = preview.overwritten.filter((path) => !preview.uncommitted.has(path)).map(oneLine);
  return [
    ...(uncommitted === '' ? [] : [`• ${uncommitted}`]),
    ...(loose.length > 0 ? [text.willOverwrite(loose)] : []),
    ...(preview.orphaned > 0 ? [text.orphaned(preview.orphaned)] : []),
  ].join('\n');
}

/** What a reset did, for stderr: where what it overwrote is. */
export function renderKeptByReset({ overwritten, stagedRef }: ResetResult): string {
  return [
    ...(overwritten.length > 0 ? [text.keptFiles(overwritten.length)] : []),
    ...(stagedRef === undefined ? [] : [text.keptStaged(stagedRef)]),
  ].join('\n');
}

/** What keeps auto-commit from going back. */
export function renderRefusal({ uncommitted }: ResetPreview): string {
  const row = (path: string, kind: string): string => `  ${`${kind}:`.padEnd(11)} ${oneLine(path)}`;
  const rows = [...uncommitted].map(([path, kind]) => row(path, kind)).sort();
  return [text.UNCOMMITTED, ...rows].join('\n');
}
