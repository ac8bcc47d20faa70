import { AGENTS } from '../../agents/names.ts';
import { typeOf } from '../../agents/registry.ts';
import { renderLocal } from '../../base/clock.ts';
import type { SessionRecord } from '../../conversation/walk/session-record.ts';
import type { LogPlan, RestoredLog, SkippedLog } from '../../restore/log/logs.ts';
import { wouldLose } from '../../restore/log/logs-compare.ts';
import { chatCommand, type GoingOn, resumeCommandOf, withWords } from '../ui/restored-logs.ts';
import { oneLine, renderJson } from '../ui/terminal.ts';
import * as text from './text.ts';

/** What became of a resume, or would become of it. */
export interface Outcome {
  readonly result:
    | 'restored'
    /** The log here holds the same or more: there is nothing to write. */
    | 'unchanged'
    | 'no-session'
    | 'no-checkpoint'
    | 'no-metadata'
    | 'no-transcript'
    | 'cancelled'
    | 'planned';
  /** That is checked out now, or would be; `undefined` where the target is no branch. */
  readonly branch?: string | undefined;
  /** Of the user's that leads to the checkpoint. */
  readonly commit?: string | undefined;
  readonly newerCommits?: number;
  readonly checkpoint?: string | undefined;
  readonly logs?: ReadonlyArray<LogPlan & Partial<Pick<RestoredLog, 'outcome' | 'kept'>>>;
  readonly skipped?: readonly SkippedLog[];
  /** The session of ours that is gone on with: there is no log to restore. */
  readonly own?: SessionRecord;
}

/** `resume --json`. */
export const renderOutcome = (outcome: Outcome, goingOn: GoingOn): string =>
  renderJson({
    result: outcome.result,
    branch: outcome.branch ?? null,
    commit: outcome.commit ?? null,
    newer_commits: outcome.newerCommits ?? 0,
    checkpoint: outcome.checkpoint ?? null,
    sessions: [
      ...(outcome.logs ?? []).map((log) => ({
        session_id: log.sessionId,
        agent: typeOf(log.agent),
        prompt: log.prompt,
        path: log.file,
        state: log.state,
        written: log.outcome === 'written',
        kept: log.kept ?? null,
        local_last_entry: toIso(log.localMs),
        checkpoint_last_entry: toIso(log.storedMs),
        command: commandOf(log, goingOn),
      })),
      ...(outcome.own ? [ownJson(outcome.own, goingOn)] : []),
    ],
    skipped: (outcome.skipped ?? []).map(({ sessionId, why, detail, index }) => ({
      index,
      session_id: sessionId,
      reason: why,
      detail,
    })),
  });

const ownJson = (
  { sessionId, cliOrigin, summary, path }: SessionRecord,
  { words = [], into }: GoingOn,
): object => ({
  session_id: sessionId,
  agent: cliOrigin === '' ? '' : AGENTS[cliOrigin].type,
  prompt: summary.title ?? '',
  path,
  state: 'unchanged',
  written: false,
  kept: null,
  local_last_entry: null,
  checkpoint_last_entry: null,
  command: withWords(chatCommand(sessionId, into === cliOrigin ? undefined : into), words),
});

/** `null` where the agent's executable does not say it. */
function commandOf(log: LogPlan, goingOn: GoingOn): readonly string[] | null {
  try {
    return resumeCommandOf(log, goingOn);
  } catch {
    return null;
  }
}

const toIso = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** What is at stake where logs here are newer than those of the checkpoint. */
export function renderConflict(logs: readonly LogPlan[]): string {
  const those = (wanted: LogPlan['state'], heading: string): string[] => {
    const found = logs.filter(({ state }) => state === wanted);
    return found.length === 0
      ? []
      : [
          heading,
          ...found.flatMap((log) => [
            `  ${nameOf(log)}`,
            `    Local last entry:      ${localTime(log.localMs)}`,
            `    Checkpoint last entry: ${localTime(log.storedMs)}`,
          ]),
        ];
  };
  const others = logs.filter(({ state }) => !wouldLose(state));
  return [
    ...those('local-newer', text.NEWER_HERE),
    ...those('apart', text.APART),
    ...(others.length > 0 ? [text.OTHERS] : []),
    ...others.map((log) => `  ${nameOf(log)} (${STATES[log.state]})`),
    logs.some(({ state }) => state === 'apart') ? text.WILL_LOSE_OWN : text.WILL_LOSE,
  ].join('\n');
}

const STATES = {
  new: 'new',
  unchanged: 'unchanged',
  'checkpoint-newer': 'checkpoint is newer',
  'local-newer': 'local is newer',
  apart: 'each has what the other lacks',
} as const satisfies Record<LogPlan['state'], string>;

const nameOf = ({ prompt, sessionId }: LogPlan): string =>
  prompt === '' ? `Session: ${sessionId}` : `"${oneLine(prompt)}"`;

const localTime = (ms: number | undefined): string => renderLocal(ms ?? Number.NaN) || '(unknown)';
