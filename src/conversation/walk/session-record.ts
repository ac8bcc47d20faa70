import type { AgentName } from '../../agents/names.ts';
import type { SessionId } from '../../base/ids.ts';

/** A session that somebody has kept: we, or an agent. */
export interface SessionRecord {
  /** Ours where we keep it, else the agent's own. */
  readonly sessionId: SessionId;
  /** Its newest run; `undefined` for one without. */
  readonly runId: SessionId | undefined;
  /** The folders of its runs, absolute, the newest first. */
  readonly runs: readonly string[];
  /** Whether it is in a file of ours. Of a run that is not, the logs are all that we keep: it was deleted, or never kept. */
  readonly isStored: boolean;
  /** It was begun, or taken from elsewhere, and the agent has not said anything yet: it failed, or is at it for the first time. */
  readonly isUnanswered?: boolean;
  /** The agent that it was talked with; empty where nothing says so. */
  readonly cliOrigin: AgentName | '';
  /** `run`: ours, with runs; `stored`: ours, without (imported, forked, made by a program); `agent`: in the agent's own store only. */
  readonly kind: 'run' | 'stored' | 'agent';
  /** What there is of it, absolute: the folder of its newest run, the file it is stored in, or the agent's transcript. */
  readonly path: string;
  /** The agent's own id of it, and its transcript, where they are known. */
  readonly agentSessionId: SessionId | undefined;
  readonly transcript: string | undefined;
  /** Where it was begun, as whoever keeps it wrote it. */
  readonly folder: string | undefined;
  /** RFC 3339; `undefined` where its beginning does not say. */
  readonly startedAt: string | undefined;
  /** RFC 3339 in UTC: when we, or its agent, last wrote something into it. */
  readonly updatedAt: string;
  /** What it was called when it was forked; `undefined` for no name. */
  readonly branch: string | undefined;
  readonly summary: SessionSummary;
}

/** What a session is about, as far as that is told by what is read anyway. */
export interface SessionSummary {
  /** The first prompt, on one line. */
  readonly title?: string;
}
