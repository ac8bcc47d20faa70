/** What `entire clean` says. */

import { counted } from '../../base/text/text.ts';
import type { ListedBranch } from '../../checkpoint/shadow-branch.ts';
import type { CleanReport } from '../../doctor/clean/clean.ts';
import {
  type Kept,
  type KeptReason,
  LEFTOVER_KINDS,
  type Leftover,
  type LeftoverKind,
  type Leftovers,
} from '../../doctor/clean/leftovers.ts';
import { branchInUse } from '../messages.ts';
import { bringBack } from '../reset/text.ts';
import { renderJson } from '../ui/terminal.ts';

export const NOTHING_LEFT = 'Nothing to clean up.';

/** Headings of the sections; before and after. */
const SECTIONS: Readonly<Record<LeftoverKind, { readonly found: string; readonly deleted: string }>> = {
  'shadow-branch': { found: 'Step branches', deleted: 'Step branches' },
  'session-state': { found: 'Session states', deleted: 'Session states' },
  checkpoint: { found: 'Checkpoint metadata', deleted: 'Checkpoints' },
  'session-record': { found: 'Records of sessions that are gone', deleted: 'Records of sessions' },
  'replaced-log': { found: 'Logs replaced over a month ago', deleted: 'Replaced logs' },
  'temporary-file': { found: 'Temporary files', deleted: 'Temporary files' },
  lock: { found: 'Stale locks', deleted: 'Locks' },
  ref: { found: 'Unfinished refs', deleted: 'Refs' },
};

const byKind = (items: readonly Leftover[]): Array<[LeftoverKind, readonly Leftover[]]> =>
  LEFTOVER_KINDS.flatMap((kind): Array<[LeftoverKind, readonly Leftover[]]> => {
    const own = items.filter((item) => item.kind === kind);
    return own.length > 0 ? [[kind, own]] : [];
  });

/** What would go. */
export function renderPreview(items: readonly Leftover[]): string {
  if (items.length === 0) return NOTHING_LEFT;
  return [
    `Left behind by sessions, ${counted(items.length, 'item')}:`,
    '',
    ...byKind(items).flatMap(([kind, own]) => [
      `${SECTIONS[kind].found} (${own.length}):`,
      ...own.map(({ id }) => `  ${id}`),
      '',
    ]),
    'Run with --force to delete these items.',
  ].join('\n');
}

/** What went, what did not, and how to have back what can be had back. */
export function renderClean({ deleted, failed, metadataTip }: CleanReport): string {
  if (deleted.length === 0 && failed.length === 0) return NOTHING_LEFT;
  const lines: string[] = [];
  if (deleted.length > 0) {
    lines.push(`Deleted ${deleted.length} items:`);
    for (const [kind, own] of byKind(deleted))
      lines.push('', `  ${SECTIONS[kind].deleted} (${own.length}):`, ...own.map(({ id }) => `    ${id}`));
  }
  const refs = deleted.flatMap(
    ({ kind, id, tip }): Array<Pick<ListedBranch, 'name' | 'tip'>> =>
      (kind === 'shadow-branch' || kind === 'ref') && tip ? [{ name: id, tip }] : [],
  );
  if (refs.length > 0) lines.push('', bringBack(refs));
  if (metadataTip) lines.push('', `entire/checkpoints/v1 had the deleted checkpoints at ${metadataTip}.`);
  if (failed.length > 0) {
    if (lines.length > 0) lines.push('');
    lines.push(failure(failed.length));
    for (const [kind, own] of byKind(failed))
      lines.push('', `  ${SECTIONS[kind].deleted}:`, ...own.map(({ id }) => `    ${id}`));
  }
  return lines.join('\n');
}

const failure = (count: number): string => `Failed to delete ${count} items:`;
export const failed = (count: number): string => `failed to delete ${count} items`;
export const failedBecause = (id: string, error: string): string => `Warning: ${id}: ${error}`;

/** So many things that stay for the same reason are named. */
const NAMED = 3;

/** What stays and would be looked for in the list. */
export function renderKept(kept: readonly Kept[]): string[] {
  const told = kept.filter(
    ({ kind, reason }) => !(kind === 'session-state' && reason === 'unreadable'), // `entire status` names it
  );
  const groups = new Map<string, Kept[]>();
  for (const one of told) {
    const key = `${one.kind} ${one.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const { kind, reason } = group[0] as Kept;
    if (reason === 'checked-out') return group.map(({ id, detail = '' }) => branchInUse(id, detail));
    const why = TOLD[reason];
    if (why === undefined) return [];
    const rest = group.length - NAMED;
    const isCopy = reason === 'only-copy' || reason === 'last-turns';
    const nameOf = ({ id, detail }: Kept): string => (isCopy && detail ? detail : id);
    return [
      ...group.slice(0, NAMED).map((one) => `Note: ${nameOf(one)} stays: ${why}`),
      ...(rest > 0 ? [`Note: and so do ${rest} more ${SECTIONS[kind].found.toLowerCase()}`] : []),
    ];
  });
}

/** Why something stays, where that is not plain to see in `entire status`. */
const TOLD: Partial<Record<KeptReason, string>> = {
  unreadable: 'a session whose state cannot be read may need it (`entire doctor`)',
  'steps-unreadable':
    'whose steps it has cannot be read (`entire verify`); `git update-ref -d refs/heads/<name>` removes it',
  unheld: 'no branch holds what it leads to; it goes 30 days after it was made',
  'only-copy': 'no checkpoint holds the session, so this may be the only copy of its transcript',
  'last-turns':
    'checkpoints hold the session, but perhaps not its last turns; it goes 30 days after it was last written',
  'checkpoint-unreadable': 'a checkpoint that cannot be read may hold the session (`entire verify`)',
  changed: 'it was used meanwhile',
  busy: 'a hook is at work on the session',
  'history-incomplete':
    'not all commits that may name it can be looked at (a shallow clone, a rebase or merge that is not over, damage)',
};

/** For programs. */
export function renderCleanJson(found: Leftovers, report: CleanReport | undefined): string {
  const item = ({ kind, id, tip }: Leftover) => ({ kind, id, tip: tip ?? null });
  const { kept, deleted, failed } = report ?? { kept: found.kept, deleted: [], failed: [] };
  return renderJson({
    forced: report !== undefined,
    found: found.items.map(item),
    deleted: deleted.map(item),
    failed: failed.map((one) => ({ ...item(one), error: one.error })),
    kept: kept.map(({ kind, id, reason, detail }) => ({ kind, id, reason, detail: detail ?? null })),
    metadata_tip: report?.metadataTip ?? null,
  });
}
