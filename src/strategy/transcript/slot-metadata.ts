import { homedir } from 'node:os';
import { now, renderUtc } from '../../base/clock.ts';
import type { CheckpointId } from '../../base/ids.ts';
import { sortedUnique } from '../../base/repo-path.ts';
import { VERSION } from '../../base/version.ts';
import type { InitialAttribution } from '../../checkpoint/initial-attribution.ts';
import type { SlotMetadata } from '../../checkpoint/metadata-json.ts';
import { redactName } from '../../checkpoint/redact/redact.ts';
import type { SessionState } from '../../session/state.ts';
import type { StrategyName } from '../../settings/settings.ts';
import type { RedactedTranscript } from './redacted.ts';
import { readUsage } from './usage.ts';

/** A slot as its strategy knows it. */
export interface SlotFacts {
  readonly id: CheckpointId;
  readonly strategy: StrategyName;
  /** `''` where HEAD is detached. */
  readonly branch: string;
  /** Transcript item that its own part begins with. */
  readonly start: number;
  readonly attribution: InitialAttribution | undefined;
}

/** What every slot says of its session, whatever it is made of. */
export const describeSlot = (
  state: SessionState,
  transcript: RedactedTranscript,
  { id, strategy, branch, start, attribution }: SlotFacts,
): Omit<SlotMetadata, 'checkpointsCount' | 'filesTouched' | 'transcriptIdentifierAtStart'> => ({
  cliVersion: VERSION,
  checkpointId: id,
  sessionId: state.sessionId,
  strategy,
  createdAt: renderUtc(now()),
  branch: redactName(branch),
  agent: state.agentType,
  turnId: state.turnId,
  checkpointTranscriptStart: start,
  tokenUsage: transcript.items === 0 ? undefined : readUsage(transcript, state.sessionId, start),
  initialAttribution: attribution,
  transcriptPath: relativeToHome(state.transcriptPath),
  other: {},
});

/** Files that a slot is about. A name is part of what is pushed, and loses what has the shape of a key. */
export const listFiles = (paths: Iterable<string>): string[] => sortedUnique([...paths].map(redactName));

/** The path below the home folder; empty for one that lies elsewhere. */
function relativeToHome(path: string): string {
  const home = homedir();
  return home !== '' && path.startsWith(`${home}/`) ? path.slice(home.length + 1) : '';
}
