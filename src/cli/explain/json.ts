import type { TranscriptEntry } from '../../agents/shared/transcript/transcript.ts';
import type { StoredCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import { toStoredSummary } from '../../checkpoint/summary.ts';
import type { Branch } from '../../history/branch.ts';
import type { CheckpointDetail, SessionDetail, ShownTranscript, StepDetail } from '../../history/detail.ts';
import type { Points } from '../../history/points.ts';
import { toStoredUsage } from '../../session/state.ts';
import type { Tombstone } from '../../session/tombstones.ts';
import { renderJson } from '../ui/terminal.ts';
import type { DetailView } from './detail-view.ts';
import type { Group } from './list-view.ts';

/** `entire explain --json`; documented in docs/json.md. */

/** A commit that leads to no checkpoint. */
export const renderUnlinked = (commit: string): string => renderJson({ commit, checkpoint_id: null });

export function renderListJson(
  branch: Branch,
  groups: readonly Group[],
  session: string | undefined,
  { missing, forgotten }: Pick<Points, 'missing' | 'forgotten'>,
): string {
  return renderJson({
    branch: branch.name ?? null,
    head: branch.head ?? null,
    session_filter: session ?? null,
    checkpoints: groups.map(({ key, points }) => ({
      checkpoint_id: points[0].checkpoint ? key : null,
      temporary: points[0].checkpoint === undefined,
      task: points.some(({ isTask }) => isTask),
      session_ids: points[0].checkpoint
        ? points[0].checkpoint.slots.map(({ metadata }) => metadata.sessionId)
        : [points[0].sessionId],
      prompt: points[0].prompt || null,
      forgotten_at: forgottenAt(points[0].forgotten),
      commits: points.map(({ commit }) => ({
        commit: commit.oid,
        committed_at: commit.committedAt,
        subject: commit.subject,
      })),
      problems: points[0].checkpoint?.problems ?? [],
    })),
    missing_checkpoints: missing,
    forgotten_checkpoints: forgotten,
  });
}

const forgottenAt = (stone: Tombstone | undefined): string | null =>
  stone ? new Date(stone.atMs).toISOString() : null;

export function renderDetailJson(
  detail: CheckpointDetail,
  extent: DetailView['extent'],
  others: readonly Pick<StoredCheckpoint, 'id'>[] = [],
): string {
  const { checkpoint, author, commits, sessions, problems } = detail;
  return renderJson({
    checkpoint_id: checkpoint.id,
    ...(others.length > 0 && { other_checkpoints: others.map(({ id }) => id) }),
    temporary: false,
    author: author ?? null,
    commits: commits.map(({ oid, committedAt, subject }) => ({
      commit: oid,
      committed_at: committedAt,
      subject,
    })),
    files_touched: checkpoint.filesTouched,
    token_usage: checkpoint.tokenUsage ? toStoredUsage(checkpoint.tokenUsage) : null,
    sessions: sessions.map((session) => sessionJson(session, extent)),
    problems,
  });
}

function sessionJson(session: SessionDetail, extent: DetailView['extent']) {
  const { slot, summary, prompts, transcript, forgotten } = session;
  const { metadata } = slot;
  return {
    session_id: metadata.sessionId,
    agent: metadata.agent || null,
    strategy: metadata.strategy || null,
    created_at: metadata.createdAt || null,
    branch: metadata.branch || null,
    turn_id: metadata.turnId || null,
    checkpoint_transcript_start: metadata.checkpointTranscriptStart,
    files_touched: metadata.filesTouched,
    token_usage: metadata.tokenUsage ? toStoredUsage(metadata.tokenUsage) : null,
    initial_attribution: metadata.other.initial_attribution ?? null,
    summary: summary ? toStoredSummary(summary) : null,
    prompts,
    forgotten_at: forgottenAt(forgotten),
    transcript: extent === 'short' ? null : transcriptJson(transcript, extent),
  };
}

function transcriptJson({ kind, entries }: ShownTranscript, extent: DetailView['extent']) {
  return {
    scope: extent === 'full' ? 'session' : 'checkpoint',
    state: kind,
    entries: entries.map(entryJson),
  };
}

const entryJson = (entry: TranscriptEntry): Readonly<Record<string, string>> =>
  entry.kind === 'tool'
    ? { kind: 'tool', name: entry.name, detail: entry.detail }
    : { kind: entry.kind, text: entry.text };

export function renderStepJson(detail: StepDetail, extent: DetailView['extent']): string {
  const { step, prompts, transcript, problems } = detail;
  return renderJson({
    checkpoint_id: null,
    temporary: true,
    commit: step.commit.oid,
    committed_at: step.commit.committedAt,
    subject: step.commit.subject,
    task: step.isTask,
    session_id: step.sessionId,
    prompts,
    transcript: extent === 'short' ? null : transcriptJson(transcript, extent),
    problems,
  });
}
