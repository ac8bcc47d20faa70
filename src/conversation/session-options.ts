import type { TurnEvent } from '../agents/shared/headless/headless.ts';
import type { Message, TurnStop } from '../agents/shared/session/message.ts';
import type { CompactionStrategy } from '../context/compaction/compaction.ts';
import type { Environment } from './agent.ts';
import type { SessionTree } from './session-tree.ts';
import type { Storage } from './storage/storage.ts';

export interface SessionOptions {
  /** Where the agent works. */
  readonly env?: Environment;
  /** Default: one that lasts as long as the process. */
  readonly storage?: Storage;
  /** Default: a random UUID. */
  readonly sessionId?: string;
  readonly system?: string;
  /** After every turn: compacts what has become too long. Needs `compaction`. */
  readonly autoCompact?: boolean;
  readonly compaction?: CompactionStrategy;
  /** From so many tokens on a context is too long. Default: 100,000. */
  readonly compactAtTokens?: number;
  /** Knows this session and its forks; `switchBranch` needs it. */
  readonly tree?: SessionTree;
  /** Anything that is to be kept with it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Hears what happens, while it happens. */
  readonly onEvent?: (event: TurnEvent) => void;
  /** Hears how each turn ended, also of those that nobody waits for. */
  readonly onTurn?: (end: TurnReport) => void;
}

export interface TurnReport extends TurnOutcome {
  /** Why it failed; `undefined` when it did not. */
  readonly failure: unknown;
}

/** What came of a turn. */
export interface TurnOutcome {
  /** What the agent said. */
  readonly text: string;
  /** What the turn added to the conversation, the user's message first. */
  readonly messages: readonly Message[];
  /** Why it did not come to its end; `undefined` when it did. */
  readonly stopped: TurnStop | undefined;
}
