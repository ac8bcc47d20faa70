import { homedir } from 'node:os';
import { transcriptFormatOf } from '../agents/registry.ts';
import { now, renderUtc } from '../base/clock.ts';
import type { CheckpointId } from '../base/ids.ts';
import { type RepoPath, sortedUnique } from '../base/repo-path.ts';
import { VERSION } from '../base/version.ts';
import { joinTranscript } from '../checkpoint/chunks.ts';
import { writeCheckpoint } from '../checkpoint/committed.ts';
import { metadataDir, type ShadowBranch } from '../checkpoint/shadow-branch.ts';
import { type Identity, readObjects, type TreeEntry } from '../git/objects.ts';
import type { SessionState } from '../session/state.ts';
import { redactedTexts } from './redacted-texts.ts';
import { readTranscript } from './transcript-file.ts';
import type { Work } from './work.ts';

export interface Condensation {
  readonly id: CheckpointId;
  /** Paths of the commit that are this session's. */
  readonly files: readonly RepoPath[];
  readonly shadow: ShadowBranch;
  /** The session's metadata folder in the shadow tree. */
  readonly shadowEntries: ReadonlyMap<string, TreeEntry>;
  readonly branch: string | undefined;
  readonly author: Identity;
}

/**
 * Turns a session's pending work into a committed checkpoint: the whole transcript and all prompts, redacted, and
 * what the commit holds of it. A session whose transcript cannot be had is condensed without one: the trailer that
 * the commit already carries must lead somewhere.
 *
 * @returns transcript items stored, the offset of whatever comes next
 */
export async function condense(work: Work, state: SessionState, condensation: Condensation): Promise<number> {
  const format = transcriptFormatOf(state.agentType);
  const { shadowEntries } = condensation;
  const transcript =
    readTranscript(state.transcriptPath) ||
    readShadowTranscript(work, state, condensation.shadow, shadowEntries);
  const texts = await redactedTexts(format, transcript, state.firstPrompt);
  writeCheckpoint(work.git, {
    metadata: {
      cliVersion: VERSION,
      checkpointId: condensation.id,
      sessionId: state.sessionId,
      strategy: 'manual-commit',
      createdAt: renderUtc(now()),
      branch: condensation.branch ?? '',
      checkpointsCount: state.checkpointCount,
      filesTouched: sortedUnique(condensation.files),
      agent: state.agentType,
      turnId: state.turnId,
      transcriptIdentifierAtStart: state.transcriptIdentifierAtStart,
      checkpointTranscriptStart: state.checkpointTranscriptStart,
      tokenUsage:
        transcript === ''
          ? undefined
          : format.readUsage(format.sliceFrom(transcript, state.checkpointTranscriptStart)),
      transcriptPath: relativeToHome(state.transcriptPath),
      other: {},
    },
    texts,
    ephemeralBranch: condensation.shadow.name,
    author: condensation.author,
    knownBlobs: new Set([...shadowEntries.values()].map(({ oid }) => oid)),
  });
  return format.countItems(transcript);
}

/** The copy on the shadow branch, for a session whose live transcript is gone. */
function readShadowTranscript(
  work: Work,
  state: SessionState,
  shadow: ShadowBranch,
  entries: ReadonlyMap<string, TreeEntry>,
): string {
  const dir = `${metadataDir(state.sessionId)}/`;
  const paths = [...entries.keys()].filter((path) =>
    /^full\.(jsonl(\.\d+)?|log)$/.test(path.slice(dir.length)),
  );
  const objects = readObjects(
    work.git,
    paths.map((path) => `${shadow.tip}:${path}`),
  );
  return joinTranscript([...objects].map(([name, { data }]) => ({ name, data })));
}

function relativeToHome(path: string): string {
  const home = homedir();
  return home !== '' && path.startsWith(`${home}/`) ? path.slice(home.length + 1) : '';
}
