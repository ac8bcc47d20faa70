import { join } from 'node:path';
import { AGENT_NAMES, type AgentName } from '../../agents/names.ts';
import { findAgent } from '../../agents/registry.ts';
import { allSetups, setupOf } from '../../agents/setups.ts';
import { now } from '../../base/clock.ts';
import { disk } from '../../base/file/disk.ts';
import { openLogs } from '../../base/file/log-tail.ts';
import type { SessionId } from '../../base/ids.ts';
import { readRecentMoves } from '../../git/ref/reflog.ts';
import { settingsPlace } from '../../hooks/agent-settings.ts';
import { listKeptHere } from '../../origin/unseen-work.ts';
import { NOTHING_PRIVATE, readPrivate, readPrivateOfWorktree } from '../../session/private-record.ts';
import { covers, readPauses, UNREADABLE } from '../../session/record/pause.ts';
import { readVerdicts } from '../../session/record/verdicts.ts';
import { listTracked } from '../../session/session-index.ts';
import { hasState, readStateIfReadable } from '../../session/state-store.ts';
import { SETTINGS_FILE } from '../../settings/layers.ts';
import type { Patient } from '../patient.ts';
import { type Finding, foundSome } from './finding.ts';

/** What agents and git left on their own, to be held against what hooks recorded of it. */
export interface LifeFacts {
  /** Since when hooks ought to run; in milliseconds since 1970. */
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly transcripts: readonly TranscriptFacts[];
  /** Commits that were made in this worktree, newest first. */
  readonly commits: readonly CommitFacts[];
}

export interface TranscriptFacts {
  readonly path: string;
  readonly writtenMs: number;
  /** Hooks know of the session. */
  readonly isKnown: boolean;
  /** When they last heard of it; 0 where they never did. */
  readonly heardMs: number;
  /** It is in a turn, as far as hooks know: nothing is due before its end. */
  readonly isActive: boolean;
}

export interface CommitFacts {
  readonly oid: string;
  readonly madeMs: number;
  /** A hook left its verdict. */
  readonly isSeen: boolean;
}

/** Transcripts and commits that are looked at; older ones say nothing of today. */
const NEWEST = 20;
const VERDICTS = 600;

export function readLife(patient: Patient): LifeFacts {
  const { repo, activation } = patient;
  const root = 'root' in activation ? activation.root : repo.worktreeRoot;
  const files = [
    join(root, SETTINGS_FILE),
    ...allSetups().map(({ settings: { file } }) => join(repo.worktreeRoot, file)),
  ];
  const isManual = activation.kind === 'enabled' && activation.strategy !== 'auto-commit';
  return {
    sinceMs: Math.max(
      0,
      ...files.map((file) => disk.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0),
    ),
    nowMs: now().getTime(),
    transcripts: readTranscripts(patient),
    commits: isManual ? readCommits(patient) : [],
  };
}

function readTranscripts(patient: Patient): TranscriptFacts[] {
  const { repo, work } = patient;
  const tracked = listTracked(work.sessions);
  const isExplained = explainSilence(patient);
  return agentsAtWork(patient)
    .flatMap((agent) => listKeptHere(repo.worktreeRoot, agent, process.env, NEWEST))
    .sort((a, b) => b.writtenMs - a.writtenMs)
    .slice(0, NEWEST)
    .map(({ sessionId, path, writtenMs }) => {
      const state = readStateIfReadable(work.sessions, sessionId);
      return {
        path,
        writtenMs,
        isKnown:
          hasState(work.sessions, sessionId) || tracked.has(sessionId) || isExplained(sessionId, writtenMs),
        heardMs: Date.parse(state?.lastInteractionTime ?? '') || 0,
        isActive: state?.phase === 'active',
      };
    });
}

/**
 * Of a session that nothing is on record of, why that is no wonder: hooks of it ran and it was taken off the record since, or it
 * happened in private.
 */
function explainSilence({ repo }: Patient): (id: SessionId, writtenMs: number) => boolean {
  const isLogged = openLogs(repo.worktreeRoot);
  const { stretches } = readPrivateOfWorktree(repo.commonDir, repo.worktreeId) ?? NOTHING_PRIVATE;
  const pauses = readPauses(repo.commonDir);
  const isPaused = (id: SessionId, atMs: number): boolean =>
    pauses === UNREADABLE || pauses.some((pause) => pause.atMs <= atMs && covers(pause, repo.worktreeId, id));
  return (id, writtenMs) =>
    isLogged(id) ||
    isPaused(id, writtenMs) ||
    readPrivate(repo.commonDir, id) !== undefined ||
    stretches.some(({ fromMs, toMs }) => fromMs <= writtenMs && writtenMs <= toMs);
}

/** Agents whose hooks are here, or were: of another that works here nobody expects a word. */
function agentsAtWork({ repo, states }: Patient): AgentName[] {
  const heard = new Set(states().states.map(({ agentType }) => findAgent(agentType ?? '')));
  const isSetUp = (agent: AgentName): boolean => {
    try {
      const { current, outdated } = setupOf(agent).settings.inspect(settingsPlace(repo, agent));
      return current + outdated > 0;
    } catch {
      return true; // settings that cannot be read have a finding of their own
    }
  };
  return AGENT_NAMES.filter((agent) => heard.has(agent) || isSetUp(agent));
}

function readCommits({ repo }: Patient): CommitFacts[] {
  const seen = new Set(readVerdicts(repo.commonDir, VERDICTS).map(({ commit }) => commit));
  return readRecentMoves(repo.gitDir)
    .filter(({ action }) => /^commit(?: \((?:initial|amend)\))?$/.test(action))
    .reverse()
    .slice(0, NEWEST)
    .map(({ to, atMs }) => ({ oid: to, madeMs: atMs, isSeen: seen.has(to) }));
}

/** What is older says nothing of how things are today. */
const RECENT_MS = 7 * 24 * 60 * 60 * 1000;
/** A session that hooks know nothing of began with a hook, if there are any. */
const UNKNOWN_MS = 10 * 60 * 1000;
/** One that they know may be at work on its own for a while. */
const KNOWN_MS = 60 * 60 * 1000;
/** A commit and the hook after it; git counts in seconds. */
const COMMIT_SLACK_MS = 2_000;

export function judgeLife({ sinceMs, nowMs, transcripts, commits }: LifeFacts): Finding[] {
  const silent = transcripts.filter(({ writtenMs, isKnown, heardMs, isActive }) => {
    if (nowMs - writtenMs > RECENT_MS) return false;
    if (!isKnown) return writtenMs - sinceMs > UNKNOWN_MS;
    return !isActive && heardMs > 0 && writtenMs - Math.max(heardMs, sinceMs) > KNOWN_MS;
  });
  const due = commits.filter(
    ({ madeMs }) => madeMs > sinceMs + COMMIT_SLACK_MS && nowMs - madeMs <= RECENT_MS,
  );
  // Once a hook came again, whatever it was is over.
  const unseen = due.slice(
    0,
    Math.max(
      0,
      due.findIndex(({ isSeen }) => isSeen),
    ),
  );
  const missed = due.some(({ isSeen }) => isSeen) ? unseen : due;
  const paths = silent.map(({ path }) => path);
  const commitIds = missed.map(({ oid }) => oid.slice(0, 12));
  return [...foundSome('no-sign-of-life', paths), ...foundSome('commits-unseen', commitIds)];
}
