import { counted, renderBytes } from '../../base/text/text.ts';
import { type Kept, REMOTE_REFS } from '../../checkpoint/remote-refs.ts';
import type { PushRecord } from '../../sync/ledger.ts';
import type { Preview } from '../../sync/outgoing.ts';
import type { PushOutcome } from '../../sync/push.ts';
import type { StepsElsewhere } from '../../sync/steps-elsewhere.ts';
import { renderJson } from '../ui/terminal.ts';
import { shortRef } from './text.ts';

/** Where checkpoints go, as people read it. */
export interface ShownRemote {
  readonly remote: string;
  /** Without credentials. */
  readonly url: string;
}

const CHECKPOINTS_SHOWN = 20;

const named = ({ remote, url }: ShownRemote): string => (remote === url ? remote : `${remote} (${url})`);

/** What was replaced in the transcripts that would leave. */
export interface RedactionsByRule {
  /** Places by the rule that had them replaced, in the transcripts of all sessions that this is known of. */
  readonly counts: Readonly<Record<string, number>>;
  /** Sessions of which it is not known: redacted elsewhere, or long ago. */
  readonly unknown: readonly string[];
}

export function renderPreview(
  place: ShownRemote,
  preview: Preview,
  byRule: RedactionsByRule,
  consent: { readonly isGiven: boolean; readonly by: string; readonly record: Kept },
): string {
  const { checkpoints, sessions, bytes } = preview;
  if (checkpoints.length === 0 && bytes === 0 && preview.notes === 0)
    return `Nothing to push: ${place.remote} has every checkpoint.`;
  const fresh = checkpoints.filter(({ isNew }) => isNew).length;
  const lines = [
    `Would push ${shortRef(consent.record)} to ${named(place)}${consent.isGiven ? '' : ', once you say yes (--yes)'}:`,
    `  Checkpoints: ${checkpoints.length} (${fresh} new, ${checkpoints.length - fresh} changed)`,
    `  Sessions:    ${sessions.length}`,
    ...(preview.notes > 0 ? [`  Notes:       of ${counted(preview.notes, 'commit')}`] : []),
    `  Size:        ${renderBytes(bytes)}`,
    `  Redactions:  ${renderRedactions(preview, byRule)}`,
    `  Consent:     ${consent.by}`,
    '',
    ...checkpoints.slice(0, CHECKPOINTS_SHOWN).map(({ id, isNew, sessions: of }) => {
      const who = of.map((session) => session.slice(0, 8)).join(', ') || '(unreadable)';
      return `  ${id}  ${isNew ? 'new    ' : 'changed'}  ${who}`;
    }),
  ];
  if (checkpoints.length > CHECKPOINTS_SHOWN)
    lines.push(`  and ${checkpoints.length - CHECKPOINTS_SHOWN} more (--json lists all)`);
  return lines.join('\n').trimEnd();
}

function renderRedactions({ sessions, redactions }: Preview, { counts, unknown }: RedactionsByRule): string {
  const list = (of: Readonly<Record<string, number>>): string =>
    Object.entries(of)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${count} × ${name}`)
      .join(', ') || 'none';
  if (unknown.length === 0) return list(counts);
  if (Object.keys(redactions).length === 0) return 'none';
  const marks = `${list(redactions)}, in place of what was taken out (each copy of a text counts)`;
  if (unknown.length === sessions.length) return `${marks}; by which rules is not known on this machine`;
  const known = sessions.length - unknown.length;
  return `${marks}; by which rules is known of ${known} of ${sessions.length} sessions: ${list(counts)}`;
}

/** Documented in ARCHITECTURE.md. */
export const renderPreviewJson = (
  place: ShownRemote,
  preview: Preview,
  byRule: RedactionsByRule,
  more: {
    consent: string;
    from: string | undefined;
    to: string | undefined;
    elsewhere: readonly StepsElsewhere[];
  },
): string =>
  renderJson({
    ...place,
    consent: more.consent,
    from: more.from ?? null,
    to: more.to ?? null,
    checkpoints: preview.checkpoints.map(({ id, isNew, sessions }) => ({ id, new: isNew, sessions })),
    sessions: preview.sessions,
    notes: preview.notes,
    bytes: preview.bytes,
    redactions: { marks: preview.redactions, by_rule: byRule.counts, unknown_sessions: byRule.unknown },
    steps_elsewhere: more.elsewhere,
  });

export function renderPushed(place: ShownRemote, outcome: PushOutcome): string {
  const { checkpoints, bytes, merged, notes } = outcome;
  const also = merged ? ', after merging what others had pushed' : '';
  const pushed = outcome.result === 'pushed' ? checkpoints : undefined;
  const noted = notes.result === 'pushed' ? notes.count : 0;
  return `Pushed ${renderMoved(pushed, noted, ` (${renderBytes(bytes)})`)} to ${named(place)}${also}.`;
}

export const renderOutcomeJson = (
  place: ShownRemote,
  outcome: PushOutcome,
  more: { readonly also?: Kept | undefined; readonly removed?: Kept | undefined } = {},
): string =>
  renderJson({
    ...place,
    result: outcome.result,
    failure: outcome.failure ?? null,
    merged: outcome.merged,
    from: outcome.from ?? null,
    to: outcome.to ?? null,
    checkpoints: outcome.checkpoints,
    bytes: outcome.bytes,
    notes: outcome.notes,
    also_at: more.also === undefined ? null : REMOTE_REFS[more.also],
    removed: more.removed === undefined ? null : REMOTE_REFS[more.removed],
  });

const RESULTS: Readonly<Record<PushRecord['result'], string>> = {
  pushed: 'pushed',
  failed: 'failed',
  unknown: 'no answer, may have left',
};

/** Oldest first, as it happened. */
export const renderLog = (pushes: readonly PushRecord[]): string =>
  pushes
    .map(({ at, remote, url, from, to, checkpoints, notes = 0, bytes, removed, result, reason }) => {
      const noted = notes > 0 ? [`notes of ${counted(notes, 'commit')}`] : [];
      const what =
        removed === undefined
          ? [counted(checkpoints, 'checkpoint'), ...noted, renderBytes(bytes)].join(', ')
          : `${removed} removed there`;
      const range = `${from?.slice(0, 7) ?? '(none)'}..${to.slice(0, 7)}`;
      const why = reason ? `: ${reason}` : '';
      return `${at}  ${range}  ${named({ remote, url })}  ${what}  ${RESULTS[result] ?? result}${why}`;
    })
    .join('\n');

/** What came of a fetch. */
export interface Fetched {
  readonly result: 'created' | 'fast-forward' | 'merged' | 'up-to-date' | 'none';
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** New here, or changed. */
  readonly checkpoints: number;
  /** Commits whose notes are. */
  readonly notes: number;
}

export function renderFetched(place: ShownRemote, { result, checkpoints, notes }: Fetched): string {
  if (notes === 0 && result === 'none') return `${named(place)} has no checkpoints.`;
  if (notes === 0 && result === 'up-to-date') return `Already up to date with ${named(place)}.`;
  const how = result === 'merged' ? ', merged with those made here' : '';
  const isNews = result !== 'none' && result !== 'up-to-date';
  return `Fetched ${renderMoved(isNews ? checkpoints : undefined, notes)} from ${named(place)}${how}.`;
}

/** What went from here to there, or the other way. */
const renderMoved = (checkpoints: number | undefined, notes: number, size = ''): string =>
  [
    ...(checkpoints === undefined ? [] : [counted(checkpoints, 'checkpoint')]),
    ...(notes > 0 ? [`notes of ${counted(notes, 'commit')}`] : []),
  ].join(' and ') + size;

export const renderFetchedJson = (
  place: ShownRemote,
  { result, before, after, checkpoints, notes }: Fetched,
): string =>
  renderJson({ ...place, result, before: before ?? null, after: after ?? null, checkpoints, notes });
